# SPDX-License-Identifier: Apache-2.0
"""One element of "capabilities" in a driver.json: its mechanisms, and its sources."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from corral.model.entry_points import EntryPoint, EntryPointTable
from corral.model.expression import Expression, Vocabulary
from corral.model.node import Node, nearest
from corral.model.parts import (
    Part,
    all_of,
    check_own_file,
    read_defines,
    read_package_sources,
    read_part_names,
    read_sources,
)
from corral.model.rows import rows_of

CAPABILITY_KEYS = (
    "entry_points",
    "algorithms",
    "corral/hashes",
    "key_types",
    "key_sizes",
    "names",
    "corral/base",
    "corral/constants",
    "corral/each",
    "corral/parts",
    "fallback",
    "initial_entropy_size",
    "reseed_entropy_size",
    "corral/sources",
    "corral/package_sources",
    "corral/defines",
    "corral/context",
    "corral/context_header",
    "corral/uses",
    "corral/needs",
    "corral/any_location",
    "corral/suspend",
    "corral/devices",
    "corral/time",
    "corral/told_with",
    "corral/limits",
    "corral/refuses",
)
#: The mode without an initialisation vector.
ECB = Expression("PSA_ALG_ECB_NO_PADDING")

MAX_KEY_BITS = 0xFFF8  # attributes hold sizes in 16 bits, keys whole bytes

_SYMBOL = re.compile(r"(HAS|CORRAL)_[A-Z0-9_]+")
_PART_OF_NAME = re.compile(r"\w*", re.ASCII)
_CONSTANTS = re.compile(r"&?\w+(?:, &?\w+)*", re.ASCII)
_FUNCTION = re.compile(
    rf"(?P<name>[A-Za-z_]\w*)(?:\((?P<constants>{_CONSTANTS.pattern})\))?", re.ASCII
)

#: What "corral/time" says where nothing in the time of a capability tells of secrets: because it is
#: so made, because it meets none, or because a chip or another driver does the work.
NOTHING_TOLD = (
    "secret-independent",
    "public data only",
    "nothing secret in it",
    "no secret involved",
    "as the chip does it",
)
_OF_ANOTHER = "that of "
#: Values of secrets are masked by random ones, so that it takes more than one measurement.
BLINDED = "blinded"

#: The header of a driver for others, beside copies of its headers.
ENTRY_POINTS_HEADER = "entry_points.h"


def public_path(driver: str, header: str) -> str:
    """Where others find a header of a driver, whose folder they do not see."""
    return f"corral/drivers/{driver}/{header}"


def check_headers(node: Node, key: str) -> None:
    """Check what one header or a list of them is called, which are copied to where others look."""
    named = node.value.get(key, [])
    children = node.items(key) if isinstance(named, list) else [node.child(key)]
    for child in children:
        if child.value == ENTRY_POINTS_HEADER:
            child.complain(f"{ENTRY_POINTS_HEADER} is made of the description", "rename the file")
        else:
            check_own_file(child)


@dataclass(frozen=True)
class Function:
    """A C function of a driver, and its constants before the entry point's own arguments."""

    name: str
    constants: tuple[str, ...] = ()

    def call(self, arguments: Sequence[str]) -> str:
        return f"{self.name}({', '.join((*self.constants, *arguments))})"


@dataclass(frozen=True)
class Capability:
    """One element of "capabilities". Filters that are None match everything."""

    where: str
    driver: str
    prefix: str
    entry_points: dict[str, EntryPoint]
    algorithms: tuple[Expression, ...] | None
    # The meaning of PSA_ALG_ANY_HASH in its algorithms.
    hashes: tuple[Expression, ...] | None
    key_types: tuple[Expression, ...] | None
    key_sizes: tuple[int, ...] | None
    functions: dict[str, Function]
    fallback: bool
    parts: tuple[Part, ...]
    context: str
    context_header: str
    uses: tuple[str, ...]
    needs: tuple[str, ...]
    any_location: bool
    suspend: bool
    devices: dict[str, str]
    time: str
    told_with: str  # a symbol; where it is on, the time tells of secrets all the same
    limits: str
    refuses: str  # inputs that others accept: contrived keys and signatures
    initial_entropy_size: int
    reseed_entropy_size: int

    def leak(self, enabled: Container[str]) -> int:
        """How much its time tells of secrets: 0 nothing, 1 little, 2 that is not known or much."""
        if self.told_with in enabled:
            return 2
        if self.time == BLINDED:
            return 1
        kept = self.time in NOTHING_TOLD or self.time.startswith(_OF_ANOTHER)
        return 0 if kept else 2

    @property
    def sources(self) -> tuple[str, ...]:
        """The driver's own files that the capability is built from."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.sources))

    def function(self, entry_point: str) -> Function:
        """The C function of an entry point."""
        return self.functions[entry_point]

    @property
    def context_include(self) -> str:
        """The name by which others include the header of the context."""
        return public_path(self.driver, self.context_header)

    def takes_hash(self, algorithm: Expression | None, wanted: Iterable[Expression]) -> bool:
        """True if it has the hash of an algorithm; for one with any hash, all of the wanted."""
        if self.hashes is None or algorithm is None or not algorithm.arguments:
            return True
        needed = wanted if algorithm.is_pattern else algorithm.arguments
        return all(hash_alg in self.hashes for hash_alg in needed)

    def has(self, entry_point: str) -> bool:
        """True if that is ever called: modes without an IV get none."""
        is_given = entry_point != "cipher_set_iv" or self.algorithms != (ECB,)
        return is_given and entry_point in self.entry_points


def _function(node: Node) -> Function:
    found = _FUNCTION.fullmatch(node.value)
    if not found:
        node.complain(
            f'"{node.value}" is no C function',
            "write an identifier, or one with constants: function(&constant, 32)",
        )
        return Function(node.value)
    constants = found["constants"]
    return Function(found["name"], tuple(constants.split(", ")) if constants else ())


@dataclass
class Reader:
    """Facts that reading a capability needs besides the capability."""

    driver: str
    prefix: str
    type: str
    packages: frozenset[str]
    parts: dict[str, Part]
    # Rows that several capabilities are repeated for.
    lists: dict[str, list[Node]]
    context_header: str
    table: EntryPointTable
    vocabulary: Vocabulary
    # The named values of each field of the driver's devices.
    fields: dict[str, dict[str, str]]

    def expression(self, node: Node, category: str) -> Expression | None:
        if not node.is_a(str):
            return None
        try:
            return self.vocabulary.parse(node.value, category)
        except ValueError as error:
            node.complain(f'"{node.value}" is not understood', str(error))
            return None

    def expressions(self, node: Node, key: str, category: str) -> tuple[Expression, ...] | None:
        if not node.has(key):
            return None
        found = node.each(key, lambda item: self.expression(item, category))
        if isinstance(node.value[key], list) and not node.value[key]:
            node.child(key).complain("the list is empty", "name what is served, or leave it out")
        return found

    def hashes(
        self, node: Node, algorithms: tuple[Expression, ...] | None
    ) -> tuple[Expression, ...] | None:
        """ "corral/hashes": a list, or the name of one of the driver's lists."""
        key = "corral/hashes"
        if not node.has(key):
            return None
        if not any(a.is_pattern for a in algorithms or ()):
            node.child(key).complain("no algorithm here is one with any hash", "remove it")
        name = node.value[key]
        if isinstance(name, str) and name not in self.lists:
            node.child(key).complain(
                f'"{name}" is none of the driver\'s "corral/lists"',
                nearest(name, self.lists) if self.lists else "add it there",
            )
        items = self.lists.get(name, []) if isinstance(name, str) else node.items(key)
        found = [self.expression(item, "PSA_ALG_") for item in items]
        return tuple(hash_alg for hash_alg in found if hash_alg)

    def entry_points(self, node: Node) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        if not node.has("entry_points") or node.value["entry_points"] == []:
            node.complain(
                'the key "entry_points" is missing',
                "list the functions that the capability supports",
            )
        for item in node.items("entry_points"):
            if not item.is_a(str):
                continue
            rows = self.table.expand(item.value)
            if not rows:
                item.complain(
                    f'"{item.value}" is no entry point', nearest(item.value, self.table.names)
                )
            for row in rows:
                if not row.allows(self.type):
                    item.complain(
                        f'"{row.name}" is for {row.drivers} drivers, this one is {self.type}',
                        "remove it",
                    )
                found[row.name] = row
        return found

    def functions(self, node: Node, entry_points: dict[str, EntryPoint]) -> dict[str, Function]:
        """The function of each entry point: as "names" says, or after the base.

        Constants go to those that begin an operation or work in one call.
        """
        constants = node.strings("corral/constants")
        if constants and not _CONSTANTS.fullmatch(", ".join(constants)):
            node.child("corral/constants").complain(
                "constants are C identifiers, their addresses or numbers", 'write "&name" or "32"'
            )
        base = node.string("corral/base", "")
        if not _PART_OF_NAME.fullmatch(base):
            remedy = "use letters, digits and _"
            node.child("corral/base").complain(f'"{base}" is no part of a C identifier', remedy)
        functions = {
            name: Function(self.name_of(base, row), () if row.is_continued else constants)
            for name, row in entry_points.items()
        }
        for name, child in node.table("names").items():
            if name not in entry_points:
                child.complain(
                    f'"{name}" is none of the entry points of this capability',
                    nearest(name, entry_points),
                )
            if child.is_a(str):
                functions[name] = _function(child)
        return functions

    def name_of(self, base: str, row: EntryPoint) -> str:
        """<prefix>_<entry point>, or <prefix>_<base>_<entry point without its family>."""
        if not base:
            return f"{self.prefix}_{row.name}"
        return f"{self.prefix}_{base}_{row.name.removeprefix(self.table.stem(row))}"

    def sizes(self, node: Node) -> tuple[int, ...] | None:
        if not node.has("key_sizes"):
            return None
        sizes = [item.value for item in node.items("key_sizes") if item.is_a(int)]
        if len(set(sizes)) != len(sizes) or any(not 0 < size <= MAX_KEY_BITS for size in sizes):
            node.child("key_sizes").complain(
                f"sizes are bits, from 1 to {MAX_KEY_BITS}, each named once", "correct the list"
            )
        return tuple(sizes)

    def words(self, node: Node, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
        for item in node.items(key):
            if item.is_a(str) and item.value not in known:
                item.complain(f'"{item.value}" is unknown', nearest(item.value, known))
        return node.strings(key)

    def needs(self, node: Node) -> tuple[str, ...]:
        for item in node.items("corral/needs"):
            if item.is_a(str) and item.value.startswith("PSA_ALG_"):
                self.expression(item, "PSA_ALG_")
        return node.strings("corral/needs")

    def context(self, node: Node, entry_points: dict[str, EntryPoint]) -> tuple[str, str]:
        families = {row.family for row in entry_points.values() if row.has_context}
        if not families:
            for key in ("corral/context", "corral/context_header"):
                if node.has(key):
                    node.child(key).complain("no entry point here has a context", "remove it")
            return "", ""
        if len(families) > 1:
            node.complain(
                f"contexts of {' and '.join(sorted(families))} in one capability",
                "make it a capability for each",
            )
        family = min(families)
        suffix = "random_context_t" if family == "random" else f"{family}_operation_t"
        base = node.string("corral/base", "")
        name = f"{self.prefix}_{base}_operation_t" if base else f"{self.prefix}_{suffix}"
        header = node.string("corral/context_header", self.context_header)
        if not header:
            node.complain(
                'the key "corral/context_header" is missing',
                "name the file of the driver's folder that defines the operation's context",
            )
            return "", ""
        check_headers(node, "corral/context_header")
        return node.identifier("corral/context", name), header

    def entropy(self, node: Node, entry_points: dict[str, EntryPoint]) -> tuple[int, int]:
        if "get_random" not in entry_points:
            for key in ("initial_entropy_size", "reseed_entropy_size"):
                if node.has(key):
                    node.child(key).complain("no get_random in this capability", "remove it")
            return 0, 0
        initial = node.integer("initial_entropy_size")
        if initial > 0 and "add_entropy" not in entry_points:
            node.complain(
                "a generator that needs a seed must list add_entropy", "add it to entry_points"
            )
        return initial, node.integer("reseed_entropy_size", initial)

    def devices(self, node: Node) -> dict[str, str]:
        """The values that a device's fields must have, or hold, for the capability to be there."""
        found: dict[str, str] = {}
        for name, child in node.table("corral/devices").items():
            known = self.fields.get(name, {})
            if not known:
                child.complain(
                    f'"{name}" is no field of the driver\'s devices with names for values',
                    "use an enum of corral/device",
                )
            elif child.is_a(str) and child.value not in known:
                child.complain(f'"{child.value}" is unknown', nearest(child.value, known))
            elif child.is_a(str):
                found[name] = child.value
        return found

    def capabilities(self, node: Node) -> list[Capability]:
        """One for each element of the list, or for each row of its "corral/each"."""
        found = []
        for item in node.items("capabilities"):
            if item.is_a(dict):
                item.only(CAPABILITY_KEYS)
                found += [self.capability(row) for row in rows_of(item, self.lists)]
        return found

    def told_with(self, node: Node) -> str:
        symbol = node.string("corral/told_with", "")
        if symbol and not _SYMBOL.fullmatch(symbol):
            remedy = "write one that boards have, or one of the driver's Kconfig"
            node.child("corral/told_with").complain(f'"{symbol}" is no symbol', remedy)
        return symbol

    def capability(self, node: Node) -> Capability:
        entry_points = self.entry_points(node)
        algorithms = self.expressions(node, "algorithms", "PSA_ALG_")
        if node.boolean("fallback", False) and self.type == "opaque":
            node.child("fallback").complain("opaque drivers have no fallback", "remove it")
        context, context_header = self.context(node, entry_points)
        initial, reseed = self.entropy(node, entry_points)
        parts = all_of(self.parts, read_part_names(node, "corral/parts", self.parts))
        own = Part(
            where=f"{node.where}.corral/",
            sources=read_sources(node, "corral/sources"),
            package_sources=read_package_sources(node, "corral/package_sources", self.packages),
            defines=read_defines(node, "corral/defines"),
        )
        return Capability(
            where=node.where,
            driver=self.driver,
            prefix=self.prefix,
            entry_points=entry_points,
            algorithms=algorithms,
            hashes=self.hashes(node, algorithms),
            key_types=self.expressions(node, "key_types", "PSA_KEY_TYPE_"),
            key_sizes=self.sizes(node),
            functions=self.functions(node, entry_points),
            fallback=node.boolean("fallback", False),
            parts=(own, *parts),
            context=context,
            context_header=context_header,
            uses=self.words(node, "corral/uses", tuple(self.table.contexts)),
            needs=self.needs(node),
            any_location=node.boolean("corral/any_location", False),
            suspend=node.boolean("corral/suspend", False),
            devices=self.devices(node),
            time=node.string("corral/time", ""),
            told_with=self.told_with(node),
            limits=node.string("corral/limits", ""),
            refuses=node.string("corral/refuses", ""),
            initial_entropy_size=initial,
            reseed_entropy_size=reseed,
        )
