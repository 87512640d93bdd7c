# SPDX-License-Identifier: Apache-2.0
"""builtin_keys.h and builtin_keys.c: the keys that the board's elements came with."""

from __future__ import annotations

from functools import reduce

from corral.generate.build import Build
from corral.generate.c.nodes import Array, Define, Group, Item, List, Record, StaticAssert
from corral.generate.c.terms import Name, Term, Type, term
from corral.generate.dispatch import location_of
from corral.generate.files import header, source
from corral.generate.functions import constant
from corral.model.board import BuiltinKey, Element

# The highest of the four pools that an identifier names; see core/keys/pool.h.
FIRST_ID = 0x70000000
INDEX_SHIFT = 16
IDENTIFIER = Type("psa_key_id_t", ("psa/crypto_types.h",))
ROWS = "the built-in keys of the board's elements"


def builtin_keys(build: Build) -> list[tuple[Element, BuiltinKey]]:
    """In the order of the board's description, which their identifiers follow."""
    if "CORRAL_BUILTIN_KEYS" not in build.enabled:
        return []
    return [(element, key) for element in build.elements for key in element.keys]


def builtin_keys_header(build: Build) -> str:
    identifiers = tuple(
        Define(key.macro, constant(IDENTIFIER, f"0x{FIRST_ID + (i << INDEX_SHIFT):08x}"))
        for i, (_, key) in enumerate(builtin_keys(build))
    )
    subject = (
        "Keys that the board's elements came with: there before the application, and not to be "
        "destroyed by it."
    )
    group = Group(identifiers, "Identifiers: psa_key_id_t.")
    return header(build, "builtin_keys.h", __name__, subject, [group], ROWS)


def builtin_keys_source(build: Build) -> str:
    keys = builtin_keys(build)
    items: list[Item] = []
    if keys:
        longest = term(max(len(key.label) for _, key in keys))
        fits = longest.with_operator("<=", "CORRAL_LABEL_MAX_SIZE")
        rows = tuple(_row(element, key) for element, key in keys)
        table = Type("struct corral_builtin_key", ("corral/builtin.h",))
        items = [
            StaticAssert(fits, "the board's labels"),
            Array(table, "corral_builtin_keys", term(len(keys)), rows),
        ]
    return source(build, __name__, items, ["corral/builtin.h"], ROWS)


def _row(element: Element, key: BuiltinKey) -> Record:
    flags: list[Term] = [Name(f"PSA_KEY_USAGE_{name}") for name in key.usage]
    return Record(
        (
            ("type", Name(key.type)),
            ("algorithm", Name(key.algorithm)),
            ("usage", reduce(lambda one, other: one.with_operator("|", other), flags)),
            ("location", location_of(element)),
            ("label", List(tuple(term(byte) for byte in key.label))),
            ("label_length", term(len(key.label))),
        )
    )
