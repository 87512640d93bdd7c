# SPDX-License-Identifier: Apache-2.0
"""Bind every wanted mechanism to drivers, or say why that is not possible."""

from __future__ import annotations

from corral.configure import sense, served
from corral.configure.bindings import LOCAL, Binding, Bindings, Outcome, is_repeated
from corral.configure.candidates import (
    by_rank,
    could_serve,
    find_capability,
    is_hardware,
    serves_any,
)
from corral.configure.cases import cases, chain, hash_of, wanted_hashes
from corral.configure.configuration import Configuration, Note
from corral.configure.fragments import BY_COST, BY_SPEED, DEFAULT_CHOICE, RANDOM, consent_symbol
from corral.configure.wants import check_wants, missing_driver
from corral.errors import CorralError, Problem
from corral.model.capability import ECB, Capability
from corral.model.driver import Driver
from corral.model.expression import Expression
from corral.model.mechanisms import KeyCase, Mechanism, Service, wants_met


def _computes_mac(
    element: Driver, need: str, algorithm: Expression, key: KeyCase | None
) -> Capability | None:
    """An element's capability for the MAC that a key derivation is built on, by the same key."""
    if need == "hmac":
        algorithm = Expression("PSA_ALG_HMAC", algorithm.arguments)
        key = KeyCase(Expression("PSA_KEY_TYPE_HMAC"), key.bits if key else None)
    else:
        algorithm = Expression("PSA_ALG_CMAC")
    return find_capability(element, "mac_compute", algorithm, key) or find_capability(
        element, "mac_multipart", algorithm, key
    )


class _Solver:
    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.tree = configuration.tree
        self.table = configuration.tree.mechanisms
        self.over_hashes = configuration.tree.entry_points.over_hashes
        self.enabled = configuration.kconfig.enabled()
        self.hashes = wanted_hashes(self.table, self.enabled)
        self.attached = configuration.attached_drivers()
        self.outcomes: dict[str, Outcome] = {}
        self.problems: list[Problem] = []
        self.notes: list[Note] = []

    def solve(self) -> Bindings:
        self.problems += [*check_wants(self.configuration), *sense.problems(self.configuration)]
        self.notes += sense.notes(self.configuration)
        wanted = [m for m in self.table.mechanisms.values() if wants_met(m.wants, self.enabled)]
        for mechanism in wanted:
            self._bind(mechanism, "")
        for mechanism in wanted:
            self._bind_opaque(self.outcomes[mechanism.name])
        for outcome in [*self.outcomes.values()]:
            if outcome.mechanism.family == "mac" and not outcome.is_wanted:
                # Key derivations by an element's key use its MACs.
                self._bind_opaque(outcome)
        if self.configuration.board.elements and not self.attached:
            names = ", ".join(element.name for element in self.configuration.board.elements)
            self.notes.append(Note(names, "no keys there: no driver enabled, or no slots for them"))
        self.notes += served.left_out(self.configuration)
        self.notes += served.open_storage(self.configuration, self.enabled)
        self._drop_orphans()
        for mechanism in wanted:
            for found in served.check(
                self.configuration, self.enabled, self.outcomes, mechanism.name
            ):
                if isinstance(found, Note):
                    self.notes.append(found)
                else:
                    self.problems.append(found)
        if self.problems:
            raise CorralError(self.problems)
        order = {name: i for i, name in enumerate(self.table.mechanisms)}
        outcomes = dict(sorted(self.outcomes.items(), key=lambda item: order[item[0]]))
        return Bindings(self.configuration, outcomes, tuple(self.notes))

    def _is_enabled(self, driver: Driver) -> bool:
        symbols = [driver.enabled_by, *driver.requires]
        symbols += [consent_symbol(name) for name in driver.packages]
        return all(symbol in self.enabled for symbol in symbols)

    def _order(self, mechanism: Mechanism) -> list[Driver]:
        """The enabled candidates, the chosen one first; then those with optional parts only."""
        kconfig = self.configuration.kconfig
        candidates = self.configuration.candidates
        available = [
            driver
            for driver in candidates.of(mechanism)
            if kconfig.is_available(candidates.symbols_of(mechanism, driver))
        ]
        available.sort(key=lambda d: self._preference(mechanism, d))
        helpers = [
            driver
            for driver in self.tree.drivers.values()
            if not driver.is_opaque
            and driver not in available
            and self._is_enabled(driver)
            and not could_serve(driver, mechanism)
            and any(s.is_local and serves_any(driver, s) for s in mechanism.services)
        ]
        return available + sorted(helpers, key=by_rank)

    def _preference(self, mechanism: Mechanism, driver: Driver) -> tuple[object, ...]:
        """The chosen driver first, then the others as the defaults of a choice rank them."""
        kconfig = self.configuration.kconfig
        symbol = self.configuration.candidates.symbols_of(mechanism, driver)
        return (
            kconfig.selection(mechanism.choice) != symbol,
            driver.is_opaque,
            not is_hardware(driver),
            not kconfig.is_on(f"CORRAL_{mechanism.group}_BY_{driver.symbol}"),
            not self._is_default(driver),
            driver.rank,
            driver.name,
        )

    def _is_default(self, driver: Driver) -> bool:
        """The default library; where drivers go by figures, the one that would be it else."""
        if self.enabled.isdisjoint((BY_COST, BY_SPEED)):
            return f"{DEFAULT_CHOICE}_{driver.symbol}" in self.enabled
        libraries = self.configuration.candidates.libraries
        return driver is next((d for d in libraries if self._is_enabled(d)), None)

    def _bind(self, mechanism: Mechanism, needed_by: str) -> Outcome:
        """Bind the local part of a mechanism, and the mechanisms that its drivers need."""
        outcome = self.outcomes.get(mechanism.name)
        if outcome is None:
            wanted = wants_met(mechanism.wants, self.enabled)
            outcome = Outcome(mechanism, wanted)
            self.outcomes[mechanism.name] = outcome
            outcome.drivers = self._order(mechanism)
            if mechanism.family == "random":
                outcome.drivers = outcome.drivers[:1]
            for service in mechanism.services:
                if service.is_local and wants_met(service.wants, self.enabled):
                    self._bind_service(outcome, service)
        if needed_by:
            outcome.needed_by.append(needed_by)
        return outcome

    def _bind_service(self, outcome: Outcome, service: Service) -> None:
        for unit, algorithm, key in cases(self.table, self.enabled, service):
            found = chain(
                self.tree.entry_points, outcome.drivers, unit, algorithm, key, self.hashes
            )
            found = [c for c in found if self._needs_met(outcome, service, c, algorithm)]
            if found:
                sizes = found[0].key_sizes if key is not None and key.bits is None else None
                binding = Binding(
                    outcome.mechanism, unit, algorithm, key, sizes, LOCAL, tuple(found)
                )
                if not is_repeated(binding, outcome.bindings):
                    outcome.bindings.append(binding)

    def _needs_met(
        self,
        outcome: Outcome,
        service: Service,
        capability: Capability,
        algorithm: Expression | None,
    ) -> bool:
        """Bind what a capability needs; an optional part is left out if that fails."""
        for need in capability.needs:
            for name in self.table.needed(outcome.mechanism, need, hash_of(self.table, algorithm)):
                needed = self._bind(self.table.mechanisms[name], outcome.mechanism.name)
                if needed.local and not self._exposes(capability, needed):
                    continue
                if not service.optional:
                    self._need_problem(outcome, capability, name)
                return False
            if need == "random" and RANDOM not in self.enabled:
                self.problems.append(served.lacks_random(outcome.mechanism, capability.driver))
        return True

    def _exposes(self, capability: Capability, needed: Outcome) -> bool:
        """Whether a construction would send what it derives from keys over an element's bus.

        One that keeps a context of another layer feeds it with such things; others hash messages.
        """
        servers = [self.tree.drivers[c.driver] for b in needed.local for c in b.chain]
        return bool(capability.uses) and any(server.is_opaque for server in servers)

    def _need_problem(self, outcome: Outcome, capability: Capability, name: str) -> None:
        """Remember it, in case that no other driver supports the mechanism either."""
        what = f"{capability.driver} serves it over {name}, which no enabled driver supports"
        remedy = missing_driver(self.configuration, self.table.mechanisms[name])
        if self.outcomes[name].local:
            what = f"{capability.driver} would put key material through {name} on an element's bus"
            remedy = f"choose another driver for {name}"
        problem = Problem(outcome.mechanism.name, what, remedy)
        outcome.obstacles[name] = problem

    def _bind_opaque(self, outcome: Outcome) -> None:
        mechanism = outcome.mechanism
        for driver in self.attached:
            for service in mechanism.services:
                if not service.is_opaque or not wants_met(service.wants, self.enabled):
                    continue
                for unit, algorithm, key in cases(self.table, self.enabled, service):
                    capability = find_capability(driver, unit, algorithm, key, self.hashes)
                    if capability is None:
                        capability = self._any_location(outcome, driver, unit, algorithm, key)
                    if capability is not None and self._element_can(outcome, capability):
                        sizes = capability.key_sizes if key and key.bits is None else None
                        binding = Binding(
                            mechanism, unit, algorithm, key, sizes, driver.name, (capability,)
                        )
                        if not is_repeated(binding, outcome.bindings):
                            outcome.bindings.append(binding)

    def _element_can(self, outcome: Outcome, capability: Capability) -> bool:
        """Whether an element of the board is made for it, and the build has what it needs beside.

        Otherwise it is left out: operations of elements with their keys are optional.
        Mechanisms that it needs are done in memory, because they handle secrets that
        must not be on the element's bus.
        """
        driver = self.tree.drivers[capability.driver]
        elements = [e for e in self.configuration.board.elements if e.driver == driver.name]
        if capability.devices and not any(e.has(capability.devices) for e in elements):
            return False
        if not driver.is_opaque:
            return True
        if "random" in capability.needs and RANDOM not in self.enabled:
            return False
        for need in capability.needs:
            for name in self.table.needed(outcome.mechanism, need):
                local = self._bind(self.table.mechanisms[name], outcome.mechanism.name).local
                servers = [self.tree.drivers[c.driver] for b in local for c in b.chain]
                if not servers or any(server.is_opaque for server in servers):
                    return False
        return True

    def _any_location(
        self,
        outcome: Outcome,
        element: Driver,
        unit: str,
        algorithm: Expression | None,
        key: KeyCase | None,
    ) -> Capability | None:
        """A transparent driver's capability that works through dispatch, over the element's."""
        for driver in outcome.drivers:
            if driver.is_opaque:
                continue
            capability = find_capability(driver, unit, algorithm, key, self.hashes)
            if capability is None or not capability.any_location or algorithm is None:
                continue
            over = [need for need in capability.needs if need in self.over_hashes]
            macs = [need for need in capability.needs if need in ("hmac", "cmac")]
            signing = (find_capability(element, n, algorithm, key, self.hashes) for n in over)
            if not all(signing):
                continue
            if not all(_computes_mac(element, need, algorithm, key) for need in macs):
                continue
            if "block" in capability.needs and not self._bind_block(outcome, element, key):
                continue
            if "hash" in capability.needs and not macs:
                found = self.table.by_algorithm(str(algorithm.arguments[0]))
                if not found or not self._bind(found, outcome.mechanism.name).local:
                    continue
            return capability
        return None

    def _bind_block(self, outcome: Outcome, element: Driver, key: KeyCase | None) -> bool:
        """Bind the element's block cipher, for a construction over it."""
        names = self.table.needed(outcome.mechanism, "block")
        for name in names:
            needed = self._bind(self.table.mechanisms[name], outcome.mechanism.name)
            capability = find_capability(element, "cipher_multipart", ECB, key)
            if capability is None or not self._element_can(needed, capability):
                return False
            binding = Binding(
                needed.mechanism, "cipher_multipart", ECB, key, None, element.name, (capability,)
            )
            if binding not in needed.bindings:
                needed.bindings.append(binding)
        return bool(names)

    def _drop_orphans(self) -> None:
        """Remove hash-then-sign for local keys if no driver signs the hash."""
        for outcome in self.outcomes.values():
            outcome.bindings = [b for b in outcome.bindings if self._has_base(outcome, b)]

    def _has_base(self, outcome: Outcome, binding: Binding) -> bool:
        for capability in binding.chain:
            for need in capability.needs:
                if need not in self.over_hashes:
                    continue
                if not any(
                    b.unit == need
                    and b.location == binding.location
                    and b.key == binding.key
                    and b.algorithm is not None
                    and binding.algorithm is not None
                    and b.algorithm.matches(binding.algorithm)
                    for b in outcome.bindings
                ):
                    return False
        return True


def solve(configuration: Configuration) -> Bindings:
    """Raises CorralError with everything that cannot be served."""
    return _Solver(configuration).solve()
