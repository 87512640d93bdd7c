# SPDX-License-Identifier: Apache-2.0
"""Tables for a terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Collection, Sequence
from itertools import zip_longest

from corral.common.style import heading, width

#: A column that is made narrower keeps this width.
_NARROWEST = 8


def align(rows: Sequence[Sequence[str]], indent: str = "", left: Collection[int] = (0,)) -> str:
    """Rows as lines; these columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        indent
        + "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def _folded(rows: Sequence[Sequence[str]], room: int) -> list[list[list[str]]]:
    """Rows of cells of lines that fit `room` columns if possible: the widest columns give way."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return [
        [textwrap.wrap(cell, fits) or [""] for cell, fits in zip(row, widths, strict=True)]
        for row in rows
    ]


def listing(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of words as text for standard output, the first with a rule under each of its words.

    On a terminal, cells of a table that is too wide take several lines. For programs, a row is a
    line.
    """
    room = width(sys.stdout) if sys.stdout.isatty() else sys.maxsize
    folded = _folded(rows, room)
    lines = [list(zip_longest(*row, fillvalue="")) for row in folded]
    flat = [line for row in lines for line in row]
    rules = ["-" * max(map(len, column)) for column in zip(*flat, strict=True)]
    lines.insert(1, [tuple(rules)])
    flat = [line for row in lines for line in row]
    aligned = iter(align(flat, left=range(len(rules))).splitlines())
    texts = ["\n".join(next(aligned) for _ in row) for row in lines]
    return ["\n".join(map(heading, texts[0].splitlines())), *texts[1:]]


def wrapped(text: str, indent: int = 0) -> str:
    """Words in lines that fit a terminal; those after the first are further in."""
    return textwrap.fill(
        text,
        width(sys.stdout),
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 4),
        break_long_words=False,
        break_on_hyphens=False,
    )
