# SPDX-License-Identifier: Apache-2.0
"""The positions of a function's parameters in its message (wall/call.h).

All of it follows from the prototypes. A pointer to bytes is an input or an output. A
pointer to an operation is a handle. A pointer to a type that others pass by value is a
result. All other pointers are structures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from corral.generate.c.terms import Name, Type
from corral.generate.prototypes import Called, Given

_OPERATION = re.compile(r"psa_(\w+)_operation_t")
#: Types that may have more than 32 bits: two words.
_LONG = ("size_t", "uint64_t", "psa_storage_uid_t")
#: Functions that take a message piece by piece and give nothing back.
_PIECES = re.compile(r"\w+_update(_ad)?")
_ABORT = re.compile(r"\w+_abort")


@dataclass(frozen=True)
class Place:
    """at: the number of its first word, or of its input or output."""

    parameter: Given
    at: int


@dataclass(frozen=True)
class Scalar(Place):
    """A parameter that is passed by value: a word, or two."""

    is_long: bool


@dataclass(frozen=True)
class Result(Place):
    """The value behind a pointer: a word, or two."""

    is_long: bool

    @property
    def type(self) -> Type:
        return Type(self.parameter.of)


@dataclass(frozen=True)
class Operation(Place):
    """A handle: given, and given back unless the pointer is to a constant."""

    @property
    def kind(self) -> str:
        found = _OPERATION.fullmatch(self.parameter.of)
        assert found is not None
        return found[1]

    @property
    def is_written(self) -> bool:
        return not self.parameter.is_constant


@dataclass(frozen=True)
class Input(Place):
    length: Given


@dataclass(frozen=True)
class InputStructure(Place):
    @property
    def type(self) -> Type:
        return Type(self.parameter.of)


@dataclass(frozen=True)
class Output(Place):
    """written: the parameter that receives the written length; None: all of it is."""

    size: Given
    written: Given | None
    #: With a smaller buffer the function would succeed, and return a part of the output.
    is_part: bool


@dataclass(frozen=True)
class OutputStructure(Place):
    @property
    def type(self) -> Type:
        return Type(self.parameter.of)


_Kind = TypeVar("_Kind", bound=Place)


@dataclass(frozen=True)
class Message:
    """A function with the places of its parameters, and how many there are of each sort."""

    function: Called
    places: tuple[Place, ...]
    words: int
    inputs: int
    outputs: int

    @property
    def number(self) -> Name:
        return Name(f"CORRAL_WALL_{self.function.name.upper()}")

    @property
    def is_abort(self) -> bool:
        return bool(_ABORT.fullmatch(self.function.name))

    @property
    def goes_in_pieces(self) -> bool:
        kinds = [type(place) for place in self.places]
        return bool(_PIECES.fullmatch(self.function.name)) and kinds == [Operation, Input]

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        return [place for place in self.places if isinstance(place, kind)]


class _Layout:
    """Gives places away, each sort from 0 on."""

    def __init__(self, function: Called, by_value: frozenset[str]) -> None:
        self.function = function
        self.by_value = by_value
        self.words = self.inputs = self.outputs = 0
        spoken_for = _spoken_for(function)
        left = [i for i in range(len(function.parameters)) if i not in spoken_for]
        self.places = tuple(self._place(index) for index in left)

    def message(self) -> Message:
        return Message(self.function, self.places, self.words, self.inputs, self.outputs)

    def _word(self, is_long: bool) -> int:
        self.words += 2 if is_long else 1
        return self.words - (2 if is_long else 1)

    def _input(self) -> int:
        self.inputs += 1
        return self.inputs - 1

    def _output(self) -> int:
        self.outputs += 1
        return self.outputs - 1

    def _place(self, index: int) -> Place:
        parameter = self.function.parameters[index]
        kind = parameter.of
        is_long = kind in _LONG
        if not parameter.is_pointer:
            return Scalar(parameter, self._word(is_long), is_long)
        if _OPERATION.fullmatch(kind):
            return Operation(parameter, self._word(False))
        if self.function.length_of(index) is not None:
            return self._buffer(index)
        if kind in self.by_value:
            return Result(parameter, self._word(is_long), is_long)
        if parameter.is_constant:
            return InputStructure(parameter, self._input())
        return OutputStructure(parameter, self._output())

    def _buffer(self, index: int) -> Place:
        parameters = self.function.parameters
        length = self.function.length_of(index)
        assert length is not None
        if parameters[index].is_constant:
            return Input(parameters[index], self._input(), parameters[length])
        told = self.function.written_length_of(index)
        written = None if told is None else parameters[told]
        is_part = any(parameter.name == "data_offset" for parameter in parameters)
        return Output(parameters[index], self._output(), parameters[length], written, is_part)


def _spoken_for(function: Called) -> set[int]:
    """Lengths, which are given beside their buffers."""
    found: set[int] = set()
    for index, parameter in enumerate(function.parameters):
        length = function.length_of(index)
        if length is not None:
            found.add(length)
            written = None if parameter.is_constant else function.written_length_of(index)
            found |= set() if written is None else {written}
    return found


def messages(functions: Iterable[Called]) -> list[Message]:
    """One for each function, in this order, by which they are numbered."""
    mine = list(functions)
    by_value = (p.of for f in mine for p in f.parameters if not p.is_pointer)
    values = frozenset(by_value)
    return [_Layout(function, values).message() for function in mine]


def kinds(of: Sequence[Message]) -> list[str]:
    """Those of operations, by name."""
    return sorted({place.kind for message in of for place in message.of(Operation)})
