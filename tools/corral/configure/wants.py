# SPDX-License-Identifier: Apache-2.0
"""Wants without an effect, and their remedies."""

from __future__ import annotations

from corral.configure.candidates import could_serve, could_serve_opaque
from corral.configure.cases import wanted_hashes
from corral.configure.configuration import Configuration
from corral.configure.fragments import consent_symbol
from corral.errors import Problem
from corral.model.board import can_use
from corral.model.capability import Capability
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism, wants_met
from corral.model.node import closest
from corral.model.package import load_package
from corral.model.tree import Tree, asked_by, asked_by_core
from corral.model.unserved import load_unserved, reason_of_mechanism, reason_of_want
from corral.model.wants import PREFIX


def _place(configuration: Configuration, symbol: str) -> str:
    assignment = configuration.assignment_of(symbol)
    return f"{assignment.where if assignment else '.config'}: {symbol}"


def check_wants(configuration: Configuration) -> list[Problem]:
    """Wants of families that no driver supports, and wants that lack another one."""
    table = configuration.tree.mechanisms
    enabled = configuration.kconfig.enabled()
    wants = [name for name in configuration.kconfig.names() if name in enabled]
    wants = [name for name in wants if name.startswith(PREFIX)]
    met = [m for m in table.mechanisms.values() if wants_met(m.wants, enabled)]
    used = {symbol for mechanism in met for group in mechanism.wants for symbol in group}
    problems = []
    for symbol in wants:
        if symbol not in table.known_wants:
            problems.append(
                Problem(
                    _place(configuration, symbol),
                    "not served yet by any driver",
                    _remedy(configuration, symbol),
                )
            )
        elif symbol not in used and symbol not in table.core_wants:
            problems.append(
                Problem(
                    _place(configuration, symbol),
                    "has nothing to work with",
                    f"set also {_complement(configuration, symbol)}, or remove it",
                )
            )
    return problems


def _remedy(configuration: Configuration, symbol: str) -> str:
    reason = reason_of_want(load_unserved(configuration.tree.root), symbol)
    return f"remove it ({reason})" if reason else "remove it; docs/DRIVERS.md says what is served"


def _complement(configuration: Configuration, symbol: str) -> str:
    """The missing wants of the mechanisms that lack the fewest."""
    enabled = configuration.kconfig.enabled()
    found: dict[tuple[str, ...], None] = {}
    least = 99
    for mechanism in configuration.tree.mechanisms.mechanisms.values():
        if not any(symbol in group for group in mechanism.wants):
            continue
        missing = tuple(g[0] for g in mechanism.wants if not enabled.intersection(g))
        if not configuration.candidates.of(mechanism) and mechanism.is_local:
            continue
        if len(missing) < least:
            least, found = len(missing), {}
        if len(missing) == least:
            found[missing] = None
    options = [" and ".join(missing) for missing in found]
    text = ", or ".join(options[:4])
    return (
        f"{text}, or another" if len(options) > 4 else text or "the mechanisms that it is used with"
    )


def missing_driver(configuration: Configuration, mechanism: Mechanism) -> str:
    """The drivers that support a mechanism, and the obstacle of each."""
    enabled = configuration.kconfig.enabled()
    options = []
    for driver in configuration.tree.drivers.values():
        capability = could_serve(driver, mechanism, enabled)
        if capability or could_serve_opaque(driver, mechanism, enabled):
            reasons = _obstacles(configuration, driver, capability)
            options.append(f"{driver.name} ({' and '.join(reasons)})")
    if not options:
        reason = reason_of_mechanism(load_unserved(configuration.tree.root), mechanism.name)
        why = f" ({reason})" if reason else ""
        return f"no driver of this tree can: leave it out, or add a driver{why}"
    return f"could be served by {', '.join(options)}"


def _asked_by_others(tree: Tree, driver: Driver) -> set[str]:
    others = [asked_by(other) for other in tree.drivers.values() if other is not driver]
    return asked_by_core(tree.root).union(*others)


def _obstacles(
    configuration: Configuration, driver: Driver, capability: Capability | None
) -> list[str]:
    reasons = []
    board = configuration.board
    if driver.is_opaque and driver.name not in {element.driver for element in board.elements}:
        reasons.append(f"board {board.name} has no such element")
    required = list(driver.requires)
    if capability is not None and capability.initial_entropy_size > 0:
        required.append("HAS_ENTROPY")
    for symbol in required:
        if not configuration.is_on(symbol):
            guess = closest(symbol, _asked_by_others(configuration.tree, driver))
            text = f"needs {symbol}, which board {board.name} has not"
            reasons.append(f"{text}: {guess}" if guess else text)
    for name in driver.packages if can_use(board, driver) else ():
        if not configuration.is_on(consent_symbol(name)):
            consent = load_package(configuration.tree.root, name).consent
            reasons.append(f"needs your consent to a licence: {consent}=1 in the environment")
    if not reasons and not configuration.is_on(driver.enabled_by):
        reasons.append(f"set {driver.enabled_by}=y")
    if not reasons and driver.is_opaque:
        reasons.append("set CORRAL_PROTECTED_KEY_SLOTS above 0")
    if not reasons and capability is not None and capability.hashes is not None:
        wanted = wanted_hashes(configuration.tree.mechanisms, configuration.kconfig.enabled())
        if not set(wanted) & set(capability.hashes):
            names = ", ".join(str(h).removeprefix("PSA_ALG_") for h in capability.hashes)
            reasons.append(f"with one of these hashes: {names}")
    return reasons or ["if what it is built on were served"]
