# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA: no package has vectors of it.

Here is FIPS 205 in Python, as short as it can be said; it gives the same signatures as the package
slh-dsa of PyPI, with which it was compared.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import struct
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from .row import Result, Row

# Types of addresses (4.2).
WOTS_HASH, WOTS_PK, TREE, FORS_TREE, FORS_ROOTS, WOTS_PRF, FORS_PRF = range(7)
W = 16


@dataclass(frozen=True)
class Parameters:
    """A row of table 2; `lengths`: height of all trees, layers, height and number of FORS trees."""

    family: str  # SHA2_S and so on
    n: int
    lengths: tuple[int, int, int, int]

    @property
    def name(self) -> str:
        return f"SLH_DSA_{self.family}_{8 * self.n}"

    @property
    def pair(self) -> str:
        return f"PSA_KEY_TYPE_SLH_DSA_KEY_PAIR(PSA_SLH_DSA_FAMILY_{self.family})"

    @property
    def public(self) -> str:
        return f"PSA_KEY_TYPE_SLH_DSA_PUBLIC_KEY(PSA_SLH_DSA_FAMILY_{self.family})"

    @property
    def is_sha2(self) -> bool:
        return self.family.startswith("SHA2")

    @property
    def len(self) -> int:
        return 2 * self.n + 3

    @property
    def digest_parts(self) -> tuple[int, int, int]:
        """Bytes of the digest: for FORS, for the tree, for the leaf."""
        h, d, a, k = self.lengths
        return (k * a + 7) // 8, (h - h // d + 7) // 8, (h // d + 7) // 8


SIZES = {
    "S": ((16, (63, 7, 12, 14)), (24, (63, 7, 14, 17)), (32, (64, 8, 14, 22))),
    "F": ((16, (66, 22, 6, 33)), (24, (66, 22, 8, 33)), (32, (68, 17, 9, 35))),
}
SETS = [
    Parameters(f"{hash_name}_{kind}", n, lengths)
    for hash_name in ("SHA2", "SHAKE")
    for kind, rows_of_kind in SIZES.items()
    for n, lengths in rows_of_kind
]


@dataclass
class Address:
    """Layer, tree, type and three words."""

    layer: int = 0
    tree: int = 0
    kind: int = 0
    words: tuple[int, int, int] = (0, 0, 0)

    def pack(self, is_sha2: bool) -> bytes:
        form = ">BQB3I" if is_sha2 else ">I4xQI3I"
        return struct.pack(form, self.layer, self.tree, self.kind, *self.words)


@dataclass(frozen=True)
class Key:
    """A private key: SK.seed, SK.prf and PK.seed."""

    set: Parameters
    seed: bytes
    prf: bytes
    public_seed: bytes

    @functools.cached_property
    def root(self) -> bytes:
        h, d, _, _ = self.set.lengths
        return self._node(0, h // d, Address(layer=d - 1))

    @property
    def public(self) -> bytes:
        return self.public_seed + self.root

    @property
    def private(self) -> bytes:
        return self.seed + self.prf + self.public

    # The functions of section 11.

    def _hash(self, address: Address, data: bytes, is_long: bool) -> bytes:
        n, packed = self.set.n, address.pack(self.set.is_sha2)
        if not self.set.is_sha2:
            return hashlib.shake_256(self.public_seed + packed + data).digest(n)
        function, block = hashlib.sha256, 64
        if is_long and n > 16:
            function, block = hashlib.sha512, 128
        padded = self.public_seed + bytes(block - n)
        return function(padded + packed + data).digest()[:n]

    def _f(self, address: Address, data: bytes) -> bytes:
        return self._hash(address, data, is_long=False)

    def _t(self, address: Address, data: bytes) -> bytes:
        return self._hash(address, data, is_long=True)

    def _long_hash(self) -> Callable[[bytes], hashlib._Hash]:
        return hashlib.sha256 if self.set.n == 16 else hashlib.sha512

    def _prf_msg(self, random: bytes, message: bytes) -> bytes:
        if self.set.is_sha2:
            name = "sha256" if self.set.n == 16 else "sha512"
            return hmac.new(self.prf, random + message, name).digest()[: self.set.n]
        return hashlib.shake_256(self.prf + random + message).digest(self.set.n)

    def _digest(self, r: bytes, message: bytes) -> bytes:
        size = sum(self.set.digest_parts)
        if not self.set.is_sha2:
            return hashlib.shake_256(r + self.public + message).digest(size)
        function = self._long_hash()
        seed = r + self.public_seed + function(r + self.public + message).digest()
        blocks = (function(seed + i.to_bytes(4, "big")).digest() for i in range(4))
        return b"".join(blocks)[:size]

    # WOTS+ and XMSS (5, 6).

    def _secret(self, kind: int, address: Address, words: tuple[int, int, int]) -> bytes:
        return self._f(Address(address.layer, address.tree, kind, words), self.seed)

    def _chain(self, address: Address, leaf: int, i: int, value: bytes, steps: range) -> bytes:
        for j in steps:
            at = Address(address.layer, address.tree, WOTS_HASH, (leaf, i, j))
            value = self._f(at, value)
        return value

    def _leaf(self, leaf: int, address: Address) -> bytes:
        ends = b"".join(
            self._chain(address, leaf, i, self._secret(WOTS_PRF, address, (leaf, i, 0)),
                        range(W - 1))
            for i in range(self.set.len)
        )  # fmt: skip
        return self._t(Address(address.layer, address.tree, WOTS_PK, (leaf, 0, 0)), ends)

    def _node(self, index: int, height: int, address: Address) -> bytes:
        if height == 0:
            return self._leaf(index, address)
        below = b"".join(self._node(2 * index + i, height - 1, address) for i in range(2))
        return self._t(Address(address.layer, address.tree, TREE, (0, height, index)), below)

    def _wots(self, message: bytes, leaf: int, address: Address) -> bytes:
        digits = [digit for byte in message for digit in (byte >> 4, byte & 15)]
        checksum = sum(W - 1 - digit for digit in digits)
        digits += [checksum >> 8 & 15, checksum >> 4 & 15, checksum & 15]
        return b"".join(
            self._chain(address, leaf, i, self._secret(WOTS_PRF, address, (leaf, i, 0)),
                        range(digit))
            for i, digit in enumerate(digits)
        )  # fmt: skip

    def _xmss(self, message: bytes, leaf: int, address: Address) -> bytes:
        h, d, _, _ = self.set.lengths
        path = (self._node(leaf >> j ^ 1, j, address) for j in range(h // d))
        return self._wots(message, leaf, address) + b"".join(path)

    # FORS (8).

    def _fors_node(self, index: int, height: int, address: Address) -> bytes:
        leaf = address.words[0]
        if height == 0:
            secret = self._secret(FORS_PRF, address, (leaf, 0, index))
            at = Address(address.layer, address.tree, FORS_TREE, (leaf, 0, index))
            return self._f(at, secret)
        below = b"".join(self._fors_node(2 * index + i, height - 1, address) for i in range(2))
        return self._t(Address(0, address.tree, FORS_TREE, (leaf, height, index)), below)

    def _fors(self, digest: bytes, address: Address) -> tuple[bytes, bytes]:
        """Signature, and the public key that it belongs to."""
        _, _, a, k = self.set.lengths
        number, bits = int.from_bytes(digest, "big"), 8 * len(digest)
        leaf, parts, roots = address.words[0], [], []
        for i in range(k):
            index = (i << a) + (number >> (bits - (i + 1) * a) & ((1 << a) - 1))
            parts.append(self._secret(FORS_PRF, address, (leaf, 0, index)))
            parts += [self._fors_node(index >> j ^ 1, j, address) for j in range(a)]
            roots.append(self._fors_node(i, a, address))
        at = Address(0, address.tree, FORS_ROOTS, (leaf, 0, 0))
        return b"".join(parts), self._t(at, b"".join(roots))

    def sign(self, message: bytes, random: bytes | None = None) -> bytes:
        """slh_sign_internal (9.2), of a message that begins with domain and context."""
        h, d, _, _ = self.set.lengths
        height = h // d
        r = self._prf_msg(self.public_seed if random is None else random, message)
        digest = self._digest(r, message)
        for_fors, for_tree, _ = self.set.digest_parts
        tree = int.from_bytes(digest[for_fors : for_fors + for_tree], "big") % (1 << (h - height))
        leaf = int.from_bytes(digest[for_fors + for_tree :], "big") % (1 << height)
        signature, value = self._fors(digest[:for_fors], Address(0, tree, 0, (leaf, 0, 0)))
        signature = r + signature
        for layer in range(d):
            address = Address(layer, tree)
            signature += self._xmss(value, leaf, address)
            value = self._node(0, height, address) if layer < d - 1 else b""
            leaf, tree = tree % (1 << height), tree >> height
        return signature


def pure(message: bytes, context: bytes = b"") -> bytes:
    """The signed bytes of a message (10.2.1)."""
    return bytes([0, len(context)]) + context + message


def prehashed(digest: bytes, arc: int, context: bytes = b"") -> bytes:
    """The signed bytes of a hash with the identifier 2.16.840.1.101.3.4.2.arc (10.2.2)."""
    identifier = bytes.fromhex("06096086480165030402") + bytes([arc])
    return bytes([1, len(context)]) + context + identifier + digest


def key_of(parameters: Parameters) -> Key:
    n = parameters.n
    data = hashlib.shake_256(parameters.name.encode()).digest(3 * n)
    return Key(parameters, data[:n], data[n : 2 * n], data[2 * n :])


def _message_rows(parameters: Parameters) -> Iterator[Row]:
    key, message, context = key_of(parameters), b"a message of SLH-DSA", b"context"
    name, source = parameters.name, f"FIPS 205 {parameters.name}"
    signature = key.sign(pure(message, context))
    wrong = signature[:100] + bytes([signature[100] ^ 1]) + signature[101:]
    yield Row("deterministic", f"DETERMINISTIC_SIGN_{name}", source, "SIGN_MESSAGE",
              "PSA_ALG_DETERMINISTIC_SLH_DSA", parameters.pair, key.private, context, message,
              signature)  # fmt: skip
    results: tuple[tuple[bytes, Result], ...] = ((signature, "VALID"), (wrong, "INVALID"))
    for value, result in results:
        yield Row("deterministic", f"VERIFY_{name}", source, "VERIFY_MESSAGE", "PSA_ALG_SLH_DSA",
                  parameters.public, key.public, context, message, value, result)  # fmt: skip


def _hash_rows(parameters: Parameters) -> Iterator[Row]:
    key, digest = key_of(parameters), hashlib.sha256(b"what is hashed").digest()
    name, source = parameters.name, f"FIPS 205 {parameters.name}"
    signature = key.sign(prehashed(digest, 1))
    yield Row("of SHA-256", f"DETERMINISTIC_HASH_SIGN_{name}", source, "SIGN_HASH",
              "PSA_ALG_DETERMINISTIC_HASH_SLH_DSA(PSA_ALG_SHA_256)", parameters.pair, key.private,
              b"", digest, signature)  # fmt: skip
    yield Row("of SHA-256", f"HASH_VERIFY_{name}", source, "VERIFY_HASH",
              "PSA_ALG_HASH_SLH_DSA(PSA_ALG_SHA_256)", parameters.public, key.public, b"", digest,
              signature)  # fmt: skip


#: Of each hash and length of hash one fast set: the small ones take Python minutes.
SIGNED = {
    "SLH_DSA_SHA2_F_128": (_message_rows, _hash_rows),
    "SLH_DSA_SHAKE_F_128": (_message_rows,),
    "SLH_DSA_SHA2_F_256": (_message_rows,),
}


def rows(needs: Collection[str]) -> Iterator[Row]:
    """Only of the sets that are needed: Python takes seconds for the fast ones."""
    for name in SIGNED:
        if any(need.endswith(f"_{name}") for need in needs):
            yield from _signed(name)


@functools.cache
def _signed(name: str) -> list[Row]:
    """The rows of a set, which several suites of one process need."""
    parameters = next(parameters for parameters in SETS if parameters.name == name)
    return [row for rows_of in SIGNED[name] for row in rows_of(parameters)]


#: Sets of which tests/api/seeds derives a key, and the secret of the derivation.
DERIVED = ("SLH_DSA_SHA2_F_128", "SLH_DSA_SHAKE_F_192", "SLH_DSA_SHA2_F_256")
SECRET = bytes(range(0x40, 0x60))


def _hkdf(size: int) -> bytes:
    """HKDF with SHA-256, without salt and info (RFC 5869, 2)."""
    key = hmac.digest(bytes(32), SECRET, "sha256")
    stream = block = b""
    while len(stream) < size:
        block = hmac.digest(key, block + bytes([len(stream) // 32 + 1]), "sha256")
        stream += block
    return stream[:size]


def _array(data: bytes) -> str:
    return ", ".join(str(byte) for byte in data)


def source() -> str:
    """C definitions for tests/api/seeds/rows.h, in a file of build/tests."""
    rows = []
    for parameters in SETS:
        if parameters.name in DERIVED:
            n = parameters.n
            data = _hkdf(3 * n)
            key = Key(parameters, data[:n], data[n : 2 * n], data[2 * n :])
            pair = f"(const uint8_t[]){{{_array(key.private)}}}"
            rows.append(f"{{{parameters.pair}, {8 * n}, {pair}}}")
    include = '#include "../../tests/api/seeds/rows.h"'
    secret = f"const uint8_t slh_dsa_secret[32] = {{{_array(SECRET)}}};"
    table = f"const struct slh_dsa_row slh_dsa_rows[SLH_DSA_ROWS] = {{{', '.join(rows)}}};"
    return f"{include}\n\n{secret}\n{table}\n"
