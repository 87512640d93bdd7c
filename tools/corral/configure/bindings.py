# SPDX-License-Identifier: Apache-2.0
"""The result of a configuration: each wanted mechanism, and its drivers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corral.configure.configuration import Configuration, Note
from corral.errors import Problem
from corral.model.capability import Capability
from corral.model.driver import Driver
from corral.model.expression import Expression
from corral.model.mechanisms import KeyCase, Mechanism

LOCAL = ""


@dataclass(frozen=True)
class Binding:
    """One case of an entry point (or multi-part family), and its driver.

    location is empty for keys in local memory and for requests without a key, and otherwise the
    opaque driver whose elements hold the key. sizes narrows a key of any size. The drivers of
    chain are tried in order; all but the last answer NOT_SUPPORTED to pass a request on.
    """

    mechanism: Mechanism
    unit: str
    algorithm: Expression | None
    key: KeyCase | None
    sizes: tuple[int, ...] | None
    location: str
    chain: tuple[Capability, ...]


@dataclass
class Outcome:
    """The result for a mechanism."""

    mechanism: Mechanism
    is_wanted: bool
    needed_by: list[str] = field(default_factory=list)
    drivers: list[Driver] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    unserved: bool = False
    # Mechanisms that its drivers need and that have no driver, with the message about each.
    obstacles: dict[str, Problem] = field(default_factory=dict)

    @property
    def local(self) -> list[Binding]:
        return [binding for binding in self.bindings if binding.location == LOCAL]


@dataclass(frozen=True)
class Bindings:
    """The result: everything that the generator writes follows from it."""

    configuration: Configuration
    outcomes: dict[str, Outcome]
    notes: tuple[Note, ...]

    def all(self) -> Iterator[tuple[Outcome, Binding]]:
        for outcome in self.outcomes.values():
            for binding in outcome.bindings:
                yield outcome, binding

    @property
    def drivers(self) -> dict[str, list[Capability]]:
        """The drivers of the build, with the capabilities that it uses, in their order."""
        used = {capability.where for _, b in self.all() for capability in b.chain}
        found: dict[str, list[Capability]] = {}
        for driver in self.configuration.tree.drivers.values():
            mine = [c for c in driver.capabilities if c.where in used]
            if mine:
                mine = [c for c in driver.capabilities if c in mine or "init" in c.entry_points]
                found[driver.name] = mine
        return found

    @property
    def attached(self) -> list[Driver]:
        """The opaque drivers whose elements can keep keys of this build."""
        return [d for d in self.configuration.attached_drivers() if d.name in self.drivers]

    @property
    def debian(self) -> dict[str, str]:
        """The Debian packages that the drivers of the build need. They are of no use to a
        compiler for another computer."""
        if self.configuration.board.toolchain.prefix:
            return {}
        drivers = [self.configuration.tree.drivers[name] for name in self.drivers]
        return {name: witness for driver in drivers for name, witness in driver.debian.items()}

    @property
    def libraries(self) -> list[str]:
        """The libraries of the system that the drivers call, as pkg-config calls them."""
        drivers = self.configuration.tree.drivers
        return list(dict.fromkeys(m for name in self.drivers for m in drivers[name].libraries))

    @property
    def packages(self) -> list[str]:
        """The packages whose files the build needs."""
        tree = self.configuration.tree
        return sorted({name for driver in self.drivers for name in tree.drivers[driver].packages})


def is_repeated(binding: Binding, others: Iterable[Binding]) -> bool:
    """Whether a binding for a pattern says the same of this algorithm already."""
    return any(
        other.algorithm is not None
        and other.algorithm.is_pattern
        and binding.algorithm is not None
        and other.algorithm.matches(binding.algorithm)
        and (other.unit, other.key, other.location, other.chain)
        == (binding.unit, binding.key, binding.location, binding.chain)
        for other in others
    )
