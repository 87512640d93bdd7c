# SPDX-License-Identifier: Apache-2.0
"""Dispatch functions of the entry points that work in one call: location, then rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from corral.configure.bindings import LOCAL, Binding
from corral.generate.build import Build, key_of
from corral.generate.c.nodes import (
    Arm,
    Assign,
    Body,
    Do,
    Function,
    If,
    Item,
    Parameter,
    Return,
    Statement,
    Switch,
    when,
)
from corral.generate.c.terms import Call, Name, Term, Unary, Variable, address, all_of, any_of
from corral.generate.contexts import context_type
from corral.generate.functions import (
    ATTRIBUTES,
    LOCAL_STORAGE,
    LOCATION,
    NOT_SUPPORTED,
    STATUS,
    STATUS_TYPE,
    SUCCESS,
    UNSERVED,
    dispatch,
    dispatched,
    in_order,
    names,
    parameters,
)
from corral.generate.key import Universe
from corral.generate.rules import Case, Names, emit
from corral.model.board import Element
from corral.model.capability import Capability
from corral.model.entry_points import EntryPoint
from corral.model.expression import Expression

Universes = dict[Expression | None, Universe] | Universe


def simple_cases(
    build: Build,
    bindings: Sequence[Binding],
    row: EntryPoint,
    keep: Callable[[Binding], bool] = lambda _: True,
) -> list[Case]:
    """Cases whose action passes all parameters on."""
    arguments = names(parameters(row))

    def attempt(capability: Capability) -> tuple[Body, Call]:
        return (), build.call(capability, row.name, arguments)

    return [
        Case(b.algorithm, key_of(b), in_order(*(attempt(c) for c in b.chain)))
        for b in bindings
        if keep(b)
    ]


def location_of(element: Element) -> Name:
    return Name(element.macro, ("corral/locations.h",))


def is_at(elements: Sequence[Element]) -> Term:
    """Whether a key is in one of the elements."""
    return any_of(*(LOCATION.equals(location_of(element)) for element in elements))


def where_made_for_it(build: Build, binding: Binding, case: Case, otherwise: Statement) -> Case:
    """The case, asked only of those elements that are made for it, where not all are."""
    wanted = binding.chain[0].devices
    mine = [e for e in build.elements if e.driver == binding.location]
    able = [e for e in mine if e.has(wanted)]
    if len(able) == len(mine):
        return case
    return Case(case.algorithm, case.key, (If(is_at(able), case.action), otherwise))


def by_location(
    build: Build,
    name: str,
    of: Sequence[Parameter],
    local: Body,
    elements: Mapping[str, Body],
    comment: str = "",
) -> list[Item]:
    """corral_dispatch_<name>: the body for local keys, and one for each driver of elements.

    A driver that has nothing to offer is left out.
    """
    elements = {driver: body for driver, body in elements.items() if body != UNSERVED}
    in_element = LOCATION.differs(LOCAL_STORAGE)
    if elements:
        helper = Name(f"corral_element_{name}")
        body = of_elements(build, elements, NOT_SUPPORTED)
        forward = when(in_element, Return(helper.call(*names(of))))
        function = Function(STATUS_TYPE, helper.text, tuple(of), body)
        return [function, dispatched(name, of, (forward, *local), comment)]
    if build.elements and local != UNSERVED:
        local = (when(in_element, NOT_SUPPORTED), *local)
    return [dispatched(name, of, local, comment)]


def of_elements(build: Build, elements: Mapping[str, Body], otherwise: Statement) -> Body:
    """One driver: its rules at once, because a key has no location but those of the build."""
    if len(build.element_drivers) == 1:
        return next(iter(elements.values()))
    arms = [
        Arm(tuple(location_of(e) for e in build.elements if e.driver == driver), body)
        for driver, body in elements.items()
    ]
    return (Switch(LOCATION, tuple(arms), (otherwise,)),)


def single_part(
    build: Build,
    name: str,
    local_universe: Universes,
    element_universe: Callable[[str], Universes],
    compared: Names | None = None,
    keep: Callable[[Binding], bool] = lambda _: True,
) -> list[Item]:
    """The dispatch function of a single-part entry point.

    Cases that only the multi-part family supports fall through to it.
    """
    row = build.row(name)
    of = parameters(row)

    def body(location: str, universe: Universes) -> Body:
        cases = simple_cases(build, build.of_unit(name, location), row, keep)
        otherwise = NOT_SUPPORTED
        if _served_in_parts(build, name, location, keep):
            otherwise = Return(Name(f"corral_{name}_in_parts").call(*names(of)))
        return emit(cases, universe, compared or Names(), otherwise)

    local = body(LOCAL, local_universe)
    if ATTRIBUTES.text not in names(of):
        return [dispatched(name, of, local)]
    elements = {d.name: body(d.name, element_universe(d.name)) for d in build.element_drivers}
    return by_location(build, name, of, local, elements)


def _served_in_parts(
    build: Build, name: str, location: str, keep: Callable[[Binding], bool]
) -> list[Binding]:
    """Multi-part bindings that replace the single-part entry point somewhere."""
    row = build.row(name)
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


def in_parts(
    build: Build,
    name: str,
    layer: str,
    setup: Sequence[Term | str],
    steps: Sequence[tuple[str, Sequence[str], Term | None]],
    keep: Callable[[Binding], bool] = lambda _: True,
) -> list[Item]:
    """corral_<name>_in_parts(), if any location needs it: an operation by its multi-part functions.

    setup: the arguments of the function that begins it, besides the context. steps: the
    others in their order, their arguments, and their condition.
    """
    locations = [LOCAL, *(driver.name for driver in build.element_drivers)]
    if not any(_served_in_parts(build, name, location, keep) for location in locations):
        return []
    context = Variable("context", type=context_type(layer))
    wipe = Do(Name("corral_wipe").call(address(context), Unary("sizeof", context)))
    run: Body = ()
    for step, arguments, condition in steps:
        call = Assign(STATUS, dispatch(f"{layer}_{step}").call(address(context), *arguments))
        tests = [*([STATUS.equals(SUCCESS)] if run else []), *([condition] if condition else [])]
        run = (*run, when(all_of(*tests), call) if tests else call)
    abort = Do(dispatch(f"{layer}_abort").call(address(context)))
    # A finish that succeeds has cleaned up; ciphers have none and always end by abort.
    end = abort if layer == "cipher" else when(STATUS.differs(SUCCESS), abort)
    begin = Assign(STATUS, dispatch(f"{layer}_setup").call(address(context), *setup))
    body = (wipe, begin, when(STATUS.equals(SUCCESS), *run, end), wipe, Return(STATUS))
    of = parameters(build.row(name))
    return [Function(STATUS_TYPE, f"corral_{name}_in_parts", of, body)]
