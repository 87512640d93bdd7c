# SPDX-License-Identifier: Apache-2.0
"""The cases of a mechanism in a build, and the capabilities that support each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set

from corral.configure.candidates import find_capability
from corral.model.capability import Capability
from corral.model.driver import Driver
from corral.model.entry_points import EntryPointTable
from corral.model.expression import Expression
from corral.model.mechanisms import KeyCase, MechanismTable, Service, wants_met


def cases(
    table: MechanismTable, enabled: Set[str], service: Service
) -> Iterator[tuple[str, Expression | None, KeyCase | None]]:
    """Entry point or multi-part family, algorithm and key, as the enabled symbols want them."""
    algorithms: list[Expression | None] = [None]
    if service.algorithms:
        algorithms = [*_algorithms(table, enabled, service)]
    for unit in service.units:
        for algorithm in algorithms:
            for key in service.keys or (None,):
                yield unit, algorithm, key


def _algorithms(table: MechanismTable, enabled: Set[str], service: Service) -> Iterator[Expression]:
    """The wanted algorithms; after one with any hash also those with the wanted hashes,
    because drivers can list hashes."""
    for wanted in service.algorithms:
        if wants_met(wanted.wants, enabled):
            yield wanted.algorithm
            if wanted.algorithm.is_pattern:
                for hash_alg in wanted_hashes(table, enabled):
                    yield Expression(wanted.algorithm.name, (hash_alg,))


def wanted_hashes(table: MechanismTable, enabled: Set[str]) -> list[Expression]:
    """The hashes that the build is to compute."""
    values = table.values["hash"].values()
    return [Expression(str(v.fields["algorithm"])) for v in values if wants_met(v.wants, enabled)]


def chain(
    entry_points: EntryPointTable,
    drivers: Iterable[Driver],
    unit: str,
    algorithm: Expression | None,
    key: KeyCase | None,
    hashes: Collection[Expression],
) -> list[Capability]:
    """The driver of a case: the first one that supports it, and its fallbacks."""
    found: list[Capability] = []
    for driver in drivers:
        if driver.is_opaque and key is not None:
            continue
        capability = find_capability(driver, unit, algorithm, key, hashes)
        if capability is None:
            multipart = entry_points.in_parts(unit)
            if multipart and find_capability(driver, multipart, algorithm, key, hashes):
                break
            continue
        found.append(capability)
        if not capability.fallback:
            break
    return found


def hash_of(table: MechanismTable, algorithm: Expression | None) -> str:
    """The mechanism of the hash that an algorithm is over, or nothing."""
    if algorithm is None or not algorithm.arguments:
        return ""
    found = table.by_algorithm(str(algorithm.arguments[0]))
    return found.name if found else ""
