# SPDX-License-Identifier: Apache-2.0
"""The trusted side: each message becomes a call of its function.

When this runs, inputs and the room for outputs are in the wall's own memory (wall/trusted/serve.c).
Words, lengths and structures are untrusted values of the client: the functions of the
API check them, as for any caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corral.generate.c.nodes import (
    Arm,
    Array,
    Assign,
    Body,
    Do,
    Field,
    Function,
    Parameter,
    Record,
    Return,
    Statement,
    Structure,
    Switch,
    TypeDefinition,
    when,
)
from corral.generate.c.terms import Cast, Literal, Name, Term, Type, Unary, Variable, address
from corral.generate.functions import STATUS, STATUS_TYPE, SUCCESS
from corral.generate.prototypes import Given
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
    kinds,
)

_CALL_TYPE = Type("struct corral_wall_call *", ("wall/call.h",))
_CALL = Name("call")
_REPLY = _CALL.arrow("reply")
_OPERATIONS = ("wall/trusted/operations.h",)
_OPERATION_TYPE = Type("struct corral_wall_operation *", _OPERATIONS)
_INVALID = Return(Name("PSA_ERROR_INVALID_ARGUMENT"))
SHAPE = Type("struct corral_wall_shape", ("wall/trusted/run.h",))
COUNT = Name("CORRAL_WALL_FUNCTIONS", ("corral/wall_functions.h",))
#: Words of a message that is served by code of its own, and copied in part.
SHORT_WORDS = 2


def kind(name: str) -> Name:
    return Name(f"CORRAL_WALL_OPERATION_{name.upper()}", ("corral/wall_functions.h",))


def states(of: Sequence[str]) -> TypeDefinition:
    """The fields that an operation of any kind needs."""
    fields = tuple(Field(Type(f"psa_{name}_operation_t"), name) for name in of)
    return TypeDefinition(Structure("union", fields), "corral_wall_state_t")


def _flags(message: Message) -> Term:
    names = [
        f"CORRAL_WALL_WHOLE({place.at})"
        for place in message.places
        if isinstance(place, OutputStructure)
        or (isinstance(place, Output) and (place.written is None or place.is_part))
    ]
    return Literal(" | ".join(names) or "0")


def _is_short(message: Message) -> Term:
    fits = message.words <= SHORT_WORDS and message.inputs <= 1 and message.outputs <= 1
    return Literal(str(int(fits)))


def shapes(of: Sequence[Message]) -> Array:
    """The shape of each message, to be checked before its content is read."""
    rows = []
    for message in of:
        inputs, outputs = Literal(str(message.inputs)), Literal(str(message.outputs))
        counts = (("inputs", inputs), ("outputs", outputs))
        fields = (("is_short", _is_short(message)), *counts, ("flags", _flags(message)))
        rows.append(Record(fields))
    return Array(SHAPE, "corral_wall_shapes", COUNT, tuple(rows))


def runner(message: Message) -> Function:
    """run_<name>(): from the message to the function and back."""
    before = [s for place in message.places for s in _before(place, message)]
    after = [s for place in message.places for s in _after(place)]
    arguments = [a for p in message.function.parameters for a in _arguments(p, message.places)]
    called = Name(f"psa_{message.function.name}").call(*arguments)
    body: Body = (*before, Return(called))
    if after:
        body = (*before, Assign(STATUS, called), *after, Return(STATUS))
    name = f"run_{message.function.name}"
    return Function(STATUS_TYPE, name, (Parameter(_CALL_TYPE, "call"),), body)


def run(of: Sequence[Message]) -> Function:
    """corral_wall_run()."""
    arms = tuple(
        Arm((message.number,), (Return(Name(f"run_{message.function.name}").call(_CALL)),))
        for message in of
    )
    body = (Switch(_CALL.arrow("function"), arms, (_INVALID,)),)
    parameters = (Parameter(_CALL_TYPE, "call"),)
    return Function(STATUS_TYPE, "corral_wall_run", parameters, body, exported=True)


def abort(of: Sequence[Message]) -> Function:
    """corral_wall_abort()."""
    operation = Name("operation")
    arms = []
    for name in kinds(of):
        state = address(operation.arrow("as").dot(name))
        arms.append(Arm((kind(name),), (Return(Name(f"psa_{name}_abort").call(state)),)))
    body = (Switch(operation.arrow("kind"), tuple(arms), (Return(SUCCESS),)),)
    parameters = (Parameter(_OPERATION_TYPE, "operation"),)
    return Function(STATUS_TYPE, "corral_wall_abort", parameters, body, exported=True)


def _word(at: int) -> Term:
    return _REPLY.dot("words").at(at)


def _value(at: int, of: Type, is_long: bool) -> Term:
    if is_long:
        return Cast(of, Name("corral_wall_long").call(address(_word(at))))
    return Cast(of, _word(at))


def _variable(place: Place) -> Variable:
    """The object of a parameter while the function runs."""
    name = place.parameter.name
    match place:
        case Operation():
            return Variable(name, type=_OPERATION_TYPE)
        case Result() | InputStructure() | OutputStructure():
            return Variable(name, type=place.type)
    raise AssertionError(name)


def _before(place: Place, message: Message) -> Iterator[Statement]:
    match place:
        case Operation():
            yield from _open(place, message)
        case Result():
            yield Assign(_variable(place), Literal("0"))
        case InputStructure():
            source = address(_CALL.arrow("inputs").at(place.at))
            yield _refuse_unless_copied("corral_wall_take", source, place)
        case OutputStructure():
            source = address(_CALL.arrow("outputs").at(place.at))
            yield _refuse_unless_copied("corral_wall_take_room", source, place)


def _refuse_unless_copied(function: str, source: Term, place: Place) -> Statement:
    variable = _variable(place)
    size = Unary("sizeof", variable)
    is_copied = Name(function, ("wall/trusted/run.h",)).call(source, address(variable), size)
    return when(Unary("!", is_copied), _INVALID)


def _open(place: Operation, message: Message) -> Iterator[Statement]:
    """Abort makes an operation inactive that the trusted side does not know any more."""
    handle, variable = _word(place.at), address(_variable(place))
    call = Name("corral_wall_open", _OPERATIONS).call(handle, kind(place.kind), variable)
    yield Assign(STATUS, call)
    if message.is_abort:
        yield when(STATUS.differs(SUCCESS), Assign(handle, Literal("0")), Return(SUCCESS))
    else:
        yield when(STATUS.differs(SUCCESS), Return(STATUS))


def _after(place: Place) -> Iterator[Statement]:
    match place:
        case Operation() if place.is_written:
            closed = Name("corral_wall_close", _OPERATIONS).call(_variable(place))
            yield Assign(_word(place.at), closed)
        case Result() if place.is_long:
            target = address(_word(place.at))
            yield Do(Name("corral_wall_set_long").call(target, _variable(place)))
        case Result():
            yield Assign(_word(place.at), _variable(place))
        case OutputStructure():
            target = address(_CALL.arrow("outputs").at(place.at))
            variable = _variable(place)
            size = Unary("sizeof", variable)
            function = Name("corral_wall_give", ("wall/trusted/run.h",))
            yield Do(function.call(target, address(variable), size))


def _arguments(parameter: Given, places: Sequence[Place]) -> Iterator[Term]:
    """The argument for a parameter: it has a position, or is given beside one that has."""
    for place in places:
        if place.parameter == parameter:
            yield _argument(place)
        elif isinstance(place, Input) and place.length == parameter:
            yield _CALL.arrow("inputs").at(place.at).dot("length")
        elif isinstance(place, Output) and place.size == parameter:
            yield _CALL.arrow("outputs").at(place.at).dot("size")
        elif isinstance(place, Output) and place.written == parameter:
            yield address(_REPLY.dot("lengths").at(place.at))


def _argument(place: Place) -> Term:
    match place:
        case Scalar():
            return _value(place.at, place.parameter.type, place.is_long)
        case Operation():
            return address(_variable(place).arrow("as").dot(place.kind))
        case Input():
            return _CALL.arrow("inputs").at(place.at).dot("data")
        case Output():
            return _CALL.arrow("outputs").at(place.at).dot("data")
    return address(_variable(place))
