# SPDX-License-Identifier: Apache-2.0
"""Packs of SenML drawn at random: most are nearly right, and readers have to agree on all."""

from __future__ import annotations

import json
import struct
from random import Random

_EDGES = (0, 1, 2, 10, 11, 23, 24, 127, 128, 255, 256, 2**16, 2**28 - 1, 2**28, 2**31, 2**32 - 1)
_LARGE = (2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1)
_TEXTS = ("", "t", "Cel", "a/b", "t!", "_", "x_", "\u00e4", "\U0001f512", "\0", "n" * 64, "n" * 65)
_OTHERS = ("x", "x_", "", "\u00e4", "clock", "btrun", "btset", "btsync", "-2")
_FLOATS = (0.0, -0.0, 0.1, 1.5, -4.0, 65504.0, 65505.0, 1e10, 1e308, -1e308, 5e-324, 2.0**28)
_NUMBERS = ("bt", "bv", "bs", "v", "s", "t", "ut", "btrun", "btset", "btsync")
_LABELS = ("bver", "bn", "bt", "bu", "bv", "bs", "n", "u", "v", "vs", "vb", "s", "t", "ut", "vd")
#: Labels in CBOR, as RFC 8428 numbers them (section 6).
_BY_NUMBER = dict(zip(_LABELS, (*range(-1, -7, -1), *range(9)), strict=True))


def is_one_in(chance: Random, count: int) -> bool:
    """True once in so many times."""
    return chance.randrange(count) == 0


def _kind(chance: Random, label: str) -> str:
    """The usual type of a label's value."""
    if is_one_in(chance, 20):
        return "any"
    if label in _NUMBERS:
        return "number"
    if label in ("bn", "n"):
        return "name"
    if label in ("bu", "u", "vs"):
        return "text"
    return {"bver": "version", "vb": "truth", "vd": "data"}.get(label, "any")


def _labels(chance: Random) -> list[str]:
    """The labels of a record: mostly a name and a value, and a few more."""
    labels = [] if is_one_in(chance, 30) else ["n"]
    if not is_one_in(chance, 30):
        labels.append(chance.choice(("v", "v", "v", "vs", "vb", "vd", "s")))
    labels += chance.choices((*_LABELS, *_OTHERS, *_OTHERS), k=chance.randrange(3))
    return labels


def _count(chance: Random) -> int:
    return chance.choice((0, 64, 65)) if is_one_in(chance, 100) else chance.choice((1, 1, 1, 2, 3))


def _head(chance: Random, major: int, argument: int) -> bytes:
    """The head of an item; seldom one that is longer than it has to be."""
    if argument < 24 and not is_one_in(chance, 400):
        return bytes([major << 5 | argument])
    size = next(size for size in range(4) if argument < 1 << (8 << size))
    size = min(3, size + is_one_in(chance, 400))
    return bytes([major << 5 | 24 + size]) + argument.to_bytes(1 << size, "big")


def _integer(chance: Random) -> bytes:
    edges = _LARGE if is_one_in(chance, 3) else _EDGES
    return _head(chance, int(is_one_in(chance, 3)), chance.choice(edges))


def _text(chance: Random, text: str | None = None) -> bytes:
    data = (chance.choice(_TEXTS) if text is None else text).encode()
    if is_one_in(chance, 100):
        data += chance.choice((b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"))
    return _head(chance, 3, len(data)) + data


def _data(chance: Random) -> bytes:
    data = chance.randbytes(chance.choice((0, 1, 2, 8, 9, 16, 17)))
    return _head(chance, 2, len(data)) + data


def _float(chance: Random) -> bytes:
    """Any bits; or a value, mostly as short as it can be."""
    if is_one_in(chance, 3):
        size = chance.randrange(3)
        return bytes([0xF9 + size]) + chance.randbytes(2 << size)
    value = chance.choice(_FLOATS)
    if is_one_in(chance, 20):
        return chance.choice((b"\xf9\x7c\x00", b"\xf9\xfc\x00", b"\xf9\x7e\x00", b"\xf9\x7e\x01"))
    forms = [form for form in (">e", ">f", ">d") if _keeps(form, value)]
    form = chance.choice(forms) if is_one_in(chance, 30) else forms[0]
    return bytes([0xF9 + (">e", ">f", ">d").index(form)]) + struct.pack(form, value)


def _keeps(form: str, value: float) -> bool:
    try:
        return bool(struct.unpack(form, struct.pack(form, value))[0] == value)
    except OverflowError:
        return False


def _simple(chance: Random) -> bytes:
    odd = (b"\xf7", b"\xe0", b"\xf3", b"\xf8\x16", b"\xf8\x20", b"\xf8\xff", b"\xff", b"\xfc")
    return chance.choice(odd if is_one_in(chance, 8) else (b"\xf4", b"\xf5", b"\xf6"))


def _decimal(chance: Random) -> bytes:
    exponent = _integer(chance)
    if not is_one_in(chance, 4):
        exponent = _head(chance, chance.randrange(2), chance.choice((0, 1, 2, 126, 127, 128)))
    parts = [exponent, _integer(chance)]
    if is_one_in(chance, 12):
        parts.append(_integer(chance))
    return b"\xc4" + _head(chance, 4, len(parts)) + b"".join(parts)


def _map(chance: Random, pairs: list[tuple[bytes, bytes]]) -> bytes:
    """Mostly sorted, and each key once."""
    if not is_one_in(chance, 30):
        pairs = sorted(dict(pairs).items())
    return _head(chance, 5, len(pairs)) + b"".join(key + value for key, value in pairs)


def _nested(chance: Random, depth: int) -> bytes:
    kind = chance.randrange(4)
    if kind == 0:
        return _decimal(chance)
    if kind == 1:
        tag = chance.choice((0, 1, 2, 3, 4, 5, 18, 24, 55799, 2**64 - 1))
        return _head(chance, 6, tag) + _any(chance, depth)
    count = chance.choice((0, 1, 1, 2, 3))
    if kind == 2:
        return _head(chance, 4, count) + b"".join(_any(chance, depth) for _ in range(count))
    return _map(chance, [(_key(chance, depth), _any(chance, depth)) for _ in range(count)])


def _key(chance: Random, depth: int) -> bytes:
    if is_one_in(chance, 8):
        return _any(chance, depth)
    return chance.choice((_integer, _text))(chance)


def _any(chance: Random, depth: int) -> bytes:
    if depth > 0 and not is_one_in(chance, 3):
        return _nested(chance, depth - 1)
    return chance.choice((_integer, _text, _data, _float, _simple, _decimal))(chance)


def _below(chance: Random, kind: str) -> bytes:
    if kind == "any":
        return _any(chance, chance.choice((0, 1, 2, 4, 9)))
    if kind == "number":
        return chance.choice((_integer, _integer, _float, _decimal))(chance)
    if kind == "version":
        return b"\x0a" if is_one_in(chance, 2) else _integer(chance)
    if kind == "name":
        return _text(chance, None if is_one_in(chance, 20) else "t")
    if kind == "truth":
        return _simple(chance) if is_one_in(chance, 4) else b"\xf5"
    return {"text": _text, "data": _data}[kind](chance)


def _label(chance: Random, label: str) -> bytes:
    if is_one_in(chance, 60):
        return _key(chance, 1)
    if label not in _BY_NUMBER:
        return _text(chance, label)
    number = _BY_NUMBER[label]
    return _head(chance, int(number < 0), number if number >= 0 else -1 - number)


def cbor(chance: Random) -> bytes:
    """A pack in CBOR."""
    count = _count(chance)
    pack = _head(chance, 4, count)
    for _ in range(count):
        labels = _labels(chance)
        pairs = [(_label(chance, one), _below(chance, _kind(chance, one))) for one in labels]
        pack += _map(chance, pairs)
    return _spoilt(chance, pack)


def _spoilt(chance: Random, pack: bytes) -> bytes:
    """Seldom with another byte, without the end, or with something behind it."""
    if not is_one_in(chance, 20):
        return pack
    at = chance.randrange(len(pack))
    after = chance.choice((pack[at + 1 :], pack[at:], b""))
    return pack[:at] + chance.randbytes(chance.randrange(2)) + after


_JSON_NUMBERS = (
    *("-0", "-0.0", "0e0", "0", "1", "10", "11", "-1", "1.0", "1E+2", "1e-400", "5e-324", "0.1"),
    *("1e308", "-1e308", "1e309", "2e308", "268435455", "268435456", "9007199254740993"),
    *("9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *("18446744073709551615", "18446744073709551616", "1" * 309, "1" * 310, "0.30000000000000004"),
)
_JSON_ODD = ("00", "1.", ".5", "-", "+1", "1e", "0x1", "NaN", "Infinity", "-Infinity", "True", "")
_JSON_TEXTS = (
    *('"\\ud800"', '"\\ud83d\\ude00"', '"\\udc00\\ud83d"', '"\\u0074"', '"\\/"', '"\\x"', '"\t"'),
    *('"\\n"', '"\\u0000"', '"', '"\\u00e4"', "'t'", '"\\uD800x"', '"\x7f"', '"\\u12"'),
)
_JSON_DATA = (
    '""',
    '"AA"',
    '"AB"',
    '"AAA"',
    '"A"',
    '"AA=="',
    '"-_8"',
    '"+/8"',
    '"AA\\n"',
    '"\u00e4"',
)
_JSON_VERSIONS = ("10", "10", "10", "1", "0", "-0", "-1", "11", "1.0", "-9223372036854775809")
_SPACES = ("", "", "", "", " ", "\n", "\t", "\r", "\u00a0", "\x0c")


def _json_text(chance: Random) -> str:
    if is_one_in(chance, 30):
        return chance.choice(_JSON_TEXTS)
    return json.dumps(chance.choice(_TEXTS), ensure_ascii=chance.random() < 0.5)


def _json_number(chance: Random) -> str:
    if is_one_in(chance, 100):
        return chance.choice(_JSON_ODD)
    if is_one_in(chance, 6):
        return repr(struct.unpack(">d", chance.randbytes(8))[0])
    return chance.choice(_JSON_NUMBERS)


def _json_truth(chance: Random) -> str:
    return chance.choice(("true", "false", "null") if is_one_in(chance, 8) else ("true", "false"))


def _json_nested(chance: Random, depth: int) -> str:
    count = chance.choice((0, 1, 1, 2, 3))
    items = [_json_any(chance, depth) for _ in range(count)]
    if is_one_in(chance, 2):
        return "[" + ",".join(items) + "]"
    return _object(chance, [(_json_text(chance), item) for item in items])


def _json_any(chance: Random, depth: int) -> str:
    if depth > 0 and not is_one_in(chance, 3):
        return _json_nested(chance, depth - 1)
    return chance.choice((_json_text, _json_number, _json_truth))(chance)


def _object(chance: Random, pairs: list[tuple[str, str]]) -> str:
    """Mostly with each name once."""
    if not is_one_in(chance, 20):
        pairs = list(dict(pairs).items())
    colon = chance.choice(_SPACES) + ":" if is_one_in(chance, 20) else ":"
    comma = ",," if is_one_in(chance, 200) else ","
    return "{" + comma.join(name + colon + value for name, value in pairs) + "}"


def _json_below(chance: Random, kind: str) -> str:
    if kind == "any":
        return _json_any(chance, chance.choice((0, 1, 2, 4, 9)))
    if kind == "data":
        return chance.choice(_JSON_DATA)
    if kind == "version":
        return chance.choice(_JSON_VERSIONS)
    if kind == "name" and not is_one_in(chance, 20):
        return '"t"'
    known = {"text": _json_text, "name": _json_text, "truth": _json_truth}
    return known.get(kind, _json_number)(chance)


def in_json(chance: Random) -> bytes:
    """A pack in JSON."""
    records = []
    for _ in range(_count(chance)):
        labels = _labels(chance)
        named = [_json_text(chance) if is_one_in(chance, 60) else f'"{one}"' for one in labels]
        below = [_json_below(chance, _kind(chance, one)) for one in labels]
        records.append(_object(chance, list(zip(named, below, strict=True))))
    space = chance.choice(_SPACES) if is_one_in(chance, 20) else ""
    return _spoilt(chance, (space + "[" + ("," + space).join(records) + "]").encode())
