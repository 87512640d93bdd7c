# SPDX-License-Identifier: Apache-2.0
"""Which source uses a symbol of which, in finished builds; a circle is an error.

usage: python tools/checks/calls.py BUILD-FOLDER...

includes.py looks at headers. A source can also use a name that it declares itself, or that a header
below it declares and a source above it defines. This check reads the objects' symbols. The calls of
core and storage to drivers are left out: drivers call functions of the core, and dispatch calls
drivers. The same holds for all definitions of a port. Objects of link-time optimisation
have no symbols.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from includes import Graph, circle, rooms

#: Parts that are looked at together: core with storage and wall, the device of a fleet, and each
#: driver alone.
_GROUP = re.compile(r"(core|storage|wall)/|(fleet/device)/[^/]+$|(drivers/[^/]+)/")
_OBJECT = re.compile(r"\.dir/(?P<unit>.+)\.c\.o(?:bj)?:\s*(?P<rest>.*)$")
#: Of nm: defined for other objects, and used from other ones.
_DEFINED, _USED = "TDBRCVW", "U"


def group(unit: str) -> str:
    """The part that a source is looked at with; none: empty."""
    found = _GROUP.match(unit)
    if not found:
        return ""
    return "core" if found[1] else found[2] or found[3]


def symbols(folder: Path, prefix: str = "") -> list[tuple[str, str, str]]:
    """Of a finished build: source, kind as nm has it, and name."""
    objects = sorted(map(str, (folder / "cmake" / "CMakeFiles").glob("*.dir/**/*.o*")))
    command = [f"{prefix}nm", "--print-file-name", "--extern-only", *objects]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = []
    for line in lines.splitlines():
        match = _OBJECT.search(line)
        if match and group(match["unit"]):
            kind, name = match["rest"].split()[-2:]
            found.append((match["unit"], kind, name))
    return found


def graph(listed: Iterable[tuple[str, str, str]]) -> dict[str, Graph]:
    """By group, its sources, and which others each uses."""
    listed = list(listed)
    owners: Mapping[str, str] = {name: unit for unit, kind, name in listed if kind in _DEFINED}
    found: dict[str, Graph] = {}
    for unit, kind, name in listed:
        used = found.setdefault(group(unit), {}).setdefault(unit, set())
        owner = owners.get(name, unit)
        if kind in _USED and owner != unit and group(owner) == group(unit):
            used.add(owner)
    return found


def circles(listed: Iterable[tuple[str, str, str]]) -> list[list[str]]:
    """A circle of sources or folders of each group that has one."""
    found = [circle(units) or circle(rooms(units)) for units in graph(listed).values()]
    return [one for one in found if one]


def main(words: Sequence[str]) -> int:
    found = [one for word in words for one in circles(symbols(Path(word)))]
    for one in found:
        print("circle: " + " -> ".join(one), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
