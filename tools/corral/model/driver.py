# SPDX-License-Identifier: Apache-2.0
"""drivers/<name>/driver.json: what a driver can do and what it is built from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from corral.errors import Problem
from corral.model.entry_points import EntryPoint, EntryPointTable
from corral.model.expression import Expression, Vocabulary
from corral.model.node import C_IDENTIFIER, Node, nearest, read_json

DRIVER_KEYS = (
    "prefix",
    "type",
    "headers",
    "capabilities",
    "key_context",
    "location",
    "corral/title",
    "corral/rank",
    "corral/requires",
    "corral/packages",
    "corral/sources",
    "corral/include",
    "corral/defines",
    "corral/device",
)
CAPABILITY_KEYS = (
    "entry_points",
    "algorithms",
    "key_types",
    "key_sizes",
    "names",
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
    "corral/limits",
)
KEY_CONTEXT_KEYS = (
    "base_size",
    "key_pair_size",
    "public_key_size",
    "symmetric_factor",
    "store_public_key",
)
LAYERS = (
    "hash",
    "xof",
    "block",
    "mac",
    "cipher",
    "aead",
    "key_derivation",
    "pake",
    "random",
)
# The same key's operation on a hash, in which one on a message ends.
OVER_HASHES = ("sign_hash", "verify_hash", "sign_hash_with_context", "verify_hash_with_context")
NEEDS = (
    "hash",
    "block",
    "aes_128",
    "hmac",
    "hmac_sha_256",
    "cmac",
    "cmac_aes_128",
    *OVER_HASHES,
    "agreement",
    "random",
)
FIELD_TYPES = (
    "integer",
    "boolean",
    "string",
    "enum",
    "integer list",
    "string list",
    "enum list",
)
#: Keys of an [[element]] that are not the driver's, and members of the generated table.
RESERVED_FIELDS = ("location", "index", "name", "driver", "simulator", "key")

MAX_KEY_BITS = 0xFFF8  # attributes hold sizes in 16 bits, keys whole bytes

_DRIVER_NAME = re.compile(r"[a-z][a-z0-9_]*")
_HAS_NAME = re.compile(r"HAS_[A-Z0-9_]+")
_FUNCTION = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\((?P<constants>&?\w+(?:, &?\w+)*)\))?")


@dataclass(frozen=True)
class Function:
    """A C function of a driver, and what it gets before the entry point's own arguments."""

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
    key_types: tuple[Expression, ...] | None
    key_sizes: tuple[int, ...] | None
    names: dict[str, Function]
    fallback: bool
    sources: tuple[str, ...]
    package_sources: dict[str, tuple[str, ...]]
    defines: dict[str, str]
    context: str
    context_header: str
    uses: tuple[str, ...]
    needs: tuple[str, ...]
    any_location: bool
    suspend: bool
    devices: dict[str, str]
    time: str
    limits: str
    initial_entropy_size: int
    reseed_entropy_size: int

    def function(self, entry_point: str) -> Function:
        """The C function that serves an entry point."""
        return self.names.get(entry_point) or Function(f"{self.prefix}_{entry_point}")


@dataclass(frozen=True)
class KeyContext:
    """Sizes in bytes of what an opaque driver stores for a key."""

    base: int
    key_pair: int
    public_key: int
    symmetric_factor: int
    store_public_key: bool


@dataclass(frozen=True)
class DeviceField:
    """A member of a driver's device structure that boards fill in."""

    name: str
    type: str
    minimum: int | None = None
    maximum: int | None = None
    maximum_length: int | None = None
    values: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DeviceType:
    """How the devices of an opaque driver are described to it."""

    header: str
    type: str
    fields: tuple[DeviceField, ...]
    place: tuple[str, ...] = ()  # the fields that say together where a device is


@dataclass(frozen=True)
class Package:
    """Files of a third-party package that a driver is built from."""

    name: str
    include: tuple[str, ...]
    sources: tuple[str, ...]
    public: bool


@dataclass(frozen=True)
class Driver:
    """A driver's description."""

    name: str
    folder: Path
    label: str
    prefix: str
    type: str
    headers: tuple[str, ...]
    title: str
    rank: int
    requires: tuple[str, ...]
    packages: dict[str, Package]
    sources: tuple[str, ...]
    include: tuple[str, ...]
    defines: dict[str, str]
    key_context: KeyContext | None
    device: DeviceType | None
    capabilities: tuple[Capability, ...]

    @property
    def is_opaque(self) -> bool:
        return self.type == "opaque"

    @property
    def symbol(self) -> str:
        """How the driver is called in Kconfig symbols and macros."""
        return self.name.upper()

    @property
    def enabled_by(self) -> str:
        return f"CORRAL_DRIVER_{self.symbol}"

    @cached_property
    def by_entry_point(self) -> dict[str, list[Capability]]:
        """The capabilities that have an entry point, in their order."""
        found: dict[str, list[Capability]] = {}
        for capability in self.capabilities:
            for entry_point in capability.entry_points:
                found.setdefault(entry_point, []).append(capability)
        return found

    @cached_property
    def has_init(self) -> bool:
        return any("init" in capability.entry_points for capability in self.capabilities)


def _package(name: str, node: Node) -> Package:
    """public: the driver's context headers include the package's, so all objects must find them."""
    node.only(("include", "sources", "public"))
    return Package(
        name, node.strings("include"), node.strings("sources"), node.boolean("public", False)
    )


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


def _define(name: str, node: Node) -> str:
    if not C_IDENTIFIER.fullmatch(name):
        node.complain(f'"{name}" is no C identifier', "use letters, digits and _")
    if isinstance(node.value, bool) or not isinstance(node.value, (int, str)):
        node.complain("the value of a define is a string or an integer", "write one of these")
    return str(node.value)


def _defines(node: Node) -> dict[str, str]:
    return {name: _define(name, child) for name, child in node.table("corral/defines").items()}


def _key_context(node: Node, driver_type: str) -> KeyContext | None:
    if driver_type != "opaque":
        if node.has("key_context"):
            node.child("key_context").complain(
                "a transparent driver has no key context", "remove it"
            )
        return None
    if not node.has("key_context"):
        node.complain('the key "key_context" is missing', "opaque drivers say what they store")
        return None
    child = node.child("key_context")
    if not child.is_a(dict):
        return None
    child.only(KEY_CONTEXT_KEYS)
    return KeyContext(
        base=child.integer("base_size", 0),
        key_pair=child.integer("key_pair_size", 0),
        public_key=child.integer("public_key_size", 0),
        symmetric_factor=child.integer("symmetric_factor", 0),
        store_public_key=child.boolean("store_public_key", False),
    )


def _optional_integer(node: Node, key: str) -> int | None:
    return node.integer(key, minimum=-(2**31)) if node.has(key) else None


def _device_field(name: str, node: Node) -> DeviceField | None:
    if not C_IDENTIFIER.fullmatch(name) or name in RESERVED_FIELDS:
        node.complain(f'"{name}" cannot be a field', "use another C identifier")
    if not node.is_a(dict):
        return None
    node.only(("type", "minimum", "maximum", "maximum_length", "values"))
    type_name = node.string("type")
    if node.has("type") and type_name not in FIELD_TYPES:
        node.child("type").complain(f'"{type_name}" is unknown', f"use {', '.join(FIELD_TYPES)}")
    values = node.string_table("values")
    if type_name.startswith("enum") and not values:
        node.complain('the key "values" is missing', "list the values and their C constants")
    return DeviceField(
        name,
        type_name,
        _optional_integer(node, "minimum"),
        _optional_integer(node, "maximum"),
        _optional_integer(node, "maximum_length"),
        values,
    )


def _device(node: Node) -> DeviceType | None:
    if not node.has("corral/device"):
        return None
    child = node.child("corral/device")
    if not child.is_a(dict):
        return None
    child.only(("header", "type", "fields", "place"))
    fields = [_device_field(name, value) for name, value in child.table("fields").items()]
    names = child.table("fields")
    for item in child.items("place"):
        if item.is_a(str) and item.value not in names:
            item.complain(f'"{item.value}" is no field', nearest(item.value, names))
    return DeviceType(
        child.string("header"),
        child.string("type"),
        tuple(f for f in fields if f),
        child.strings("place"),
    )


@dataclass
class _Reader:
    """What reading a capability needs to know beside the capability."""

    driver: str
    prefix: str
    type: str
    packages: dict[str, Package]
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

    def entry_points(self, node: Node) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        if not node.has("entry_points") or node.value["entry_points"] == []:
            node.complain('the key "entry_points" is missing', "list what the capability serves")
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

    def names(self, node: Node, entry_points: dict[str, EntryPoint]) -> dict[str, Function]:
        names: dict[str, Function] = {}
        for name, child in node.table("names").items():
            if name not in entry_points:
                child.complain(
                    f'"{name}" is none of the entry points of this capability',
                    nearest(name, entry_points),
                )
            if child.is_a(str):
                names[name] = _function(child)
        return names

    def sizes(self, node: Node) -> tuple[int, ...] | None:
        if not node.has("key_sizes"):
            return None
        sizes = [item.value for item in node.items("key_sizes") if item.is_a(int)]
        if len(set(sizes)) != len(sizes) or any(not 0 < size <= MAX_KEY_BITS for size in sizes):
            node.child("key_sizes").complain(
                f"sizes are bits, from 1 to {MAX_KEY_BITS}, each named once", "correct the list"
            )
        return tuple(sizes)

    def package_sources(self, node: Node) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        table = node.child("corral/package_sources") if node.has("corral/package_sources") else node
        for name, child in node.table("corral/package_sources").items():
            if name not in self.packages:
                child.complain(
                    f'"{name}" is not in the driver\'s "corral/packages"',
                    nearest(name, self.packages) if self.packages else "add it there",
                )
            found[name] = table.strings(name)
        return found

    def words(self, node: Node, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
        for item in node.items(key):
            if item.is_a(str) and item.value not in known:
                item.complain(f'"{item.value}" is unknown', nearest(item.value, known))
        return node.strings(key)

    def needs(self, node: Node) -> tuple[str, ...]:
        for item in node.items("corral/needs"):
            if item.is_a(str) and item.value not in NEEDS:
                if not item.value.startswith("PSA_ALG_"):
                    item.complain(f'"{item.value}" is unknown', nearest(item.value, NEEDS))
                else:
                    self.expression(item, "PSA_ALG_")
        return node.strings("corral/needs")

    def context(self, node: Node, entry_points: dict[str, EntryPoint]) -> tuple[str, str]:
        families = {
            row.family
            for row in entry_points.values()
            if any("OPERATION" in p.declaration for p in row.parameters)
        }
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
        if not node.has("corral/context_header"):
            node.complain(
                'the key "corral/context_header" is missing',
                "name the file of the driver's folder that defines the operation's context",
            )
            return "", ""
        return (
            node.string("corral/context", f"{self.prefix}_{suffix}"),
            node.string("corral/context_header"),
        )

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

    def capability(self, node: Node) -> Capability | None:
        if not node.is_a(dict):
            return None
        node.only(CAPABILITY_KEYS)
        entry_points = self.entry_points(node)
        if node.boolean("fallback", False) and self.type == "opaque":
            node.child("fallback").complain("opaque drivers have no fallback", "remove it")
        context, context_header = self.context(node, entry_points)
        initial, reseed = self.entropy(node, entry_points)
        return Capability(
            where=node.where,
            driver=self.driver,
            prefix=self.prefix,
            entry_points=entry_points,
            algorithms=self.expressions(node, "algorithms", "PSA_ALG_"),
            key_types=self.expressions(node, "key_types", "PSA_KEY_TYPE_"),
            key_sizes=self.sizes(node),
            names=self.names(node, entry_points),
            fallback=node.boolean("fallback", False),
            sources=node.strings("corral/sources"),
            package_sources=self.package_sources(node),
            defines=_defines(node),
            context=context,
            context_header=context_header,
            uses=self.words(node, "corral/uses", LAYERS),
            needs=self.needs(node),
            any_location=node.boolean("corral/any_location", False),
            suspend=node.boolean("corral/suspend", False),
            devices=self.devices(node),
            time=node.string("corral/time", ""),
            limits=node.string("corral/limits", ""),
            initial_entropy_size=initial,
            reseed_entropy_size=reseed,
        )


def _requires(node: Node) -> tuple[str, ...]:
    for item in node.items("corral/requires"):
        if item.is_a(str) and not _HAS_NAME.fullmatch(item.value):
            item.complain(f'"{item.value}" is no capability', "write HAS_ and capital letters")
    return node.strings("corral/requires")


def load_driver(
    folder: Path, table: EntryPointTable, vocabulary: Vocabulary, problems: list[Problem]
) -> Driver:
    """Read drivers/<name>/driver.json; what is wrong with it goes to `problems`."""
    label = f"drivers/{folder.name}/driver.json"
    node = read_json(folder / "driver.json", label, problems)
    node.only(DRIVER_KEYS)
    if not _DRIVER_NAME.fullmatch(folder.name) or folder.name == "default":
        node.complain(
            f'"{folder.name}" cannot be a driver\'s name',
            "rename the folder: small letters, digits and _, and not default",
        )
    driver_type = node.string("type")
    if node.has("type") and driver_type not in ("transparent", "opaque"):
        node.child("type").complain(f'"{driver_type}" is unknown', "use transparent or opaque")
    packages = {name: _package(name, n) for name, n in node.table("corral/packages").items()}
    prefix = node.identifier("prefix")
    device = _device(node)
    values = {f.name: f.values for f in device.fields} if device else {}
    reader = _Reader(folder.name, prefix, driver_type, packages, table, vocabulary, values)
    if not node.items("capabilities"):
        node.complain('the key "capabilities" is missing', "say what the driver can do")
    return Driver(
        name=folder.name,
        folder=folder,
        label=label,
        prefix=prefix,
        type=driver_type,
        headers=node.strings("headers"),
        title=node.string("corral/title"),
        rank=node.integer("corral/rank", 50),
        requires=_requires(node),
        packages=packages,
        sources=node.strings("corral/sources"),
        include=node.strings("corral/include"),
        defines=_defines(node),
        key_context=_key_context(node, driver_type),
        device=device,
        capabilities=node.each("capabilities", reader.capability),
    )
