# SPDX-License-Identifier: Apache-2.0
"""results/report.html: every figure as tables and charts, in one file without outside parts.

The content of report.html.jinja, section by section: rows of cells, the first one a
head, and charts. The words are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from corral.measure.image import LAYER, PARTS
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from corral_bench import charts, energy, handshakes, others, signers, stored, stores, tables
from corral_bench.growth import slope
from corral_bench.overview import overview

Rows = list[list[str]]

#: Of the series of a chart, in their order.
COLOURS = (
    "#2f6db5",
    "#e08a2c",
    "#3a9a6b",
    "#b5485d",
    "#7b61b3",
    "#8a8f98",
    "#c2a63a",
    "#4aa5b5",
)
#: Series of the plots of bytes, in their order in the bar.
_FAMILY_PARTS = ("core", "dispatch", "glue", "storage", "random", "backend")
_ROM_PARTS = ("core", "dispatch", "glue", "element", "random", "backend", "libc", "port")


def _calls(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The first call of each function."""
    found: dict[str, dict[str, Any]] = {}
    for call in result["calls"]:
        found.setdefault(call["function"], call)
    return found


def _of(results: Iterable[dict[str, Any]], application: str) -> list[dict[str, Any]]:
    return [r for r in results if r["application"] == application and not r["lto"] and r["calls"]]


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _comparison(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    plots = []
    for kind, unit in (("ROM", "bytes of ROM"), ("instructions", "instructions")):
        bars: list[tuple[str, dict[str, float]]] = []
        for row in rows:
            if row["kind"] != kind or not row["ours"] or not row["others"]:
                continue
            bars.append((row["label"][:30], {"Corral": row["ours"]}))
            for other in row["others"]:
                name = tables.short_source(other["source"])
                bars.append((name, {name: other["value"]}))
        series = ["Corral", *dict.fromkeys(n for _, v in bars for n in v if n != "Corral")]
        if bars:
            plots.append(charts.bars(f"{kind} of the layer on a Cortex-M4", bars, series, unit))
    sources = sorted({f"Source: {o['source']}" for row in rows for o in row["others"]})
    notes = dict.fromkeys(f"{row['label']}: {row['note']}" for row in rows if row["note"])
    return {
        "tables": tables.comparison_tables(rows),
        "charts": plots,
        "remarks": [*sources, *others.REMARKS, *notes],
    }


def _symmetric(cost: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """In the shape of the paper's figure 5."""
    rows = [["", "import, layer", "call, layer", "call, library", "layer's share"]]
    bars = []
    for application, function in (
        ("hash", "psa_hash_compute"),
        ("hmac", "psa_mac_compute"),
        ("cbc", "psa_cipher_encrypt"),
        ("ccm", "psa_aead_encrypt"),
    ):
        for result in _of(cost, application):
            if result["board"] != others.M4:
                continue
            calls = _calls(result)
            imported = calls.get("psa_import_key", {"layer": 0})["layer"]
            call = calls[function]
            if call["transfers"]:
                continue
            label = f"{application} {result['backend']}"
            share = (imported + call["layer"]) / (imported + call["layer"] + call["primitive"])
            rows.append(
                [
                    label,
                    _count(imported),
                    _count(call["layer"]),
                    _count(call["primitive"]),
                    f"{share:.1%}",
                ]
            )
            values = {
                "library": call["primitive"],
                "layer: import": imported,
                "layer: call": call["layer"],
            }
            bars.append((label, values))
    series = ["library", "layer: import", "layer: call"]
    title = "Instructions of one operation of 32 bytes"
    return {"chart": charts.bars(title, bars, series, "instructions"), "rows": rows}


_ECDSA = (
    ("psa_generate_key", "generate"),
    ("psa_sign_hash", "sign"),
    ("psa_import_key", "import public"),
    ("psa_verify_hash", "verify"),
)


def _signatures(cost: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """In the shape of the paper's figure 6."""
    rows = [["", *(name for _, name in _ECDSA), "share of the layer"]]
    work, layer = [], []
    for result in _of(cost, "ecdsa"):
        if result["board"] != others.M4:
            continue
        calls = _calls(result)
        used = [(calls[function], name) for function, name in _ECDSA]
        totals = {name: call["layer"] + call["primitive"] for call, name in used}
        layers = {name: call["layer"] for call, name in used}
        layer.append((result["backend"], layers))
        cells = [_count(value) for value in layers.values()]
        if any(call["transfers"] for call, _ in used):
            rows.append([f"{result['backend']}: layer", *cells, "the chip does the work"])
            continue
        share = f"{sum(layers.values()) / sum(totals.values()):.4%}"
        rows.append([f"{result['backend']}: layer", *cells, share])
        rows.append([f"{result['backend']}: library", *map(_count, totals.values()), "-"])
        work.append((result["backend"], totals))
    names = [name for _, name in _ECDSA]
    whole, alone = "instructions, library and layer", "instructions, layer alone"
    return {
        "charts": [
            charts.bars("Instructions with library", work, names, whole),
            charts.bars("Instructions of the layer", layer, names, alone),
        ],
        "rows": rows,
    }


def _memory(cost: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """In the shape of the paper's figure 7."""
    rows = [["", "layer ROM", *_ROM_PARTS, "layer RAM", "all RAM"]]
    rom_bars, layer_bars, ram_bars = [], [], []
    for result in cost:
        if result["lto"]:
            continue
        label = result["scenario"]
        if result["board"] != others.M4:
            label += " (AVR)"
        rom, ram = result["rom"], result["ram"]
        rows.append(
            [
                label,
                _count(result["layer_rom"]),
                *(_count(rom[part]) for part in _ROM_PARTS),
                _count(result["layer_ram"]),
                _count(sum(ram.values())),
            ]
        )
        rom_bars.append((label, {part: rom[part] for part in _ROM_PARTS}))
        layer_bars.append((label, {part: rom.get(part, 0) for part in LAYER}))
        ram_bars.append((label, {part: ram[part] for part in ("core", "element", "random")}))
    in_ram = ("core", "element", "random")
    return {
        "charts": [
            charts.bars("Flash of the layer by part", layer_bars, LAYER, "bytes of flash, layer"),
            charts.bars(
                "Flash by part", rom_bars, _ROM_PARTS, "bytes of flash, without application"
            ),
            charts.bars("Static RAM", ram_bars, in_ram, "bytes of static RAM"),
        ],
        "rows": rows,
        "lto": _with_lto(cost),
    }


def _with_lto(cost: Sequence[dict[str, Any]]) -> Rows:
    """Empty where nothing was measured with link-time optimisation."""
    plain = {r["scenario"]: r for r in cost if not r["lto"]}
    rows = []
    for r in cost:
        if r["lto"]:
            both = (r, plain[r["scenario"]])
            layer = [_count(x["layer_rom"]) for x in both]
            rows.append([r["scenario"], *layer, *(_count(sum(x["rom"].values())) for x in both)])
    head = ["with link-time optimisation", "layer", "without", "all ROM", "without"]
    return [head, *rows] if rows else []


def _elements(cost: Sequence[dict[str, Any]]) -> Rows:
    """In the shape of the poster's table 1, with the bus apart from the chip."""
    head = ["", "layer", "driver", "bus functions", "transfers", "bytes", "chip, ms", "bus, ms"]
    rows = [head]
    for result in cost:
        for call in result["calls"]:
            if not call["transfers"] or result["application"] not in ("hmac", "cbc", "ecdsa"):
                continue
            where = "" if result["board"] == others.M4 else f" ({result['board']})"
            rows.append(
                [
                    f"{result['application']}: {call['function']}{where}",
                    _count(call["layer"]),
                    _count(call["element"]),
                    _count(call["bus"]),
                    _count(call["transfers"]),
                    _count(call["bus_bytes"]),
                    f"{call['chip_us'] / 1000:.1f}",
                    f"{9 * call['bus_bytes'] / 100:.1f}",
                ]
            )
    return rows


def _curves(curves: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """In the shape of the embedded-TLS paper's table 4."""
    rows = [["P-256, million instructions", "sign", "verify", "generate", "agree", "layer", "RAM"]]
    bars = []
    names = ("psa_sign_hash", "psa_verify_hash", "psa_generate_key", "psa_raw_key_agreement")
    for result in curves:
        calls = _calls(result)
        used = [calls[name] for name in names]
        if any(call["transfers"] for call in used):
            cells = [f"chip {call['chip_us'] / 1000:.0f} ms" for call in used]
        else:
            work = [call["layer"] + call["primitive"] for call in used]
            cells = [f"{value / 1e6:.2f}" for value in work]
            shown = ("sign", "verify", "generate", "agree")
            bars.append((result["backend"], dict(zip(shown, work, strict=True))))
        total = sum(result["rom"][p] for p in PARTS if p not in ("application", "port"))
        cells += [f"{result['layer_rom']:,} of {total:,} bytes", _count(result["layer_ram"])]
        rows.append([result["backend"], *cells])
    return {
        "chart": charts.bars(
            "P-256", bars, ("sign", "verify", "generate", "agree"), "instructions"
        ),
        "rows": rows,
    }


#: The lines of each chart, with its axes, and an explanation of their form.
_GROWTH = (
    (
        "keys",
        ("psa_import_key", "psa_mac_compute, first key", "psa_mac_compute, last key"),
        "keys held",
        "instructions of the layer",
        "A key is found by an index inside its identifier: +0 for each key more, first or last. "
        "Only creation looks for a free slot, and passes one key held in a few instructions.",
    ),
    (
        "keys",
        ("RAM",),
        "slots for keys",
        "bytes of RAM",
        "A slot is its attributes and room for the largest key that the build wants.",
    ),
    (
        "messages",
        None,
        "bytes of message",
        "instructions",
        "The layer does not touch the message unless input and output overlap: its lines are flat, "
        "while those of the library rise by the byte.",
    ),
    (
        "drivers",
        None,
        "drivers in the build",
        "instructions of the layer, bytes of its ROM",
        "Dispatch is settled at build time, so another driver costs a call nothing. A step up is "
        "the glue of the driver that now serves this call: composed CBC, for example, orders "
        "blocks itself. ROM grows by each driver's glue.",
    ),
    (
        "devices",
        ("ROM", "RAM"),
        "elements on the board",
        "bytes, layer and chips' driver",
        "Code is shared; each element adds its line in a table and the driver's state of it.",
    ),
    (
        "devices",
        ("sign_hash: layer", "sign_hash: driver"),
        "elements on the board",
        "instructions, key in the last element",
        "The location of a key leads to its element without passing the others.",
    ),
)


def _growth(
    growth: Mapping[str, Mapping[str, list[list[int]]]],
) -> list[tuple[charts.Chart, Rows, str]]:
    shown = []
    for group, names, x_name, y_name, why in _GROWTH:
        lines = growth[group]
        points = {name: [(x, y) for x, y in lines[name]] for name in names or lines}
        log_y = group in ("messages", "drivers") or "sign_hash: driver" in points
        rows = [["", "first", "last", "for one more"]]
        for name, line in points.items():
            rows.append([name, _count(line[0][1]), _count(line[-1][1]), f"{slope(line):+.3g}"])
        chart = charts.lines(f"{y_name} by {x_name}", points, x_name, y_name, log_y)
        shown.append((chart, rows, why))
    return shown


def _families(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Flash and RAM of each family of the API."""
    parts = [p for p in (*LAYER, "random", "backend") if any(m["rom"].get(p) for m in measured)]
    rows = [["", "with", "functions", *parts, "layer, flash", "layer, RAM"]]
    bars = []
    for row in measured:
        label = f"{row['family']}, {row['mechanism']}".rstrip(", ")
        rows.append(
            [
                row["family"],
                row["mechanism"] or "-",
                str(row["functions"]),
                *(_count(row["rom"].get(p, 0)) for p in parts),
                _count(row["layer_rom"]),
                _count(row["layer_ram"]),
            ]
        )
        bars.append((label[:38], {part: row["rom"].get(part, 0) for part in _FAMILY_PARTS}))
    chart = charts.bars("Flash of each family", bars, _FAMILY_PARTS, "bytes of flash")
    return {"chart": chart, "rows": rows}


def _deduplication(measured: Mapping[str, Mapping[str, Mapping[str, int]]]) -> dict[str, Any]:
    """In the shape of the paper's table 1."""
    names = list(measured)
    shown = [p for p in PARTS if any(m["rom"].get(p) for m in measured.values())]
    rows = [["bytes of flash", *shown, "all"]]
    bars = []
    for name in names:
        rom = measured[name]["rom"]
        rows.append([name, *(_count(rom[p]) for p in shown), _count(sum(rom.values()))])
        bars.append((name, {part: rom[part] for part in _ROM_PARTS}))
    before, after = (sum(measured[name]["rom"].values()) for name in names)
    return {
        "chart": charts.bars("Flash of three consumers", bars, _ROM_PARTS, "bytes of flash"),
        "rows": rows,
        "saved": _count(before - after),
        "share": f"{(before - after) / before:.0%}",
    }


def _throughput(measured: Mapping[str, Any]) -> dict[str, Any]:
    rows = [["", "threads", "API, 1/s", "library, 1/s", "API, us", "library, us", "speed kept"]]
    for row in measured["rows"]:
        rows.append(
            [
                f"{row['driver']}: {row['mechanism']}, {row['bytes']} B",
                str(row["threads"]),
                _count(row["api_per_second"]),
                _count(row["direct_per_second"]),
                f"{row['api_ns'] / 1000:,.2f}",
                f"{row['direct_ns'] / 1000:,.2f}",
                f"{row['ratio']:.1%}",
            ]
        )
    load = measured["load_before"]
    return {"rows": rows, "processors": measured["processors"], "load": load}


def _signing(measured: Sequence[Mapping[str, Any]]) -> dict[str, Rows]:
    return {
        "avr": signers.on_avr(measured),
        "m4": signers.on_cortex_m4(measured),
        "element": signers.of_element(measured),
        "published": signers.published_alone(measured),
    }


def _stored(measured: Mapping[str, Any]) -> dict[str, Any]:
    """A start and calls by the number of stored keys."""
    made = [
        charts.lines(
            f"Stored keys in {name}", stored.lines(measured, name), "keys", "microseconds", True
        )
        for name in stored.COUNTS
    ]
    return {"charts": made, "rows": stored.rows(measured)}


def _energy(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    shown = [["estimate, microjoule", "on", "layer", "processor", "element, at most"]]
    for row in rows:
        if row["function"] == "psa_crypto_init" or row["scenario"].startswith(("all", "elem")):
            continue
        chip = f"{row['element_uj']:,.0f}" if row["element_uj"] else "-"
        name = f"{row['scenario']}: {row['function']}"
        layer, whole = f"{row['layer_uj']:,.3f}", f"{row['processor_uj']:,.1f}"
        shown.append([name, row["chip"], layer, whole, chip])
    sources = [
        f"{s.chip}: {s.milliampere} mA at {s.volt} V and {s.megahertz} MHz ({s.source})"
        for s in energy.SUPPLIES
    ]
    return {"rows": shown, "sources": [*sources, energy.ELEMENT_SOURCE]}


def _made_with(made: Mapping[str, Any]) -> Rows:
    rows = [["made with", ""]]
    rows += [[name, value or "not installed"] for name, value in made["tools"].items()]
    rows += [[f"flags, {board}", flags] for board, flags in made["flags"].items()]
    rows += [[f"package {name}", version] for name, version in made["packages"].items()]
    return rows


#: Sections, by name: the part of the results that they need, and the function that makes them.
_SECTIONS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "comparison": ("comparison", _comparison),
    "symmetric": ("cost", _symmetric),
    "signatures": ("cost", _signatures),
    "memory": ("cost", _memory),
    "elements": ("cost", _elements),
    "curves": ("curves", _curves),
    "families": ("families", _families),
    "growth": ("growth", _growth),
    "deduplication": ("deduplication", _deduplication),
    "storage": ("storage", stores.rows),
    "handshakes": ("tls", handshakes.rows),
    "study": ("tls", handshakes.study),
    "throughput": ("throughput", _throughput),
    "stored": ("stored", _stored),
    "signing": ("signatures", _signing),
    "energy": ("energy", _energy),
    "made_with": ("made_with", _made_with),
}


def page(data: Mapping[str, Any]) -> str:
    """The whole page; sections of parts that were not measured are left out."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    sections = {
        name: make(data[part]) if data.get(part) else None
        for name, (part, make) in _SECTIONS.items()
    }
    sections["overview"] = overview(data)
    constants = {"colours": COLOURS, "not_measured": tables.NOT_MEASURED}
    return environment.get_template("report.html.jinja").render(sections | constants)
