# SPDX-License-Identifier: Apache-2.0
"""The suites of a test program, as its sources have them, and the C file that lists them all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from corral import ROOT

HEADER = ROOT / "tests" / "harness" / "harness.h"
_SUITE = re.compile(r"^TEST_SUITE\((\w+), \w+\);$", re.M)
_TEST = re.compile(r"^ +TEST\((\w+)\),$", re.M)
_HEAD = re.compile(r"^([A-Z_]+)\((\w+)(?:\)$|, )", re.M)


def _beginning(header: Path) -> str:
    return (
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Made by tests/harness/suites.py; do not edit. */\n"
        f'#include "{header}"\n\n'
    )


def claims(path: Path) -> list[str]:
    """The tests of the file in its suites, and the static ones."""
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
    """Texts that begin with one of these macros: tests of TEST_FUNCTION(), or of one made of it."""
    found = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        here = [name for macro, name in _HEAD.findall(text) if macro in macros]
        begun = re.findall(rf"^(?:{'|'.join(macros)})\(", text, re.M)
        assert len(here) == len(begun), f"{path}: a name that is not in the line of its macro"
        found += here
    return found


def suite(name: str, found: Sequence[str]) -> str:
    """The C file with a suite of these tests."""
    assert found, f"{name} has no test"
    declared = "".join(f"void {claim}(void);\n" for claim in found)
    rows = "".join(f"    TEST({claim}),\n" for claim in found)
    return (
        f"{_beginning(HEADER)}{declared}\n"
        f"static const struct test_case tests[] = {{\n{rows}}};\n\n"
        f"TEST_SUITE({name}, tests);\n"
    )


def written(name: str, text: str) -> Path:
    """A generated C file below build/tests, which is touched only if its text is another.

    Processes that test beside each other write the same: none of them compiles half of it.
    """
    path = ROOT / "build" / "tests" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    return path


def table(element: str, name: str, symbols: Sequence[str], header: Path = HEADER) -> str:
    """The C file with the list NAMEs[] of objects, and NAME_count, which a header declares."""
    assert symbols, f"{name} has nothing to list"
    declared = "".join(f"extern {element} {symbol};\n" for symbol in symbols)
    rows = "".join(f"    &{symbol},\n" for symbol in symbols)
    return (
        f"{_beginning(header)}{declared}\n"
        f"{element} *const {name}s[] = {{\n{rows}}};\n"
        f"const size_t {name}_count = {len(symbols)};\n"
    )


def listed(name: str, paths: Iterable[Path]) -> Path:
    """The list of the suites of these files, by their names."""
    symbols = [f"suite_{suite}" for suite in sorted(counts(paths))]
    return written(name, table("const struct test_suite", "test_suite", symbols))
