# SPDX-License-Identifier: Apache-2.0
"""builtin_keys.h and builtin_keys.c: the keys that the board came with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from corral.generate.build import Build
from corral.generate.c.nodes import Array, Define, Group, Item, List, Record, StaticAssert
from corral.generate.c.terms import Name, Term, Type, term
from corral.generate.dispatch import location_of
from corral.generate.files import header, source
from corral.generate.functions import LOCAL_STORAGE, constant
from corral.model.board import OWN_KEYS

# The highest of the four pools that an identifier names; see core/keys/pool.h.
FIRST_ID = 0x70000000
INDEX_SHIFT = 16
IDENTIFIER = Type("psa_key_id_t", ("psa/crypto_types.h",))
ROWS = "the built-in keys of the board and its elements"
_TABLE = ("corral/builtin.h",)


@dataclass(frozen=True)
class Row:
    """A built-in key, in the core's table."""

    macro: str
    type: str
    algorithm: str
    usage: tuple[str, ...]
    location: Term
    label: tuple[Term, ...]


def builtin_keys(build: Build) -> list[Row]:
    """In the order of the board's description, and then the board's own: their identifiers follow
    it."""
    return [*_of_elements(build), *_own(build)]


def _of_elements(build: Build) -> Iterator[Row]:
    if "CORRAL_BUILTIN_KEYS" not in build.enabled:
        return
    for element in build.elements:
        for key in element.keys:
            label = tuple(term(byte) for byte in key.label)
            yield Row(key.macro, key.type, key.algorithm, key.usage, location_of(element), label)


def _own(build: Build) -> Iterator[Row]:
    for key in OWN_KEYS:
        if key.symbol in build.enabled:
            label = (Name(f"CORRAL_OWN_{key.name}", _TABLE),)
            macro = f"CORRAL_KEY_{key.name}"
            yield Row(macro, key.type, key.algorithm, key.usage, LOCAL_STORAGE, label)


def builtin_keys_header(build: Build) -> str:
    identifiers = tuple(
        Define(key.macro, constant(IDENTIFIER, f"0x{FIRST_ID + (i << INDEX_SHIFT):08x}"))
        for i, key in enumerate(builtin_keys(build))
    )
    subject = "Keys that the board came with: there before the application, and not its to destroy."
    group = Group(identifiers, "Identifiers: psa_key_id_t.")
    return header(build, "builtin_keys.h", __name__, subject, [group], ROWS)


def builtin_keys_source(build: Build) -> str:
    keys = builtin_keys(build)
    items: list[Item] = []
    if keys:
        longest = term(max(len(key.label) for key in keys))
        fits = longest.with_operator("<=", "CORRAL_LABEL_MAX_SIZE")
        rows = tuple(_row(key) for key in keys)
        table = Type("struct corral_builtin_key", _TABLE)
        items = [
            StaticAssert(fits, "the board's labels"),
            Array(table, "corral_builtin_keys", term(len(keys)), rows),
        ]
    return source(build, __name__, items, ["corral/builtin.h"], ROWS)


def _row(key: Row) -> Record:
    flags: list[Term] = [Name(f"PSA_KEY_USAGE_{name}") for name in key.usage]
    usage = reduce(lambda one, other: one.with_operator("|", other), flags) if flags else term(0)
    return Record(
        (
            ("type", Name(key.type)),
            ("algorithm", Name(key.algorithm)),
            ("usage", usage),
            ("location", key.location),
            ("label", List(key.label)),
            ("label_length", term(len(key.label))),
        )
    )
