# SPDX-License-Identifier: Apache-2.0
"""RSA keys only for measurements: the same in every run, and of any size."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache

_EXPONENT = 65537
_SMALL = [n for n in range(3, 4000, 2) if all(n % d for d in range(3, int(n**0.5) + 1, 2))]
#: So many bases for each candidate.
_BASES = (2, 3, 5, 7)


def _is_prime(number: int) -> bool:
    if any(number % small == 0 for small in _SMALL):
        return False
    return all(pow(base, number - 1, number) == 1 for base in _BASES)


def _primes(bits: int) -> Iterator[int]:
    """Primes from a published beginning on, whose two upper bits are set, as products need."""
    drawn = hashlib.shake_256(f"corral bench rsa {bits}".encode()).digest(bits // 8)
    number = int.from_bytes(drawn, "big") | 3 << (bits - 2) | 1
    while True:
        if number % _EXPONENT != 1 and _is_prime(number):
            yield number
            number ^= 1 << (bits // 2)  # the next one is not its neighbour
        number += 2


def _der(tag: int, content: bytes) -> bytes:
    length = len(content)
    if length < 0x80:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + length.to_bytes(size, "big") + content


def _integer(number: int) -> bytes:
    return _der(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


@cache
def private_key(bits: int) -> bytes:
    """RSAPrivateKey (RFC 8017, A.1.2) in DER."""
    primes = _primes(bits // 2)
    p, q = sorted((next(primes), next(primes)), reverse=True)
    d = pow(_EXPONENT, -1, (p - 1) * (q - 1))
    numbers = (0, p * q, _EXPONENT, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    return _der(0x30, b"".join(map(_integer, numbers)))
