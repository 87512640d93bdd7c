# SPDX-License-Identifier: Apache-2.0
"""Dispatch of multi-part families: setup by rules, then the driver that did the setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corral.configure.bindings import LOCAL, Binding
from corral.generate.build import Build, Layer, Server, key_of
from corral.generate.c.nodes import (
    Arm,
    Assign,
    Body,
    Break,
    Do,
    Item,
    Parameter,
    Return,
    Statement,
    Switch,
    when,
)
from corral.generate.c.terms import Call, Choice, Name, Operand, Term, address
from corral.generate.dispatch import Universes, by_location
from corral.generate.functions import (
    BOOL,
    NOT_SUPPORTED,
    dispatched,
    ended,
    in_order,
    parameters,
)
from corral.generate.rules import Case, Names, emit
from corral.model.capability import Capability
from corral.model.entry_points import EntryPoint

BAD_STATE = Return(Name("PSA_ERROR_BAD_STATE"))
CONTEXT = Name("context")
BINDING = CONTEXT.arrow("binding")
IS_ENCRYPT = Parameter(BOOL, "is_encrypt")
#: An operand that a driver gets instead of the argument of that name.
Given = Mapping[str, Operand]


def _arguments(server: Server, row: EntryPoint, given: Given) -> list[Operand]:
    member = address(CONTEXT.arrow("as").dot(server.member))
    return [member if p.is_context else given.get(p.name, p.name) for p in row.parameters]


def setup_case(
    build: Build,
    layer: Layer,
    binding: Binding,
    rows: Sequence[EntryPoint],
    given: Given | None = None,
) -> Case:
    """The case of a setup entry point. Two rows: encryption and decryption."""

    def attempt(capability: Capability) -> tuple[Body, Term]:
        server = build.server_of(layer.name, capability)
        number = Assign(BINDING, Name(layer.enumerator(server)))
        arguments = _arguments(server, rows[0], given or {})
        calls = [build.call(capability, row.name, arguments) for row in rows]
        one, *others = dict.fromkeys(calls)
        call = Choice(Name(IS_ENCRYPT.name), one, *others) if others else one
        return ((number,) if layer.is_numbered else ()), call

    return Case(binding.algorithm, key_of(binding), in_order(*map(attempt, binding.chain)))


def setup(
    build: Build,
    layer: Layer,
    rows: Sequence[EntryPoint],
    location: str,
    universe: Universes = None,
    compared: Names | None = None,
) -> Body:
    """The body of a setup, for keys at a location."""
    bindings = [b for b in build.layer_bindings(layer.name) if b.location == location]
    cases = [setup_case(build, layer, binding, rows) for binding in bindings]
    return emit(cases, universe, compared or Names(), NOT_SUPPORTED)


def keyed_setup(
    build: Build,
    layer: Layer,
    rows: Sequence[EntryPoint],
    local: Universes,
    elements: Mapping[str, Universes],
    compared: Names | None = None,
) -> list[Item]:
    """The setup of a family with keys; two rows for encryption and decryption."""
    directions = [IS_ENCRYPT] if len(rows) > 1 else []
    bodies = {
        driver: setup(build, layer, rows, driver, universe, compared)
        for driver, universe in elements.items()
    }
    of = (*parameters(rows[0], layer.name), *directions)
    in_memory = setup(build, layer, rows, LOCAL, local, compared)
    return by_location(build, f"{layer.name}_setup", of, in_memory, bodies)


def continued(layer: Layer, row: EntryPoint, missing: Return = NOT_SUPPORTED) -> Item:
    """An entry point of a running operation: the function of the driver that set it up."""
    return dispatched(
        row.name, parameters(row, layer.name), continued_body(layer, row, missing=missing)
    )


def continued_body(
    layer: Layer, row: EntryPoint, given: Given | None = None, missing: Return = NOT_SUPPORTED
) -> Body:
    calls = _calls(layer, row, given or {})
    if not calls:
        return (missing,)
    bodies: dict[Server, Body] = {server: (Return(call),) for server, call in calls.items()}
    return _by_server(layer, bodies, missing if len(calls) < len(layer.servers) else BAD_STATE)


def _calls(layer: Layer, row: EntryPoint, given: Given) -> dict[Server, Call]:
    """Those of the servers that have the entry point."""
    return {
        server: server.call(row.name, _arguments(server, row, given))
        for server in layer.servers
        if server.has(row.name)
    }


def _by_server(layer: Layer, bodies: Mapping[Server, Body], otherwise: Statement) -> Body:
    """The drivers of the operation; those with one body share it."""
    if not layer.is_numbered:
        return next(iter(bodies.values()))
    if len(bodies) == 1:
        ((server, body),) = bodies.items()
        return when(BINDING.equals(layer.enumerator(server)), *body), otherwise
    labels: dict[Body, list[Term]] = {}
    for server, body in bodies.items():
        labels.setdefault(body, []).append(Name(layer.enumerator(server)))
    arms = tuple(Arm(tuple(of), body) for body, of in labels.items())
    return (Switch(BINDING, arms, (otherwise,)),)


def abort(layer: Layer, row: EntryPoint, name: str = "") -> Item:
    """corral_dispatch_<layer>_abort(): no status, and nothing to do for an inactive context."""
    calls = _calls(layer, row, {})
    end: Body = (Break(),) if layer.is_numbered else ()
    bodies: dict[Server, Body] = {s: (Do(call, True), *end) for s, call in calls.items()}
    body = _by_server(layer, bodies, Break()) if bodies else ()
    return ended(name or row.name, parameters(row, layer.name), body)
