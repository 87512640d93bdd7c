# SPDX-License-Identifier: Apache-2.0
"""Which file includes which, of all that runs on a device; a circle is an error.

usage: python tools/checks/includes.py [--graph]

A source and its header are one unit; neither units nor the folders that they are in may go in a
circle. --graph prints the graph for Graphviz.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "storage", "update", "wall", "drivers", "ports", "fleet/device")
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

#: By unit, those that it includes.
Graph = dict[str, set[str]]


def graph(root: Path = ROOT) -> Graph:
    """The units of the folders, and whom each includes by a name in quotes."""

    def unit(path: Path) -> str:
        return path.relative_to(root).with_suffix("").as_posix()

    units: Graph = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            included = units.setdefault(unit(path), set())
            for name in _INCLUDE.findall(path.read_text(encoding="utf-8")):
                target = (path.parent / name).resolve()
                if target.is_file():
                    included.add(unit(target))
            included.discard(unit(path))
    return units


def rooms(units: Graph) -> Graph:
    """The folders of the units, and whom each includes."""
    folders: Graph = {}
    for unit, included in units.items():
        room = str(Path(unit).parent)
        folders.setdefault(room, set()).update(str(Path(other).parent) for other in included)
        folders[room].discard(room)
    return folders


def circle(units: Graph) -> list[str]:
    """The units of one circle, the first again as the last; none: empty."""
    try:
        TopologicalSorter(units).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def main(words: Sequence[str]) -> int:
    units = graph()
    if "--graph" in words:
        print("digraph includes {")
        for unit, included in units.items():
            print(*(f'    "{unit}" -> "{other}";' for other in sorted(included)), sep="\n")
        print("}")
    found = circle(units) or circle(rooms(units))
    if found:
        print("circle: " + " -> ".join(found), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
