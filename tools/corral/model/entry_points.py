# SPDX-License-Identifier: Apache-2.0
"""dispatch/entry_points.toml: the entry points that drivers can have, with their prototypes; and
which functions of the API have something to do."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from corral.errors import CorralError, Problem, fail
from corral.model.node import Node, nearest, read_text, read_toml

LABEL = "dispatch/entry_points.toml"
DRIVER_TYPES = ("transparent", "opaque", "both")
#: Stands in prototypes for the type of a context.
CONTEXT = "OPERATION"
ROW_KEYS = (
    "name",
    "contract",
    "family",
    "part_of",
    "optional",
    "begins",
    "in_parts",
    "parts_by",
    "ends_in",
    "usages",
    "drivers",
    "filters",
    "parameters",
)
#: The code that runs an operation in parts if no driver runs it at once.
PARTS_BY = ("dispatch", "core")


#: A parameter: words of its type, stars, its name.
DECLARATION = re.compile(r"(?:[A-Za-z_]\w* )+\**[A-Za-z_]\w*", re.ASCII)


def parameter_name(declaration: str) -> str:
    """The name in a declaration such as "const uint8_t *input"."""
    return declaration.replace("*", " ").split()[-1]


def parameter_type(declaration: str) -> str:
    """The type in it, here "const uint8_t *"."""
    return declaration.removesuffix(parameter_name(declaration)).rstrip()


@dataclass(frozen=True)
class Parameter:
    """One parameter of a prototype."""

    declaration: str
    name: str

    @property
    def type(self) -> str:
        """With CONTEXT in the place of a context's type: "const OPERATION *"."""
        return parameter_type(self.declaration)

    @cached_property
    def is_context(self) -> bool:
        return CONTEXT in self.type.split()


@dataclass(frozen=True)
class EntryPoint:
    """A function that a driver can have."""

    name: str
    family: str
    part_of: str
    optional: bool
    begins: bool
    in_parts: str
    parts_by: str
    ends_in: str
    usages: tuple[str, ...]
    drivers: str
    filters: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    contract: str

    @property
    def unit(self) -> str:
        """The name that a driver lists to have it."""
        return self.name if self.optional or not self.part_of else self.part_of

    @cached_property
    def has_context(self) -> bool:
        """Whether it works on the context of an operation."""
        return any(parameter.is_context for parameter in self.parameters)

    @property
    def is_continued(self) -> bool:
        """Whether it goes on with an operation that another function has begun."""
        return self.has_context and not self.begins

    def allows(self, driver_type: str) -> bool:
        return self.drivers in ("both", driver_type)


@dataclass(frozen=True)
class Context:
    """A kind of context, which operations of a driver have."""

    name: str
    unit: str  # that a driver lists to support operations with it
    family: str  # of the entry points
    subject: str  # its subject


@dataclass(frozen=True)
class Functions:
    """Functions of the API, and the wants that give them an effect."""

    names: tuple[str, ...]  # patterns, without psa_
    family: str  # of mechanisms; empty: they have something to do in each build
    units: tuple[str, ...]  # patterns

    def has_name(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.names)

    def has_unit(self, unit: str) -> bool:
        return any(fnmatchcase(unit, pattern) for pattern in self.units)


@dataclass(frozen=True)
class EntryPointTable:
    """All rows, by name; contexts in the order in which one may keep another."""

    rows: dict[str, EntryPoint]
    contexts: dict[str, Context]
    functions: tuple[Functions, ...]
    usages: tuple[str, ...]
    public_usages: tuple[str, ...]

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

    @cached_property
    def over_hashes(self) -> frozenset[str]:
        """The entry points that an operation on a message can end in."""
        return frozenset(row.ends_in for row in self.rows.values() if row.ends_in)

    def functions_with(self, name: str) -> Functions:
        """The row of a function of the API."""
        for functions in self.functions:
            if functions.has_name(name):
                return functions
        what = f"no [[function]] names psa_{name}"
        raise fail(LABEL, what, "say which family gives it something to do")

    def check_functions(self, names: Collection[str]) -> None:
        """Refuse patterns of which the API has no function, by the names that it has."""
        unmatched = [
            Problem(
                f"{LABEL}: function[{at}].names", f"no psa_{pattern} in include/psa", "remove it"
            )
            for at, functions in enumerate(self.functions)
            for pattern in functions.names
            if not any(fnmatchcase(name, pattern) for name in names)
        ]
        if unmatched:
            raise CorralError(unmatched)

    def in_parts(self, unit: str) -> str:
        """The multi-part family that can replace a unit, or nothing."""
        row = self.rows.get(unit)
        return row.in_parts if row else ""

    def units_for(self, usage: str) -> list[str]:
        """The rows of the operation that a usage flag stands for."""
        rows = [row for row in self.rows.values() if usage in row.usages]
        return list(dict.fromkeys(row.unit for row in rows))

    @cached_property
    def usages_of_elements(self) -> tuple[str, ...]:
        """Operations with a key in an element."""
        rows = [row for row in self.rows.values() if row.allows("opaque")]
        return tuple(u for u in self.usages if any(u in row.usages for row in rows))

    @cached_property
    def _families_with_contexts(self) -> frozenset[str]:
        return frozenset(row.family for row in self.rows.values() if row.has_context)

    def stem(self, row: EntryPoint) -> str:
        """The prefix of the names of a family with contexts: "hash_", or nothing."""
        return f"{row.family}_" if row.family in self._families_with_contexts else ""

    def expand(self, listed: str) -> tuple[EntryPoint, ...]:
        """The rows that a name in "entry_points" of a capability stands for; none if unknown."""
        if listed in self.families:
            return self.families[listed]
        row = self.rows.get(listed)
        return (row,) if row and (not row.part_of or row.optional) else ()

    @property
    def names(self) -> list[str]:
        """The names that a capability can list."""
        single = [r.name for r in self.rows.values() if not r.part_of or r.optional]
        return sorted([*single, *self.families])


def _parameter(node: Node) -> Parameter | None:
    if not node.is_a(str):
        return None
    declaration = str(node.value)
    if not DECLARATION.fullmatch(declaration):
        node.complain(f'"{declaration}" is no parameter', 'write type and name: "size_t length"')
        return None
    return Parameter(declaration, parameter_name(declaration))


def _contract(node: Node) -> str:
    """A paragraph that says what the function does, and one for each status."""
    if not node.items("contract"):
        node.complain('the key "contract" is missing', "say what a driver has to do")
    return re.sub(r"\n(?!PSA_ERROR_\w+: )", " ", "\n".join(node.strings("contract")))


def _row(node: Node) -> EntryPoint | None:
    if not node.is_a(dict):
        return None
    node.only(ROW_KEYS)
    for key, known in (("drivers", DRIVER_TYPES), ("parts_by", PARTS_BY)):
        if node.has(key) and node.string(key) not in known:
            node.child(key).complain(f'"{node.value[key]}" is unknown', f"use {', '.join(known)}")
    if node.has("parts_by") != node.has("in_parts"):
        node.complain("in_parts and parts_by say one thing together", "write both, or neither")
    return EntryPoint(
        name=node.identifier("name"),
        family=node.identifier("family"),
        part_of=node.string("part_of", ""),
        optional=node.boolean("optional", False),
        begins=node.boolean("begins", False),
        in_parts=node.string("in_parts", ""),
        parts_by=node.string("parts_by", ""),
        ends_in=node.string("ends_in", ""),
        usages=node.strings("usages"),
        drivers=node.string("drivers"),
        filters=node.strings("filters"),
        parameters=node.each("parameters", _parameter),
        contract=_contract(node),
    )


def _context(node: Node) -> Context | None:
    if not node.is_a(dict):
        return None
    node.only(("name", "unit", "family", "subject"))
    name = node.identifier("name")
    return Context(name, node.string("unit"), node.string("family", name), node.string("subject"))


def _functions(node: Node) -> Functions | None:
    if not node.is_a(dict):
        return None
    node.only(("names", "family", "units"))
    return Functions(
        names=node.strings("names"),
        family=node.string("family", ""),
        units=node.strings("units") if node.has("units") else ("*",),
    )


def _check_names(top: Node, table: EntryPointTable) -> None:
    """References of rows to each other, and to the file's lists."""
    for node in top.items("entry_point"):
        known = {"in_parts": list(table.families), "ends_in": list(table.rows)}
        for key, names in known.items():
            if node.has(key) and node.value[key] not in names:
                what = f'"{node.value[key]}" is unknown'
                node.child(key).complain(what, nearest(str(node.value[key]), names))
    uses = [item for node in top.items("entry_point") for item in node.items("usages")]
    for item in [*uses, *top.items("public_usages")]:
        if item.value not in table.usages:
            item.complain(f'"{item.value}" is unknown', nearest(str(item.value), table.usages))
    families = sorted({row.family for row in table.rows.values()})
    for node in top.items("function"):
        family = node.string("family", "")
        if family and family not in families:
            node.child("family").complain(f'"{family}" is unknown', nearest(family, families))
    for node in top.items("context"):
        unit = node.string("unit")
        if not table.expand(unit):
            node.child("unit").complain(f'"{unit}" is unknown', nearest(unit, table.names))


#: The last result, behind the text of its source.
_last: tuple[str, EntryPointTable] | None = None


def load_entry_points(root: Path) -> EntryPointTable:
    """The table of a tree. A process that builds many things asks for the same again and again."""
    global _last  # noqa: PLW0603
    text = read_text(root / LABEL, LABEL)
    if _last is None or _last[0] != text:
        _last = (text, _load(root))
    return _last[1]


def _load(root: Path) -> EntryPointTable:
    problems: list[Problem] = []
    top = read_toml(root / LABEL, LABEL, problems)
    top.only(("usages", "public_usages", "context", "function", "entry_point"))
    rows = top.each("entry_point", _row)
    contexts = top.each("context", _context)
    table = EntryPointTable(
        {row.name: row for row in rows},
        {context.name: context for context in contexts},
        top.each("function", _functions),
        top.strings("usages"),
        top.strings("public_usages"),
    )
    if not problems:
        _check_names(top, table)
    if problems:
        raise CorralError(problems)
    return table
