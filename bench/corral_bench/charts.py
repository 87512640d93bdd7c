# SPDX-License-Identifier: Apache-2.0
"""Charts of documents, as diagrams that Mermaid draws: bars, and a line.

Beside each chart the document has its figures as a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

Points = Sequence[tuple[str, float]]


def bars(title: str, unit: str, points: Points) -> str:
    """Horizontal bars, one below the other, each with its name and its value."""
    named = [(f"{name}: {value:,.10g}", value) for name, value in points]
    return _drawn("xychart-beta horizontal", title, "", unit, named, "bar")


def line(title: str, x_name: str, unit: str, points: Points) -> str:
    """A line. The places on its axis are side by side."""
    return _drawn("xychart-beta", title, f"{_text(x_name)} ", unit, points, "line")


def _drawn(kind: str, title: str, x_name: str, unit: str, points: Points, shape: str) -> str:
    names = ", ".join(_text(name) for name, _ in points)
    values = ", ".join(f"{value:.10g}" for _, value in points)
    top = ceil(max(value for _, value in points) * 1.1)
    body = [
        f"title {_text(title)}",
        f"x-axis {x_name}[{names}]",
        f"y-axis {_text(unit)} 0 --> {top}",
        f"{shape} [{values}]",
    ]
    return "\n".join(["```mermaid", kind, *(f"    {row}" for row in body), "```"])


def _text(text: str) -> str:
    return f'"{text}"'
