# SPDX-License-Identifier: Apache-2.0
"""The measured parts as tables for a terminal, the first row of each as its head."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from corral.common.table import align
from corral.measure.image import LAYER, PARTS

from corral_bench import boot, handshakes, objects, presets, signers, stored, stores, tables
from corral_bench import throughput as of_throughput
from corral_bench.growth import slope

Rows = list[list[str]]


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _curves(curves: Sequence[Mapping[str, Any]]) -> Rows:
    names = {
        "psa_sign_hash": "sign",
        "psa_verify_hash": "verify",
        "psa_generate_key": "generate",
        "psa_raw_key_agreement": "agree",
    }
    rows = [["P-256, million instructions", *names.values(), "flash: layer", "all", "layer, RAM"]]
    for result in curves:
        calls = {call["function"]: call for call in reversed(result["calls"])}
        used = [calls[name] for name in names]
        if any(call["transfers"] for call in used):
            cells = [f"chip {call['chip_us'] / 1000:.0f} ms" for call in used]
        else:
            cells = [f"{(call['layer'] + call['primitive']) / 1e6:.2f}" for call in used]
        total = sum(result["rom"][p] for p in PARTS if p not in ("application", "port"))
        figures = (result["layer_rom"], total, result["layer_ram"])
        rows.append([result["backend"], *cells, *map(_count, figures)])
    return rows


def _families(measured: Sequence[Mapping[str, Any]]) -> Rows:
    parts = [p for p in (*LAYER, "random", "backend") if any(m["rom"].get(p) for m in measured)]
    rows = [["family", "with", "functions", *parts, "layer, flash", "layer, RAM"]]
    for row in measured:
        figures = [*(row["rom"].get(p, 0) for p in parts), row["layer_rom"], row["layer_ram"]]
        names = [row["family"], row["mechanism"] or "-", str(row["functions"])]
        rows.append([*names, *map(_count, figures)])
    return rows


def _growth(growth: Mapping[str, Mapping[str, Sequence[tuple[int, int]]]]) -> Rows:
    rows = [["growth", "", "first", "last", "for one more"]]
    for group, lines in growth.items():
        for name, points in lines.items():
            ends = (_count(points[0][1]), _count(points[-1][1]))
            rows.append([group, name, *ends, f"{slope(points):+.3g}"])
    return rows


def _deduplication(measured: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Rows:
    shown = [p for p in PARTS if any(m["rom"].get(p) for m in measured.values())]
    rows = [["bytes of flash", *shown, "all"]]
    for name, one in measured.items():
        figures = [*(one["rom"][p] for p in shown), sum(one["rom"].values())]
        rows.append([name, *map(_count, figures)])
    return rows


def _energy(rows: Iterable[Mapping[str, Any]]) -> Rows:
    shown = [["estimate, microjoule", "on", "layer", "processor", "element, at most"]]
    for row in rows:
        if row["function"] == "psa_crypto_init" or row["scenario"].startswith(("all", "elem")):
            continue
        chip = _count(row["element_uj"]) if row["element_uj"] else "-"
        figures = (f"{row['layer_uj']:,.3f}", f"{row['processor_uj']:,.1f}", chip)
        shown.append([f"{row['scenario']}: {row['function']}", row["chip"], *figures])
    return shown


def _one(rows: Callable[[Any], Rows]) -> Callable[[Any], list[Rows]]:
    return lambda measured: [rows(measured)]


#: The tables of each part. The fleet prints its own.
_TABLES: Mapping[str, Callable[[Any], list[Rows]]] = {
    "curves": _one(_curves),
    "families": _one(_families),
    "growth": _one(_growth),
    "deduplication": _one(_deduplication),
    "storage": _one(stores.rows),
    "throughput": _one(of_throughput.rows),
    "stored": _one(stored.rows),
    "tls": lambda measured: [handshakes.rows(measured), handshakes.study(measured)],
    "presets": _one(presets.rows),
    "boot": _one(boot.rows),
    "signatures": lambda measured: [
        signers.on_avr(measured),
        signers.on_cortex_m4(measured),
        signers.of_element(measured),
    ],
    "sessions": _one(objects.rows),
    "energy": _one(_energy),
}


def text(data: Mapping[str, Any]) -> str:
    """The tables of all parts that were measured."""
    made = [tables.comparison_text(data["comparison"])] if data.get("comparison") else []
    for part, rows_of in _TABLES.items():
        if data.get(part):
            made += [align(rows) for rows in rows_of(data[part])]
    return "\n\n".join(made)
