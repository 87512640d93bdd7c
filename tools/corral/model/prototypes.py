# SPDX-License-Identifier: Apache-2.0
"""The C functions of a driver, as its description and the table of entry points have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from corral.errors import Problem
from corral.model.capability import Capability, Function
from corral.model.entry_points import DECLARATION, EntryPoint, parameter_name
from corral.model.node import C_CONSTANT, C_IDENTIFIER, Node

KEY = "corral/constants"


@dataclass(frozen=True)
class Constant:
    """An argument before the entry point's own parameters, and its declaration."""

    parameter: str
    #: Type and name of the object whose address is passed; None for a value that psa/ or C has.
    declared: tuple[str, str] | None = None


@dataclass(frozen=True)
class Prototype:
    """A function of a driver, and the entry point whose contract it keeps."""

    name: str
    entry_point: EntryPoint
    parameters: tuple[str, ...]


class Described(Protocol):
    """The origins of prototypes."""

    @property
    def capabilities(self) -> tuple[Capability, ...]: ...

    @property
    def constants(self) -> Mapping[str, Constant]: ...


def load_constants(node: Node) -> dict[str, Constant]:
    """Parameter to values, turned round: each value as capabilities name it, with its type."""
    found: dict[str, Constant] = {}
    for parameter, values in node.table(KEY).items():
        pointed, star, _ = parameter.rpartition("*")
        if not DECLARATION.fullmatch(parameter):
            values.complain(
                f'"{parameter}" is no parameter', 'write type and name: "const struct curve *curve"'
            )
            continue
        for item in node.child(KEY).items(parameter):
            if not item.is_a(str):
                continue
            if not C_CONSTANT.fullmatch(item.value):
                item.complain(f'"{item.value}" is no C identifier', "name an object or a macro")
            elif item.value in found:
                item.complain(f'"{item.value}" is the value of two parameters', "name it in one")
            elif star and C_IDENTIFIER.fullmatch(item.value):
                found[f"&{item.value}"] = Constant(parameter, (pointed.rstrip(), item.value))
            else:
                found[item.value] = Constant(parameter)
    return found


def _leading(constants: Mapping[str, Constant], passed: Iterable[str]) -> list[str]:
    """The parameters for constants; numbers are sizes. No two have one name."""
    parameters: list[str] = []
    for value in passed:
        parameter = constants[value].parameter if value in constants else "size_t number"
        names = [parameter_name(other) for other in parameters]
        repeated = sum(name.startswith(parameter_name(parameter)) for name in names)
        parameters.append(f"{parameter}_{repeated + 1}" if repeated else parameter)
    return parameters


def _calls(driver: Described) -> Iterator[tuple[Capability, Function, Prototype]]:
    """Each function as each capability has it called."""
    for capability in driver.capabilities:
        for name, row in capability.entry_points.items():
            if capability.has(name):
                function = capability.function(name)
                own = [
                    p.declaration.replace("OPERATION", capability.context) for p in row.parameters
                ]
                leading = _leading(driver.constants, function.constants)
                yield capability, function, Prototype(function.name, row, (*leading, *own))


def prototypes_of(driver: Described) -> dict[str, Prototype]:
    """Each function once, in the order of the capabilities."""
    found: dict[str, Prototype] = {}
    for _, function, prototype in _calls(driver):
        found.setdefault(function.name, prototype)
    return found


def check_prototypes(driver: Described, problems: list[Problem]) -> None:
    """A constant without a type, and a function that is called in two ways: each is
    reported once."""
    first = prototypes_of(driver)
    told: dict[str, Problem] = {}
    for capability, function, prototype in _calls(driver):
        where = f"{capability.where}.{prototype.entry_point.name}"
        for value in function.constants:
            if not value.isdecimal() and value not in driver.constants:
                remedy = f'name it in the driver\'s "{KEY}", below its parameter'
                told.setdefault(value, Problem(where, f'"{value}" has no type', remedy))
        other = first[function.name]
        if _types(other) != _types(prototype):
            what = f"{function.name}() is also {other.entry_point.name}, with other parameters"
            told.setdefault(function.name, Problem(where, what, "give each its own function"))
    problems += told.values()


def _types(prototype: Prototype) -> tuple[str, ...]:
    return tuple(p.removesuffix(parameter_name(p)) for p in prototype.parameters)
