# SPDX-License-Identifier: Apache-2.0
"""dispatch/entry_points.toml: the entry points that drivers can have, with their prototypes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import Node, read_toml

LABEL = "dispatch/entry_points.toml"
DRIVER_TYPES = ("transparent", "opaque", "both")
FILTERS = ("algorithm", "key")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a prototype."""

    declaration: str
    name: str


@dataclass(frozen=True)
class EntryPoint:
    """A function that a driver can have."""

    name: str
    family: str
    part_of: str
    optional: bool
    drivers: str
    filters: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    @property
    def has_context(self) -> bool:
        """Whether it works on the context of an operation."""
        return any("OPERATION" in p.declaration for p in self.parameters)

    @property
    def is_continued(self) -> bool:
        """Whether it goes on with an operation that another function has begun."""
        return self.has_context and not self.name.endswith(("_setup", "_resume"))

    def allows(self, driver_type: str) -> bool:
        return self.drivers in ("both", driver_type)


@dataclass(frozen=True)
class EntryPointTable:
    """All rows, by name."""

    rows: dict[str, EntryPoint]

    @cached_property
    def families(self) -> dict[str, tuple[EntryPoint, ...]]:
        """The rows of each multi-part family, without the optional ones."""
        families: dict[str, list[EntryPoint]] = {}
        for row in self.rows.values():
            if row.part_of:
                members = families.setdefault(row.part_of, [])
                if not row.optional:
                    members.append(row)
        return {name: tuple(members) for name, members in families.items()}

    def stem(self, row: EntryPoint) -> str:
        """What the names of a family with contexts begin with: "hash_", or nothing."""
        families = {other.family for other in self.rows.values() if other.has_context}
        return f"{row.family}_" if row.family in families else ""

    def expand(self, listed: str) -> tuple[EntryPoint, ...]:
        """The rows that a name in "entry_points" of a capability stands for; none if unknown."""
        if listed in self.families:
            return self.families[listed]
        row = self.rows.get(listed)
        return (row,) if row and (not row.part_of or row.optional) else ()

    @property
    def names(self) -> list[str]:
        """What a capability can list."""
        single = [r.name for r in self.rows.values() if not r.part_of or r.optional]
        return sorted([*single, *self.families])


def _parameter(node: Node) -> Parameter | None:
    if not node.is_a(str):
        return None
    declaration = str(node.value)
    return Parameter(declaration, declaration.replace("*", " ").split()[-1])


def _row(node: Node) -> EntryPoint | None:
    if not node.is_a(dict):
        return None
    node.only(("name", "family", "part_of", "optional", "drivers", "filters", "parameters"))
    drivers = node.string("drivers")
    if drivers not in DRIVER_TYPES:
        node.child("drivers").complain(f'"{drivers}" is unknown', f"use {', '.join(DRIVER_TYPES)}")
    return EntryPoint(
        name=node.identifier("name"),
        family=node.identifier("family"),
        part_of=node.string("part_of", ""),
        optional=node.boolean("optional", False),
        drivers=drivers,
        filters=node.strings("filters"),
        parameters=node.each("parameters", _parameter),
    )


def load_entry_points(root: Path) -> EntryPointTable:
    problems: list[Problem] = []
    top = read_toml(root / LABEL, LABEL, problems)
    top.only(("entry_point",))
    rows = top.each("entry_point", _row)
    if problems:
        raise CorralError(problems)
    return EntryPointTable({row.name: row for row in rows})
