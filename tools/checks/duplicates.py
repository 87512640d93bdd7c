# SPDX-License-Identifier: Apache-2.0
"""Where the C of this tree repeats itself: pairs of places that share six lines or more.

usage: python tools/checks/duplicates.py [FOLDER ...]

Lines are compared without their white space; blank lines do not count. A run of equal lines
counts once, however long it is. Prints the longest runs first, and the numbers of pairs last.

The head of a function is one line, from its type to its brace and the parameters that it does not
use: those of entry points and of the API are as the specifications have them. Licence and includes
do not count, nor does output that the tests keep of the generator. The last number is
that of all equal lines, as they are in the files.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    "apps",
    "core",
    "drivers",
    "fleet",
    "include",
    "ports",
    "sim",
    "storage",
    "update",
    "wall",
)
TESTS = "tests"
#: Folders, and files that a script writes.
GENERATED = ("golden", "images.c")
LEAST = 6

#: A line with its number.
Lines = list[tuple[int, str]]

_NO_LINE = re.compile(r"#include|/\*SPDX-License-Identifier")
_HEAD = re.compile(r"[a-z]\w*.*\(")
_UNUSED = re.compile(r"\{|\(void\)\w+;")


class Place(NamedTuple):
    """A line of a file, with its number."""

    file: int
    line: int


class Pair(NamedTuple):
    """Two runs of equal lines: how many lines, and the numbers of the first ones."""

    length: int
    one: str
    other: str


def all_lines(path: Path) -> Lines:
    """The lines that are not blank."""
    stripped = (
        (number, "".join(line.split()))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    )
    return [(number, line) for number, line in stripped if line]


def own_lines(path: Path) -> Lines:
    """The lines that the author decided on: a function's head is one."""
    text = path.read_text(encoding="utf-8").splitlines()
    found: Lines = []
    is_open, is_head = False, False
    for number, line in all_lines(path):
        if _NO_LINE.match(line):
            continue
        last = found[-1][1] if found else ""
        if is_open or (is_head and _UNUSED.fullmatch(line)):
            found[-1] = (found[-1][0], last + line)
        else:
            found.append((number, line))
            is_head = bool(_HEAD.match(text[number - 1])) and not line.endswith(";")
        is_open = is_head and found[-1][1].count("(") > found[-1][1].count(")")
    return found


def sources(folders: Sequence[str]) -> list[Path]:
    """All handwritten C files below the folders, in order."""
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".c", ".h") and path.is_file()
        if not set(GENERATED) & set(path.relative_to(ROOT).parts)
    )


def pairs(paths: Sequence[Path], lines: Callable[[Path], Lines] = own_lines) -> list[Pair]:
    """All pairs of runs, the longest first."""
    texts = [lines(path) for path in paths]
    windows: dict[tuple[str, ...], list[Place]] = {}
    for file, text in enumerate(texts):
        words = [line for _, line in text]
        for line in range(len(words) - LEAST + 1):
            windows.setdefault(tuple(words[line : line + LEAST]), []).append(Place(file, line))
    matches = {pair for places in windows.values() for pair in combinations(sorted(places), 2)}
    return sorted(_runs(paths, texts, matches), reverse=True)


def _runs(
    paths: Sequence[Path],
    texts: Sequence[Lines],
    matches: set[tuple[Place, Place]],
) -> Iterator[Pair]:
    """Matches that follow each other in both files are one run."""
    for one, other in matches:
        if (_moved(one, -1), _moved(other, -1)) in matches:
            continue
        length = LEAST
        if one.file == other.file and other.line < one.line + length:
            continue  # a line that is there many times is in one place
        while (_moved(one, length - LEAST + 1), _moved(other, length - LEAST + 1)) in matches:
            length += 1
        first, second = (
            f"{paths[p.file].relative_to(ROOT)}:{texts[p.file][p.line][0]}" for p in (one, other)
        )
        yield Pair(length, first, second)


def _moved(place: Place, lines: int) -> Place:
    return Place(place.file, place.line + lines)


def main(words: Sequence[str]) -> int:
    paths = sources(words or (*FOLDERS, TESTS))
    found = pairs(paths)
    for pair in found:
        print(f"{pair.length:4} lines  {pair.one}  {pair.other}")
    tests = sum(pair.one.startswith(TESTS) or pair.other.startswith(TESTS) for pair in found)
    alike = len(pairs(paths, all_lines))
    print(f"{len(found)} pairs, {tests} of them with a test; {alike} of all lines alike")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
