# SPDX-License-Identifier: Apache-2.0
"""The client's side: the functions of the API, each of which sends its message, and operations
that are handles. Under their own names, or under others beside a core that has these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corral.generate.c.nodes import (
    Assign,
    Body,
    Do,
    Field,
    Function,
    Parameter,
    Prototype,
    Return,
    Statement,
    Structure,
    TypeDefinition,
    when,
)
from corral.generate.c.terms import Cast, Literal, Name, Term, Type, Unary, Variable, address
from corral.generate.functions import STATUS, STATUS_TYPE
from corral.generate.wall.layout import (
    Input,
    InputStructure,
    Message,
    Operation,
    Output,
    OutputStructure,
    Place,
    Result,
    Scalar,
)

MESSAGE = Variable("call", type=Type("struct corral_wall_call", ("wall/call.h",)))
REPLY = MESSAGE.dot("reply")
WORD = Type("uint32_t")


def handles(kinds: Sequence[str]) -> list[TypeDefinition]:
    """The structures of operations, of which a client has no more than their names."""
    field = Field(WORD, "handle", "0: inactive")
    return [
        TypeDefinition(
            Structure(f"struct psa_{kind}_operation_s", (field,)), f"psa_{kind}_operation_t"
        )
        for kind in kinds
    ]


def stub(message: Message) -> Function:
    """psa_<name>(), as the application calls it."""
    name = f"psa_{message.function.name}"
    return Function(STATUS_TYPE, name, message.function.parameters, _body(message), exported=True)


def _remote_type(kind: str) -> str:
    return f"corral_remote_{kind}_t"


def remote_handles(kinds: Sequence[str]) -> list[TypeDefinition]:
    """The structures of operations that are there beside the core's own."""
    field = Field(WORD, "handle", "0: inactive")
    return [TypeDefinition(Structure("struct", (field,)), _remote_type(kind)) for kind in kinds]


def _remote_head(message: Message) -> tuple[str, tuple[Parameter, ...]]:
    operations = {place.parameter.name: place for place in message.of(Operation)}
    parameters = []
    for given in message.function.parameters:
        found = operations.get(given.name)
        kind = given.type
        if found is not None:
            constant = "" if found.is_written else "const "
            kind = Type(f"{constant}{_remote_type(found.kind)} *")
        parameters.append(Parameter(kind, given.name))
    return f"corral_remote_{message.function.name}", tuple(parameters)


def remote_prototype(message: Message) -> Prototype:
    return Prototype(STATUS_TYPE, *_remote_head(message))


def remote_stub(message: Message) -> Function:
    """corral_remote_<name>(), the same beside a core that has the functions of the API."""
    return Function(STATUS_TYPE, *_remote_head(message), _body(message), exported=True)


def _body(message: Message) -> Body:
    return (
        *_nothing_to_abort(message),
        Assign(MESSAGE.dot("function"), message.number),
        *(statement for place in message.places for statement in _given(place)),
        *_crossing(message),
    )


def _nothing_to_abort(message: Message) -> Iterator[Statement]:
    """Aborting an inactive operation succeeds, also where no room is left for another one."""
    if message.is_abort:
        (operation,) = message.of(Operation)
        is_inactive = _handle(operation).equals(0)
        yield when(is_inactive, Return(Name("PSA_SUCCESS")))


def _crossing(message: Message) -> Iterator[Statement]:
    how = "corral_wall_cross_in_pieces" if message.goes_in_pieces else "corral_wall_cross"
    crossing = Name(how, ("wall/client/cross.h",)).call(address(MESSAGE))
    taken = [statement for place in message.places for statement in _taken(place)]
    if not taken:
        yield Return(crossing)
        return
    yield Assign(STATUS, crossing)
    yield from taken
    yield Return(STATUS)


def _handle(operation: Operation) -> Term:
    return Name(operation.parameter.name).arrow("handle")


def _pointee(of: Place) -> Term:
    return Unary("*", Name(of.parameter.name))


def _word(at: int) -> Term:
    return REPLY.dot("words").at(at)


def _set(at: int, value: Term | int, is_long: bool) -> Statement:
    if is_long:
        return Do(Name("corral_wall_set_long").call(address(_word(at)), value))
    return Assign(_word(at), value if isinstance(value, Term) else Literal(str(value)))


def _given(place: Place) -> Iterator[Statement]:
    """The content of the message before it is sent; nothing has come back yet."""
    name = Name(place.parameter.name)
    match place:
        case Scalar():
            yield _set(place.at, name, place.is_long)
        case Result():
            yield _set(place.at, 0, place.is_long)
        case Operation():
            yield Assign(_word(place.at), _handle(place))
        case Input():
            yield from _input(place.at, name, Name(place.length.name))
        case InputStructure():
            yield from _input(place.at, name, Unary("sizeof", Unary("*", name)))
        case Output():
            yield from _output(place.at, name, Name(place.size.name))
        case OutputStructure():
            yield from _output(place.at, name, Unary("sizeof", Unary("*", name)))


def _input(at: int, data: Term, length: Term) -> Iterator[Statement]:
    target = MESSAGE.dot("inputs").at(at)
    yield Assign(target.dot("data"), data)
    yield Assign(target.dot("length"), length)


def _output(at: int, data: Term, size: Term) -> Iterator[Statement]:
    target = MESSAGE.dot("outputs").at(at)
    yield Assign(target.dot("data"), data)
    yield Assign(target.dot("size"), size)
    yield Assign(REPLY.dot("lengths").at(at), Literal("0"))


def _taken(place: Place) -> Iterator[Statement]:
    """Reads the reply."""
    match place:
        case Operation() if place.is_written:
            yield Assign(_handle(place), _word(place.at))
        case Result() if place.is_long:
            value = Name("corral_wall_long").call(address(_word(place.at)))
            yield Assign(_pointee(place), Cast(place.type, value))
        case Result():
            yield Assign(_pointee(place), _word(place.at))
        case Output() if place.written is not None:
            told = Unary("*", Name(place.written.name))
            yield Assign(told, REPLY.dot("lengths").at(place.at))
