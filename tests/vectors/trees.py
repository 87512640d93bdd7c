# SPDX-License-Identifier: Apache-2.0
"""Signatures of LMS and HSS (RFC 8554), of XMSS and XMSS^MT (RFC 8391), with the parameter sets of
these and of SP 800-208, made here, because there are so many of them.

A verifier sees one leaf of a tree and the path to the root. So one leaf is made, its path is drawn,
and the root follows from both: trees of any height cost nothing. All is deterministic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations

from .row import Result, Row

Hash = Callable[[bytes], bytes]
HASHES: dict[str, Hash] = {
    "SHA-256": lambda data: hashlib.sha256(data).digest(),
    "SHA-256/192": lambda data: hashlib.sha256(data).digest()[:24],
    "SHAKE256": lambda data: hashlib.shake_256(data).digest(32),
    "SHAKE256/192": lambda data: hashlib.shake_256(data).digest(24),
}
D_PBLC, D_MESG, D_LEAF, D_INTR = b"\x80\x80", b"\x81\x81", b"\x82\x82", b"\x83\x83"
HEIGHTS = (5, 10, 15, 20, 25)
WIDTHS = (1, 2, 4, 8)


def _u(number: int, size: int) -> bytes:
    return number.to_bytes(size, "big")


def _drawn(*what: object) -> bytes:
    return hashlib.sha256(repr(what).encode()).digest()


def _digits(digest: bytes, width: int) -> list[int]:
    """The digest and its checksum, in digits of `width` bits."""
    count = 8 * len(digest) // width
    most = (1 << width) - 1
    number = int.from_bytes(digest, "big")
    main = [number >> width * (count - 1 - i) & most for i in range(count)]
    total = sum(most - digit for digit in main)
    rest = -(-(count * most).bit_length() // width)
    return main + [total >> width * (rest - 1 - i) & most for i in range(rest)]


@dataclass(frozen=True)
class Tree:
    """A key of LMS as far as one of its leaves shows it."""

    family: str
    height: int
    width: int
    leaf: int

    @property
    def hash(self) -> Hash:
        return HASHES[self.family]

    @cached_property
    def size(self) -> int:
        return len(self.hash(b""))

    @cached_property
    def prefix(self) -> bytes:
        return _drawn("identifier", self)[:16]

    @cached_property
    def types(self) -> tuple[bytes, bytes]:
        family = [*HASHES].index(self.family)
        tree = 5 + 5 * family + HEIGHTS.index(self.height)
        return _u(tree, 4), _u(1 + 4 * family + WIDTHS.index(self.width), 4)

    @cached_property
    def type_at(self) -> int:
        """The offset of the tree's type in a signature."""
        return 8 + self.size * (1 + len(_digits(bytes(self.size), self.width)))

    def chain(self, number: int, start: int, end: int, value: bytes) -> bytes:
        for j in range(start, end):
            value = self.hash(self.prefix + _u(self.leaf, 4) + _u(number, 2) + _u(j, 1) + value)
        return value

    def secret(self, number: int) -> bytes:
        return self.hash(_drawn("secret", self, number))

    @cached_property
    def path(self) -> list[bytes]:
        return [self.hash(_drawn("path", self, i)) for i in range(self.height)]

    @cached_property
    def public(self) -> bytes:
        """RFC 8554, 4.3 and 5.4.2."""
        most = (1 << self.width) - 1
        count = len(_digits(bytes(self.size), self.width))
        ends = [self.chain(i, 0, most, self.secret(i)) for i in range(count)]
        node = self.hash(self.prefix + _u(self.leaf, 4) + D_PBLC + b"".join(ends))
        r = (1 << self.height) + self.leaf
        node = self.hash(self.prefix + _u(r, 4) + D_LEAF + node)
        for sibling in self.path:
            both = sibling + node if r % 2 else node + sibling
            r //= 2
            node = self.hash(self.prefix + _u(r, 4) + D_INTR + both)
        return self.types[0] + self.types[1] + self.prefix + node

    def sign(self, message: bytes) -> bytes:
        salt = self.hash(_drawn("salt", self))
        digest = self.hash(self.prefix + _u(self.leaf, 4) + D_MESG + salt + message)
        digits = _digits(digest, self.width)
        values = [self.chain(i, 0, a, self.secret(i)) for i, a in enumerate(digits)]
        parts = [_u(self.leaf, 4), self.types[1], salt, *values, self.types[0], *self.path]
        return b"".join(parts)


def sign_by_chain(trees: list[Tree], message: bytes) -> tuple[bytes, bytes]:
    """Public key and signature of HSS; each tree signs the next one's key (RFC 8554, 6)."""
    parts = [_u(len(trees) - 1, 4)]
    for tree, below in pairwise(trees):
        parts += [tree.sign(below.public), below.public]
    parts.append(trees[-1].sign(message))
    return _u(len(trees), 4) + trees[0].public, b"".join(parts)


@dataclass(frozen=True)
class Xmss:
    """A key of XMSS^MT, or with one layer of XMSS, as far as one of its leaves shows it."""

    family: str
    height: int  # of all layers together
    layers: int
    leaf: int

    @cached_property
    def size(self) -> int:
        return len(HASHES[self.family](b""))

    @cached_property
    def seed(self) -> bytes:
        return _drawn("seed", self)[: self.size]

    def keyed(self, kind: int, key: bytes, data: bytes) -> bytes:
        """F, H, H_msg and PRF (RFC 8391, 5.1; SP 800-208, 5)."""
        padding = 4 if self.size == 24 else 32
        return HASHES[self.family](_u(kind, padding) + key + data)

    def masked(self, kind: int, address: list[int], *data: bytes) -> bytes:
        """F or H of masked values; key and masks come from the address."""
        found = []
        for i in range(len(data) + 1):
            words = [*address, i]
            text = _u(words[0], 4) + _u(words[1], 8) + b"".join(_u(w, 4) for w in words[2:])
            found.append(self.keyed(3, self.seed, text))
        joined = b"".join(
            bytes(a ^ b for a, b in zip(x, mask, strict=True))
            for x, mask in zip(data, found[1:], strict=True)
        )
        return self.keyed(kind, found[0], joined)

    def place(self, layer: int) -> tuple[int, int]:
        """Which tree of a layer, and which leaf of it."""
        part = self.height // self.layers
        index = self.leaf >> part * layer
        return index >> part, index % (1 << part)

    def chain(self, layer: int, number: int, start: int, end: int, value: bytes) -> bytes:
        tree, leaf = self.place(layer)
        for j in range(start, end):
            value = self.masked(0, [layer, tree, 0, leaf, number, j], value)
        return value

    def secret(self, layer: int, number: int) -> bytes:
        return _drawn("secret", self, layer, number)[: self.size]

    def path(self, layer: int) -> list[bytes]:
        count = self.height // self.layers
        return [_drawn("path", self, layer, i)[: self.size] for i in range(count)]

    def root(self, layer: int) -> bytes:
        """RFC 8391, 4.1.5 and 4.1.10: the leaf, and up its path."""
        tree, leaf = self.place(layer)
        count = len(_digits(bytes(self.size), 4))
        nodes = [self.chain(layer, i, 0, 15, self.secret(layer, i)) for i in range(count)]
        level = 0
        while len(nodes) > 1:
            above = [
                self.masked(1, [layer, tree, 1, leaf, level, i], nodes[2 * i], nodes[2 * i + 1])
                for i in range(len(nodes) // 2)
            ]
            nodes = above + nodes[2 * len(above) :]
            level += 1
        node = nodes[0]
        for k, sibling in enumerate(self.path(layer)):
            both = (sibling, node) if leaf >> k & 1 else (node, sibling)
            node = self.masked(1, [layer, tree, 2, 0, k, leaf >> (k + 1)], *both)
        return node

    @cached_property
    def public(self) -> bytes:
        """RFC 8391, B.3 and C.3; SP 800-208, 5."""
        family = [*HASHES].index(self.family)
        if self.layers == 1:
            code = (1, 13, 16, 19)[family] + (10, 16, 20).index(self.height)
        else:
            sets = ((20, 2), (20, 4), (40, 2), (40, 4), (40, 8), (60, 3), (60, 6), (60, 12))
            code = (1, 33, 41, 49)[family] + sets.index((self.height, self.layers))
        return _u(code, 4) + self.root(self.layers - 1) + self.seed

    def sign(self, message: bytes) -> bytes:
        salt = _drawn("salt", self)[: self.size]
        top = self.root(self.layers - 1)
        digest = self.keyed(2, salt + top + _u(self.leaf, self.size), message)
        parts = [_u(self.leaf, 4 if self.layers == 1 else -(-self.height // 8)), salt]
        for layer in range(self.layers):
            digits = enumerate(_digits(digest, 4))
            parts += [self.chain(layer, i, 0, a, self.secret(layer, i)) for i, a in digits]
            parts += self.path(layer)
            digest = self.root(layer)
        return b"".join(parts)


def _row(
    title: str,
    scheme: str,
    key: tuple[bytes, int],
    message: bytes,
    signature: bytes,
    result: Result = "VALID",
) -> Row:
    """key: with the length of its hash in bytes."""
    return Row(title, f"VERIFY_{scheme}_{8 * key[1]}", f"{scheme} made here", "VERIFY_MESSAGE",
               f"PSA_ALG_{scheme}", f"PSA_KEY_TYPE_{scheme}_PUBLIC_KEY", key[0], b"", message,
               signature, result)  # fmt: skip


def _forgeries(signature: bytes, places: dict[str, int]) -> Iterator[tuple[str, bytes]]:
    """Signatures that were right before a bit of them was turned."""
    for name, at in {**places, "end": len(signature) - 1}.items():
        forged = bytearray(signature)
        forged[at] ^= 1
        yield name, bytes(forged)
    yield "high leaf", bytes([signature[0] ^ 0x80]) + signature[1:]
    yield "short", signature[:-1]
    yield "long", signature + b"\0"
    yield "few bytes", signature[:3]
    yield "empty", b""


def _rows(title: str, scheme: str, key: tuple[bytes, int], message: bytes, signature: bytes,
          places: dict[str, int]) -> Iterator[Row]:  # fmt: skip
    """The signature, and wrong ones that must be rejected."""
    yield _row(title, scheme, key, message, signature)
    yield _row(f"{title} other message", scheme, key, message + b".", signature, "INVALID")
    for name, forged in _forgeries(signature, places):
        yield _row(f"{title} {name}", scheme, key, message, forged, "INVALID")


def lms() -> Iterator[Row]:
    for family in HASHES:
        for i, width in enumerate(WIDTHS):
            height = HEIGHTS[i + 1]
            tree = Tree(family, height, width, (1 << height) * i // 4 + i)
            title = f"{family} height {height} width {width}"
            key = tree.public, tree.size
            yield _row(title, "LMS", key, bytes(100 * i), tree.sign(bytes(100 * i)))
        tree = Tree(family, 5, 8, 31)
        yield from _rows(f"{family} height 5 width 8", "LMS", (tree.public, tree.size), b"message",
                         tree.sign(b"message"),
                         {"leaf": 3, "leaf type": 7, "salt": 8, "value": 50,
                          "tree type": tree.type_at + 3})  # fmt: skip


def hss() -> Iterator[Row]:
    chains = (
        (("SHA-256", 5, 4, 1),),
        (("SHA-256", 10, 8, 1000), ("SHA-256", 5, 4, 2)),
        (("SHA-256/192", 5, 8, 0), ("SHA-256/192", 5, 8, 3), ("SHA-256/192", 20, 2, 7)),
        (("SHAKE256", 15, 4, 9), ("SHAKE256", 5, 8, 31)),
        (("SHAKE256/192", 5, 4, 8), ("SHAKE256/192", 10, 8, 7)),
    )
    for chain in chains:
        trees = [Tree(*values) for values in chain]
        public, signature = sign_by_chain(trees, b"by a chain of trees")
        title = ", ".join(f"{t.family} height {t.height} width {t.width}" for t in trees)
        yield from _rows(title, "HSS", (public, trees[0].size), b"by a chain of trees", signature,
                         {"number of trees": 3, "leaf": 7, "leaf type": 11})  # fmt: skip
        end = 4 + trees[0].type_at + 4 + trees[0].size * trees[0].height
        for cut in (end - 1, end, end + 4, end + 24 + trees[0].size):
            if cut < len(signature):
                yield _row(f"{title} cut at {cut}", "HSS", (public, trees[0].size),
                           b"by a chain of trees", signature[:cut], "INVALID")  # fmt: skip
        if len(trees) > 1:
            forged = bytearray(signature)
            forged[end + 3] = 99
            yield _row(f"{title} key of unknown type", "HSS", (public, trees[0].size),
                       b"by a chain of trees", bytes(forged), "INVALID")  # fmt: skip
    for first, second in permutations(HASHES, 2):
        # SP 800-208, 4: the hash of the first tree is that of all.
        trees = [Tree(first, 5, 8, 8), Tree(second, 5, 8, 7)]
        public, signature = sign_by_chain(trees, b"over two hashes")
        yield _row(f"{first}, {second}", "HSS", (public, trees[0].size), b"over two hashes",
                   signature, "INVALID")  # fmt: skip


def xmss() -> Iterator[Row]:
    for family in HASHES:
        for height in (10, 16, 20):
            pair = Xmss(family, height, 1, (1 << height) - 2)
            signature = pair.sign(b"a leaf")
            title = f"{family} height {height}"
            if height == 10:
                yield from _rows(title, "XMSS", (pair.public, pair.size), b"a leaf", signature,
                                 {"leaf": 3, "salt": 4, "value": 99})  # fmt: skip
            yield _row(title, "XMSS", (pair.public, pair.size), b"", pair.sign(b""))
        for height, layers in ((20, 2), (40, 8), (60, 3)):
            pair = Xmss(family, height, layers, (1 << height) * 2 // 3)
            title = f"{family} height {height} layers {layers}"
            message = b"a leaf of a leaf"
            if layers == 2:
                yield from _rows(title, "XMSS_MT", (pair.public, pair.size), message,
                                 pair.sign(message),
                                 {"leaf": 2, "salt": 3, "value": 99})  # fmt: skip
            yield _row(title, "XMSS_MT", (pair.public, pair.size), message, pair.sign(message))


#: The message whose signatures tests/api/trees attacks, and their keys.
ATTACKED = b"every byte of this message is compared. "
SIGNERS = (("SHA-256/192", 5, 4, 9), ("SHA-256/192", 5, 4, 30))


def _array(data: bytes) -> str:
    return f"(const uint8_t[]){{{', '.join(map(str, data))}}}, {len(data)}"


def source() -> str:
    """C definitions for tests/api/trees/rows.h, in a file of build/tests."""
    trees = [Tree(*values) for values in SIGNERS]
    signed = (
        ("LMS", trees[0].public, trees[0].sign(ATTACKED)),
        ("HSS", *sign_by_chain(trees, ATTACKED)),
    )
    rows_of = (
        f"{{PSA_ALG_{name}, PSA_KEY_TYPE_{name}_PUBLIC_KEY, {_array(key)}, {_array(signature)}}}"
        for name, key, signature in signed
    )
    message = ", ".join(map(str, ATTACKED))
    return (
        '#include "../../tests/api/trees/rows.h"\n\n'
        f"const uint8_t tree_message[TREE_MESSAGE_SIZE] = {{{message}}};\n"
        f"const struct tree_row tree_rows[TREE_ROWS] = {{{', '.join(rows_of)}}};\n"
    )


def rows(needs: Collection[str]) -> Iterator[Row]:
    """Only of the schemes that are needed: Python takes seconds for the others."""
    made = {"LMS": lms, "HSS": hss, "XMSS": xmss}
    for scheme, rows_of in made.items():
        if any(need.startswith(f"VERIFY_{scheme}_") for need in needs):
            yield from rows_of()
