# SPDX-License-Identifier: Apache-2.0
"""The mechanisms of each driver, from its description only."""

from __future__ import annotations

from dataclasses import dataclass

from corral.configure.candidates import could_serve, could_serve_opaque
from corral.model.capability import Capability
from corral.model.driver import Driver
from corral.model.tree import Tree
from corral.model.unserved import load_unserved


@dataclass(frozen=True)
class TableRow:
    """One capability."""

    entry_points: str
    algorithms: str
    keys: str
    time: str
    limits: str


@dataclass(frozen=True)
class DriverTable:
    """A driver and its capabilities."""

    name: str
    title: str
    type: str
    requires: tuple[str, ...]
    packages: tuple[str, ...]
    rows: tuple[TableRow, ...]

    def markdown(self) -> str:
        """A heading and a table."""
        facts = [f"{self.type} driver"]
        if self.requires:
            facts.append(f"needs {', '.join(self.requires)}")
        if self.packages:
            facts.append(f"package {', '.join(self.packages)}")
        lines = [f"## {self.name}: {self.title}", "", f"{', '.join(facts)}.", ""]
        lines.append("| Algorithms | Keys | Entry points | Secret-independent time? | Limits |")
        lines.append("|---|---|---|---|---|")
        lines += [
            f"| {r.algorithms} | {r.keys} | {r.entry_points} | {r.time} | {r.limits} |"
            for r in self.rows
        ]
        return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    """Macros without what all of them have in common."""
    for prefix in ("PSA_ALG_", "PSA_KEY_TYPE_", "PSA_ECC_FAMILY_"):
        text = text.replace(prefix, "")
    return text.replace("(ANY_HASH)", "(any hash)").replace("(_)", "(any)")


def _listed(tree: Tree, capability: Capability) -> list[str]:
    """Entry points as a description lists them: families by their name."""
    names = list(capability.entry_points)
    for family, rows in tree.entry_points.families.items():
        members = [row.name for row in rows]
        if set(members) <= set(names):
            names[names.index(members[0])] = family
            names = [name for name in names if name not in members]
    return names


def _row(tree: Tree, capability: Capability) -> TableRow:
    algorithms = [_short(str(a)) for a in capability.algorithms or ()]
    keys = [_short(str(t)) for t in capability.key_types or ()]
    sizes = capability.key_sizes or ()
    limits = [capability.limits] if capability.limits else []
    limits += [f"refuses {capability.refuses}"] if capability.refuses else []
    if capability.hashes:
        algorithms = [text.replace("(any hash)", "(hash)") for text in algorithms]
        limits.insert(0, f"hash: {', '.join(_short(str(h)) for h in capability.hashes)}")
    if len(sizes) > 6:
        bits = f" {sizes[0]} to {sizes[-1]} bits"
    else:
        bits = f" {', '.join(str(s) for s in sizes)} bits" if sizes else ""
    return TableRow(
        entry_points=", ".join(_listed(tree, capability)),
        algorithms=", ".join(algorithms) or "-",
        keys=", ".join(keys) + bits if keys else "-",
        time=_time(capability),
        limits="; ".join(limits) or "-",
    )


def _time(capability: Capability) -> str:
    told = f", not with {capability.told_with}" if capability.told_with else ""
    return f"{capability.time}{told}" if capability.time else "-"


def _table(tree: Tree, driver: Driver) -> DriverTable:
    return DriverTable(
        driver.name,
        driver.title,
        driver.type,
        driver.requires,
        tuple(driver.packages),
        tuple(_row(tree, capability) for capability in driver.capabilities),
    )


def tables(tree: Tree) -> list[DriverTable]:
    return [_table(tree, driver) for driver in tree.drivers.values()]


def unserved_mechanisms(tree: Tree) -> list[str]:
    """The mechanisms that no driver supports, without those that only elements have."""
    return [
        mechanism.name
        for mechanism in tree.mechanisms.mechanisms.values()
        if not all(service.optional for service in mechanism.services)
        and not any(
            could_serve(driver, mechanism) or could_serve_opaque(driver, mechanism)
            for driver in tree.drivers.values()
        )
    ]


def unknown_wants(tree: Tree) -> list[str]:
    """The symbols that lead to no mechanism at all."""
    table = tree.mechanisms
    return [symbol for symbol in table.wants if symbol not in table.known_wants]


def unserved_markdown(tree: Tree) -> str:
    """A heading and a table."""
    lines = ["## Mechanisms without a driver", ""]
    lines.append("Names of mechanisms, and symbols without `PSA_WANT_`; `*` stands for anything. A")
    lines.append("configuration that wants one is refused.")
    lines += ["", "| Mechanisms | Why not |", "|---|---|"]
    for row in load_unserved(tree.root):
        names = ", ".join(f"`{pattern}`" for pattern in row.patterns)
        lines.append(f"| {names} | {row.reason} |")
    return "\n".join(lines) + "\n"
