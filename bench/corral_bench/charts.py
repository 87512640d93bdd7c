# SPDX-License-Identifier: Apache-2.0
"""Charts of the report, drawn by pygal: stacked bars, and lines.

A chart consists of shapes and words with classes. The page's style sheet gives them colours, light
or dark ones. The style, script and date that pygal adds to a file of its own are left out. The same
figures give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.etree.ElementTree import Element

import pygal
from markupsafe import Markup

_WIDTH = 860
_BAR = 26  # the height of one, with the gap
_AXIS = 50  # and the text below


@dataclass(frozen=True)
class Chart:
    """A picture, its name and the meaning of its colours, in their order."""

    title: str
    series: tuple[str, ...]
    svg: Markup


def number(value: float) -> str:
    """A figure as axes and captions show it."""
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            scaled = value / (1e3 if suffix == "k" else size)
            return f"{scaled:.3g} {suffix}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3g}"


def bars(
    title: str, rows: Sequence[tuple[str, Mapping[str, float]]], series: Sequence[str], unit: str
) -> Chart:
    """Horizontal bars, one for each row, stacked of the series, and labelled with their sum."""
    upwards = rows[::-1]
    chart = pygal.HorizontalStackedBar(height=_BAR * len(rows) + _AXIS, x_title=unit, **_OPTIONS)
    chart.x_labels = [f"{label}  {number(sum(values.values()))}" for label, values in upwards]
    for name in series:
        heights = [values.get(name) for _, values in upwards]
        chart.add(name, heights, formatter=_caption(name, unit))
    return _made(title, chart, series)


def lines(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    x_name: str,
    y_name: str,
    log_y: bool = False,
) -> Chart:
    """A line for each series. The places on the axis of x are the values measured, side by side:
    where each doubles the one before, that is a logarithmic axis."""
    chart = pygal.Line(height=320, x_title=x_name, y_title=y_name, **_OPTIONS)
    if log_y:
        heights = [y for points in series.values() for _, y in points if y > 0]
        powers = range(floor(log10(min(heights))), ceil(log10(max(heights))) + 1)
        chart.logarithmic, chart.y_labels = True, [10**power for power in powers]
    else:
        chart.include_x_axis = True
    places = sorted({x for points in series.values() for x, _ in points})
    chart.x_labels = [number(x) for x in places]
    for name, points in series.items():
        known = dict(points)
        chart.add(name, [known.get(x) for x in places], formatter=_caption(name, y_name))
    return _made(title, chart, tuple(series))


#: The common options of all charts. Sizes of letters are known to the code that places them.
_OPTIONS = {
    "width": _WIDTH,
    "margin": 4,
    "show_legend": False,  # the page has it
    "value_formatter": number,
    "style": pygal.style.Style(label_font_size=11, major_label_font_size=11, title_font_size=11),
    "js": (),
    "css": (),
    "no_prefix": True,
    "disable_xml_declaration": True,
}


def _caption(name: str, unit: str) -> Callable[[float], str]:
    return lambda value: f"{name}: {value:,.6g} {unit}"


def _made(title: str, chart: pygal.graph.graph.Graph, series: Sequence[str]) -> Chart:
    chart.add_xml_filter(_bare)
    return Chart(title, tuple(series), Markup(chart.render(is_unicode=True)))


def _bare(root: Element) -> Element:
    """Only the shapes, each with its value as a caption."""
    for child in [child for child in root if child.tag != "g"]:
        root.remove(child)
    for shape in root.iter("g"):
        for word in shape.findall("desc"):
            if word.get("class") == "value":
                word.tag = "title"
            else:
                shape.remove(word)
    view = root.get("viewBox", "")
    root.attrib.clear()
    root.set("viewBox", view)
    return root
