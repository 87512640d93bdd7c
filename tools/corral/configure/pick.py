# SPDX-License-Identifier: Apache-2.0
"""Select drivers by cost, or by leaks, for all mechanisms that the user left open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corral.configure.candidates import Candidates, is_hardware, serves_any
from corral.configure.cases import cases, chain, hash_of, wanted_hashes
from corral.configure.cheapest import Choices, Pick, cheapest, least_telling, ranked
from corral.configure.fragments import (
    BY_COST,
    BY_SPEED,
    DEFAULT_CHOICE,
    VARIABLE_TIME,
    conditions_of,
)
from corral.configure.kconfig import Kconfig
from corral.model.board import Board
from corral.model.capability import Capability
from corral.model.costs import counts_for, figures_for
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism, wants_met
from corral.model.tree import Tree


@dataclass
class _Picker:
    tree: Tree
    board: Board
    kconfig: Kconfig
    candidates: Candidates

    def __post_init__(self) -> None:
        self.enabled = self.kconfig.enabled()
        self.mechanisms = self.tree.mechanisms.mechanisms
        self.random = [m.name for m in self.mechanisms.values() if m.family == "random"]
        self.hashes = wanted_hashes(self.tree.mechanisms, self.enabled)
        self.library = next((d for d in self.candidates.libraries if self._can(d)), None)
        self.wanted = [m.name for m in self.mechanisms.values() if wants_met(m.wants, self.enabled)]
        is_for_speed = BY_SPEED in self.enabled
        known = counts_for if is_for_speed else figures_for
        _, costs = known(self.tree.drivers, self.board)
        is_computer = self.board.has(["HAS_PROCESSES"])
        self.choices = Choices(costs, self.wanted, self.enabled, is_for_speed, is_computer)
        self._gather()

    def _can(self, driver: Driver, capability: Capability | None = None) -> bool:
        return all(symbol in self.enabled for symbol in conditions_of(driver, capability))

    def _options(self, mechanism: Mechanism) -> list[Driver]:
        """Those that can run it: only the user's choice, or the available hardware."""
        reasons = self.candidates.reasons
        found = [
            d
            for d in ranked(self.candidates, mechanism, self.library)
            if self._can(d, reasons[mechanism.name, d.name])
        ]
        return next(([d] for d in found if self._is_given(mechanism, d)), found)

    def _is_given(self, mechanism: Mechanism, driver: Driver) -> bool:
        symbol = self.candidates.symbols_of(mechanism, driver)
        if self.kconfig.chosen_by_user(mechanism.choice):
            return self.kconfig.selection(mechanism.choice) == symbol
        return is_hardware(driver) or self.kconfig.is_on(
            f"CORRAL_{mechanism.group}_BY_{driver.symbol}"
        )

    def _helpers(self, mechanism: Mechanism) -> Iterator[Driver]:
        """Drivers that support some of the optional mechanisms."""
        for driver in self.tree.drivers.values():
            if driver.is_opaque or driver in self.candidates.of(mechanism):
                continue
            if self._can(driver) and any(serves_any(driver, s) for s in mechanism.services):
                yield driver

    def _add(self, mechanism: Mechanism, driver: Driver, others: list[Driver]) -> None:
        capabilities: dict[str, Capability] = {}
        needs: dict[str, None] = {}
        drivers = [driver, *(d for d in others if d is not driver), *self._helpers(mechanism)]
        if mechanism.family == "random":
            drivers = [driver]
        table = self.tree.mechanisms
        for service in mechanism.services:
            if not service.is_local or not wants_met(service.wants, self.enabled):
                continue
            for unit, algorithm, key in cases(table, self.enabled, service):
                for found in chain(
                    self.tree.entry_points, drivers, unit, algorithm, key, self.hashes
                ):
                    capabilities[found.where] = found
                    for need in found.needs:
                        names = table.needed(mechanism, need, hash_of(table, algorithm))
                        needs.update(dict.fromkeys(names))
                        if need == "random":
                            needs.update(dict.fromkeys(self.random))
        if mechanism.random:
            needs.update(dict.fromkeys(self.random))
        self.choices.add(mechanism, driver, list(capabilities.values()), list(needs))

    def _gather(self) -> None:
        """The plans of the wanted mechanisms, of those that they need, and so on."""
        seen = dict.fromkeys(self.wanted)
        waiting = list(self.wanted)
        while waiting:
            mechanism = self.mechanisms[waiting.pop(0)]
            found = self._options(mechanism)
            for driver in found:
                self._add(mechanism, driver, found)
            for plan in self.choices.plans.get(mechanism.name, ()):
                new = [name for name in plan.needs if name not in seen]
                seen.update(dict.fromkeys(new))
                waiting += new

    def picks(self) -> dict[str, Pick]:
        plans = self.choices.plans
        if not self.enabled.isdisjoint((BY_COST, BY_SPEED)):
            found = cheapest(self.choices, self._groups(plans), VARIABLE_TIME not in self.enabled)
        else:
            found = least_telling(self.choices)
        return {name: pick for name, pick in found.items() if len(plans[name]) > 1}

    def _groups(self, names: Iterable[str]) -> list[list[str]]:
        """Mechanisms that are likely to share code: a group of the table, a family,
        hashes and their users."""
        by: dict[str, list[str]] = {}
        for name in names:
            mechanism = self.mechanisms[name]
            keys = [f"group {mechanism.group}", f"family {mechanism.family}"]
            keys += [
                f"{key} {mechanism.value[key]}"
                for key in ("block", "hash", "group")
                if key in mechanism.value
            ]
            for key in keys:
                by.setdefault(key, []).append(name)
        return [names for names in by.values() if len(names) > 1]


def choices_of(tree: Tree, board: Board, kconfig: Kconfig, candidates: Candidates) -> Choices:
    """The alternatives, as the user left a configuration: selections by pick() are open."""
    kconfig.forget_preferences()
    return _Picker(tree, board, kconfig, candidates).choices


def pick(tree: Tree, board: Board, kconfig: Kconfig, candidates: Candidates) -> dict[str, Pick]:
    """The selections beyond ranks, for mechanisms that the user left open.

    They are made in `kconfig`, too. None where a library is the default, or ranks are.
    """
    kconfig.forget_preferences()
    is_ranked = kconfig.is_on(VARIABLE_TIME) or kconfig.chosen_by_user(DEFAULT_CHOICE)
    if is_ranked and not kconfig.is_on(BY_COST) and not kconfig.is_on(BY_SPEED):
        return {}
    picks = _Picker(tree, board, kconfig, candidates).picks()
    mechanisms = tree.mechanisms.mechanisms
    kconfig.prefer(candidates.symbols_of(mechanisms[n], p.driver) for n, p in picks.items())
    return picks
