# SPDX-License-Identifier: Apache-2.0
"""Keys and signatures of LMS and HSS over SHA-256 (RFC 8554), for verification to be measured.

Any values lead to some root, so a signature is filled with a pattern, and its key has the root that
the signature leads to. Nothing here signs: the pattern is no secret.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

#: Of firmware that a device verifies: a thousand signatures by a tree, and the shortest signature.
HEIGHT, WIDTH = 10, 8
#: Trees of an HSS chain.
LEVELS = 2
_LEAF = 5
_LAST = (1 << WIDTH) - 1
_IDENTIFIER = bytes(range(16))


def _types(size: int) -> tuple[bytes, bytes]:
    """Of the tree and of its one-time keys; size: bytes of a hash, 24 or 32 (SP 800-208, 4)."""
    family = 0 if size == 32 else 1
    tree, leaf = 5 * (1 + family) + HEIGHT // 5 - 1, 4 * (1 + family)
    return tree.to_bytes(4, "big"), leaf.to_bytes(4, "big")


def _hash(size: int, number: int, *parts: bytes) -> bytes:
    text = b"".join((_IDENTIFIER, number.to_bytes(4, "big"), *parts))
    return hashlib.sha256(text).digest()[:size]


def _ends(size: int, values: list[bytes], digits: bytes) -> Iterator[bytes]:
    for i, (value, digit) in enumerate(zip(values, digits, strict=True)):
        node = value
        for step in range(digit, _LAST):
            node = _hash(size, _LEAF, i.to_bytes(2, "big"), bytes([step]), node)
        yield node


def signed(size: int, message: bytes) -> tuple[bytes, bytes]:
    """An LMS key, and its signature of a message."""
    tree_type, leaf_type = _types(size)
    salt, *values = (bytes([i]) * size for i in range(1 + size + 2))  # two digits: the checksum's
    path = [bytes([0x80 | i]) * size for i in range(HEIGHT)]
    digest = _hash(size, _LEAF, b"\x81\x81", salt, message)
    checksum = sum(_LAST - digit for digit in digest)
    digits = digest + checksum.to_bytes(2, "big")
    node = _hash(size, _LEAF, b"\x80\x80", *_ends(size, values, digits))
    number = (1 << HEIGHT) + _LEAF
    node = _hash(size, number, b"\x82\x82", node)
    for sibling in path:
        number, is_right = divmod(number, 2)
        both = (sibling, node) if is_right else (node, sibling)
        node = _hash(size, number, b"\x83\x83", *both)
    signature = (_LEAF.to_bytes(4, "big"), leaf_type, salt, *values, tree_type, *path)
    return tree_type + leaf_type + _IDENTIFIER + node, b"".join(signature)


def signed_by_chain(size: int, message: bytes) -> tuple[bytes, bytes]:
    """An HSS key, and its signature: from the last tree to the first, each of the key below it."""
    key, signature = signed(size, message)
    for _ in range(LEVELS - 1):
        below = key
        key, above = signed(size, below)
        signature = above + below + signature
    return LEVELS.to_bytes(4, "big") + key, (LEVELS - 1).to_bytes(4, "big") + signature
