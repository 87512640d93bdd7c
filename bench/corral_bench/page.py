# SPDX-License-Identifier: Apache-2.0
"""results/report.html: every figure as tables and plots, in one file without outside parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from corral.image import LAYER, PARTS

from corral_bench import energy, others, storage, svg, tables
from corral_bench.growth import slope

_STYLE = """
:root { --ink: #1c2430; --soft: #667; --paper: #fff; --line: #dde1e7; --band: #f5f7f9;
  --c0: #2f6db5; --c1: #e08a2c; --c2: #3a9a6b; --c3: #b5485d; --c4: #7b61b3; --c5: #8a8f98;
  --c6: #c2a63a; --c7: #4aa5b5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa3b0; --paper: #14181e;
  --line: #2c333d; --band: #1b2129; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 980px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.7em; } h2 { margin-top: 2.2em; border-top: 1px solid var(--line);
  padding-top: .8em; } h3 { margin-top: 1.6em; font-size: 1.02em; }
table { border-collapse: collapse; margin: .8em 0; font-size: .9em; }
.wide { overflow-x: auto; }
td, th { padding: .25em .7em; text-align: right; border-bottom: 1px solid var(--line); }
td:first-child, th:first-child { text-align: left; }
th { font-weight: 600; background: var(--band); }
p.note, li { color: var(--soft); font-size: .9em; max-width: 75ch; }
svg { width: 100%; height: auto; margin: .6em 0; font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .grid { stroke: var(--line); }
svg polyline { fill: none; stroke-width: 2; }
.won { color: var(--c2); } .lost { color: var(--c3); } .missing { color: var(--soft); }
""" + "".join(
    f".s{i} {{ fill: var(--c{i}); }} .l{i} {{ stroke: var(--c{i}); }}\n" for i in range(svg.COLOURS)
)

#: Series of the plots of bytes, in their order in the bar.
_FAMILY_PARTS = ("core", "dispatch", "glue", "storage", "random", "backend")
_ROM_PARTS = ("core", "dispatch", "glue", "element", "random", "backend", "libc", "port")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table; the first is its head."""

    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(f"<{tag}{_class(cell)}>{escape(cell)}</{tag}>" for cell in row)

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows[1:])
    head = f"<tr>{cells(rows[0], 'th')}</tr>"
    return f'<div class="wide"><table>{head}{body}</table></div>'


def _class(cell: str) -> str:
    return ' class="missing"' if cell in (tables.NOT_MEASURED, "-") else ""


def note(text: str) -> str:
    """A paragraph under a table or plot."""
    return f'<p class="note">{escape(text)}</p>'


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


def _comparison(data: Mapping[str, Any]) -> str:
    parts = ["<h2>Against the others</h2>"]
    for title, rows in tables.comparison_tables(data["comparison"]):
        parts += [f"<h3>{escape(title)}</h3>", table(rows)]
    plotted = [
        row
        for row in data["comparison"]
        if row["kind"] in ("ROM", "instructions") and row["ours"] and row["others"]
    ]
    for kind in ("ROM", "instructions"):
        bars = []
        for row in plotted:
            if row["kind"] != kind:
                continue
            label = f"{row['label']}"[:30]
            bars.append((label, {"Corral": row["ours"]}))
            for other in row["others"]:
                name = tables.short_source(other["source"])
                bars.append((name, {name: other["value"]}))
        unit = "bytes of ROM" if kind == "ROM" else kind
        series = ["Corral", *dict.fromkeys(n for _, v in bars for n in v if n != "Corral")]
        if bars:
            parts.append(svg.bars(f"{kind} of the layer on a Cortex-M4", bars, series, unit))
    sources = sorted({o["source"] for row in data["comparison"] for o in row["others"]})
    remarks = [row["label"] + ": " + row["note"] for row in data["comparison"] if row["note"]]
    items = [*(f"Source: {s}" for s in sources), *others.REMARKS, *dict.fromkeys(remarks)]
    parts.append("<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>")
    return "".join(parts)


def _symmetric(cost: Sequence[dict[str, Any]]) -> str:
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
    return (
        "<h2>Symmetric operations</h2>"
        + svg.bars("Instructions of one operation of 32 bytes", bars, series, "instructions")
        + table(rows)
        + note(
            "32 bytes, Cortex-M4, instructions. The work of the random generator for the CBC's IV "
            "is left out. With a whole HMAC in the library the layer is crossed once; composed "
            "over a hash, the construction itself is in the layer's count."
        )
    )


_ECDSA = (
    ("psa_generate_key", "generate"),
    ("psa_sign_hash", "sign"),
    ("psa_import_key", "import public"),
    ("psa_verify_hash", "verify"),
)


def _signatures(cost: Sequence[dict[str, Any]]) -> str:
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
    return (
        "<h2>ECDSA on P-256</h2>"
        + svg.bars("Instructions with library", work, names, "instructions, library and layer")
        + svg.bars("Instructions of the layer", layer, names, "instructions, layer alone")
        + table(rows)
    )


def _memory(cost: Sequence[dict[str, Any]]) -> str:
    """In the shape of the paper's figure 7."""
    parts = ["<h2>Flash and RAM</h2>"]
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
    parts += [
        svg.bars("Flash of the layer by part", layer_bars, LAYER, "bytes of flash, layer"),
        svg.bars("Flash by part", rom_bars, _ROM_PARTS, "bytes of flash, without application"),
        svg.bars("Static RAM", ram_bars, ("core", "element", "random"), "bytes of static RAM"),
        table(rows),
        note("RAM of the core is its key slots; of the random part, the generator's state."),
    ]
    lto = [r for r in cost if r["lto"]]
    if lto:
        plain = {r["scenario"]: r for r in cost if not r["lto"]}
        rows = [["with link-time optimisation", "layer", "without", "all ROM", "without"]]
        for r in lto:
            p = plain[r["scenario"]]
            pair = [_count(x["layer_rom"]) for x in (r, p)]
            whole = [_count(sum(x["rom"].values())) for x in (r, p)]
            rows.append([r["scenario"], *pair, *whole])
        parts += [
            table(rows),
            note(
                "Link-time optimisation is an option and never mixed with the other figures. Part "
                "of the layer becomes part of the application there and is counted there."
            ),
        ]
    return "".join(parts)


def _elements(cost: Sequence[dict[str, Any]]) -> str:
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
    theirs = [["the poster's figures", "ATmega2560", "nRF52840"]]
    theirs += [
        ["generate", "+133 us, 2128 cycles", "+14 us, 896 cycles"],
        ["sign", "+95 us, 1520 cycles", "+9 us, 576 cycles"],
        ["verify", "+95 us, 1520 cycles", "+9 us, 576 cycles"],
    ]
    return (
        "<h2>Secure element</h2>"
        + table(rows)
        + table(theirs)
        + note(
            "An ATECC608 on I2C. Layer, driver and bus functions in instructions (cycles on the "
            "ATmega2560), without waiting. Chip: the time for which the driver leaves the chip "
            "alone, by the data sheet's maximum. Bus: nine clocks a byte at 100 kHz. The first "
            "call to a chip reads its configuration."
        )
    )


def _curves(curves: Sequence[dict[str, Any]]) -> str:
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
    return (
        "<h2>A handshake's operations, by backend</h2>"
        + svg.bars("P-256", bars, ("sign", "verify", "generate", "agree"), "instructions")
        + table(rows)
        + note(
            "BearSSL signs deterministically. Mbed TLS is configured small. Cortex-M4; the "
            "element's column is the chip's own maximum time."
        )
    )


#: What is drawn together, with its axes, and why the lines run as they do.
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


def _growth(growth: Mapping[str, Mapping[str, list[list[int]]]]) -> str:
    parts = ["<h2>How cost grows</h2>"]
    for group, names, x_name, y_name, why in _GROWTH:
        lines = growth[group]
        chosen = {name: lines[name] for name in names or lines}
        points = {name: [(x, y) for x, y in line] for name, line in chosen.items()}
        is_log = group == "messages"
        log_y = group in ("messages", "drivers") or "sign_hash: driver" in chosen
        parts.append(svg.lines(f"{y_name} by {x_name}", points, x_name, y_name, is_log, log_y))
        rows = [["", "first", "last", "for one more"]]
        for name, line in points.items():
            ends = (line[0][1], line[-1][1])
            rows.append([name, *map(_count, ends), f"{slope(line):+.3g}"])
        parts += [table(rows), note(why)]
    return "".join(parts)


def _families(measured: Sequence[Mapping[str, Any]]) -> str:
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
    return (
        "<h2>Each family of the API</h2>"
        + svg.bars("Flash of each family", bars, _FAMILY_PARTS, "bytes of flash")
        + table(rows)
        + note(
            "Builds for a Cortex-M4 with all functions of one family, in parts and in one call, "
            "and one mechanism; where keys are used, with importing and destroying them; no secure "
            "element. RAM is static: the slots are in it, each as large as the largest key. "
            "Whoever calls fewer functions pays less. All of these in one build take less than the "
            "sum, because keys, policies and storage are there once."
        )
    )


def _deduplication(measured: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
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
    return (
        "<h2>Three consumers, one API</h2>"
        + svg.bars("Flash of three consumers", bars, _ROM_PARTS, "bytes of flash")
        + table(rows)
        + note(
            f"Together {before - after:,} bytes less, {(before - after) / before:.0%}. A transport "
            "in the manner of DTLS (BearSSL), signed objects in the manner of COSE (micro-ecc and "
            "Mbed TLS's SHA-256) and a link layer (Mbed TLS's AES), each with its own library, "
            "against the same work over PSA Crypto with micro-ecc and BearSSL. The second carries "
            "a generator with health tests, which the first takes raw from the board; policies and "
            "key slots are in it too. They are sketches of the cryptographic work, not of formats: "
            "bench/own and bench/apps/shared. Both programs run and check their results."
        )
    )


def _storage(measured: Mapping[str, Any]) -> str:
    return (
        "<h2>Entries in flash: the log and littlefs</h2>"
        + table(storage.rows(measured))
        + note(
            "The same program on the same flash, 8 pages of 4096 bytes: 16 entries of 48 bytes by "
            "psa_its_*. Means of the calls, when the flash has been filled; what the flash itself "
            "does is not counted. What littlefs needs for that, a file for each entry, is "
            "bench/littlefs."
        )
    )


def _throughput(measured: Mapping[str, Any]) -> str:
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
    return (
        "<h2>Throughput on this computer</h2>"
        + table(rows)
        + note(
            "Through the API and by the library's own functions, in turns in one process, the best "
            "of five rounds. Microseconds, and what they say of the speed kept, are processor time "
            "of one operation. Times in a second depend on what else ran: "
            f"{measured['processors']} processors, load {measured['load_before']} before. A ratio "
            "above 100% means that the driver calls the library in a better way than the direct "
            "call here, or is noise of a per cent or two."
        )
    )


def _energy(rows: Sequence[Mapping[str, Any]]) -> str:
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
    items = "".join(f"<li>{escape(item)}</li>" for item in [*sources, energy.ELEMENT_SOURCE])
    return (
        "<h2>Energy: an estimate</h2>"
        + table(shown)
        + note(
            "Not measured: counts times documented currents. On the Cortex-M4 each instruction is "
            "taken as one cycle, which is the least that it can be; on the ATmega2560 cycles are "
            "counted. The bus is not in it."
        )
        + f"<ul>{items}</ul>"
    )


def _made_with(data: Mapping[str, Any]) -> str:
    made = data["made_with"]
    rows = [["made with", ""]]
    rows += [[name, value or "not installed"] for name, value in made["tools"].items()]
    rows += [[f"flags, {board}", flags] for board, flags in made["flags"].items()]
    rows += [[f"package {name}", version] for name, version in made["packages"].items()]
    return "<h2>Made with</h2>" + table(rows) + note("Method and limits: docs/BENCH.md.")


def page(data: Mapping[str, Any], further: Sequence[str] = ()) -> str:
    """The whole page; sections of parts that were not measured are left out."""
    cost = data.get("cost", [])
    sections = []
    if cost:
        sections += [_comparison(data), _symmetric(cost), _signatures(cost), _memory(cost)]
        sections.append(_elements(cost))
    if data.get("curves"):
        sections.append(_curves(data["curves"]))
    if data.get("families"):
        sections.append(_families(data["families"]))
    if data.get("growth"):
        sections.append(_growth(data["growth"]))
    if data.get("deduplication"):
        sections.append(_deduplication(data["deduplication"]))
    if data.get("storage"):
        sections.append(_storage(data["storage"]))
    if data.get("throughput"):
        sections.append(_throughput(data["throughput"]))
    if data.get("energy"):
        sections.append(_energy(data["energy"]))
    sections += [*further, _made_with(data)]
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Corral: what the layer costs</title><style>{_STYLE}</style></head><body>"
        "<h1>Corral: what the layer costs</h1>"
        + note(
            "The layer is the core, the generated dispatch and the glue of the drivers: what an "
            "application pays for the API instead of calling a library. Instructions of an "
            "emulated Cortex-M4 are exact and repeat; they are not cycles."
        )
        + "".join(sections)
        + "</body></html>\n"
    )
