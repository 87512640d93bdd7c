# SPDX-License-Identifier: Apache-2.0
"""A suite runs because it is there: no test can be written, and left out of its program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness import suites
from harness.program import TESTS

SOURCES = sorted(TESTS.rglob("*.c"))
_ANY_SUITE = re.compile(r"^(?!extern |static ).*(?:TEST_SUITE\(|struct test_suite suite_)", re.M)
_ANY_TEST = re.compile(r"\bTEST\((\w+)\)")
_APART = re.compile(r"^TEST_SUITE_APART\((\w+), ", re.M)
#: Whose files are looked through for which heads of tests (test_drivers.py, residue_program.py).
_HEADS = {
    "TEST_FUNCTION": "vectors",
    "SUBJECT_TEST": "driver/common",
    "SECRET_TEST": "driver/common",
    "RESIDUE_TEST": "driver/common",
}


def test_every_suite_is_found_and_every_test_is_counted() -> None:
    for path in SOURCES:
        text = path.read_text()
        found = suites.counts([path])
        assert len(found) == len(_ANY_SUITE.findall(text)) <= 1, path
        assert not found or suites.claims(path) == _ANY_TEST.findall(text), path


def test_every_suite_is_run_by_its_folder() -> None:
    """By test_suites[], or by name; a folder without main.c has sources of other programs."""
    for main in (path for path in SOURCES if path.name == "main.c"):
        text = main.read_text()
        found = suites.counts(path for path in SOURCES if path.parent == main.parent)
        if "test_suites" not in text:
            assert [name for name in found if f"&suite_{name}" not in text] == [], main


def test_every_suite_that_is_apart_is_run_by_name() -> None:
    mains = "".join(path.read_text() for path in SOURCES if path.name == "main.c")
    apart = [name for path in SOURCES for name in _APART.findall(path.read_text())]
    assert apart
    for name in apart:
        assert f"&suite_{name}" in mains, name


@pytest.mark.parametrize("macro", _HEADS)
def test_every_head_of_a_test_is_where_it_is_looked_for(macro: str) -> None:
    heads = re.compile(rf"^[^#\n]*\b{macro}\(", re.M)
    where = {path.parent for path in SOURCES if heads.search(path.read_text())}
    assert where == {TESTS / _HEADS[macro]}


def test_every_test_that_is_no_file_s_own_is_in_a_list() -> None:
    listed = {claim for path in SOURCES for claim in _ANY_TEST.findall(path.read_text())}
    for path in SOURCES:
        for claim in re.findall(r"^void (\w+__\w+__\w+)\(void\)$", path.read_text(), re.M):
            assert claim in listed, path


def test_head_that_is_not_found_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "one.c"
    path.write_text("A_TEST(one__thing__holds)\n{\n}\n\nKIND(two, 4);\nOTHER(three)\n")
    assert suites.heads([path], "A_TEST", "KIND") == ["one__thing__holds", "two"]
    path.write_text("A_TEST(\n    one__thing__holds)\n")
    with pytest.raises(AssertionError, match=r"one\.c: a name that is not in the line"):
        suites.heads([path], "A_TEST")


def test_two_suites_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = [tmp_path / "first.c", tmp_path / "second.c"]
    for path in paths:
        path.write_text("    TEST(one__thing__holds),\n};\n\nTEST_SUITE(same, tests);\n")
    assert suites.counts(paths[:1]) == {"same": 1}
    with pytest.raises(AssertionError, match=r"second\.c: there is another suite same"):
        suites.counts(paths)
