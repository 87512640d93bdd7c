# SPDX-License-Identifier: Apache-2.0
"""CBOR (RFC 8949) in the one encoding that the protocol allows, the deterministic one.

Input from outside is read here; output is written by cbor2. Reading by cbor2, and
comparing with its own output, is not enough: cbor2 5.9 sorts keys of maps by their
length first, writes halves above 32767 as singles and times of tag 1 as texts. It would
reject valid objects, and accept undefined, other simple values and deeper nesting.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import cbor2

from corral_fleet.errors import Reason, RefusedError

#: How deep arrays, maps and tags may be nested.
DEPTH = 8


@dataclass(frozen=True)
class Tag:
    """A tag, and the item after it."""

    number: int
    value: Any


def encode(value: object) -> bytes:
    """The deterministic encoding of null, truth values, integers, text, bytes, arrays and maps.

    Keys of maps have one byte each, for which cbor2's order is that of the protocol.
    """
    return cbor2.dumps(value, canonical=True)


def decode(data: bytes) -> Any:
    """The value whose deterministic encoding this is.

    Arrays are lists, maps are dicts with keys that are integers or texts, tags are `Tag`.
    Raises RefusedError (MALFORMED) for every other encoding, other keys, integers as strings of
    bytes, bytes after the end, undefined and simple values without a meaning, and
    nesting deeper than DEPTH.
    """
    reader = _Reader(data)
    value = reader.value(DEPTH)
    if reader.at != len(data):
        raise malformed("bytes after the end")
    return value


def sequence(data: bytes, most: int) -> list[tuple[Any, bytes]]:
    """Values one after the other (RFC 8742), each with its encoding.

    Raises as decode() does, and for more than so many.
    """
    reader = _Reader(data)
    found: list[tuple[Any, bytes]] = []
    while reader.at != len(data):
        if len(found) == most:
            raise malformed("more values than there may be")
        start = reader.at
        value = reader.value(DEPTH)
        found.append((value, data[start : reader.at]))
    return found


def malformed(detail: str) -> RefusedError:
    """The exception for bytes that violate the protocol."""
    return RefusedError(Reason.MALFORMED, detail)


def integer(value: object) -> int:
    """An integer, which a truth value is not. Raises RefusedError (MALFORMED)."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise malformed("not an integer")
    return value


def text(value: object) -> str:
    """A text. Raises RefusedError (MALFORMED)."""
    if not isinstance(value, str):
        raise malformed("not a text")
    return value


def octets(value: object, length: int | None = None) -> bytes:
    """A byte string, of that length if one is said. Raises RefusedError (MALFORMED)."""
    if not isinstance(value, bytes) or length not in (None, len(value)):
        raise malformed("not a byte string of the right length")
    return value


def array(value: object) -> list[Any]:
    """An array. Raises RefusedError (MALFORMED)."""
    if not isinstance(value, list):
        raise malformed("not an array")
    return value


def mapping(value: object) -> dict[Any, Any]:
    """A map. Raises RefusedError (MALFORMED)."""
    if not isinstance(value, dict):
        raise malformed("not a map")
    return value


#: The tags of integers that are written as strings of bytes (RFC 8949, section 3.4.3).
_BIG = (2, 3)
_SIMPLE = {20: False, 21: True, 22: None}
#: The additional information of floats: format, and the shorter format that has to be too short.
_FLOATS = {25: (">e", ""), 26: (">f", ">e"), 27: (">d", ">f")}


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise malformed("the end is missing")
        self.at += count
        return self.data[self.at - count : self.at]

    def value(self, depth: int) -> Any:
        first = self.take(1)[0]
        major, additional = first >> 5, first & 31
        if major == 7:
            return self._simple(additional)
        argument = self._argument(additional)
        if major < 2:
            return argument if major == 0 else -1 - argument
        if major < 4:
            return self.take(argument) if major == 2 else self._text(argument)
        if depth == 0:
            raise malformed("nested too deep")
        return self._nested(major, argument, depth - 1)

    def _nested(self, major: int, argument: int, depth: int) -> Any:
        if major == 4:
            return [self.value(depth) for _ in self._each(argument)]
        if major == 5:
            return self._map(argument, depth)
        if argument in _BIG:
            raise malformed("an integer that is written as a string")
        return Tag(argument, self.value(depth))

    def _each(self, count: int) -> range:
        """As often as an array says, if there can be so many."""
        if count > len(self.data) - self.at:
            raise malformed("the end is missing")
        return range(count)

    def _argument(self, additional: int) -> int:
        if additional < 24:
            return additional
        if additional > 27:
            raise malformed("an indefinite length, or none")
        size = 1 << (additional - 24)
        argument = int.from_bytes(self.take(size), "big")
        least = 24 if size == 1 else 1 << (4 * size)
        if argument < least:
            raise malformed("a length that is longer than it has to be")
        return argument

    def _text(self, length: int) -> str:
        try:
            return self.take(length).decode()
        except UnicodeDecodeError as error:
            raise malformed("a text that is not UTF-8") from error

    def _map(self, count: int, depth: int) -> dict[int | str, Any]:
        found: dict[int | str, Any] = {}
        before = b""
        for _ in self._each(count):
            start = self.at
            key = self.value(depth)
            encoding = self.data[start : self.at]
            if encoding <= before:
                raise malformed("keys of a map that do not ascend")
            # Python takes true for 1, so that two keys would be one.
            if isinstance(key, bool) or not isinstance(key, int | str):
                raise malformed("a key that is neither integer nor text")
            before = encoding
            found[key] = self.value(depth)
        return found

    def _simple(self, additional: int) -> bool | float | None:
        if additional in _SIMPLE:
            return _SIMPLE[additional]
        if additional not in _FLOATS:
            raise malformed("a simple value without a meaning")
        form, shorter = _FLOATS[additional]
        data = self.take(struct.calcsize(form))
        value: float = struct.unpack(form, data)[0]
        if math.isnan(value):
            if data != b"\x7e\x00":
                raise malformed("a NaN that is not the short one")
        elif shorter and _fits(value, shorter):
            raise malformed("a float that is longer than it has to be")
        return value


def _fits(value: float, form: str) -> bool:
    try:
        return bool(struct.unpack(form, struct.pack(form, value))[0] == value)
    except OverflowError:
        return False
