# SPDX-License-Identifier: Apache-2.0
"""The suites of a test program, as its sources have them, and the C file that lists them all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from corral.build import ROOT

_BEGINNING = (
    "/* SPDX-License-Identifier: Apache-2.0 */\n"
    "/* Made by tests/harness/suites.py; do not edit. */\n"
    f'#include "{ROOT}/tests/harness/harness.h"\n\n'
)
_SUITE = re.compile(r"^TEST_SUITE\((\w+), \w+\);$", re.M)
_TEST = re.compile(r"^ +TEST\((\w+)\),$", re.M)
_HEAD = re.compile(r"^([A-Z]+_(?:TEST|FUNCTION))\((\w+)\)$", re.M)


def claims(path: Path) -> list[str]:
    """What the file has in its suites, and in those that are static."""
    return _TEST.findall(path.read_text(encoding="utf-8"))


def counts(paths: Iterable[Path]) -> dict[str, int]:
    """The suites that are not static, and how many tests each has: a file has one."""
    found = {}
    for path in paths:
        for name in _SUITE.findall(path.read_text(encoding="utf-8")):
            assert name not in found, f"{path}: there is another suite {name}"
            found[name] = len(claims(path))
    return found


def heads(paths: Iterable[Path], *macros: str) -> list[str]:
    """The tests that begin with one of these macros: those of TEST_FUNCTION(), or made of it."""
    lines = [line for path in paths for line in _HEAD.findall(path.read_text(encoding="utf-8"))]
    return [claim for macro, claim in lines if macro in macros]


def suite(name: str, found: Sequence[str]) -> str:
    """The C file with a suite of these tests."""
    assert found, f"{name} has no test"
    declared = "".join(f"void {claim}(void);\n" for claim in found)
    rows = "".join(f"    TEST({claim}),\n" for claim in found)
    return (
        f"{_BEGINNING}{declared}\n"
        f"static const struct test_case tests[] = {{\n{rows}}};\n\n"
        f"TEST_SUITE({name}, tests);\n"
    )


def written(name: str, text: str) -> Path:
    """A generated C file below build/tests, which is touched only if its text is another."""
    path = ROOT / "build" / "tests" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def listed(name: str, paths: Iterable[Path]) -> Path:
    """The list of test_run_all(): the suites of these files, by their names."""
    found = sorted(counts(paths))
    assert found, f"{name} has no suite"
    declared = "".join(f"extern const struct test_suite suite_{suite};\n" for suite in found)
    rows = "".join(f"    &suite_{suite},\n" for suite in found)
    return written(
        name,
        f"{_BEGINNING}{declared}\n"
        f"const struct test_suite *const test_suites[] = {{\n{rows}}};\n"
        f"const size_t test_suite_count = {len(found)};\n",
    )
