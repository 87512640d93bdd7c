# SPDX-License-Identifier: Apache-2.0
"""WPA3-SAE over Python's integers, after IEEE 802.11-2020, 12.4; test_sae.py checks it by J.10."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from functools import cache
from typing import Literal

#: Affine coordinates, or None for the point at infinity.
Point = tuple[int, int] | None
Variant = Literal["looping", "element", "dependent"]


def _hash(name: str, key: bytes, data: bytes) -> bytes:
    """H of the standard. A key of no bytes is as good as one of zeros."""
    return hmac.new(key, data, name).digest()


def _expand(name: str, key: bytes, info: bytes, size: int) -> bytes:
    """HKDF-Expand."""
    block, output = b"", b""
    for number in range(1, 256):
        if len(output) >= size:
            break
        block = _hash(name, key, block + info + bytes([number]))
        output += block
    return output[:size]


def kdf(name: str, key: bytes, label: bytes, context: bytes, bits: int) -> int:
    """The first bits of KDF-Hash-Length, as a number."""
    size = (bits + 7) // 8
    output = b""
    while len(output) < size:
        number = len(output) // hashlib.new(name).digest_size + 1
        output += _hash(
            name, key, number.to_bytes(2, "little") + label + context + bits.to_bytes(2, "little")
        )
    return int.from_bytes(output[:size], "big") >> (8 * size - bits)


def _pi(bits: int) -> int:
    """The number pi, multiplied by a power of two and cut: by Machin's formula."""
    guard = 64
    one = 1 << (bits + guard)

    def arctan(divisor: int) -> int:
        term, total, number, sign = one // divisor, 0, 1, 1
        while term:
            total += sign * (term // number)
            term //= divisor * divisor
            number, sign = number + 2, -sign
        return total

    return 4 * (4 * arctan(5) - arctan(239)) >> guard


@dataclass(frozen=True)
class Curve:
    """A curve of SECP_R1: y^2 = x^3 - 3x + b."""

    bits: int
    prime: int
    order: int
    b: int
    #: Of the simplified method of Shallue, van de Woestijne and Ulas.
    z: int

    @property
    def size(self) -> int:
        return (self.bits + 7) // 8

    @property
    def hash(self) -> str:
        """By the size of the prime (table 12-1)."""
        return "sha256" if self.bits <= 256 else "sha384" if self.bits <= 384 else "sha512"

    @property
    def primitive(self) -> str:
        return _PRIMITIVE.format("ECC", "ECC_FAMILY_SECP_R1", self.bits)

    @property
    def token_type(self) -> str:
        return "PSA_KEY_TYPE_WPA3_SAE_ECC(PSA_ECC_FAMILY_SECP_R1)"

    def _right_side(self, x: int) -> int:
        return (x**3 - 3 * x + self.b) % self.prime

    def _root(self, square: int) -> int | None:
        """A square root: all these primes are 3 modulo 4."""
        root = pow(square, (self.prime + 1) // 4, self.prime)
        return root if root * root % self.prime == square else None

    def add(self, one: Point, other: Point) -> Point:
        if one is None or other is None:
            return one or other
        (x1, y1), (x2, y2) = one, other
        if x1 == x2 and (y1 + y2) % self.prime == 0:
            return None
        if one == other:
            slope = 3 * (x1 * x1 - 1) * pow(2 * y1, -1, self.prime)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, self.prime)
        x = (slope * slope - x1 - x2) % self.prime
        return x, (slope * (x1 - x) - y1) % self.prime

    def multiply(self, scalar: int, point: Point) -> Point:
        result: Point = None
        for bit in f"{scalar:b}":
            result = self.add(result, result)
            if bit == "1":
                result = self.add(result, point)
        return result

    def inverse(self, point: Point) -> Point:
        return None if point is None else (point[0], -point[1] % self.prime)

    def number(self, point: Point) -> int:
        """A shared element as a number: its first coordinate."""
        assert point is not None
        return point[0]

    def encode(self, point: Point) -> bytes:
        assert point is not None
        return b"".join(value.to_bytes(self.size, "big") for value in point)

    def decode(self, data: bytes) -> Point:
        x, y = (int.from_bytes(data[i * self.size :][: self.size], "big") for i in range(2))
        assert self._right_side(x) == y * y % self.prime
        return x, y

    def candidate(self, seed: bytes, value: int) -> Point:
        """The point of a number by hunting and pecking; None if the number has none."""
        root = self._root(self._right_side(value)) if value < self.prime else None
        if root is None:
            return None
        return value, root if root % 2 == seed[-1] % 2 else self.prime - root

    def map_to_curve(self, u: int) -> Point:
        """SSWU (12.4.4.2.3)."""
        prime, a = self.prime, self.prime - 3
        m = (self.z**2 * u**4 + self.z * u**2) % prime
        if m:
            x1 = -self.b * pow(a, -1, prime) * (1 + pow(m, -1, prime)) % prime
        else:
            x1 = self.b * pow(self.z * a, -1, prime) % prime
        for x in (x1, self.z * u * u * x1 % prime):
            root = self._root(self._right_side(x))
            if root is not None:
                return x, root if root % 2 == u % 2 else prime - root
        raise ArithmeticError("one of the two is a square")

    def coefficients(self, seed: bytes) -> tuple[int, int]:
        """u1 and u2."""
        size = self.size + self.size // 2
        labels = (b"SAE Hash to Element u1 P1", b"SAE Hash to Element u2 P2")
        u1, u2 = (
            int.from_bytes(_expand(self.hash, seed, label, size), "big") % self.prime
            for label in labels
        )
        return u1, u2

    def token(self, seed: bytes) -> Point:
        u1, u2 = self.coefficients(seed)
        return self.add(self.map_to_curve(u1), self.map_to_curve(u2))


@dataclass(frozen=True)
class Field:
    """A group of RFC 3526: the squares modulo a safe prime.

    An element is a pair whose second is 0, so that both kinds of groups have the same functions.
    """

    bits: int
    #: The number that the RFC adds to the digits of pi.
    offset: int

    @property
    def prime(self) -> int:
        return _prime(self.bits, self.offset)

    @property
    def order(self) -> int:
        return self.prime // 2

    @property
    def size(self) -> int:
        return self.bits // 8

    @property
    def hash(self) -> str:
        return "sha256" if self.bits <= 2048 else "sha384" if self.bits <= 3072 else "sha512"

    @property
    def primitive(self) -> str:
        return _PRIMITIVE.format("DH", "DH_FAMILY_RFC3526", self.bits)

    @property
    def token_type(self) -> str:
        return "PSA_KEY_TYPE_WPA3_SAE_DH(PSA_DH_FAMILY_RFC3526)"

    def add(self, one: Point, other: Point) -> Point:
        """The operation of the group."""
        assert one is not None and other is not None
        return one[0] * other[0] % self.prime, 0

    def multiply(self, scalar: int, point: Point) -> Point:
        assert point is not None
        return pow(point[0], scalar, self.prime), 0

    def inverse(self, point: Point) -> Point:
        assert point is not None
        return pow(point[0], -1, self.prime), 0

    def number(self, point: Point) -> int:
        assert point is not None
        return point[0]

    def encode(self, point: Point) -> bytes:
        return self.number(point).to_bytes(self.size, "big")

    def decode(self, data: bytes) -> Point:
        value = int.from_bytes(data, "big")
        assert pow(value, self.order, self.prime) == 1
        return value, 0

    def candidate(self, _seed: bytes, value: int) -> Point:
        element = pow(value, 2, self.prime)
        return (element, 0) if value < self.prime and element > 1 else None

    def token(self, seed: bytes) -> Point:
        size = self.size + self.size // 2
        value = int.from_bytes(_expand(self.hash, seed, b"SAE Hash to Element", size), "big")
        return pow(value % (self.prime - 2) + 2, 2, self.prime), 0


Group = Curve | Field

_PRIMITIVE = "PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_{}, (uint32_t)PSA_{}, {}u)"


@cache
def _prime(bits: int, offset: int) -> int:
    """RFC 3526: 2^n - 2^(n - 64) - 1 + 2^64 * ([2^(n - 130) pi] + offset)."""
    return (1 << bits) - (1 << bits - 64) - 1 + ((_pi(bits - 130) + offset) << 64)


P256 = Curve(
    256,
    2**256 - 2**224 + 2**192 + 2**96 - 1,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    -10,
)
P384 = Curve(
    384,
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    int(
        "ffffffffffffffffffffffffffffffffffffffffffffffff"
        "c7634d81f4372ddf581a0db248b0a77aecec196accc52973",
        16,
    ),
    int(
        "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe814112"
        "0314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
        16,
    ),
    -12,
)
P521 = Curve(
    521,
    2**521 - 1,
    int(
        "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
        "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
        16,
    ),
    int(
        "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1"
        "56193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
        16,
    ),
    -4,
)
MODP_3072 = Field(3072, 1690314)
MODP_4096 = Field(4096, 240904)


def password_seed(group: Group, ssid: bytes, password: bytes, identifier: bytes = b"") -> bytes:
    """The seed of a token: HKDF-Extract."""
    return _hash(group.hash, ssid, password + identifier)


def _ordered(macs: tuple[bytes, bytes]) -> bytes:
    return max(macs) + min(macs)


def token_factor(group: Group, macs: tuple[bytes, bytes]) -> int:
    """The factor of the token for two addresses."""
    size = hashlib.new(group.hash).digest_size
    value = int.from_bytes(_hash(group.hash, bytes(size), _ordered(macs)), "big")
    return value % (group.order - 1) + 1


def hunt(group: Group, macs: tuple[bytes, bytes], password: bytes) -> tuple[Point, int]:
    """The element of hunting and pecking, and how many numbers that took."""
    for counter in range(1, 256):
        seed = _hash("sha256", _ordered(macs), password + bytes([counter]))
        prime = group.prime.to_bytes(group.size, "big")
        value = kdf("sha256", seed, b"SAE Hunting and Pecking", prime, group.prime.bit_length())
        found = group.candidate(seed, value)
        if found is not None:
            return found, counter
    raise ArithmeticError("half of all numbers are of use")


@dataclass(frozen=True)
class Commit:
    scalar: int
    element: Point

    def encode(self, group: Group) -> bytes:
        return self.scalar.to_bytes(group.size, "big") + group.encode(self.element)


def parse_commit(group: Group, data: bytes) -> Commit:
    return Commit(int.from_bytes(data[: group.size], "big"), group.decode(data[group.size :]))


def commit(group: Group, element: Point, rand: int, mask: int) -> Commit:
    """The commit of a side (12.4.5.3)."""
    assert 1 < rand < group.order and 1 < mask < group.order
    scalar = (rand + mask) % group.order
    assert scalar >= 2
    return Commit(scalar, group.inverse(group.multiply(mask, element)))


@dataclass(frozen=True)
class Secrets:
    kck: bytes
    pmk: bytes
    pmkid: bytes


def secrets(
    group: Group, variant: Variant, element: Point, rand: int, mine: Commit, peers: Commit,
    salt: bytes,
) -> Secrets:  # fmt: skip
    """The secrets of both sides (12.4.5.4); `salt` is empty if no group was rejected."""
    name = "sha256" if variant == "looping" else group.hash
    size = hashlib.new(name).digest_size
    shared = group.add(group.multiply(peers.scalar, element), peers.element)
    number = group.number(group.multiply(rand, shared))
    seed = _hash(name, salt or bytes(size), number.to_bytes(group.size, "big"))
    context = ((mine.scalar + peers.scalar) % group.order).to_bytes(group.size, "big")
    pmk_size = size if variant == "dependent" else 32
    keys = kdf(name, seed, b"SAE KCK and PMK", context, 8 * (size + pmk_size))
    data = keys.to_bytes(size + pmk_size, "big")
    return Secrets(data[:size], data[size:], context[:16])


def confirm(
    group: Group, variant: Variant, kck: bytes, count: int, mine: Commit, peers: Commit
) -> bytes:
    """The confirmation of a side, after the count (12.4.5.5)."""
    name = "sha256" if variant == "looping" else group.hash
    counted = count.to_bytes(2, "little")
    return counted + _hash(name, kck, counted + mine.encode(group) + peers.encode(group))
