# SPDX-License-Identifier: Apache-2.0
"""The common part of the generators of all families: bindings sorted by use, universes,
contexts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from corral.configure.bindings import LOCAL, Binding, Bindings
from corral.configure.configuration import is_configuration
from corral.generate.c.terms import Call, Name, Operand
from corral.generate.key import Key, Universe, is_pair, public_of
from corral.model.board import Element
from corral.model.capability import ECB, Capability, Function
from corral.model.driver import Driver
from corral.model.entry_points import EntryPoint
from corral.model.expression import Expression
from corral.model.mechanisms import wants_met


def key_of(binding: Binding) -> Key | None:
    if binding.key is None:
        return None
    return Key(str(binding.key.type), binding.key.bits, binding.sizes)


#: Context and functions of a capability: those that share a driver have the same.
CapabilityKey = tuple[str, tuple[tuple[str, Function], ...]]


def _call(function: Function, headers: tuple[str, ...], arguments: Sequence[Operand]) -> Call:
    """Arguments of a driver before those of the entry point come with its name."""
    return Name(function.name, headers).call(*function.constants, *arguments)


@dataclass(frozen=True)
class Server:
    """The functions of one driver that continue an operation after its setup."""

    driver: str
    context: str
    header: str
    headers: tuple[str, ...]
    functions: tuple[tuple[str, Function], ...]
    number: int
    label: str
    capability: CapabilityKey

    @property
    def member(self) -> str:
        return self.context.removesuffix("_t")

    def has(self, entry_point: str) -> bool:
        return entry_point in dict(self.functions)

    def call(self, entry_point: str, arguments: Sequence[Operand]) -> Call:
        return _call(dict(self.functions)[entry_point], self.headers, arguments)


@dataclass(frozen=True)
class Layer:
    """A kind of context, and the drivers of operations with it."""

    name: str
    servers: tuple[Server, ...]

    @property
    def is_numbered(self) -> bool:
        return len(self.servers) > 1

    def enumerator(self, server: Server | None) -> str:
        return f"CORRAL_{self.name.upper()}_BINDING_{server.label if server else 'NONE'}"


class Build:
    """A solved configuration, as the generators look at it."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings
        self.configuration = bindings.configuration
        self.tree = self.configuration.tree
        self.board = self.configuration.board
        self.enabled = self.configuration.kconfig.enabled()

    @property
    def origin(self) -> str:
        """The sentence that names the origin of a file that is compiled.

        It does not name the application: where the configuration is the same, the file is, and
        builds of the tests can share the object.
        """
        return self._generated_from("a configuration")

    @property
    def origin_with_name(self) -> str:
        """The same, naming the application or the configuration of a library."""
        name = Path(self.configuration.app).name
        return self._generated_from(name if is_configuration(name) else f"apps/{name}")

    def _generated_from(self, subject: str) -> str:
        return f"Generated from {subject}, board {self.board.name} and each driver.json."

    @cached_property
    def elements(self) -> list[Element]:
        """The elements that can keep keys in this build."""
        names = {driver.name for driver in self.element_drivers}
        return [element for element in self.board.elements if element.driver in names]

    @cached_property
    def devices(self) -> list[Element]:
        """The elements that keep keys, or run requests without one."""
        names = {driver.name for driver in self.device_drivers}
        return [element for element in self.board.elements if element.driver in names]

    @cached_property
    def device_drivers(self) -> list[Driver]:
        """The opaque drivers of the build."""
        names = {driver.name for driver in self.element_drivers}.union(self.bindings.drivers)
        return [d for d in self.tree.drivers.values() if d.is_opaque and d.name in names]

    @cached_property
    def element_drivers(self) -> list[Driver]:
        return self.bindings.attached

    @cached_property
    def all_bindings(self) -> list[Binding]:
        return [binding for _, binding in self.bindings.all()]

    @cached_property
    def _wanted(self) -> set[str]:
        return {name for name, o in self.bindings.outcomes.items() if o.is_wanted}

    def is_wanted(self, binding: Binding) -> bool:
        return binding.mechanism.name in self._wanted

    def rows(self, unit: str) -> tuple[EntryPoint, ...]:
        """The entry points of a unit, with the optional ones of its family."""
        rows = [r for r in self.tree.entry_points.rows.values() if r.part_of == unit]
        return tuple(rows) or (self.tree.entry_points.rows[unit],)

    def of_unit(self, unit: str, location: str | None = None) -> list[Binding]:
        """Bindings of a unit; location None: anywhere."""
        return [
            binding
            for binding in self.all_bindings
            if binding.unit == unit and location in (None, binding.location)
        ]

    def row(self, name: str) -> EntryPoint:
        return self.tree.entry_points.rows[name]

    def call(self, capability: Capability, name: str, arguments: Sequence[Operand]) -> Call:
        """A driver's function for an entry point."""
        headers = self.tree.drivers[capability.driver].headers
        return _call(capability.function(name), headers, arguments)

    # Universes: the keys that can exist.

    @cached_property
    def local_keys(self) -> frozenset[Key]:
        """Keys in local memory: those that the core stores, and those that drivers create."""
        keys = set(self.unstructured_keys)
        for unit in ("import_key", "generate_key", "derive_key"):
            for binding in self.of_unit(unit):
                key = key_of(binding)
                if key is None:
                    continue
                if binding.location == LOCAL:
                    keys.add(key)
                if is_pair(key):
                    # The core verifies with the public key of any pair, also of an element's.
                    keys.add(public_of(key))
        return frozenset(keys)

    @cached_property
    def unstructured_keys(self) -> tuple[Key, ...]:
        """Symmetric keys and data that the core stores without a driver, in the table's order."""
        found: dict[Key, None] = {}
        for value in self.tree.mechanisms.unstructured:
            if wants_met(value.wants, self.enabled):
                found[Key(value.fields["type"], value.fields.get("bits"))] = None
        types = {key.type for key in found}
        # Modes with two keys in one: their sizes come with the mechanism.
        for outcome in self.bindings.outcomes.values():
            if outcome.is_wanted:
                for service in outcome.mechanism.services:
                    for key in service.keys:
                        if str(key.type) in types:
                            found[Key(str(key.type), key.bits)] = None
        any_size = {key.type for key in found if key.bits is None}
        return tuple(k for k in found if k.bits is None or k.type not in any_size)

    def element_keys(self, driver: str) -> frozenset[Key]:
        """Keys that can exist in the elements of a driver."""
        keys: set[Key | None] = set()
        for unit in ("import_key", "generate_key", "attach_key"):
            keys.update(key_of(binding) for binding in self.of_unit(unit, driver))
        return frozenset(key for key in keys if key is not None)

    def checked_keys(
        self, units: Iterable[str], keys: frozenset[Key]
    ) -> dict[Expression | None, Universe]:
        """Keys by algorithm when the core has asked before whether the pair of algorithm and type
        is served at all (corral_mac_length(), corral_cipher_block_length())."""
        types: dict[Expression | None, set[str]] = {}
        for unit in units:
            for binding in self.of_unit(unit):
                if binding.key is not None:
                    types.setdefault(binding.algorithm, set()).add(str(binding.key.type))
        return {
            algorithm: frozenset(key for key in keys if key.type in mine)
            for algorithm, mine in types.items()
        }

    def checked_keys_of_elements(
        self, units: Iterable[str]
    ) -> dict[str, dict[Expression | None, Universe]]:
        """The same for the keys in the elements of each driver."""
        names = [driver.name for driver in self.element_drivers]
        return {name: self.checked_keys(units, self.element_keys(name)) for name in names}

    @cached_property
    def key_types(self) -> frozenset[str]:
        """Types of the keys that can exist anywhere."""
        keys = self.local_keys.union(*(self.element_keys(d.name) for d in self.element_drivers))
        return frozenset(key.type for key in keys)

    # Contexts of multi-part operations.

    def layer_bindings(self, layer: str) -> list[Binding]:
        found = self.of_unit(self.tree.entry_points.contexts[layer].unit)
        if layer == "block":
            # An element's block cipher only if a construction uses it.
            over = {b.location for b in self.all_bindings for c in b.chain if "block" in c.uses}
            return [b for b in found if b.algorithm == ECB and b.location in {LOCAL, *over}]
        if layer == "cipher":
            return [b for b in found if b.algorithm != ECB or self.is_wanted(b)]
        return found

    @cached_property
    def layers(self) -> dict[str, Layer]:
        return {name: self._layer(name) for name in self.tree.entry_points.contexts}

    def _layer(self, name: str) -> Layer:
        capabilities: dict[CapabilityKey, list[tuple[Binding, Capability]]] = {}
        for binding in self.layer_bindings(name):
            for capability in binding.chain:
                key = self._key_of(name, capability)
                capabilities.setdefault(key, []).append((binding, capability))
        drivers = [users[0][1].driver for users in capabilities.values()]
        servers: list[Server] = []
        for number, (key, users) in enumerate(capabilities.items(), start=1):
            binding, capability = users[0]
            label = capability.driver.upper()
            if drivers.count(capability.driver) > 1:
                label += f"_{binding.mechanism.name}"
            needs_iv = any(b.mechanism.iv_length > 0 for b, _ in users)
            functions = tuple(
                (entry, function)
                for entry, function in self._functions(name, capability)
                if entry != "cipher_set_iv" or needs_iv
            )
            servers.append(
                Server(
                    capability.driver,
                    capability.context,
                    capability.context_include,
                    self.tree.drivers[capability.driver].headers,
                    functions,
                    number,
                    label,
                    key,
                )
            )
        return Layer(name, tuple(servers))

    def _functions(self, layer: str, capability: Capability) -> list[tuple[str, Function]]:
        """The functions by which an operation goes on; setups and resume are not among them."""
        family = self.tree.entry_points.contexts[layer].family
        return [
            (name, capability.function(name))
            for name, row in capability.entry_points.items()
            if row.family == family and row.is_continued
        ]

    def _key_of(self, layer: str, capability: Capability) -> CapabilityKey:
        return capability.context, tuple(self._functions(layer, capability))

    def server_of(self, layer: str, capability: Capability) -> Server:
        key = self._key_of(layer, capability)
        for server in self.layers[layer].servers:
            if server.capability == key:
                return server
        raise AssertionError(f"{capability.where} serves no operation")  # pragma: no cover

    # Lengths.

    def maximum(self, values: Sequence[int], least: int = 0) -> int:
        return max([*values, least])
