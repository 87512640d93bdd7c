# SPDX-License-Identifier: Apache-2.0
"""Wants of a configuration that remain unmet, or are met badly, once all is bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from corral.configure.bindings import Outcome
from corral.configure.candidates import could_serve, could_serve_opaque
from corral.configure.configuration import Configuration, Note
from corral.configure.fragments import RANDOM
from corral.configure.wants import missing_driver
from corral.errors import Problem
from corral.model.mechanisms import Mechanism, wants_met


def check(
    configuration: Configuration,
    enabled: Set[str],
    outcomes: Mapping[str, Outcome],
    name: str,
) -> Iterator[Problem | Note]:
    """Messages about a wanted mechanism; one without a driver is marked."""
    outcome = outcomes[name]
    mechanism = outcome.mechanism
    required = [s for s in mechanism.services if not s.optional and wants_met(s.wants, enabled)]
    units = {binding.unit for binding in outcome.bindings}
    if all(units.intersection(service.units) for service in required):
        if mechanism.random and outcome.local and RANDOM not in enabled:
            yield lacks_random(mechanism, outcome.local[0].chain[0].driver)
        return
    outcome.unserved = True
    if outcome.obstacles:
        # A mechanism that is wanted itself and has no driver gets its own message.
        needed = {name: outcomes[name] for name in outcome.obstacles}
        told = {name for name, o in needed.items() if o.is_wanted and not o.local}
        yield from (p for name, p in outcome.obstacles.items() if name not in told)
        return
    symbols = [s for group in mechanism.wants for s in group if s in enabled]
    could = any(
        could_serve(driver, mechanism, enabled) or could_serve_opaque(driver, mechanism, enabled)
        for driver in configuration.tree.drivers.values()
    )
    if could or not all(_is_useful(outcomes, symbol) for symbol in symbols):
        yield _unserved(configuration, mechanism, symbols)
    else:
        yield Note(mechanism.name, f"no driver serves {' with '.join(symbols)} together")


def left_out(configuration: Configuration) -> Iterator[Note]:
    """Drivers that were not read, because the board has nothing for them to do."""
    board = configuration.board.name
    for problem in configuration.tree.left_out:
        why = f"board {board} has no work for it, and it is described wrongly: {problem.what}"
        yield Note(problem.where, f"the driver is left out: {why}")


def open_storage(configuration: Configuration, enabled: Set[str]) -> Iterator[Note]:
    """A warning if an attacker with the memory can read keys and entries."""
    stored = {"CORRAL_PERSISTENT_KEYS", "CORRAL_PROTECTED_STORAGE"}
    if stored.isdisjoint(enabled) or "CORRAL_SEALED_STORAGE" in enabled:
        return
    why = "CORRAL_SEALED_STORAGE=n"
    if "HAS_DEVICE_KEY" not in enabled:
        why = f"board {configuration.board.name} has no key of the device"
    yield Note("storage", f"in clear, neither encrypted nor authenticated: {why}", True)


def lacks_random(mechanism: Mechanism, driver: str) -> Problem:
    return Problem(
        mechanism.name,
        f"{driver} draws random numbers for it, and the build has none",
        f"set {RANDOM}=y",
    )


def _is_useful(outcomes: Mapping[str, Outcome], symbol: str) -> bool:
    """Whether some served mechanism has this symbol among its wants."""
    return any(
        outcome.bindings and any(symbol in group for group in outcome.mechanism.wants)
        for outcome in outcomes.values()
    )


def _unserved(configuration: Configuration, mechanism: Mechanism, symbols: list[str]) -> Problem:
    assignment = configuration.assignment_of(symbols[0]) if symbols else None
    where = assignment.where if assignment else f"{configuration.app}: .config"
    return Problem(
        f"{where}: {symbols[0] if symbols else mechanism.name}",
        f"no enabled driver supports {mechanism.name} ({' with '.join(symbols)})",
        missing_driver(configuration, mechanism),
    )
