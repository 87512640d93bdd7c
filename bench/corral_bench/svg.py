# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG inside a page: stacked bars and lines, with nothing from elsewhere.

Colours are classes s0, s1, ... of the page's style sheet, so that they follow its light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

_WIDTH = 860
_LABEL = 210  # room for the names of bars
_BAR, _GAP = 18, 8
_TOP, _BOTTOM = 30, 44
_CHARACTER = 6.6  # average width of a character at the page's size
COLOURS = 8


def number(value: float) -> str:
    """A figure as axes and captions show it."""
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            scaled = value / (1e3 if suffix == "k" else size)
            return f"{scaled:.3g} {suffix}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3g}"


def _step(top: float, wanted: int = 6) -> float:
    """A round distance of ticks on an axis that ends at `top`."""
    raw = max(top, 1e-9) / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= raw)


def _text(x: float, y: float, text: str, anchor: str = "start", extra: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{escape(text)}</text>'


def _legend(names: Sequence[str], left: float, y: float) -> tuple[str, float]:
    """The legend, in as many lines as it needs, and where what follows may begin."""
    parts = []
    x = left
    for index, name in enumerate(names):
        if x + 30 + _CHARACTER * len(name) > _WIDTH and x > left:
            x, y = left, y + 16
        parts.append(
            f'<rect class="s{index % COLOURS}" x="{x:.1f}" y="{y - 9:.1f}" width="10" height="10"/>'
        )
        parts.append(_text(x + 14, y, name))
        x += 30 + _CHARACTER * len(name)
    return "".join(parts), y + _TOP - 14


def _frame(title: str, height: float, body: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )


def bars(
    title: str, rows: Sequence[tuple[str, Mapping[str, float]]], series: Sequence[str], unit: str
) -> str:
    """Horizontal bars, one for each row, stacked of the series."""
    top = max((sum(values.values()) for _, values in rows), default=0) or 1
    scale = (_WIDTH - _LABEL - 90) / top
    legend, begin = _legend(series, _LABEL, 14)
    height = begin + len(rows) * (_BAR + _GAP) + _BOTTOM
    end = height - _BOTTOM + 4
    body = [legend]
    step = _step(top)
    for tick in range(int(top / step) + 1):
        x = _LABEL + tick * step * scale
        body.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{begin - 6}" y2="{end}"/>')
        body.append(_text(x, end + 14, number(tick * step), "middle"))
    body.append(_text(_WIDTH - 4, end + 30, unit, "end"))
    for index, (label, values) in enumerate(rows):
        y = begin + index * (_BAR + _GAP)
        body.append(_text(_LABEL - 8, y + 13, label, "end"))
        x = float(_LABEL)
        for which, name in enumerate(series):
            value = values.get(name, 0)
            if value > 0:
                caption = escape(f"{label}: {name} {value:,.6g} {unit}")
                body.append(
                    f'<rect class="s{which % COLOURS}" x="{x:.2f}" y="{y}" '
                    f'width="{max(value * scale, 0.5):.2f}" height="{_BAR}">'
                    f"<title>{caption}</title></rect>"
                )
                x += value * scale
        body.append(_text(x + 5, y + 13, number(sum(values.values()))))
    return _frame(title, height, body)


def _ticks(values: Sequence[float], log: bool) -> list[float]:
    if log:
        low, high = math.log2(min(values)), math.log2(max(values))
        every = max(1, round((high - low) / 8))
        return [2.0**power for power in range(math.floor(low), math.ceil(high) + 1, every)]
    step = _step(max(values))
    return [tick * step for tick in range(math.ceil(max(values) / step) + 1)]


def lines(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    x_name: str,
    y_name: str,
    log_x: bool = True,
    log_y: bool = False,
) -> str:
    """One line for each series over a common axis; the axis of x in powers of two if `log_x`."""
    left, right = 70.0, _WIDTH - 20.0
    legend, begin = _legend(list(series), left, 14)
    height = begin + 270
    bottom = height - _BOTTOM
    points = [point for values in series.values() for point in values]
    x_ticks = _ticks([x for x, _ in points], log_x)
    y_ticks = _ticks([y for _, y in points if y > 0 or not log_y] or [1.0], log_y)

    def place(value: float, ticks: Sequence[float], log: bool, start: float, end: float) -> float:
        low, high = ticks[0], ticks[-1]
        if log:
            value, low, high = (math.log2(max(v, ticks[0])) for v in (value, low, high))
        return start + (end - start) * ((value - low) / ((high - low) or 1))

    body = [legend]
    for tick in x_ticks:
        x = place(tick, x_ticks, log_x, left, right)
        body.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{begin}" y2="{bottom}"/>')
        body.append(_text(x, bottom + 14, number(tick), "middle"))
    for tick in y_ticks:
        y = place(tick, y_ticks, log_y, bottom, begin)
        body.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        body.append(_text(left - 6, y + 4, number(tick), "end"))
    body.append(_text(right, bottom + 32, x_name, "end"))
    body.append(_text(left, bottom + 32, y_name))
    for index, (name, values) in enumerate(series.items()):
        placed = [
            (
                place(x, x_ticks, log_x, left, right),
                place(y, y_ticks, log_y, bottom, begin),
                f"{name}: {number(x)} {x_name}, {y:,.6g} {y_name}",
            )
            for x, y in values
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in placed)
        body.append(f'<polyline class="l{index % COLOURS}" points="{path}"/>')
        body += [
            f'<circle class="s{index % COLOURS}" cx="{x:.1f}" cy="{y:.1f}" r="3">'
            f"<title>{escape(caption)}</title></circle>"
            for x, y, caption in placed
        ]
    return _frame(title, height, body)
