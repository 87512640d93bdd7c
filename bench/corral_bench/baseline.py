# SPDX-License-Identifier: Apache-2.0
"""bench/baseline.json: the accepted cost of the layer, and changes since."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.common import rows
from corral.errors import fail

from corral_bench.depth import WHOLE
from corral_bench.others import M4
from corral_bench.record import LEAST

FILE = ROOT / "bench" / "baseline.json"
_KEYS = (
    *("reason", "figures", "storage", "tls", "presets", "boot"),
    *("throughput", "stored", "signatures", "sessions"),
)
#: Parts of a whole image with their own names.
OF_IMAGE = ("backend", "random")
#: Behind a name: figures that are never compared with those without.
WITH_LTO = ", with LTO"
#: The growth of the layer that needs no explanation.
TOLERANCE = 0.01


def figures(results: Iterable[dict[str, Any]]) -> dict[str, int]:
    """The figures that are watched, by name: bytes of the layer, and its part of a call."""
    found: dict[str, int] = {}
    for result in results:
        is_least = result["scenario"].partition("/")[2].startswith(LEAST)
        name = f"{result['scenario']} on {result['board']}"
        if result["lto"]:
            if is_least:
                found |= _of_image(f"{name}{WITH_LTO}", result)
                found[f"{name}{WITH_LTO}: ROM"] = result["layer_rom"]
            continue
        found[f"{name}: ROM"] = result["layer_rom"]
        found[f"{name}: RAM"] = result["layer_ram"]
        if is_least:
            found |= _of_image(name, result)
        seen: dict[str, int] = {}
        for call in result["calls"]:
            number = seen[call["function"]] = seen.get(call["function"], 0) + 1
            which = call["function"] if number == 1 else f"{call['function']} ({number})"
            found[f"{name}: {which}"] = call["layer"]
            if call["wiping"]:
                found[f"{name}: {which}, wiping"] = call["wiping"]
            found[f"{name}: {which}, stack"] = call["stack"]
            if is_least and result["board"] == M4:
                found[f"{name}: {which}{WHOLE}"] = call["deepest"]
    return found


def _of_image(name: str, result: Mapping[str, Any]) -> dict[str, int]:
    parts = {f"{name}: image, {part}": result["rom"].get(part, 0) for part in OF_IMAGE}
    return {f"{name}: image": sum(result["rom"].values()), **parts}


def load(file: Path = FILE) -> dict[str, Any]:
    """The committed baseline."""
    if not file.is_file():
        raise fail(str(file), "there is no baseline", './corral bench --accept "first"')
    data: dict[str, Any] = json.loads(file.read_text())
    return data


def accept(
    results: Iterable[dict[str, Any]],
    reason: str,
    parts: Mapping[str, Any] | None = None,
    file: Path = FILE,
) -> None:
    """Write the figures as the new baseline; those that were not measured stay as they were."""
    nothing: dict[str, Any] = {"storage": {}, "throughput": {}, "stored": {}}
    nothing |= {"tls": [], "presets": [], "boot": [], "signatures": [], "sessions": []}
    old = {**nothing, **(load(file) if file.is_file() else {})}
    now = {"reason": reason, **(parts or {})}
    now["figures"] = dict(sorted((old.get("figures", {}) | figures(results)).items()))
    data = {key: now.get(key, old.get(key)) for key in _KEYS}
    file.write_text(rows.text(data) + "\n")


def changes(before: Mapping[str, int], now: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Changes, as lines for a reader, and those beyond the tolerance."""
    lines, grown = [], []
    for name, value in now.items():
        if name not in before:
            lines.append(f"{name}: {value} (new)")
            continue
        old = before[name]
        if value == old:
            continue
        percent = f"{100 * (value - old) / old:+.1f}%" if old else "from nothing"
        line = f"{name}: {old} -> {value} ({percent})"
        lines.append(line)
        if value - old > old * TOLERANCE:
            grown.append(line)
    return lines, grown
