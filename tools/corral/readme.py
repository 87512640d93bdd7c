# SPDX-License-Identifier: Apache-2.0
"""README.md's table of drivers: a row for each that is there.

A row that stands there stays as somebody worded it; a driver without one gets its title.
"""

from __future__ import annotations

import re
from pathlib import Path

from corral import api
from corral.config.candidates import is_hardware
from corral.model.driver import Driver

_ROW = re.compile(r"^\| \[(?P<name>\w+)\]\(drivers/(?P=name)\) \| .* \|\n", re.M)


def _kind(driver: Driver) -> str:
    if driver.is_opaque:
        return "secure element"
    return "accelerator" if is_hardware(driver) else "software"


def markdown(root: Path) -> str:
    """README.md as it ought to be."""
    text = (root / "README.md").read_text(encoding="utf-8")
    found = list(_ROW.finditer(text))
    if not found:
        return text
    there = {d.name: d for d in api.list_drivers(root) if d.folder.parent == root / "drivers"}
    rows = {row["name"]: row[0] for row in found if row["name"] in there}
    for name, driver in there.items():
        line = f"| [{name}](drivers/{name}) | {driver.title} | {_kind(driver)} |\n"
        rows.setdefault(name, line)
    return text[: found[0].start()] + "".join(rows.values()) + text[found[-1].end() :]
