# SPDX-License-Identifier: Apache-2.0
"""A key in dispatch: a type and a size. Also names that follow from the name of a type."""

from __future__ import annotations

from typing import NamedTuple

TYPES = "PSA_KEY_TYPE_"
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


def macro_of(of_type: str) -> str:
    """The macro that asks for a type whatever its family; nothing for a type without families."""
    name, bracket, _ = of_type.partition("(")
    return name.replace(TYPES, f"{TYPES}IS_") if bracket else ""


def kind_of(public: str) -> str:
    """The word that the macros of pairs and of public keys have in common."""
    name, _, _ = public.partition("(")
    return name.removeprefix(TYPES).removesuffix(PUBLIC)


def derive_symbol(of_pairs: str) -> str:
    """The symbol that wants pairs to be derived, by the one that wants pairs."""
    return of_pairs.replace("_BASIC", "_DERIVE")
