# SPDX-License-Identifier: Apache-2.0
"""SenML in CBOR and in JSON (RFC 8428): that a pack is one as the protocol has it, and its records
resolved."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from corral_fleet import cbor

_RECORDS_MAX = 64
#: Section 4.1: an integer above zero; -0 in JSON is one to some readers, and none to others.
_VERSIONS = range(1, 11)
#: Below this, time would be relative to now (section 4.5.3).
_ABSOLUTE = 2.0**28
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9:./_-]{0,63}")  # section 4.5.1
_VERSION, _BASE_NAME, _BASE_TIME, _BASE_UNIT, _BASE_VALUE, _BASE_SUM = range(-1, -7, -1)
_N, _U, _V, _VS, _VB, _S, _T, _UT, _VD = range(9)
_NAMES = ("bs", "bv", "bu", "bt", "bn", "bver", *("n", "u", "v", "vs", "vb", "s", "t", "ut", "vd"))
#: The names in JSON, by their numbers in CBOR (section 6).
_LABELS = {name: number - 6 for number, name in enumerate(_NAMES)}

Value = float | str | bool | bytes | None
#: Where a device's time comes from, by the label that says so.
_CLOCKS = {"btrun": "running", "btset": "set", "btsync": "synchronised"}


@dataclass(frozen=True)
class Clock:
    """How good the device's clock was when it signed.

    source: "synchronised", by the service that keeps it right; "set", by the broker at a
    registration, which nothing proves; "running", by no source: it counts since the start.
    """

    source: str
    seconds: float  # since then


@dataclass(frozen=True)
class Record:
    """One measurement, which needs no other to be understood."""

    name: str
    unit: str | None
    value: Value  # None: only the sum is given
    sum: float | None
    time: float | None  # seconds since 1970; None: the device does not know it
    clock: Clock | None = None  # its statement about its clock, if it has one


def read(pack: bytes) -> tuple[Record, ...]:
    """The records of a pack. Raises RefusedError (MALFORMED) for content that the
    protocol forbids."""
    return _all(cbor.array(cbor.decode(pack)))


def read_json(pack: bytes) -> tuple[Record, ...]:
    """The records of a pack in JSON. Raises RefusedError (MALFORMED) as read() does."""
    try:
        records = json.loads(
            pack.decode(), object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer
        )
        _check(records, cbor.DEPTH)
    except (ValueError, RecursionError) as error:
        raise cbor.malformed("not JSON") from error
    return _all([_from_json(record) for record in cbor.array(records)])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise cbor.malformed("a name that comes twice in an object")
    return found


def _check(value: object, depth: int) -> None:
    """That JSON is nested so deep at most, and has what other readers of it take: json reads a
    number that is too large as infinite, and half of a surrogate pair as a character.

    Raises RefusedError (MALFORMED), or ValueError for such a half.
    """
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, float):
        _finite(value)
    elif isinstance(value, list | dict):
        if depth == 0:
            raise cbor.malformed("nested too deep")
        for item in value:
            _check(item, depth - 1)
        if isinstance(value, dict):
            _check(list(value.values()), depth)


def _integer(text: str) -> float:
    value = int(text)
    return value if -(2**63) <= value < 2**64 else float(text)


def _constant(name: str) -> float:
    raise cbor.malformed(f"{name}, which JSON does not have")


def _from_json(record: object) -> dict[int | str, Any]:
    """The same content as in CBOR."""
    found: dict[int | str, Any] = {}
    for name, value in cbor.mapping(record).items():
        label = _LABELS.get(name, name)
        if label == _VD:
            found[label] = base64url(cbor.text(value))
        else:
            found[label] = value
    return found


def base64url(text: str) -> bytes:
    """The bytes that are written as this text, without padding. Raises RefusedError (MALFORMED)."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise cbor.malformed("not base64url") from error
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise cbor.malformed("base64url that is not what these bytes are written as")
    return data


def _all(records: list[Any]) -> tuple[Record, ...]:
    if not 1 <= len(records) <= _RECORDS_MAX:
        raise cbor.malformed("a pack without records, or with too many")
    base: dict[int | str, Any] = {}
    return tuple(_resolved(_fields(record), base) for record in records)


def _number(value: object) -> float:
    if isinstance(value, cbor.Tag) and value.number == 4:
        return _finite(_decimal(cbor.array(value.value)))
    if isinstance(value, float):
        return _finite(value)
    return float(cbor.integer(value))


def _decimal(parts: list[Any]) -> float:
    if len(parts) != 2:
        raise cbor.malformed("a decimal fraction of another form")
    exponent, mantissa = (cbor.integer(part) for part in parts)
    if not (-128 <= exponent < 128 and -(2**63) <= mantissa < 2**63):
        raise cbor.malformed("a decimal fraction out of bounds")
    # Through text, so that 2347 and -2 give 23.47 and not its neighbour.
    return float(f"{mantissa}e{exponent}")


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise cbor.malformed("a number that is not finite")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise cbor.malformed("not a truth value")
    return value


def _version(value: object) -> int:
    if cbor.integer(value) not in _VERSIONS:
        raise cbor.malformed("a version of SenML that is later, or none")
    return cbor.integer(value)


_READ: dict[int, Callable[[object], Value]] = {
    _VERSION: _version,
    **dict.fromkeys((_BASE_NAME, _BASE_UNIT, _N, _U, _VS), cbor.text),
    **dict.fromkeys((_BASE_TIME, _BASE_VALUE, _BASE_SUM, _V, _S, _T, _UT), _number),
    _VB: _truth,
    _VD: cbor.octets,
}


def _clock(label: str, value: object) -> Clock:
    seconds = _number(value)
    if seconds < 0:
        raise cbor.malformed("a clock of the future")
    return Clock(_CLOCKS[label], seconds)


def _fields(record: object) -> dict[int | str, Any]:
    """The fields of a record that are known, each of its type."""
    found: dict[int | str, Any] = {}
    for label, value in cbor.mapping(record).items():
        if isinstance(label, str):
            # An underscore at the end asks receivers that do not know the label to reject it.
            if label.endswith("_"):
                raise cbor.malformed("a field that has to be known")
            if label in _CLOCKS:
                if "clock" in found:
                    raise cbor.malformed("two clocks")
                found["clock"] = _clock(label, value)
        elif label in _READ:
            found[label] = _READ[label](value)
        else:
            raise cbor.malformed("a field that is not known")
    return found


def _is_base(label: int | str) -> bool:
    return label == "clock" if isinstance(label, str) else label < 0


def _resolved(fields: dict[int | str, Any], base: dict[int | str, Any]) -> Record:
    """The record with the base values, which hold for those that follow, too."""
    base.update({label: value for label, value in fields.items() if _is_base(label)})
    name = base.get(_BASE_NAME, "") + fields.get(_N, "")
    if not _NAME.fullmatch(name):
        raise cbor.malformed("a name with other characters, too long, or none")
    time = _finite(base.get(_BASE_TIME, 0.0) + fields.get(_T, 0.0))
    if time != 0 and time < _ABSOLUTE:
        raise cbor.malformed("a time that is relative to now")
    total = fields.get(_S)
    if total is not None:
        total = _finite(total + base.get(_BASE_SUM, 0.0))
    values = [label for label in (_V, _VS, _VB, _VD) if label in fields]
    if len(values) > 1 or (not values and total is None):
        raise cbor.malformed("a record with two values, or none")
    value: Value = fields[values[0]] if values else None
    if values == [_V]:
        value = _finite(fields[_V] + base.get(_BASE_VALUE, 0.0))
    unit = fields.get(_U, base.get(_BASE_UNIT))
    return Record(name, unit, value, total, time or None, base.get("clock"))
