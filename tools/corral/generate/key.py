# SPDX-License-Identifier: Apache-2.0
"""A key in dispatch: a type and a size."""

from __future__ import annotations

from typing import NamedTuple

PAIR = "_KEY_PAIR"
PUBLIC = "_PUBLIC_KEY"


class Key(NamedTuple):
    """A type of key with a size; bits None: any size, or those of sizes."""

    type: str
    bits: int | None
    sizes: tuple[int, ...] | None = None


#: The keys that can come to a function; None: any.
Universe = frozenset[Key] | None


def is_pair(key: Key) -> bool:
    return PAIR in key.type


def is_public(key: Key) -> bool:
    return PUBLIC in key.type


def public_of(key: Key) -> Key:
    return Key(key.type.replace(PAIR, PUBLIC), key.bits)


def pair_of(key: Key) -> Key:
    return Key(key.type.replace(PUBLIC, PAIR), key.bits)
