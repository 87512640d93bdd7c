# SPDX-License-Identifier: Apache-2.0
"""Kconfig that follows from descriptions: the board's, the drivers', the choices among them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from corral.configure.candidates import Candidates, capabilities_for, is_hardware
from corral.configure.implied import wants_fragment
from corral.configure.kconfig import escaped
from corral.errors import Problem
from corral.model.board import Board, can_use
from corral.model.capability import Capability
from corral.model.costs import counts_for, figures_for
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism, wants_as_kconfig
from corral.model.package import load_package
from corral.model.tree import Tree

HEADER = "# Written by corral configure from the descriptions of this tree: do not edit.\n"
DEFAULT_CHOICE = "CORRAL_DEFAULT_BY"
RANDOM = "PSA_WANT_GENERATE_RANDOM"
BY_COST = f"{DEFAULT_CHOICE}_COST"
BY_SPEED = f"{DEFAULT_CHOICE}_SPEED"
VARIABLE_TIME = "CORRAL_ALLOW_VARIABLE_TIME"


def consent_symbol(package: str) -> str:
    return f"CORRAL_CONSENT_{package.upper()}"


def board_fragment(tree: Tree, board: Board) -> str:
    """HAS_* symbols with the board's values, and symbols of its elements."""
    lines = [HEADER, f'menu "Board: {escaped(board.title)}"', ""]
    for symbol in tree.board_capabilities:
        value = "y" if board.capabilities.get(symbol, False) else "n"
        # Without a prompt: a configuration cannot change the board's features.
        lines += [f"config {symbol}", "\tbool", f"\tdefault {value}", ""]
    attached = sorted({element.driver for element in board.elements})
    lines += ["config CORRAL_ELEMENTS_PRESENT", "\tbool"]
    lines += [f"\tdefault y if {tree.drivers[name].enabled_by}" for name in attached]
    lines += ["\tdefault n", ""]
    with_keys = sorted({element.driver for element in board.elements if element.keys})
    lines += ["config CORRAL_BOARD_HAS_KEYS", "\tbool"]
    lines += [f"\tdefault y if {tree.drivers[name].enabled_by}" for name in with_keys]
    lines += ["\tdefault n", ""]
    for name in attached:
        last = sum(element.driver == name for element in board.elements) - 1
        driver = tree.drivers[name]
        lines += [
            f"config CORRAL_{driver.symbol}_KEYLESS_DEVICE",
            f'\tint "{escaped(driver.title)}: device for requests without a key"',
            f"\trange 0 {last}",
            "\tdefault 0",
            f"\tdepends on {driver.enabled_by}",
            "",
        ]
    for driver in tree.drivers.values():
        if driver.is_opaque and driver.name not in attached:
            # Its own file may name it, whatever the board.
            lines += [f"config CORRAL_{driver.symbol}_KEYLESS_DEVICE", "\tint", "\tdefault 0", ""]
    return "\n".join([*lines, "endmenu", ""])


def drivers_fragment(tree: Tree, board: Board) -> str:
    """The drivers' own files, and which licences were agreed to."""
    useful = [driver for driver in tree.drivers.values() if can_use(board, driver)]
    asked = {name for driver in useful for name in driver.packages}
    lines = [HEADER, 'menu "Drivers"', ""]
    packages = sorted({name for driver in tree.drivers.values() for name in driver.packages})
    for name in packages:
        consent = load_package(tree.root, name).consent if name in asked else ""
        agreed = name in asked and (not consent or os.environ.get(consent) == "1")
        lines += [f"config {consent_symbol(name)}", "\tbool"]
        lines += [f"\tdefault {'y' if agreed else 'n'}", ""]
    files = [tree.places.from_root(driver.folder / "Kconfig") for driver in tree.drivers.values()]
    lines += [f'source "{file}"' for file in files]
    return "\n".join([*lines, "", "endmenu", ""])


def conditions_of(driver: Driver, capability: Capability | None = None) -> list[str]:
    """The symbols without which a driver, or one of its capabilities, is not there."""
    conditions = [driver.enabled_by, *driver.requires]
    conditions += [consent_symbol(name) for name in driver.packages]
    if capability is not None and capability.initial_entropy_size > 0:
        conditions.append("HAS_ENTROPY")
    return conditions


def _entry(symbol: str, driver: Driver, capability: Capability | None) -> list[str]:
    return [
        f"config {symbol}",
        f'\tbool "{driver.name}: {escaped(driver.title)}"',
        f"\tdepends on {' && '.join(conditions_of(driver, capability))}",
        "",
    ]


@dataclass(frozen=True)
class Measured:
    """The kinds of figures by which drivers can be selected."""

    bytes: bool = False
    instructions: bool = False

    @property
    def choices(self) -> dict[str, tuple[str, str]]:
        """Entries of the default library, with the condition of each and its title."""
        by_cost = ("CORRAL_PREFER_SIZE", "the drivers that add the least flash together")
        by_speed = ("CORRAL_PREFER_SPEED", "the drivers that take the fewest instructions")
        return ({BY_COST: by_cost} if self.bytes else {}) | (
            {BY_SPEED: by_speed} if self.instructions else {}
        )


NOTHING_MEASURED = Measured()


def _default_library(candidates: Candidates, measured: Measured) -> list[str]:
    if not candidates.libraries:
        return []
    lines = [
        f"choice {DEFAULT_CHOICE}",
        '\tprompt "Default software library"',
        *(f"\tdefault {symbol} if {asks}" for symbol, (asks, _) in measured.choices.items()),
        "\thelp",
        "\t  Runs mechanisms that no hardware supports, unless another driver is chosen below.",
        "",
    ]
    for symbol, (asks, title) in measured.choices.items():
        lines += [f"config {symbol}", f'\tbool "{title}"', f"\tdepends on {asks}", ""]
    for driver in candidates.libraries:
        lines += _entry(f"{DEFAULT_CHOICE}_{driver.symbol}", driver, None)
    return [*lines, "endchoice", ""]


def groups(tree: Tree, candidates: Candidates) -> dict[str, list[Mechanism]]:
    """Mechanisms by group, of those that have candidates."""
    found: dict[str, list[Mechanism]] = {}
    for mechanism in tree.mechanisms.mechanisms.values():
        if mechanism.group and candidates.of(mechanism):
            found.setdefault(mechanism.group, []).append(mechanism)
    return found


def _members(mechanisms: Iterable[Mechanism], candidates: Candidates) -> list[Driver]:
    found: dict[str, Driver] = {}
    for mechanism in mechanisms:
        found.update((driver.name, driver) for driver in candidates.of(mechanism))
    return sorted(found.values(), key=lambda d: (d.rank, d.name))


def _group(name: str, mechanisms: list[Mechanism], candidates: Candidates) -> list[str]:
    conditions = [f"({condition_of(m)})" for m in mechanisms]
    lines = [
        f"choice CORRAL_{name}_BY",
        f'\tprompt "{name}: default for all its mechanisms"',
        f"\tdepends on {' || '.join(conditions)}",
        "\thelp",
        "\t  Mechanisms that the chosen driver does not support keep their own default.",
        "",
        f"config CORRAL_{name}_BY_DEFAULT",
        '\tbool "as other mechanisms"',
        "",
    ]
    for driver in _members(mechanisms, candidates):
        lines += _entry(f"CORRAL_{name}_BY_{driver.symbol}", driver, None)
    return [*lines, "endchoice", ""]


def condition_of(mechanism: Mechanism) -> str:
    return wants_as_kconfig(mechanism.wants)


def _choice(
    mechanism: Mechanism, candidates: Candidates, needed_by: list[str], picked: Sequence[str]
) -> list[str]:
    """picked: the default that follows from figures, if there are any."""
    drivers = candidates.of(mechanism)
    condition = " || ".join([f"({condition_of(mechanism)})", *needed_by])
    lines = [
        f"choice {mechanism.choice}",
        f'\tprompt "{mechanism.name}"',
        f"\tdepends on {condition}",
    ]
    hardware = [driver for driver in drivers if is_hardware(driver)]
    libraries = [driver for driver in drivers if driver in candidates.libraries]
    symbol = {driver.name: candidates.symbols_of(mechanism, driver) for driver in drivers}
    lines += [f"\tdefault {symbol[driver.name]}" for driver in hardware]
    if mechanism.group:
        lines += [
            f"\tdefault {symbol[driver.name]} if CORRAL_{mechanism.group}_BY_{driver.symbol}"
            for driver in drivers
        ]
    lines += picked
    lines += [
        f"\tdefault {symbol[driver.name]} if {DEFAULT_CHOICE}_{driver.symbol}"
        for driver in libraries
    ]
    lines += [f"\tdefault {symbol[driver.name]}" for driver in drivers]
    lines.append("")
    for driver in drivers:
        reason = candidates.reasons[mechanism.name, driver.name]
        *entry, end = _entry(symbol[driver.name], driver, reason)
        selects = [f"\tselect {RANDOM}{when}" for when in _draws(mechanism, driver)]
        lines += [*entry, *selects, end]
    return [*lines, "endchoice", ""]


def _picked(
    mechanism: Mechanism, candidates: Candidates, driver: Driver, measured: Measured
) -> list[str]:
    symbol = candidates.symbols_of(mechanism, driver)
    conditions = " || ".join(measured.choices)
    return [f"\tdefault {symbol} if {conditions}"] if conditions else []


def _draws(mechanism: Mechanism, driver: Driver) -> list[str]:
    """When a driver draws random numbers for a mechanism: conditions, an empty one for always."""
    if driver.is_opaque or mechanism.family == "random":
        return []
    if mechanism.random:
        return [""]
    drawing = [
        f" if {wants_as_kconfig(service.wants)}" if service.wants else ""
        for service in mechanism.services
        if service.is_local and any("random" in c.needs for c in capabilities_for(driver, service))
    ]
    return list(dict.fromkeys(drawing))


def choices_fragment(
    tree: Tree,
    candidates: Candidates,
    measured: Measured = NOTHING_MEASURED,
    picks: Mapping[str, Driver] = MappingProxyType({}),
) -> str:
    """The choices: default library, groups, mechanisms.

    picks: selections by figures, to be shown as defaults.
    """
    lines = [HEADER, 'menu "Who does the work"', "", *_default_library(candidates, measured)]
    lines += ['menu "Groups of mechanisms"', ""]
    for name, mechanisms in groups(tree, candidates).items():
        lines += _group(name, mechanisms, candidates)
    lines += ["endmenu", "", 'menu "Mechanisms"', ""]
    needed = _needed_by(tree, candidates)
    for mechanism in tree.mechanisms.mechanisms.values():
        if candidates.of(mechanism):
            driver = picks.get(mechanism.name)
            picked = _picked(mechanism, candidates, driver, measured) if driver else []
            lines += _choice(mechanism, candidates, needed.get(mechanism.name, []), picked)
    return "\n".join([*lines, "endmenu", "", "endmenu", ""])


def _needed_by(tree: Tree, candidates: Candidates) -> dict[str, list[str]]:
    """Symbols that need a mechanism although the application does not want it."""
    found: dict[str, list[str]] = {}
    for edge in _needs(tree, candidates):
        symbol = f"{edge.mechanism.choice}_{edge.capability.driver.upper()}"
        if edge.condition:
            symbol = f"({symbol} && {edge.condition})"
        found.setdefault(edge.needed, []).append(symbol)
    return found


@dataclass(frozen=True)
class _Need:
    """A driver supports a mechanism over another one."""

    mechanism: Mechanism
    capability: Capability
    needed: str
    condition: str = ""


def _needs(tree: Tree, candidates: Candidates) -> list[_Need]:
    found = []
    for mechanism in tree.mechanisms.mechanisms.values():
        for driver in candidates.of(mechanism):
            reason = candidates.reasons[mechanism.name, driver.name]
            for need in reason.needs:
                names = tree.mechanisms.needed(mechanism, need)
                found += [_Need(mechanism, reason, name) for name in names]
                if not names:
                    found += _of_each_hash(tree, mechanism, reason, need)
    return found


def _of_each_hash(tree: Tree, mechanism: Mechanism, reason: Capability, need: str) -> list[_Need]:
    """For a mechanism whose algorithms have any of the wanted hashes, which are there anyway."""
    table = tree.mechanisms
    return [
        _Need(mechanism, reason, name, wants_as_kconfig(value.wants))
        for value in table.values["hash"].values()
        for name in table.needed(mechanism, need, value.name)
        if name != value.name
    ]


def check_cycles(tree: Tree, candidates: Candidates, problems: list[Problem]) -> None:
    """Reject constructions that depend on themselves, over any number of steps."""
    edges: dict[str, list[_Need]] = {}
    for edge in _needs(tree, candidates):
        edges.setdefault(edge.mechanism.name, []).append(edge)
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        for edge in edges.get(name, ()):
            if edge.needed in path:
                circle = [*path[path.index(edge.needed) :], edge.needed]
                problems.append(
                    Problem(
                        f"{edge.capability.where}.corral/needs",
                        f"a cycle: {' needs '.join(circle)}",
                        "remove one of the needs",
                    )
                )
            elif edge.needed not in done:
                visit(edge.needed, [*path, edge.needed])
        done.add(name)

    for name in edges:
        if name not in done:
            visit(name, [name])


def write_fragments(
    tree: Tree,
    board: Board,
    candidates: Candidates,
    folder: Path,
    picks: Mapping[str, Driver] = MappingProxyType({}),
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    measured = Measured(
        bytes=bool(figures_for(tree.drivers, board)[0]),
        instructions=bool(counts_for(tree.drivers, board)[0]),
    )
    choices = choices_fragment(tree, candidates, measured, picks)
    for name, text in (
        ("Kconfig.wants", f"{HEADER}\n{wants_fragment(tree.mechanisms)}"),
        ("Kconfig.board", board_fragment(tree, board)),
        ("Kconfig.drivers", drivers_fragment(tree, board)),
        ("Kconfig.choices", choices),
    ):
        (folder / name).write_text(text, encoding="utf-8")
