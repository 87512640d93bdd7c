# SPDX-License-Identifier: Apache-2.0
"""Dispatch of multi-part families: setup by rules, then the driver that did the setup."""

from __future__ import annotations

from collections.abc import Sequence

from corral.config.solve import LOCAL, Binding
from corral.generate.build import Build, Layer, Server, key_of
from corral.generate.contexts import context_type
from corral.generate.ctext import condition, function, indented
from corral.generate.dispatch import NOT_SUPPORTED, PASS_ON, Universes, by_location
from corral.generate.rules import Case, Names, emit
from corral.model.capability import Capability
from corral.model.entry_points import EntryPoint

BAD_STATE = "return PSA_ERROR_BAD_STATE;"


def context_parameters(layer: str, row: EntryPoint) -> list[str]:
    """The parameters of an entry point with our context in the place of the driver's."""
    return [
        p.declaration.replace(f"OPERATION *{p.name}", f"{context_type(layer).text} *context")
        for p in row.parameters
    ]


def _member(server: Server) -> str:
    return f"&context->as.{server.member}"


def _arguments(server: Server, row: EntryPoint) -> list[str]:
    return [_member(server) if "OPERATION" in p.declaration else p.name for p in row.parameters]


def setup_case(build: Build, layer: Layer, binding: Binding, rows: Sequence[EntryPoint]) -> Case:
    """The case of a setup entry point. Two rows: encryption and decryption."""
    lines: list[str] = []
    for i, capability in enumerate(binding.chain):
        server = build.server_of(layer.name, capability)
        if layer.is_numbered:
            lines.append(f"context->binding = {layer.enumerator(server)};")
        is_last = i == len(binding.chain) - 1
        lines += _setup_call(capability, server, rows, "return" if is_last else "status =")
        if not is_last:
            lines += PASS_ON
    return Case(binding.algorithm, key_of(binding), tuple(lines))


def _setup_call(
    capability: Capability, server: Server, rows: Sequence[EntryPoint], use: str
) -> list[str]:
    """The call, with its result returned or kept; one of two if the directions differ."""
    arguments = _arguments(server, rows[0])
    functions = [capability.function(row.name) for row in rows]
    if len(set(functions)) == 1:
        return [f"{use} {functions[0].call(arguments)};"]
    one, other = (f"{use} {f.call(arguments)};" for f in functions)
    if use == "return":
        return ["if (is_encrypt) {", *indented([one]), "}", other]
    return ["if (is_encrypt) {", *indented([one]), "} else {", *indented([other]), "}"]


def keyed_setup(
    build: Build,
    layer: Layer,
    rows: Sequence[EntryPoint],
    local: Universes,
    elements: dict[str, Universes],
    comment: str,
    names: Names | None = None,
) -> list[str]:
    """The setup of a family with keys; two rows for encryption and decryption."""
    parameters = context_parameters(layer.name, rows[0])
    if len(rows) > 1:
        parameters.append("bool is_encrypt")

    def body(location: str, universe: Universes) -> list[str]:
        cases = [
            setup_case(build, layer, binding, rows)
            for binding in build.layer_bindings(layer.name)
            if binding.location == location
        ]
        if not cases:
            return [NOT_SUPPORTED]
        return emit(cases, universe, names or Names(), [NOT_SUPPORTED])

    bodies = {driver: body(driver, universe) for driver, universe in elements.items()}
    bodies = {driver: lines for driver, lines in bodies.items() if lines != [NOT_SUPPORTED]}
    name = f"{layer.name}_setup"
    return by_location(build, name, parameters, body(LOCAL, local), bodies, comment)


def continued(
    layer: Layer,
    row: EntryPoint,
    parameters: Sequence[str] | None = None,
    missing: str = NOT_SUPPORTED,
    name: str = "",
) -> list[str]:
    """An entry point of a running operation: the function of the driver that set it up."""
    parameters = parameters or context_parameters(layer.name, row)
    dispatch = f"corral_dispatch_{name or row.name}"
    having = [server for server in layer.servers if server.has(row.name)]

    def action(server: Server) -> str:
        return f"return {server.call(row.name, _arguments(server, row))};"

    if not having:
        return function("psa_status_t", dispatch, parameters, [missing])
    if not layer.is_numbered:
        return function("psa_status_t", dispatch, parameters, [action(having[0])])
    otherwise = missing if len(having) < len(layer.servers) else BAD_STATE
    lines = _by_binding(layer, [(server, action(server)) for server in having], otherwise)
    return function("psa_status_t", dispatch, parameters, lines)


def _by_binding(layer: Layer, actions: Sequence[tuple[Server, str]], otherwise: str) -> list[str]:
    """A switch over who serves the operation; those with one action share it."""
    if len(actions) == 1:
        server, action = actions[0]
        test = f"context->binding == {layer.enumerator(server)}"
        return [condition([test]), *indented([action]), "}", otherwise]
    by_action: dict[str, list[Server]] = {}
    for server, action in actions:
        by_action.setdefault(action, []).append(server)
    lines = ["switch (context->binding) {"]
    for action, servers in by_action.items():
        lines += [f"case {layer.enumerator(server)}:" for server in servers]
        lines += indented([action])
    lines += ["default:", *indented([otherwise]), "}"]
    return lines


def abort(layer: Layer, row: EntryPoint, name: str = "") -> list[str]:
    """corral_dispatch_<layer>_abort(): no status, and nothing to do for an inactive context."""
    parameters = context_parameters(layer.name, row)
    dispatch = f"corral_dispatch_{name or row.name}"
    actions = [
        (server, f"(void){server.call(row.name, _arguments(server, row))};")
        for server in layer.servers
    ]
    if not actions:
        return function("void", dispatch, parameters, [])
    if not layer.is_numbered:
        return function("void", dispatch, parameters, [actions[0][1]])
    by_action: dict[str, list[Server]] = {}
    for server, action in actions:
        by_action.setdefault(action, []).append(server)
    lines = ["switch (context->binding) {"]
    for action, servers in by_action.items():
        lines += [f"case {layer.enumerator(server)}:" for server in servers]
        lines += indented([action, "break;"])
    lines += ["default:", *indented(["break;"]), "}"]
    return function("void", dispatch, parameters, lines)
