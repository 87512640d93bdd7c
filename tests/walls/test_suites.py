# SPDX-License-Identifier: Apache-2.0
"""The suites of the API on the client's side of each wall that protects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest
from harness import programs
from harness.program import TESTS, Program
from harness.suites import claims
from walls.attacks import attack

#: The function that makes a program of a transport; its suites; tests that skip
#: themselves, as in one program.
SUITES: Mapping[str, tuple[Callable[[str], Program], Sequence[str]]] = {
    "api": (programs.behind_wall, ["null_pointer__where_it_is_checked__is_an_invalid_argument"]),
    "asymmetric": (programs.asymmetric_behind_wall, []),
    "pake": (programs.pake_behind_wall, ["input__proof_without_its_leading_zeros__is_taken"]),
}
LOCAL = TESTS / "walls" / "local" / "local.c"


def listed(program: Program) -> Counter[str]:
    """The tests in the suites of a program, but for those of the wall itself."""
    found: Counter[str] = Counter()
    for path in program.sources:
        if path.parent.parent != TESTS / "walls":
            found.update(claims(path))
    return found


def named_as_local() -> set[str]:
    return set(re.findall(r'^    \{"(\w+)",', LOCAL.read_text(encoding="utf-8"), re.M))


@pytest.mark.parametrize("transport", programs.WALLS)
@pytest.mark.parametrize("suites", SUITES)
def test_suites_of_the_api(suites: str, transport: str) -> None:
    """Each test of them passes, or is one of those that have to be local."""
    make, skipped = SUITES[suites]
    program = make(transport)
    tests = listed(program)
    result = program.run()
    result.check(1)
    said = {
        word: Counter(re.findall(rf"^{word} (\w+)", result.output, re.M))
        for word in ("ok", "skipped", "local")
    }
    assert said["ok"] + said["skipped"] + said["local"] == tests, result.complaints()
    assert said["skipped"] == Counter(skipped)
    assert set(said["local"]) == set(tests) & named_as_local()


def test_local__names_tests_that_there_are() -> None:
    made = [make("pmp") for make, _ in SUITES.values()]
    assert named_as_local() <= set().union(*(listed(program) for program in made))


@pytest.mark.parametrize("transport", programs.WALLS)
def test_attack_that_does_nothing__goes_on(transport: str) -> None:
    assert attack(transport, "nothing") == (0, "begins\ngoes on\n")


@pytest.mark.parametrize("transport", programs.WALLS)
def test_client__that_was_reset__leaves_nothing_behind(transport: str) -> None:
    assert attack(transport, "restart") == (0, "begins\nbegins\nnothing left\ngoes on\n")
