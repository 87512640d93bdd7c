# SPDX-License-Identifier: Apache-2.0
"""Exchanges and tokens of WPA3-SAE: the published ones, and more of the model that gives these."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from . import sae
from . import sae_published as published

_MODEL = "model, checked by J.10"
#: As the standard writes them, for lists of rejected groups.
_GROUPS = b"".join(number.to_bytes(2, "little") for number in (21, 20, 19))


@dataclass(frozen=True)
class Token:
    """The token of a password by hash to element."""

    group: sae.Group
    ssid: bytes
    password: bytes
    identifier: bytes = b""
    source: str = _MODEL

    @cached_property
    def element(self) -> sae.Point:
        seed = sae.password_seed(self.group, self.ssid, self.password, self.identifier)
        return self.group.token(seed)

    @property
    def data(self) -> bytes:
        return self.group.encode(self.element)


@dataclass(frozen=True)
class Exchange:
    """An exchange of which each side's random numbers are known."""

    token: Token
    variant: sae.Variant
    macs: tuple[bytes, bytes]
    salt: bytes = b""
    counts: tuple[int, int] = (1, 1)

    def draw(self, name: str) -> int:
        """A number that looks random and is the same each time."""
        group = self.token.group
        data = hashlib.shake_128(f"{self} {name}".encode()).digest(group.size + 16)
        return int.from_bytes(data, "big") % (group.order - 2) + 2

    @cached_property
    def element(self) -> sae.Point:
        token = self.token
        if self.variant == "looping":
            return sae.hunt(token.group, self.macs, token.password)[0]
        factor = sae.token_factor(token.group, self.macs)
        return token.group.multiply(factor, token.element)


_SMALL, _LARGE = bytes.fromhex("020000000001"), bytes.fromhex("fe01020304ff")
_MACS = (_SMALL, _LARGE)
_SWAPPED = (_LARGE, _SMALL)

_TOKENS = (
    Token(sae.P256, published.SSID, published.PASSWORD, published.IDENTIFIER, published.SOURCE),
    Token(sae.P256, b"", b"p"),
    Token(sae.P256, b"a network's name of 32 bytes ok.", b"0" * 63, b"\x00\xff"),
    Token(sae.P256, b"s" * 70, b"w" * 130, b"i" * 40),
    Token(sae.P384, published.SSID, published.PASSWORD, published.IDENTIFIER),
    Token(sae.P384, b"another", b"word"),
    Token(sae.P521, published.SSID, published.PASSWORD, published.IDENTIFIER),
    Token(sae.P521, b"another", b"word"),
    Token(sae.MODP_3072, published.SSID, published.PASSWORD, published.IDENTIFIER),
    Token(sae.MODP_4096, b"another", b"word"),
)

_EXCHANGES = (
    Exchange(_TOKENS[1], "looping", _MACS, counts=(1, 7)),
    # The twelfth number is the first of use.
    Exchange(Token(sae.P256, b"", b"slow 0"), "looping", _SWAPPED, counts=(0, 0xFFFF)),
    Exchange(_TOKENS[4], "looping", _MACS),
    Exchange(_TOKENS[6], "looping", _SWAPPED, counts=(2, 0x1234)),
    Exchange(_TOKENS[0], "element", published.ELEMENT_MACS, counts=(1, 2)),
    Exchange(_TOKENS[1], "element", _SWAPPED, _GROUPS[:2], (0x100, 3)),
    Exchange(_TOKENS[2], "dependent", _MACS, _GROUPS[:4]),
    Exchange(_TOKENS[3], "element", _MACS, bytes(range(1, 65))),
    Exchange(_TOKENS[4], "element", _MACS, _GROUPS[:2]),
    Exchange(_TOKENS[5], "dependent", _SWAPPED, counts=(9, 8)),
    Exchange(_TOKENS[6], "element", _MACS),
    Exchange(_TOKENS[7], "dependent", _SWAPPED, _GROUPS, (0xFF00, 1)),
    Exchange(_TOKENS[8], "looping", _SWAPPED),
    Exchange(_TOKENS[8], "element", published.ELEMENT_MACS, counts=(1, 2)),
    Exchange(_TOKENS[8], "dependent", _MACS, _GROUPS),
    Exchange(_TOKENS[9], "element", _MACS, _GROUPS[:4], (5, 6)),
)


def _bytes(data: bytes) -> str:
    if not data:
        return "{0, NULL}"
    text = ", ".join(f"0x{byte:02x}" for byte in data)
    return f"{{{len(data)}, (const uint8_t[]){{{text}}}}}"


def _alg(group: sae.Group, variant: sae.Variant) -> str:
    name = "sha256" if variant == "looping" else group.hash
    kind = "GDH" if variant == "dependent" else "FIXED"
    return f"PSA_ALG_WPA3_SAE_{kind}(PSA_ALG_SHA_{name[3:]})"


def _condition(group: sae.Group) -> str:
    """When a build has the group."""
    if isinstance(group, sae.Curve):
        return f"CORRAL_WANT_ECC_SECP_R1_{group.bits}"
    return f"CORRAL_WANT_DH_RFC3526_{group.bits} && CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH"


def _guarded(group: sae.Group, row: str) -> str:
    return f"#if {_condition(group)}\n{row},\n#endif\n"


def _head(token: Token, source: str) -> str:
    group = token.group
    inputs = ", ".join(_bytes(data) for data in (token.ssid, token.password, token.identifier))
    return f'"{source}", {group.primitive}, {group.token_type}, {group.bits}, {inputs}'


@dataclass(frozen=True)
class _Side:
    mac: bytes
    rand: int
    mask: int
    count: int
    commit: bytes
    confirm: bytes

    def text(self, size: int) -> str:
        draws = [value.to_bytes(size, "big") if value else b"" for value in (self.rand, self.mask)]
        count = self.count.to_bytes(2, "little")
        values = (self.mac, *draws, count, self.commit, self.confirm)
        return f"{{{', '.join(_bytes(value) for value in values)}}}"


def _exchange(
    token: Token, variant: sae.Variant, salt: bytes, sides: list[_Side], found: sae.Secrets,
    source: str,
) -> str:  # fmt: skip
    group = token.group
    data = b"" if variant == "looping" else token.data
    ends = ", ".join(_bytes(value) for value in (salt, found.pmkid, found.pmk))
    both = ", ".join(side.text(group.size) for side in sides)
    head = f"{{{_head(token, source)}, {_bytes(data)}}}"
    row = f"{{{head}, {_alg(group, variant)}, {ends}, {{{both}}}}}"
    return _guarded(group, row)


def _of_model(row: Exchange) -> str:
    group, element = row.token.group, row.element
    draws = [(row.draw(f"rand {i}"), row.draw(f"mask {i}")) for i in range(2)]
    commits = [sae.commit(group, element, rand, mask) for rand, mask in draws]
    both = [
        sae.secrets(group, row.variant, element, draws[i][0], commits[i], commits[1 - i], row.salt)
        for i in range(2)
    ]
    assert both[0] == both[1]
    sides = [
        _Side(
            row.macs[i],
            *draws[i],
            row.counts[i],
            commits[i].encode(group),
            sae.confirm(group, row.variant, both[i].kck, row.counts[i], commits[i], commits[1 - i]),
        )
        for i in range(2)
    ]
    return _exchange(row.token, row.variant, row.salt, sides, both[0], row.token.source)


def _of_standard() -> str:
    """The published exchange by looping: the random numbers of the other side are not known."""
    group = sae.P256
    data = (published.COMMIT, published.PEERS_COMMIT)
    commits = [sae.parse_commit(group, value) for value in data]
    sides = [
        _Side(
            published.MACS[i],
            published.RAND if i == 0 else 0,
            published.MASK if i == 0 else 0,
            i + 1,
            data[i],
            sae.confirm(group, "looping", published.KCK, i + 1, commits[i], commits[1 - i]),
        )
        for i in range(2)
    ]
    token = Token(group, published.SSID, published.PASSWORD)
    found = sae.Secrets(published.KCK, published.PMK, published.PMKID)
    return _exchange(token, "looping", b"", sides, found, published.SOURCE)


def _small_x(group: sae.Curve) -> int:
    """The first coordinate whose sum with the prime still fits."""
    for x in range(1000):
        found = group.candidate(b"\x00", x)
        if found is not None:
            return x
    raise ArithmeticError("half of all numbers are of use")


def _forged_elements(group: sae.Group, good: bytes) -> Iterator[tuple[str, bytes]]:
    size, prime = group.size, group.prime
    yield "zeros", bytes(len(good))
    yield "all ones", b"\xff" * len(good)
    if isinstance(group, sae.Curve):
        yield "not on the curve", good[:-1] + bytes([good[-1] ^ 1])
        x = _small_x(group)
        point = group.candidate(b"\x00", x)
        assert point is not None
        rest = point[1].to_bytes(size, "big")
        yield "x is not reduced", (x + prime).to_bytes(size, "big") + rest
        if group.bits % 8:
            y = int.from_bytes(good[size:], "big") + prime
            yield "y is not reduced", good[:size] + y.to_bytes(size, "big")
    else:
        for name, value in (
            ("one", 1),
            ("of order 2", prime - 1),
            ("the prime", prime),
            ("not reduced", prime + 4),
            ("no square", prime - 4),
        ):
            yield name, value.to_bytes(size, "big")


def _forgeries(row: Exchange) -> Iterator[str]:
    """Commits that every side must reject."""
    group = row.token.group
    good = sae.commit(group, row.element, row.draw("rand"), row.draw("mask")).encode(group)
    scalar, element = good[: group.size], good[group.size :]
    numbers = {"zero": 0, "one": 1, "the order": group.order, "more": group.order + 1}
    found = [(f"scalar: {name}", value.to_bytes(group.size, "big") + element)
             for name, value in numbers.items()]  # fmt: skip
    found += [
        (f"element: {name}", scalar + data) for name, data in _forged_elements(group, element)
    ]
    # The shared element is none whatever the receiver draws.
    number = int.from_bytes(scalar, "big")
    found.append(
        (
            "no shared element",
            scalar + group.encode(group.inverse(group.multiply(number, row.element))),
        )
    )
    macs = ", ".join(_bytes(mac) for mac in row.macs)
    for name, commit in found:
        head = f"{{{_head(row.token, name)}, {_bytes(row.token.data)}}}"
        text = f"{{{head}, {_alg(group, row.variant)}, {{{macs}}}, {_bytes(commit)}}}"
        yield _guarded(group, text)


_CURVES = (sae.P256, sae.P384, sae.P521)
_GROUPS_OF_ALL = (*_CURVES, sae.MODP_3072, sae.MODP_4096)


def _group(group: sae.Group) -> str:
    bits = group.order.bit_length()
    spare = 0xFF & ~(0xFF >> 8 * group.size - bits)
    order = _bytes(group.order.to_bytes(group.size, "big"))
    return _guarded(group, f"{{{group.primitive}, {order}, {spare:#04x}}}")


def _maps(curve: sae.Curve) -> Iterator[str]:
    """z^2 u^4 + z u^2 is 0 for u = 0, and for the two roots of -1 / z."""
    prime = curve.prime
    root = pow(-pow(curve.z, -1, prime), (prime + 1) // 4, prime)
    assert (curve.z * root * root + 1) % prime == 0
    for value in (0, prime, 5 * prime, root, prime - root, root + 2 * prime):
        data = value.to_bytes(curve.size + curve.size // 2, "big")
        element = curve.encode(curve.map_to_curve(value % prime))
        yield _guarded(curve, f"{{{curve.bits}, {_bytes(data)}, {_bytes(element)}}}")


def _table(kind: str, name: str, rows: list[str]) -> str:
    return (
        f"const struct {kind} {name}[] = {{\n{''.join(rows)}}};\n"
        f"const size_t {kind}_count = sizeof {name} / sizeof {name}[0];\n"
    )


def source() -> str:
    """C definitions for tests/api/pake/sae_rows.h, in a file of build/tests."""
    tokens = [
        _guarded(row.group, f"{{{_head(row, row.source)}, {_bytes(row.data)}}}") for row in _TOKENS
    ]
    exchanges = [_of_standard(), *(_of_model(row) for row in _EXCHANGES)]
    by_element = {row.token.group: row for row in _EXCHANGES if row.variant != "looping"}
    forgeries = [text for row in by_element.values() for text in _forgeries(row)]
    return "\n".join(
        (
            '#include "../../tests/api/pake/sae_rows.h"\n',
            _table("sae_token", "sae_tokens", tokens),
            _table("sae_exchange", "sae_exchanges", exchanges),
            _table("sae_forgery", "sae_forgeries", forgeries),
            _table("sae_group", "sae_groups", [_group(group) for group in _GROUPS_OF_ALL]),
            _table("sae_map", "sae_maps", [row for curve in _CURVES for row in _maps(curve)]),
        )
    )
