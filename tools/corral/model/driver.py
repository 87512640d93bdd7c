# SPDX-License-Identifier: Apache-2.0
"""drivers/<name>/driver.json: the mechanisms of a driver and its sources."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from corral.errors import Problem
from corral.model.capability import (
    ENTRY_POINTS_HEADER,
    Capability,
    Reader,
    check_headers,
    public_path,
)
from corral.model.debian import read_debian
from corral.model.entry_points import EntryPointTable
from corral.model.expression import Vocabulary
from corral.model.mechanisms import Service
from corral.model.node import C_CONSTANT, C_IDENTIFIER, Node, nearest, read_json
from corral.model.parts import (
    load_parts,
    read_defines,
    read_sources,
)
from corral.model.prototypes import (
    Constant,
    Prototype,
    check_prototypes,
    load_constants,
    prototypes_of,
)
from corral.model.rows import load_lists

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
    "corral/debian",
    "corral/libraries",
    "corral/packages",
    "corral/sources",
    "corral/include",
    "corral/defines",
    "corral/device",
    "corral/parts",
    "corral/lists",
    "corral/context_header",
    "corral/constants",
)
KEY_CONTEXT_KEYS = (
    "base_size",
    "key_pair_size",
    "public_key_size",
    "symmetric_factor",
    "store_public_key",
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

_NAME = re.compile(r"[a-z][a-z0-9_]*")
#: Of no driver: the name of the default, and prefixes of other functions.
NO_DRIVER = ("default", "psa", "corral")
#: C's own headers: the folder of a driver comes before them among those with headers.
_C_HEADER = re.compile(
    r"(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal"
    r"|std(align|arg|atomic|bool|def|int|io|lib|noreturn)|string|tgmath|threads|time|uchar|w?ctype"
    r"|wchar)\.h"
)
_TYPE = re.compile(rf"(?:struct )?{C_IDENTIFIER.pattern}")
_HAS_NAME = re.compile(r"HAS_[A-Z0-9_]+")
_MODULE = re.compile(r"[A-Za-z0-9][\w.+-]*", re.ASCII)
#: A build asks it for libraries.
_PKG_CONFIG = {"pkg-config": "pkg-config"}


@dataclass(frozen=True)
class KeyContext:
    """Sizes in bytes of an opaque driver's data for a key."""

    base: int
    key_pair: int
    public_key: int
    symmetric_factor: int
    store_public_key: bool


#: Behind the kind of a device's field that has several values.
LIST = " list"


@dataclass(frozen=True)
class DeviceField:
    """A member of a driver's device structure that boards fill in."""

    name: str
    type: str
    minimum: int | None = None
    maximum: int | None = None
    maximum_length: int | None = None
    values: dict[str, str] = field(default_factory=dict)

    @property
    def is_list(self) -> bool:
        return self.type.endswith(LIST)

    @property
    def kind(self) -> str:
        """Of a value, or of each one in the list."""
        return self.type.removesuffix(LIST)


@dataclass(frozen=True)
class DeviceType:
    """How the devices of an opaque driver are described to it."""

    header: str
    type: str
    fields: tuple[DeviceField, ...]
    place: tuple[str, ...] = ()  # the fields that say together where a device is


@dataclass(frozen=True)
class Package:
    """Files of a third-party package that a driver, or a folder beside an application, is built
    from."""

    name: str
    include: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Driver:
    """A driver's description."""

    name: str
    folder: Path
    label: str
    prefix: str
    type: str
    own_headers: tuple[str, ...]
    title: str
    rank: int
    requires: tuple[str, ...]
    packages: dict[str, Package]
    sources: tuple[str, ...]
    include: tuple[str, ...]
    defines: dict[str, str]
    key_context: KeyContext | None
    device: DeviceType | None
    constants: dict[str, Constant]
    capabilities: tuple[Capability, ...]
    #: Debian packages to compile and link it, each with a file or program that tells of it.
    debian: dict[str, str] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()  # of the system, as pkg-config calls them
    #: The one that supports a part of a mechanism at all (candidates.py), by the part's
    #: identity: a build asks that of the same few thousand pairs again and again. The owner of the
    #: part keeps its identity from being another's. A driver made from this one begins without.
    serving: dict[int, tuple[Service, Capability | None]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    @property
    def is_opaque(self) -> bool:
        return self.type == "opaque"

    @property
    def place(self) -> str:
        """Its folder, for messages."""
        return self.label.removesuffix("/driver.json")

    @property
    def symbol(self) -> str:
        """How the driver is called in Kconfig symbols and macros."""
        return self.name.upper()

    @property
    def enabled_by(self) -> str:
        return f"CORRAL_DRIVER_{self.symbol}"

    @cached_property
    def by_unit(self) -> dict[str, list[Capability]]:
        """The capabilities that have an entry point or a multi-part family, in their order."""
        found: dict[str, list[Capability]] = {}
        for capability in self.capabilities:
            for unit in dict.fromkeys(row.unit for row in capability.entry_points.values()):
                found.setdefault(unit, []).append(capability)
        return found

    @cached_property
    def prototypes(self) -> dict[str, Prototype]:
        """The driver's functions that are entry points, by name."""
        return prototypes_of(self)

    @property
    def public_headers(self) -> tuple[str, ...]:
        """Files of the folder for others: contexts, devices, and all of "headers"."""
        contexts = [c.context_header for c in self.capabilities if c.context_header]
        devices = [self.device.header] if self.device else []
        return tuple(dict.fromkeys([*self.own_headers, *devices, *contexts]))

    def path_of(self, header: str) -> str:
        """The name by which others include a header of the driver."""
        return public_path(self.name, header)

    @property
    def headers(self) -> tuple[str, ...]:
        """The header that declares its functions for callers."""
        return (self.path_of(ENTRY_POINTS_HEADER),)

    @cached_property
    def has_init(self) -> bool:
        return any("init" in capability.entry_points for capability in self.capabilities)


def _package(name: str, node: Node) -> Package:
    if not _NAME.fullmatch(name):
        remedy = "rename its folder: small letters, digits and _"
        node.complain(f'"{name}" cannot be a package\'s name', remedy)
    node.only(("include", "sources"))
    return Package(name, node.strings("include"), node.strings("sources"))


def read_packages(node: Node, key: str) -> dict[str, Package]:
    """A table of packages, with the used files of each."""
    return {name: _package(name, child) for name, child in node.table(key).items()}


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
    for label, constant in values.items():
        if not C_IDENTIFIER.fullmatch(label) or not C_CONSTANT.fullmatch(constant):
            child = node.child("values").child(label)
            child.complain(
                f'"{label}" or "{constant}" is no C identifier', "use letters and digits"
            )
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
    check_headers(child, "header")
    type_name = child.string("type")
    if type_name and not _TYPE.fullmatch(type_name):
        child.child("type").complain(f'"{type_name}" is no type', 'write "struct acme_device"')
    return DeviceType(
        child.string("header"),
        type_name,
        tuple(f for f in fields if f),
        child.strings("place"),
    )


def _requires(node: Node) -> tuple[str, ...]:
    for item in node.items("corral/requires"):
        if item.is_a(str) and not _HAS_NAME.fullmatch(item.value):
            item.complain(f'"{item.value}" is no capability', "write HAS_ and capital letters")
    return node.strings("corral/requires")


def _libraries(node: Node) -> tuple[str, ...]:
    for item in node.items("corral/libraries"):
        if item.is_a(str) and not _MODULE.fullmatch(item.value):
            item.complain(f'"{item.value}" is no module of pkg-config', "name it without options")
    return node.strings("corral/libraries")


def is_driver_name(name: str) -> bool:
    """Whether a driver can have this name: files written for it by that name hide nothing."""
    is_taken = name in NO_DRIVER or _C_HEADER.fullmatch(f"{name}.h")
    return bool(_NAME.fullmatch(name)) and not is_taken


def _check_folder(folder: Path, node: Node) -> None:
    if not is_driver_name(folder.name):
        node.complain(
            f'"{folder.name}" cannot be a driver\'s name',
            "rename the folder: small letters, digits and _, no header of C, and not "
            f"{', '.join(NO_DRIVER)}",
        )
    for name in sorted(path.name for path in folder.glob("*.h") if _C_HEADER.fullmatch(path.name)):
        node.complain(f"{name} in its folder hides C's header of that name", "rename the file")


def load_driver(
    folder: Path,
    label: str,
    table: EntryPointTable,
    vocabulary: Vocabulary,
    problems: list[Problem],
) -> Driver:
    """Read drivers/<name>/driver.json; its faults go to `problems`."""
    node = read_json(folder / "driver.json", label, problems)
    node.only(DRIVER_KEYS)
    _check_folder(folder, node)
    driver_type = node.string("type")
    if node.has("type") and driver_type not in ("transparent", "opaque"):
        node.child("type").complain(f'"{driver_type}" is unknown', "use transparent or opaque")
    packages = read_packages(node, "corral/packages")
    libraries = _libraries(node)
    prefix = node.identifier("prefix")
    device = _device(node)
    values = {f.name: f.values for f in device.fields} if device else {}
    reader = Reader(
        driver=folder.name,
        prefix=prefix,
        type=driver_type,
        packages=frozenset(packages),
        parts=load_parts(node, packages),
        lists=load_lists(node),
        context_header=node.string("corral/context_header", ""),
        table=table,
        vocabulary=vocabulary,
        fields=values,
    )
    if not node.items("capabilities"):
        node.complain('the key "capabilities" is missing', "say what the driver can do")
    check_headers(node, "headers")
    check_headers(node, "corral/context_header")
    driver = Driver(
        name=folder.name,
        folder=folder,
        label=label,
        prefix=prefix,
        type=driver_type,
        own_headers=node.strings("headers"),
        title=node.title("corral/title"),
        rank=node.integer("corral/rank", 50),
        requires=_requires(node),
        packages=packages,
        sources=read_sources(node, "corral/sources"),
        include=node.strings("corral/include"),
        defines=read_defines(node, "corral/defines"),
        key_context=_key_context(node, driver_type),
        device=device,
        constants=load_constants(node),
        capabilities=tuple(reader.capabilities(node)),
        debian=read_debian(node, "corral/debian") | (_PKG_CONFIG if libraries else {}),
        libraries=libraries,
    )
    check_prototypes(driver, problems)
    return driver
