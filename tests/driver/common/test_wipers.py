# SPDX-License-Identifier: Apache-2.0
"""On 8 bits, too, the wipers of a driver reach as far as its library, and calls leave nothing.

frames.h measures this on a Cortex-M4 by probes. Here it is seen from outside
(sim/mega2560/frames.h), in unchanged images: with link-time optimisation, which the
board has, and without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import probes
import pytest
import wipers_program
from corral import ROOT
from corral.build import image as corral_build
from corral.model.tree import load_tree
from harness import areas, statuses, suites
from harness.program import TESTS
from wipers_program import BOARD, Part, Run, Watched

#: Curves as on other boards that are slow, and drivers with which a calculation on one takes the
#: simulated processor a minute: long runs have all of them.
CURVES = ("", "secp_r1_256", "montgomery_255", "twisted_edwards_255")
SLOW = ("bearssl", "compose", "p256m")
#: Functions of the API that the program does not call: no secret comes to them, or to a driver by
#: them; 8 KB are too few; or what they call in drivers is called by others.
WITHOUT_SECRET = ("psa_verify_", "psa_its_", "psa_ps_", "psa_initial_attest_")
WITHOUT_DRIVER = ("psa_check_key_usage", "psa_copy_key", "psa_export_key", "psa_get_key_attributes")
BEYOND = ("psa_pake_", "psa_asymmetric_", "psa_encapsulate", "psa_decapsulate", "psa_attach_key")
LIKE_OTHERS = ("psa_sign_", "psa_hash_", "psa_generate_key_custom", "psa_aead_abort",
               "psa_aead_generate_nonce", "psa_key_derivation_", "psa_purge_key")  # fmt: skip
#: The margin of stack.h beyond the used stack, and a wiper's own writes: two return
#: addresses and a register pair.
SPARE = 10
OWN = 3 + 2 + 3


def is_fast(part: Part) -> bool:
    """True if there is time for it: in long runs for all."""
    is_slow = part.label not in CURVES or (part.label and part.driver.name in SLOW)
    return not is_slow or part.label == wipers_program.TREES or areas.is_long()


def parts() -> Iterator[Part]:
    for driver in wipers_program.local_drivers():
        yield from filter(is_fast, wipers_program.parts(driver))


def single_parts() -> Iterator[Part]:
    """Where a library has most to inline, and in long runs all."""
    for driver in wipers_program.local_drivers():
        for part in wipers_program.single_parts(driver):
            if areas.is_long() or (driver.name == "p256m" and part.label.startswith("ecdsa_sign")):
                yield part


def params(found: Iterable[Part]) -> list[object]:
    names = [(part, f"{part.driver.name}-{part.label or 'rest'}") for part in found]
    marks = pytest.mark.xdist_group
    return [pytest.param(part, id=name, marks=marks(f"wipers-{name}")) for part, name in names]


@cache
def watched(part: Part, lto: bool) -> Watched:
    return wipers_program.build(part, lto)


@cache
def run_of(part: Part, lto: bool, seed: int) -> Run:
    return watched(part, lto).run(seed)


def check_wipers(part: Part, lto: bool) -> Run:
    run = run_of(part, lto, 0)
    print(*run.wipers, sep="\n")
    assert [wiper for wiper in run.wipers if wiper.left > 0] == []
    used = [wiper for wiper in run.wipers if wiper.used > 0]
    assert [wiper for wiper in used if wiper.reached < wiper.used + OWN + SPARE] == []
    return run


def check_all_wipers(part: Part, lto: bool) -> None:
    run = check_wipers(part, lto)
    assert watched(part, lto).wipers - {w.name for w in run.wipers if w.used > 0} == set()


@pytest.mark.parametrize("part", params(parts()))
def test_wiper_reaches_as_far_as_its_library(part: Part) -> None:
    check_all_wipers(part, True)


@pytest.mark.parametrize(
    "part", params(p for p in parts() if probes.wipers(p.driver) or areas.is_long())
)
def test_wiper_reaches_as_far_as_its_library_without_lto(part: Part) -> None:
    check_all_wipers(part, False)


@pytest.mark.parametrize("part", params(single_parts()))
def test_wiper_reaches_as_far_as_a_library_for_one_call(part: Part) -> None:
    """With link-time optimisation what is called once is inlined."""
    check_wipers(part, True)


@pytest.mark.parametrize("part", params(parts()))
def test_every_function_of_the_driver_is_called(part: Part) -> None:
    assert watched(part, True).functions - run_of(part, True, 0).drivers == set()


@pytest.mark.parametrize("part", params(parts()))
def test_calls_leave_nothing_of_secrets_on_the_stack(part: Part) -> None:
    assert wipers_program.residue(run_of(part, True, 0), run_of(part, True, 1)) == []


def test_every_function_of_the_api_is_called_or_excepted() -> None:
    text = "".join(path.read_text() for path in (TESTS / "driver" / "wipers").glob("*.c"))
    missing = set(statuses.functions()) - set(re.findall(r"psa_\w+", text))
    excepted = WITHOUT_SECRET + WITHOUT_DRIVER + BEYOND + LIKE_OTHERS
    # A context is public, and goes the way of other input.
    called = (name for name in missing if not name.endswith("_set_context"))
    assert [name for name in called if not name.startswith(excepted)] == []


def test_every_call_of_the_program_is_of_a_kind() -> None:
    """Or no case would make it."""
    kinds = suites.heads(sorted((TESTS / "driver" / "common").glob("*.c")), "SUBJECT_KIND")
    assert set(wipers_program.CALLS) - set(kinds) == set()


def test_every_wiper_is_known_by_its_name() -> None:
    """Or it would be taken for a part of the library, and judged nowhere."""
    for driver in load_tree(ROOT).drivers.values():
        text = "".join(path.read_text() for path in driver.folder.glob("*.[ch]"))
        names = re.findall(r"CORRAL_STACK_(?:LOCAL_)?WIPER\((\w+),", text)
        declared = probes.wipers(driver)
        assert [n for n in names if not wipers_program.is_wiper(n, declared)] == []


def test_every_driver_of_the_board_is_watched() -> None:
    """Of ML-KEM all is too large for the board."""
    here = {driver.name for driver in wipers_program.local_drivers()}
    assert here - {part.driver.name for part in (*parts(), *single_parts())} == {"mlkem_native"}
    assert corral_build.api.load_board(ROOT, BOARD).lto
