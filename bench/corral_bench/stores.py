# SPDX-License-Identifier: Apache-2.0
"""The document about the two stores for entries in flash, and its form: storage.py measures it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: The stores, and the parts of the C library that they use.
PARTS = {
    "storage": "ours",
    "backend": "library",
    "libc": "C library, also for the board",
}

REPLACE = "set, replacing"
#: The calls of bench/apps/entries, one by one.
_ENTRIES = 16
_SAMPLE = 4
#: Calls that replace an entry: first until the flash has been filled, with nothing but its traffic
#: counted, then with everything.
FILLING = 26 * _ENTRIES
_REPLACING = 3 * _ENTRIES
PHASES = (
    ("begin", 1),
    ("set, new", _ENTRIES),
    (REPLACE, _REPLACING),
    ("get", _ENTRIES),
    ("get_info", _SAMPLE),
    ("get, first after a restart", 1),
    ("remove", _SAMPLE),
)


def _but_worst(phase: Mapping[str, Any]) -> int:
    """The mean without the call that took a page into use."""
    calls: int = phase["calls"]
    most: int = phase["most_instructions"]
    return int((phase["instructions"] * calls - most) / (calls - 1) + 0.5)


def rows(measured: Mapping[str, Any]) -> list[list[str]]:
    """Both as a table, whose first row is a head."""
    both = measured.values()
    made = [["storage", *measured]]
    for part, meaning in PARTS.items():
        made.append([f"flash, {meaning}", *(f"{m['rom'][part]:,}" for m in both)])
    made.append(["flash, together", *(f"{sum(m['rom'].values()):,}" for m in both)])
    made.append(["static RAM", *(f"{sum(m['ram'].values()):,}" for m in both)])
    made.append(["stack", *(f"{m['stack']:,}" for m in both)])
    for name, _ in PHASES:
        phases = [m["phases"][name] for m in both]
        if name != REPLACE:
            made.append([f"{name}: instructions", *(f"{p['instructions']:,}" for p in phases)])
        else:
            made.append([f"{name}: but for the worst", *(f"{_but_worst(p):,}" for p in phases)])
            made.append(["... the worst", *(f"{p['most_instructions']:,}" for p in phases)])
            made.append(["... bytes written", *(f"{p['written']:.1f}" for p in phases)])
            made.append(["... of them to clear", *(f"{p['cleared']:.1f}" for p in phases)])
            made.append(["... pages erased", *(f"{m['erased']:.4f}" for m in both)])
    made.append(["power cuts survived", *(f"{m['cuts']:,}" for m in both)])
    return made
