# SPDX-License-Identifier: Apache-2.0
"""Where the C of this tree repeats itself: pairs of places that share six lines or more.

usage: python tools/checks/duplicates.py [FOLDER ...]

Lines are compared without their white space; blank lines do not count. A run of equal lines
counts once, however long it is. Prints the longest runs first, and the number of pairs last; and
how many of them hold the head of a function, its parameters and its brace: those of entry points
and of the API are as the specifications have them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("apps", "core", "drivers", "include", "ports", "sim", "storage", "wall")
LEAST = 6


class Place(NamedTuple):
    """A line of a file, as it stands among those that are not blank."""

    file: int
    line: int


class Pair(NamedTuple):
    """Two runs of equal lines: how many lines, and the numbers of the first ones."""

    length: int
    one: str
    other: str
    has_head: bool


def _lines(path: Path) -> list[tuple[int, str]]:
    """The lines that count, each with its number."""
    stripped = (
        (number, "".join(line.split()))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    )
    return [(number, line) for number, line in stripped if line]


def sources(folders: Sequence[str]) -> list[Path]:
    """All C files below the folders, in order."""
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".c", ".h") and path.is_file()
    )


def pairs(paths: Sequence[Path]) -> list[Pair]:
    """All pairs of runs, the longest first."""
    texts = [_lines(path) for path in paths]
    windows: dict[tuple[str, ...], list[Place]] = {}
    for file, text in enumerate(texts):
        words = [line for _, line in text]
        for line in range(len(words) - LEAST + 1):
            windows.setdefault(tuple(words[line : line + LEAST]), []).append(Place(file, line))
    matches = {pair for places in windows.values() for pair in combinations(sorted(places), 2)}
    return sorted(_runs(paths, texts, matches), reverse=True)


def _runs(
    paths: Sequence[Path],
    texts: Sequence[list[tuple[int, str]]],
    matches: set[tuple[Place, Place]],
) -> Iterator[Pair]:
    """Matches that follow each other in both files are one run."""
    for one, other in matches:
        if (_moved(one, -1), _moved(other, -1)) in matches:
            continue
        length = LEAST
        while (_moved(one, length - LEAST + 1), _moved(other, length - LEAST + 1)) in matches:
            length += 1
        first, second = (
            f"{paths[p.file].relative_to(ROOT)}:{texts[p.file][p.line][0]}" for p in (one, other)
        )
        run = [line for _, line in texts[one.file][one.line : one.line + length]]
        yield Pair(length, first, second, _has_head(run))


def _has_head(run: Sequence[str]) -> bool:
    """Whether the end of a function's parameters is in it, and the brace behind them."""
    return any(before.endswith(")") and line == "{" for before, line in pairwise(run))


def _moved(place: Place, lines: int) -> Place:
    return Place(place.file, place.line + lines)


def main(words: Sequence[str]) -> int:
    found = pairs(sources(words or FOLDERS))
    for pair in found:
        print(f"{pair.length:4} lines  {pair.one}  {pair.other}")
    print(f"{len(found)} pairs, {sum(pair.has_head for pair in found)} with the head of a function")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
