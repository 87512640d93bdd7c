# SPDX-License-Identifier: Apache-2.0
"""Tables for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence

#: The default width of a terminal.
WIDTH = 80


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


def listing(rows: Sequence[Sequence[str]]) -> str:
    """Rows of words as lines, the first with a rule under each of its words."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rules = ["-" * width for width in widths]
    return align([rows[0], rules, *rows[1:]], left=range(len(widths)))


def wrapped(text: str, indent: int = 0) -> str:
    """Words in lines that fit a terminal; those after the first are further in."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 4),
        break_long_words=False,
        break_on_hyphens=False,
    )
