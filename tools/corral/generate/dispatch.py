# SPDX-License-Identifier: Apache-2.0
"""Dispatch functions of the entry points that work in one call: location, then rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from corral.config.solve import LOCAL, Binding
from corral.generate.build import Build, key_of
from corral.generate.ctext import any_of, call, condition, function, indented
from corral.generate.rules import Case, Names, Universe, emit
from corral.model.capability import Capability
from corral.model.entry_points import EntryPoint
from corral.model.expression import Expression

NOT_SUPPORTED = "return PSA_ERROR_NOT_SUPPORTED;"
# Between two drivers that are tried in order: only NOT_SUPPORTED goes on to the next.
PASS_ON = ("if (status != PSA_ERROR_NOT_SUPPORTED) {", "    return status;", "}")
LOCATION = "PSA_KEY_LIFETIME_GET_LOCATION(attributes->lifetime)"
Universes = dict[Expression | None, Universe] | Universe


def chain_action(calls: Sequence[str]) -> tuple[str, ...]:
    """Lines that try calls in order."""
    lines: list[str] = []
    for attempt in calls[:-1]:
        lines += [f"status = {attempt};", *PASS_ON]
    return (*lines, f"return {calls[-1]};")


def simple_cases(
    bindings: Sequence[Binding], row: EntryPoint, keep: Callable[[Binding], bool] = lambda _: True
) -> list[Case]:
    """Cases whose action passes all parameters on."""
    arguments = [parameter.name for parameter in row.parameters]

    def step(capability: Capability) -> str:
        return capability.function(row.name).call(arguments)

    return [
        Case(b.algorithm, key_of(b), chain_action([step(c) for c in b.chain]))
        for b in bindings
        if keep(b)
    ]


def where_made_for_it(build: Build, binding: Binding, case: Case, otherwise: str) -> Case:
    """The case, asked only of those elements that are made for it, where not all are."""
    wanted = binding.chain[0].devices
    mine = [e for e in build.elements if e.driver == binding.location]
    able = [e for e in mine if e.has(wanted)]
    if len(able) == len(mine):
        return case
    test = any_of([f"{LOCATION} == {e.macro}" for e in able])
    action = (condition([test]), *indented(case.action), "}", otherwise)
    return Case(case.algorithm, case.key, action)


def by_location(
    build: Build,
    name: str,
    parameters: Sequence[str],
    local: Sequence[str],
    elements: Mapping[str, Sequence[str]],
    comment: str = "",
) -> list[str]:
    """corral_dispatch_<name>: the body for local keys, and one for each driver of elements.

    A driver that has nothing to offer is left out of `elements`.
    """
    dispatch = f"corral_dispatch_{name}"
    if not build.elements:
        return function("psa_status_t", dispatch, parameters, local, comment)
    test = f"if ({LOCATION} != PSA_KEY_LOCATION_LOCAL_STORAGE) {{"
    if not elements:
        body = list(local)
        if body != [NOT_SUPPORTED]:
            body = [test, *indented([NOT_SUPPORTED]), "}", *body]
        return function("psa_status_t", dispatch, parameters, body, comment)
    names = [p.replace("*", " ").split()[-1] for p in parameters]
    helper = f"corral_element_{name}"
    lines = function("psa_status_t", helper, parameters, of_elements(build, elements))
    body = [test, *indented([f"return {call(helper, names)};"]), "}", *local]
    return lines + function("psa_status_t", dispatch, parameters, body, comment)


def of_elements(
    build: Build, elements: Mapping[str, Sequence[str]], otherwise: str = NOT_SUPPORTED
) -> list[str]:
    """One driver: its rules at once, because a key has no location but those of the build."""
    if len(build.element_drivers) == 1:
        return list(next(iter(elements.values())))
    lines = [f"switch ({LOCATION}) {{"]
    for driver, body in elements.items():
        lines += [f"case {e.macro}:" for e in build.elements if e.driver == driver]
        if body[0].startswith("const "):
            # A declaration cannot follow a label.
            lines[-1] += " {"
            lines += [*indented(body), "}"]
        else:
            lines += indented(body)
    return [*lines, "default:", *indented([otherwise]), "}"]


def single_part(
    build: Build,
    name: str,
    local_universe: Universes,
    element_universe: Callable[[str], Universes],
    comment: str = "",
    names: Names | None = None,
    keep: Callable[[Binding], bool] = lambda _: True,
) -> list[str]:
    """The dispatch function of a single-part entry point.

    Cases that only the multi-part family serves fall through to it.
    """
    row = build.tree.entry_points.rows[name]
    parameters = [p.declaration for p in row.parameters]
    arguments = [p.name for p in row.parameters]
    names = names or Names()

    def body(location: str, universe: Universes) -> list[str]:
        cases = simple_cases(build.of_unit(name, location), row, keep)
        otherwise = NOT_SUPPORTED
        if _in_parts(build, name, location, keep):
            otherwise = f"return {call(f'corral_{name}_in_parts', arguments)};"
        return emit(cases, universe, names, [otherwise]) if cases else [otherwise]

    local = body(LOCAL, local_universe)
    if not any("attributes" in p for p in arguments):
        return function("psa_status_t", f"corral_dispatch_{name}", parameters, local, comment)
    elements = {d.name: body(d.name, element_universe(d.name)) for d in build.element_drivers}
    elements = {driver: lines for driver, lines in elements.items() if lines != [NOT_SUPPORTED]}
    return by_location(build, name, parameters, local, elements, comment)


def _in_parts(
    build: Build, name: str, location: str, keep: Callable[[Binding], bool]
) -> list[Binding]:
    """Multi-part bindings that stand in for the single-part entry point somewhere."""
    row = build.tree.entry_points.rows[name]
    if row.parts_by != "dispatch":
        return []
    final = {
        (b.algorithm, b.key)
        for b in build.of_unit(name, location)
        if keep(b) and not b.chain[-1].fallback
    }
    return [
        b
        for b in build.of_unit(row.in_parts, location)
        if keep(b) and (b.algorithm, b.key) not in final
    ]


def needs_parts(build: Build, name: str, keep: Callable[[Binding], bool] = lambda _: True) -> bool:
    """Whether any location falls back to the multi-part family."""
    locations = [LOCAL, *(driver.name for driver in build.element_drivers)]
    return any(_in_parts(build, name, location, keep) for location in locations)


def driver_headers(build: Build, units: Sequence[str]) -> list[str]:
    """Headers with the prototypes of whoever serves the units, and of the device table."""
    wanted: set[str] = set()
    for driver_name in build.bindings.drivers:
        driver = build.tree.drivers[driver_name]
        used = any(
            capability.driver == driver_name
            for unit in units
            for binding in build.of_unit(unit)
            for capability in binding.chain
        )
        if used:
            wanted.update(f"<{header}>" for header in driver.headers)
    return sorted(wanted)
