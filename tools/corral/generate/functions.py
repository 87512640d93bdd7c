# SPDX-License-Identifier: Apache-2.0
"""Functions after the rows of entry_points.toml, and the terms that all of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corral.generate.build import Build
from corral.generate.c.nodes import (
    Assign,
    Body,
    Define,
    Function,
    Group,
    If,
    Item,
    Parameter,
    Return,
    Statement,
    when,
)
from corral.generate.c.terms import Choice, Literal, Name, Term, Type, Variable
from corral.generate.contexts import context_type
from corral.generate.files import header
from corral.model.entry_points import CONTEXT, LABEL, EntryPoint
from corral.model.expression import Expression

STATUS_TYPE, SIZE, BOOL = Type("psa_status_t"), Type("size_t"), Type("bool")
ALGORITHM, KEY_TYPE = Type("psa_algorithm_t"), Type("psa_key_type_t")
ATTRIBUTES_TYPE = Type("const psa_key_attributes_t *")

ALG, ATTRIBUTES = Name("alg"), Name("attributes")
TYPE, BITS = ATTRIBUTES.arrow("type"), ATTRIBUTES.arrow("bits")
LOCATION = Name("PSA_KEY_LIFETIME_GET_LOCATION").call(ATTRIBUTES.arrow("lifetime"))
LOCAL_STORAGE = Name("PSA_KEY_LOCATION_LOCAL_STORAGE")
SUCCESS = Name("PSA_SUCCESS")
STATUS = Variable("status")

NOT_SUPPORTED = Return(Name("PSA_ERROR_NOT_SUPPORTED"))
UNSERVED: Body = (NOT_SUPPORTED,)
RETURN_FALSE = Return(Name("false"))
RETURN_TRUE = Return(Name("true"))


@dataclass(frozen=True)
class Unserved(Define):
    """A function that no driver of the build supports: one line, with the headers that
    the function would need, because its callers rely on them."""

    of: tuple[Parameter, ...] = ()


def constant(kind: Type, number: str) -> Term:
    """A number with a type, for headers that C++ includes, too."""
    cast = Name("CORRAL_CAST", ("corral/cast.h",))
    return cast.call(Name(kind.text, kind.headers), Literal(number))


def value_of(expression: Expression | str) -> Name:
    """An algorithm or a type of key, as the macros of the API write it."""
    return Name(str(expression))


def parameters(row: EntryPoint, layer: str = "") -> tuple[Parameter, ...]:
    """Those of an entry point, with our context in the place of the driver's."""
    found = []
    for parameter in row.parameters:
        if parameter.is_context:
            own = context_type(layer)
            words = [own.text if word == CONTEXT else word for word in parameter.type.split()]
            found.append(Parameter(Type(" ".join(words), own.headers), "context"))
        else:
            found.append(Parameter(Type(parameter.type), parameter.name))
    return tuple(found)


def names(of: Sequence[Parameter]) -> list[str]:
    return [parameter.name for parameter in of]


def dispatch(name: str) -> Name:
    """The name of a function for the core and constructions."""
    return Name(f"corral_dispatch_{name}")


def dispatched(name: str, of: Sequence[Parameter], body: Body, comment: str = "") -> Item:
    """corral_dispatch_<name>(); one line if no driver supports it."""
    if body == UNSERVED:
        return unserved_line(name, f"CORRAL_UNSERVED_{len(of)}", of)
    return Function(STATUS_TYPE, dispatch(name).text, tuple(of), body, comment)


def ended(name: str, of: Sequence[Parameter], body: Body) -> Item:
    """corral_dispatch_<name>(), which has no status."""
    if not body:
        return unserved_line(name, "CORRAL_UNSERVED_ABORT", of)
    return Function(Type("void"), dispatch(name).text, tuple(of), body)


def unserved_line(name: str, macro: str, of: Sequence[Parameter]) -> Unserved:
    value = Name(macro, ("corral/unserved.h",)).call("__VA_ARGS__")
    return Unserved(dispatch(name).text, value, ("...",), tuple(of))


def in_order(*attempts: tuple[Body, Term]) -> Body:
    """Calls, each after what has to be done before it, of which only NOT_SUPPORTED leads on to
    the next one. A choice between two calls is a branch."""
    body: Body = ()
    for before, call in attempts[:-1]:
        attempt: Statement = Assign(STATUS, call)
        if isinstance(call, Choice):
            attempt = If(call.test, (Assign(STATUS, call.yes),), (Assign(STATUS, call.no),))
        done = when(STATUS.differs(NOT_SUPPORTED.value), Return(STATUS))
        body = (*body, *before, attempt, done)
    before, call = attempts[-1]
    if isinstance(call, Choice):
        return (*body, *before, when(call.test, Return(call.yes)), Return(call.no))
    return (*body, *before, Return(call))


def family_header(
    build: Build, name: str, maker: str, subject: str, items: Sequence[Item], family: str = ""
) -> str:
    """dispatch/<name>.h: functions without a driver, and then the others. family: of
    the rows, if it is called otherwise."""
    missing = tuple(item for item in items if isinstance(item, Unserved))
    served = [item for item in items if item not in missing]
    group = [Group(missing, "No driver of this build supports these.")] if missing else []
    rows = f"the rows of family {family or name} in {LABEL}"
    return header(build, f"dispatch/{name}.h", maker, subject, [*group, *served], rows)
