# SPDX-License-Identifier: Apache-2.0
"""The driver of each mechanism, and the reason; bindings.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from corral.configure.bindings import Bindings, Outcome
from corral.configure.candidates import is_hardware
from corral.configure.cheapest import Pick
from corral.configure.fragments import BY_COST, BY_SPEED, DEFAULT_CHOICE, VARIABLE_TIME
from corral.model.costs import counts_for, figures_for
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism, wants_met
from corral.model.wants import PREFIX


@dataclass(frozen=True)
class ExplainRow:
    """A driver's part in a mechanism at one place.

    where is "local" or the names of elements; driver is "-" for a mechanism without a driver.
    """

    mechanism: str
    entry_points: tuple[str, ...]
    where: str
    driver: str
    reason: str


def _why(bindings: Bindings, mechanism: Mechanism, driver: Driver) -> str:
    """The reason why the configuration prefers a driver; empty if it prefers another one."""
    configuration = bindings.configuration
    kconfig, candidates = configuration.kconfig, configuration.candidates
    symbol = candidates.symbols_of(mechanism, driver)
    if kconfig.selection(mechanism.choice) != symbol:
        return ""
    assignment = configuration.assignment_of(symbol)
    if kconfig.chosen_by_user(mechanism.choice) and assignment is not None:
        return f"your choice ({assignment.where})"
    others = [
        d
        for d in candidates.of(mechanism)
        if d != driver and kconfig.is_available(candidates.symbols_of(mechanism, d))
    ]
    return _default_reason(bindings, mechanism, driver) if others else "only candidate"


def _default_reason(bindings: Bindings, mechanism: Mechanism, driver: Driver) -> str:
    """In the order of the defaults in the choice."""
    kconfig = bindings.configuration.kconfig
    group = f"CORRAL_{mechanism.group}_BY_{driver.symbol}"
    library = f"{DEFAULT_CHOICE}_{driver.symbol}"
    if is_hardware(driver):
        return "hardware present" if not driver.packages else "its driver is on"
    if mechanism.group and kconfig.is_on(group):
        return f"group choice ({group})"
    picked = bindings.configuration.picks.get(mechanism.name)
    if picked is not None:
        is_free = kconfig.is_on(VARIABLE_TIME)
        if kconfig.is_on(BY_SPEED):
            return cost_reason(picked, is_free, "fewest instructions", "instructions")
        if not kconfig.is_on(BY_COST):
            return "by rank, of those whose time tells least of secrets"
        return cost_reason(picked, is_free, "least flash", "bytes")
    return f"default library ({library})" if kconfig.is_on(library) else "lowest rank"


def cost_reason(pick: Pick, time_may_vary: bool, what: str, unit: str) -> str:
    """Why a driver was selected by its cost, and the cost of the others."""
    others = []
    if pick.is_by_rank:
        return f"by rank: nobody's {unit} were counted"
    if pick.runner_up is not None:
        if not pick.is_least:
            what = f"by rank: about the {what}"
        others.append(_next_best(pick.runner_up, pick.extra, unit))
    if pick.leaking is not None:
        saved = f"{pick.saved} {unit} less"
        but = "it refuses some of it" if pick.is_refusing else "its time tells of secrets"
        others.append(f"{pick.leaking.name} {saved}, but {but}")
    if pick.leak and not time_may_vary:
        what += " of those whose time tells least of secrets"
    elif not pick.leak and not others:
        what += " in constant time"
    return f"{what} ({'; '.join(others)})" if others else what


def _next_best(driver: Driver, extra: int | None, unit: str) -> str:
    """The alternative driver of a mechanism, and its additional cost, if known."""
    if extra == 0:
        return f"{driver.name} as many"
    if extra is not None:
        return f"{driver.name} {abs(extra)} {unit} {'fewer' if extra < 0 else 'more'}"
    if driver.is_opaque:
        return f"else {driver.name}, in the chip: {unit} of elements are not measured"
    part = "instructions" if unit == "instructions" else "capabilities"
    return f"else {driver.name}, not measured: ./corral bench --only {part}"


def _local_rows(bindings: Bindings, outcome: Outcome) -> list[ExplainRow]:
    by_driver: dict[tuple[str, bool], dict[str, None]] = {}
    for binding in outcome.local:
        for i, capability in enumerate(binding.chain):
            units = by_driver.setdefault((capability.driver, i > 0), {})
            units[binding.unit] = None
    rows = []
    tree = bindings.configuration.tree
    first = outcome.local[0].chain[0].driver if outcome.local else ""
    for (name, is_fallback), units in by_driver.items():
        reason = _why(bindings, outcome.mechanism, tree.drivers[name])
        if is_fallback:
            reason = "fallback, when the one before answers NOT_SUPPORTED"
        elif not reason:
            reason = (
                f"the rest of it, which {first} does not serve"
                if name != first
                else "next in order"
            )
        if outcome.needed_by and not outcome.is_wanted:
            reason += f"; needed for {', '.join(dict.fromkeys(outcome.needed_by))}"
        rows.append(ExplainRow(outcome.mechanism.name, tuple(units), "local", name, reason))
    return rows


def _element_rows(
    bindings: Bindings, attached: Sequence[Driver], outcome: Outcome
) -> list[ExplainRow]:
    rows = []
    for driver in attached:
        elements = [e for e in bindings.configuration.board.elements if e.driver == driver.name]
        where = ", ".join(element.name for element in elements)
        by_driver: dict[str, dict[str, None]] = {}
        for binding in outcome.bindings:
            if binding.location == driver.name:
                by_driver.setdefault(binding.chain[0].driver, {})[binding.unit] = None
        for name, units in by_driver.items():
            reason = "the element has the key"
            if name != driver.name:
                reason = f"construction over what {driver.name} serves"
            rows.append(ExplainRow(outcome.mechanism.name, tuple(units), where, name, reason))
    return rows


def explain_rows(bindings: Bindings) -> list[ExplainRow]:
    rows: list[ExplainRow] = []
    attached = bindings.attached
    for outcome in bindings.outcomes.values():
        rows += _local_rows(bindings, outcome)
        rows += _element_rows(bindings, attached, outcome)
        if outcome.unserved:
            rows.append(
                ExplainRow(outcome.mechanism.name, (), "local", "-", "no driver supports it")
            )
    return rows


def public_alone(bindings: Bindings) -> list[str]:
    """Sizes and curves of which there are public keys and no pairs: the build signs with none."""
    configuration = bindings.configuration
    enabled = configuration.kconfig.enabled()
    return [
        value.wants[-1][0]
        for value in configuration.tree.mechanisms.asymmetric
        if value.pairs_symbol
        and wants_met(value.wants, enabled)
        and value.fields["has_public"] in enabled
        and not value.has_pairs(enabled)
    ]


def selections(bindings: Bindings) -> dict[str, list[str]]:
    """The implied wants, each with the symbols that selected it."""
    configuration = bindings.configuration
    kconfig = configuration.kconfig
    return {
        name: kconfig.selectors(name)
        for name in kconfig.names()
        if name.startswith(PREFIX) and kconfig.is_on(name) and not configuration.assignment_of(name)
    }


def figures_of(bindings: Bindings) -> str:
    """The processor by whose figures drivers were chosen; "" if none was chosen by figures."""
    configuration = bindings.configuration
    by_figures = any(map(configuration.is_on, (BY_COST, BY_SPEED)))
    if not configuration.picks or not by_figures:
        return ""
    known = counts_for if configuration.is_on(BY_SPEED) else figures_for
    return known(configuration.tree.drivers, configuration.board)[0]


def bindings_report(bindings: Bindings) -> str:
    """bindings.json: the rows, and the components of the build."""
    configuration = bindings.configuration
    attached = {driver.name for driver in bindings.attached}
    report = {
        "app": configuration.app,
        "board": configuration.board.name,
        "drivers": list(bindings.drivers),
        "packages": bindings.packages,
        "elements": [
            {"name": e.name, "driver": e.driver, "location": e.location}
            for e in configuration.board.elements
            if e.driver in attached
        ],
        "mechanisms": [asdict(row) for row in explain_rows(bindings)],
        "notes": [asdict(note) for note in bindings.notes],
    }
    return json.dumps(report, indent=2) + "\n"
