# SPDX-License-Identifier: Apache-2.0
"""dispatch/serves.h: the supported operations of a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corral.configure.bindings import LOCAL
from corral.generate.asymmetric import pairs_and_publics
from corral.generate.build import Build, key_of
from corral.generate.c.nodes import (
    Arm,
    Assign,
    Body,
    Comment,
    Function,
    Item,
    Parameter,
    Return,
    Statement,
    Switch,
    first_of,
    when,
)
from corral.generate.c.terms import Name, Term, Type, all_of
from corral.generate.ciphers import UNITS
from corral.generate.dispatch import is_at
from corral.generate.files import header
from corral.generate.functions import (
    ALG,
    ALGORITHM,
    ATTRIBUTES_TYPE,
    BOOL,
    LOCAL_STORAGE,
    LOCATION,
    RETURN_FALSE,
    RETURN_TRUE,
    dispatch,
    names,
)
from corral.generate.key import Key, is_public, pair_of
from corral.generate.lengths import by_value
from corral.generate.rules import Case, Names, emit

NOT_SERVED: Body = (RETURN_FALSE,)
USAGE = Name("usage")
OF_USE = (
    Parameter(ATTRIBUTES_TYPE, "attributes"),
    Parameter(Type("psa_key_usage_t"), USAGE.text),
    Parameter(ALGORITHM, ALG.text),
)


def _cases(build: Build, units: Sequence[str], location: str) -> list[Case]:
    found: dict[Case, None] = {}
    for unit in units:
        for binding in build.of_unit(unit, location):
            if unit not in UNITS or build.is_wanted(binding):
                found[Case(binding.algorithm, key_of(binding), (RETURN_TRUE,))] = None
    return list(found)


def _with_pairs(cases: Sequence[Case]) -> list[Case]:
    """A pair verifies and encrypts as its public key does."""
    found = []
    for case in cases:
        found.append(case)
        if case.key is not None and is_public(case.key):
            found.append(Case(case.algorithm, pair_of(case.key), case.action))
    return found


def _of_usage(build: Build, usage: str, location: str, keys: frozenset[Key]) -> Body:
    """Whether any driver supports a usage."""
    table = build.tree.entry_points
    units = table.units_for(usage)
    cases = _cases(build, units, location)
    if usage in table.public_usages:
        # Also an element's pair does in local memory what needs no more than its public key.
        half = _with_pairs(_cases(build, units, LOCAL))
        asymmetric = pairs_and_publics(keys)
        cases = list(dict.fromkeys([*cases, *(c for c in half if c.key in asymmetric)]))
    return emit(cases, keys, Names(), RETURN_FALSE)


def _rules(build: Build, location: str, keys: frozenset[Key]) -> Body:
    """A switch over the usages; those that are served alike share their rules."""
    usages = build.tree.entry_points.usages
    rules = {usage: _of_usage(build, usage, location, keys) for usage in usages}
    served = by_value(
        (Name(f"PSA_KEY_USAGE_{usage}"), body)
        for usage, body in rules.items()
        if body != NOT_SERVED
    )
    arms = tuple(Arm(tuple(mine), body) for body, mine in served.items())
    return (Switch(USAGE, arms, NOT_SERVED),) if arms else NOT_SERVED


def _as_dispatch_sees_it(build: Build) -> list[Statement]:
    """MACs in full, padding left to the core."""

    def is_(kind: str) -> Term:
        return Name(f"PSA_ALG_IS_{kind}").call(ALG)

    def base(macro: str) -> Assign:
        return Assign(ALG, Name(macro).call(ALG))

    padded = all_of(Name("CORRAL_WANT_ALG_CBC_PKCS7"), ALG.equals("PSA_ALG_CBC_PKCS7"))
    branches = [
        when(is_("MAC"), base("PSA_ALG_FULL_LENGTH_MAC")),
        when(padded, Assign(ALG, Name("PSA_ALG_CBC_NO_PADDING"))),
        when(is_("KEY_AGREEMENT"), base("PSA_ALG_KEY_AGREEMENT_GET_BASE")),
    ]
    if build.of_unit("aead_encrypt") or build.of_unit("aead_multipart"):
        branches.append(when(is_("AEAD"), base("PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG")))
    comment = "As the dispatch of operations sees them: MACs in full, padding left to the core."
    return [Comment(comment), first_of(*branches)]


def _by_location(build: Build, drivers: Mapping[str, Body]) -> list[Statement]:
    in_element = LOCATION.differs(LOCAL_STORAGE)
    if build.elements and not drivers:
        return [when(in_element, RETURN_FALSE)]
    only = len(build.element_drivers) == 1
    return [
        when(
            in_element if only else is_at([e for e in build.elements if e.driver == name]),
            Return(Name(f"corral_{name}_serves").call(*names(OF_USE))),
        )
        for name in drivers
    ]


def serves_header(build: Build) -> str:
    drivers = {
        d.name: _rules(build, d.name, build.element_keys(d.name)) for d in build.element_drivers
    }
    drivers = {name: body for name, body in drivers.items() if body != NOT_SERVED}
    local = Name("corral_local_serves")
    comment = (
        "Whether this build supports the operation that a single usage flag stands for, with such "
        "a key and a fully specified algorithm."
    )
    body = (
        *_as_dispatch_sees_it(build),
        *_by_location(build, drivers),
        Return(local.call(*names(OF_USE))),
    )
    items: list[Item] = [
        Function(BOOL, local.text, OF_USE, _rules(build, LOCAL, build.local_keys)),
        *(Function(BOOL, f"corral_{name}_serves", OF_USE, body) for name, body in drivers.items()),
        Function(BOOL, dispatch("serves").text, OF_USE, body, comment),
    ]
    about = "Operations that a key supports."
    return header(build, "dispatch/serves.h", __name__, about, items, "the usages of keys")
