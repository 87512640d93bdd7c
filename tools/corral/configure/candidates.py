# SPDX-License-Identifier: Apache-2.0
"""The drivers that support a mechanism, from their descriptions only, and their order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass

from corral.model.board import Board
from corral.model.capability import Capability
from corral.model.driver import Driver
from corral.model.expression import Expression, covered
from corral.model.mechanisms import KeyCase, Mechanism, Service, wants_met
from corral.model.tree import Tree

# Ranks of descriptions: hardware below this, software libraries up to the next, compositions above.
LIBRARY_RANK = 30
COMPOSE_RANK = 90


def is_hardware(driver: Driver) -> bool:
    return not driver.is_opaque and (bool(driver.requires) or driver.rank < LIBRARY_RANK)


def is_library(driver: Driver) -> bool:
    return (
        not driver.is_opaque and not driver.requires and LIBRARY_RANK <= driver.rank < COMPOSE_RANK
    )


def _touches(patterns: tuple[Expression, ...] | None, algorithm: Expression | None) -> bool:
    """Whether a capability covers an algorithm, or one of those that a pattern stands for."""
    if patterns is None or algorithm is None:
        return True
    return any(pattern.overlaps(algorithm) for pattern in patterns)


def find_capability(
    driver: Driver,
    unit: str,
    algorithm: Expression | None,
    key: KeyCase | None,
    hashes: Collection[Expression] = (),
    in_part: bool = False,
) -> Capability | None:
    """The capability of a driver that covers a case; in_part: or some algorithms of a pattern.

    hashes: the wanted ones, for which a pattern with any hash stands. Sizes of a key of
    any size are not looked at: Capability.key_sizes narrows them.
    """
    matches = _touches if in_part else covered
    for capability in driver.by_unit.get(unit, ()):
        if not matches(capability.algorithms, algorithm):
            continue
        if not capability.takes_hash(algorithm, hashes):
            continue
        if key is not None and not covered(capability.key_types, key.type):
            continue
        sizes = capability.key_sizes
        if key is not None and key.bits is not None and sizes is not None and key.bits not in sizes:
            continue
        return capability
    return None


def capabilities_for(driver: Driver, service: Service) -> Iterator[Capability]:
    """The capabilities that cover at least one case of a service, some of them repeatedly."""
    keys: tuple[KeyCase | None, ...] = service.keys or (None,)
    algorithms: list[Expression | None] = [a.algorithm for a in service.algorithms]
    for unit in service.units:
        for algorithm in algorithms or [None]:
            for key in keys:
                capability = find_capability(driver, unit, algorithm, key, in_part=True)
                if capability is not None:
                    yield capability


def serves_any(driver: Driver, service: Service) -> Capability | None:
    """A capability that covers at least one case of a service."""
    known = driver.serving.get(id(service))
    if known is None:
        known = driver.serving[id(service)] = service, next(capabilities_for(driver, service), None)
    return known[1]


def could_serve(
    driver: Driver, mechanism: Mechanism, enabled: Set[str] | None = None
) -> Capability | None:
    """A capability that makes a driver a candidate for the keys in local memory (or no keys).

    enabled: the symbols that are set, to look only at the wanted parts of the mechanism.
    """
    for service in mechanism.services:
        if service.optional or not service.is_local or (driver.is_opaque and service.keys):
            continue
        if enabled is not None and not wants_met(service.wants, enabled):
            continue
        capability = serves_any(driver, service)
        if capability is not None:
            return capability
    return None


def could_serve_opaque(
    driver: Driver, mechanism: Mechanism, enabled: Set[str] | None = None
) -> bool:
    """Whether the elements of a driver support a part of a mechanism for their own keys."""
    return driver.is_opaque and any(
        service.is_opaque
        and (enabled is None or wants_met(service.wants, enabled))
        and serves_any(driver, service)
        for service in mechanism.services
    )


def by_rank(driver: Driver) -> tuple[bool, int, str]:
    """Opaque drivers, which run requests without keys, come last in any rank."""
    return (driver.is_opaque, driver.rank, driver.name)


@dataclass(frozen=True)
class Candidates:
    """The candidates of every mechanism, on one board."""

    drivers: dict[str, list[Driver]]
    reasons: dict[tuple[str, str], Capability]
    libraries: list[Driver]

    def of(self, mechanism: Mechanism) -> list[Driver]:
        return self.drivers.get(mechanism.name, [])

    def symbols_of(self, mechanism: Mechanism, driver: Driver) -> str:
        return f"{mechanism.choice}_{driver.symbol}"


def find_candidates(tree: Tree, board: Board) -> Candidates:
    """Opaque drivers count only where the board has one of their devices."""
    attached = {element.driver for element in board.elements}
    usable = [d for d in tree.drivers.values() if not d.is_opaque or d.name in attached]
    found: dict[str, list[Driver]] = {}
    reasons: dict[tuple[str, str], Capability] = {}
    served: dict[str, int] = {}
    for mechanism in tree.mechanisms.mechanisms.values():
        for driver in sorted(usable, key=by_rank):
            capability = could_serve(driver, mechanism)
            if capability is not None:
                found.setdefault(mechanism.name, []).append(driver)
                reasons[mechanism.name, driver.name] = capability
                served[driver.name] = served.get(driver.name, 0) + 1
    libraries = [driver for driver in usable if is_library(driver) and driver.name in served]
    # The default of the default: the library that supports most.
    libraries.sort(key=lambda d: (-served[d.name], d.rank, d.name))
    return Candidates(found, reasons, libraries)
