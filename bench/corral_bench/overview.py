# SPDX-License-Identifier: Apache-2.0
"""The begin of the report: whole images and layers beside others', and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from corral.measure.image import LAYER

from corral_bench import baseline, charts, others, tables
from corral_bench.record import LEAST
from corral_bench.scenarios import APPLICATIONS, BYTES_ONLY, SMALLEST, SMALLEST_LTO

Rows = list[list[str]]

_RIOT = "RIOT: layer and library"
_PARTS = ("layer", "generator", "libraries", "the rest")
#: With keys in a chip, or short pools: no image to compare with others.
_APART = ("atecc608", BYTES_ONLY)


def _image(result: Mapping[str, Any]) -> int:
    return int(sum(result["rom"].values()))


def _by_part(result: Mapping[str, Any]) -> dict[str, int]:
    rom = result["rom"]
    of = (sum(rom.get(part, 0) for part in LAYER), rom.get("random", 0), rom.get("backend", 0))
    return dict(zip(_PARTS, (*of, _image(result) - sum(of)), strict=True))


def _of(cost: Sequence[Mapping[str, Any]], application: str) -> Iterator[Mapping[str, Any]]:
    """The images of an application on the Cortex-M4."""
    for result in cost:
        is_apart = result["scenario"].partition("/")[2] in _APART
        if (result["application"], result["board"]) == (application, others.M4) and not is_apart:
            yield result


def _default(cost: Sequence[Mapping[str, Any]], application: str, lto: bool) -> Any:
    found = (r for r in _of(cost, application) if r["lto"] == lto)
    return next((r for r in found if r["scenario"].partition("/")[2] == LEAST), None)


def _cell(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _images(cost: Sequence[Mapping[str, Any]]) -> tuple[charts.Chart, Rows]:
    head = [
        "bytes of flash",
        "by default",
        "goal",
        "least of all that were measured",
        "its drivers",
    ]
    rows = [[*head, "by default with LTO", "goal", "RIOT, no generator"]]
    bars: list[tuple[str, dict[str, float]]] = []
    for application, name in APPLICATIONS.items():
        plain = [r for r in _of(cost, application) if not r["lto"]]
        least = min(plain, key=_image, default=None)
        if least is None:
            continue
        made = {lto: _default(cost, application, lto) for lto in (False, True)}
        sizes = {lto: None if result is None else _image(result) for lto, result in made.items()}
        riot = others.RIOT_IMAGES.get(application)
        rows.append(
            [
                name,
                *(_cell(n) for n in (sizes[False], SMALLEST.get(application), _image(least))),
                least["scenario"].partition("/")[2],
                *(_cell(n) for n in (sizes[True], SMALLEST_LTO.get(application), riot)),
            ]
        )
        for result, how in ((made[False], ""), (made[True], " with LTO")):
            if result is not None:
                bars.append((f"{name}{how}", dict(_by_part(result))))
        if riot is not None:
            bars.append((f"{name}: RIOT", {_RIOT: riot}))
    title = "Whole images on a Cortex-M4, where nobody chooses drivers"
    return charts.bars(title, bars, (*_PARTS, _RIOT), "bytes of flash"), rows


def _layers(rows: Sequence[Mapping[str, Any]]) -> charts.Chart:
    bars: list[tuple[str, dict[str, float]]] = []
    for row in _compared(rows):
        bars.append((row["label"], {"Corral": row["ours"]}))
        for other in row["others"]:
            name = tables.short_source(other["source"])
            bars.append((name, {name: other["value"]}))
    series = ["Corral", *dict.fromkeys(n for _, v in bars for n in v if n != "Corral")]
    return charts.bars("The layer alone on a Cortex-M4", bars, series, "bytes of flash")


def _compared(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows of flash in builds that others were measured in, too."""
    return [
        row
        for row in rows
        if (row["kind"], row["board"]) == ("ROM", others.M4)
        and row["ours"]
        and any("measured" in other["source"] for other in row["others"])
    ]


def _sentence(rows: Sequence[Mapping[str, Any]]) -> str:
    shares = [
        other["ratio"]
        for row in _compared(rows)
        for other in row["others"]
        if "measured" in other["source"]
    ]
    if not shares:
        return ""
    return (
        f"In the {len(_compared(rows))} builds for a Cortex-M4 in which others were measured, the"
        f" layer takes {min(shares):.0%} to {max(shares):.0%} of the flash of theirs."
    )


def _wiping(rows: Sequence[Mapping[str, Any]]) -> Rows:
    names = tables.SHORT_SOURCES[:3]
    made = [["instructions of the layer, Cortex-M4", "with wiping", "without", *names]]
    for row in rows:
        if (row["kind"], row["board"]) != ("instructions", others.M4) or row["ours"] is None:
            continue
        theirs = {tables.short_source(o["source"]): f"{o['value']:,}" for o in row["others"]}
        without = row["ours"] - (row["wiping"] or 0)
        columns = [theirs.get(name, "-") for name in names]
        made.append([row["label"], f"{row['ours']:,}", f"{without:,}", *columns])
    return made


def overview(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Charts, tables and words; None where cost was not measured."""
    cost, compared = data.get("cost"), data.get("comparison")
    if not cost or not compared:
        return None
    kept = baseline.load()
    chart, images = _images(cost)
    changes, _ = baseline.changes(kept["figures"], baseline.figures(cost))
    return {
        "sentence": _sentence(compared),
        "charts": [chart, _layers(compared)],
        "images": images,
        "wiping": _wiping(compared),
        "reason": kept["reason"],
        "changes": changes or ["nothing"],
    }
