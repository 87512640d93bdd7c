# SPDX-License-Identifier: Apache-2.0
"""The figures as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corral.common.table import align

NOT_MEASURED = "not measured"
#: In the order of columns.
SHORT_SOURCES = ("RIOT", "TF-PSA smallest", "TF-PSA default", "paper", "poster")


def short_source(source: str) -> str:
    """A source in one or two words, for the head of a column."""
    for word, name in (
        ("RIOT", "RIOT"),
        ("default", "TF-PSA default"),
        ("TF-PSA", "TF-PSA smallest"),
        ("Boeckmann", "paper"),
        ("poster", "poster"),
    ):
        if word in source:
            return name
    return source


def _cell(value: int | None) -> str:
    return NOT_MEASURED if value is None else f"{value:,}"


def _other(row: dict[str, Any], name: str) -> str:
    for other in row["others"]:
        if short_source(other["source"]) == name:
            ratio = "" if other["ratio"] is None else f" ({other['ratio']:.2f})"
            return f"{other['value']:,}{ratio}"
    return "-"


def comparison_tables(rows: Iterable[dict[str, Any]]) -> list[tuple[str, list[list[str]]]]:
    """The comparison, one table for each board and kind: title and rows, the first one a head."""
    tables: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        tables.setdefault((row["board"], row["kind"]), []).append(row)
    made = []
    for (board, kind), members in tables.items():
        names = [
            name
            for name in SHORT_SOURCES
            if any(short_source(o["source"]) == name for row in members for o in row["others"])
        ]
        counts_wiping = kind in ("instructions", "cycles")
        wiping = ["of it wiping"] if counts_wiping else []
        lines = [["", "Corral", *wiping, "goal", *names]]
        for row in members:
            goal = "-" if row["goal"] is None else f"{row['goal']:,}"
            others = [_other(row, name) for name in names]
            wiping = [_cell(row["wiping"])] if counts_wiping else []
            lines.append([row["label"], _cell(row["ours"]), *wiping, goal, *others])
        made.append((f"{kind} of the layer, {board} (in brackets: Corral / that)", lines))
    return made


def comparison_text(rows: Iterable[dict[str, Any]]) -> str:
    """The comparison for a terminal."""
    return "\n\n".join(f"{title}\n{align(lines, '  ')}" for title, lines in comparison_tables(rows))
