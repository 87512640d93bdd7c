# SPDX-License-Identifier: Apache-2.0
"""README.md's table of drivers, a row for each kind, from their descriptions."""

from __future__ import annotations

import re
from pathlib import Path

from corral.configure.candidates import is_hardware
from corral.generate import api
from corral.model.driver import Driver

_BEGIN, _END = "<!-- drivers -->\n", "<!-- end of drivers -->"
_TABLE = re.compile(f"{_BEGIN}.*?{_END}", re.DOTALL)
KINDS = ("Software", "Accelerator", "Secure element")


def kind(driver: Driver) -> str:
    """One of KINDS."""
    if driver.is_opaque:
        return KINDS[2]
    return KINDS[is_hardware(driver) and not driver.packages]


def markdown(root: Path) -> str:
    """README.md as it ought to be."""
    rows: dict[str, list[str]] = {name: [] for name in KINDS}
    for driver in api.list_drivers(root):
        if driver.folder.parent == root / "drivers":
            rows[kind(driver)].append(f"[{driver.title}](drivers/{driver.name})")
    lines = ["", "| Kind | Drivers |", "|---|---|"]
    lines += [f"| {name} | {', '.join(drivers)} |" for name, drivers in rows.items()]
    table = "\n".join([*lines, "", ""])
    text = (root / "README.md").read_text(encoding="utf-8")
    return _TABLE.sub(lambda _: f"{_BEGIN}{table}{_END}", text)
