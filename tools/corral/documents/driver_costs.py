# SPDX-License-Identifier: Apache-2.0
"""Figures in the READMEs of drivers, from measurements: drivers/*/costs.json.

`2334<!-- flash ECDSA_SIGN_SECP_R1_256 -->` is a number and, invisibly, its name:
`flash` or `ram` of one mechanism, or of several together, in which shared code counts
once. `*` stands for any part of a name. `instructions` are those of one use, of a
construction `over` another driver.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

from corral.errors import fail
from corral.model.costs import FILE, REFERENCE, Costs, costs_of

FIGURE = re.compile(r"(?P<figure>\d*)<!-- (?P<what>flash|ram|instructions) (?P<names>[\w* ]+) -->")


def readmes(root: Path) -> list[str]:
    """Those of drivers of which something was measured."""
    files = [file.parent / "README.md" for file in sorted(root.glob(f"drivers/*/{FILE}"))]
    return [str(file.relative_to(root)) for file in files if file.is_file()]


def markdown(root: Path, name: str) -> str:
    """A README with the figures as they are now."""
    file = root / name
    costs = costs_of(file.parent, str(Path(name).parent)).get(REFERENCE)
    text = file.read_text(encoding="utf-8")
    if costs is None:
        return text
    return FIGURE.sub(lambda m: _figure(name, costs, m["what"], m["names"]), text)


def _figure(file: str, costs: Costs, what: str, names: str) -> str:
    if what == "instructions":
        if names not in costs.instructions:
            raise fail(file, f"no {what} of {names} were counted", f"look into {FILE} beside it")
        return f"{costs.instructions[names]}<!-- {what} {names} -->"
    pieces: set[str] = set()
    for pattern in names.split():
        found = [of for name, of in costs.mechanisms.items() if fnmatchcase(name, pattern)]
        if not found:
            raise fail(file, f"no mechanism {pattern} was measured", f"look into {FILE} beside it")
        pieces.update(*found)
    sizes = [costs.pieces[piece] for piece in pieces]
    total = sum(one.flash if what == "flash" else one.ram for one in sizes)
    return f"{total}<!-- {what} {names} -->"
