# SPDX-License-Identifier: Apache-2.0
"""families.h: facts about families of keys and their algorithms that the core asks for.

Its functions name only the families that a build can have keys of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corral.configure.bindings import LOCAL
from corral.generate.build import Build
from corral.generate.c.nodes import (
    Body,
    Define,
    Function,
    Group,
    Parameter,
    Return,
    Statement,
    when,
)
from corral.generate.c.terms import Name, Term, Type, Unary, all_of, any_of, term
from corral.generate.files import header
from corral.generate.functions import ALG, ALGORITHM, BOOL, KEY_TYPE, RETURN_FALSE, SIZE
from corral.generate.key import TYPES, derive_symbol, kind_of, macro_of
from corral.generate.lengths import by_value
from corral.model.mechanisms import LABEL, Signature, Value, wants_met

_TYPE, _USAGE, _SIZE = Name("type"), Name("usage"), Name("size")
_OF_TYPE, _OF_ALG = Parameter(KEY_TYPE, _TYPE.text), Parameter(ALGORITHM, ALG.text)
_OF_USAGE = Parameter(Type("psa_key_usage_t"), _USAGE.text)
_DIFFERENCE = Name("difference")
_FALSE, _NONE = Name("false"), term(0)


def families_header(build: Build) -> str:
    signatures = [s for s in build.tree.mechanisms.signatures if _has_keys(build, s.value)]
    types = _signing_types(build)
    used = [s for s in signatures if types.intersection(_types(s.value))]
    items = [
        _signs(build, signatures),
        Function(
            BOOL,
            "corral_signs_only_hashes",
            (_OF_ALG,),
            (Return(_is_one_of(h for s in signatures for h in s.hashes)),),
            "Whether an algorithm signs hashes and no messages.",
        ),
        Group(
            (Define("CORRAL_HAS_ALIKE", term(int(any(s.alike for s in used)))),),
            "1 if verification does not tell some algorithms apart that are wanted here.",
        ),
        _alike(used),
        _needs_hash(used),
        _is_seed(build),
        _seed_size(build),
        _is_derived_by_driver(build),
    ]
    subject = "Families of keys and of algorithms, as the core tells them apart."
    return header(build, "families.h", __name__, subject, items, LABEL)


def _has_keys(build: Build, value: Value) -> bool:
    return wants_met(value.wants, build.enabled) and value.fields["has_public"] in build.enabled


def _types(value: Value) -> set[str]:
    return {value.fields[name] for name in ("pair", "public") if name in value.fields}


def _signing_types(build: Build) -> set[str]:
    """Types of keys that this build signs or verifies with."""
    return {
        str(binding.key.type)
        for outcome, binding in build.bindings.all()
        if outcome.is_wanted and outcome.mechanism.family == "sign" and binding.key is not None
    }


def _is_one_of(words: Iterable[str]) -> Term:
    """Whether `alg` is one of the constants, or of those that macros ask for."""
    tests = [
        Name(word).call(ALG) if "_IS_" in word else ALG.equals(word)
        for word in dict.fromkeys(words)
    ]
    return any_of(*tests) if tests else _FALSE


def _is_type(of: str) -> Term:
    """Whether `type` is this one, whatever its family."""
    macro = macro_of(of)
    return Name(macro).call(_TYPE) if macro else _TYPE.equals(of)


def _is_pair_or_public(value: Value) -> Term:
    """Whether `type` is that of such keys, whatever its family."""
    if "pair" not in value.fields:
        return _is_type(value.fields["public"])
    return Name(f"{TYPES}IS_{kind_of(value.fields['public'])}").call(_TYPE)


def _signs(build: Build, signatures: Sequence[Signature]) -> Function:
    algorithms = {id(s.value): _is_one_of(s.algorithms) for s in signatures}
    lists = dict.fromkeys(s.value.list for s in signatures)
    values = [v for name in lists for v in build.tree.mechanisms.values[name].values()]
    by_type = by_value((v, _is_pair_or_public(v)) for v in values if _has_keys(build, v))
    body = tuple(
        when(is_type, *_by_family([(v, algorithms.get(id(v), _FALSE)) for v in mine]))
        for is_type, mine in by_type.items()
    )
    comment = "Whether a key of this type could sign by `alg` or verify so, in any implementation."
    return Function(BOOL, "corral_signs", (_OF_TYPE, _OF_ALG), (*body, RETURN_FALSE), comment)


def _by_family(pairs: Sequence[tuple[Value, Term]]) -> Body:
    """Values of one type of keys with their algorithms: one family after another, but for those
    like the first."""
    first, *others = by_value(pairs).items()
    tests: list[Statement] = []
    for algorithms, mine in others:
        kind = kind_of(mine[0].fields["public"])
        family = Name(f"{TYPES}{kind}_GET_FAMILY").call(_TYPE)
        is_one = (family.equals(v.fields["family"]) for v in mine)
        tests.append(when(any_of(*dict.fromkeys(is_one)), Return(algorithms)))
    return (*tests, Return(first[0]))


def _alike(signatures: Sequence[Signature]) -> Function:
    found = by_value(
        (algorithm, s.alike) for s in signatures if s.alike for algorithm in s.algorithms
    )

    def without(a: str, b: str) -> Return:
        bits = Unary("~", Name(a).with_operator("^", Name(b)))
        return Return(_DIFFERENCE.with_operator("&", bits))

    body = tuple(when(_is_one_of(algorithms), without(*two)) for two, algorithms in found.items())
    comment = (
        "The difference of two algorithms without the bits that verification does not look at: "
        "keys for `alg` verify signatures of the other, too, if nothing is left."
    )
    of = (_OF_ALG, Parameter(ALGORITHM, _DIFFERENCE.text))
    return Function(
        ALGORITHM, "corral_difference_to_verify", of, (*body, Return(_DIFFERENCE)), comment
    )


def _needs_hash(signatures: Sequence[Signature]) -> Function:
    always = [a for s in signatures for a in s.computed]
    to_sign = [a for s in signatures for a in s.computed_to_sign]
    tests = [_is_one_of(always)] if always else []
    if to_sign:
        tests.append(all_of(_USAGE.equals("PSA_KEY_USAGE_SIGN_HASH"), _is_one_of(to_sign)))
    return Function(
        BOOL,
        "corral_signature_computes_hash",
        (_OF_ALG, _OF_USAGE),
        (Return(any_of(*tests) if tests else _FALSE),),
        "Whether signatures of hashes work only with hashes that this build computes.",
    )


def _is_seed(build: Build) -> Function:
    seeds = [v.fields["pair"] for v in build.tree.mechanisms.pairs if v.fields.get("is_seed")]
    imported = {str(b.key.type) for b in build.of_unit("import_key") if b.key is not None}
    types = dict.fromkeys(seeds if imported.intersection(seeds) else [])
    return Function(
        BOOL,
        "corral_is_seed",
        (_OF_TYPE,),
        (Return(any_of(*(_is_type(t) for t in types)) if types else _FALSE),),
        "Whether a pair is kept as the seed it comes from, whose length does not tell its size.",
    )


def _seed_size(build: Build) -> Function:
    found: dict[Term, Term] = {}
    for fields in (value.fields for value in build.tree.mechanisms.pairs):
        if derive_symbol(fields["has_pair"]) in build.enabled:
            if fields.get("is_seed"):
                found[_is_type(fields["pair"])] = term(fields["private_size"])
            elif "seeds" in fields:
                found[_is_type(fields["pair"])] = term(fields["seeds"]).with_operator("*", _SIZE)
    body = tuple(when(is_type, Return(size)) for is_type, size in found.items())
    return Function(
        SIZE,
        "corral_seed_size",
        (_OF_TYPE, Parameter(SIZE, _SIZE.text)),
        (*body, Return(_NONE)),
        "Bytes of the seeds that a pair of `size` bytes of security is derived from; 0: it is not "
        "derived from seeds.",
    )


def _is_derived_by_driver(build: Build) -> Function:
    types = (str(b.key.type) for b in build.of_unit("derive_key", LOCAL) if b.key is not None)
    tests = dict.fromkeys(_is_type(t) for t in types)
    return Function(
        BOOL,
        "corral_is_derived_by_driver",
        (_OF_TYPE,),
        (Return(any_of(*tests) if tests else _FALSE),),
        "Whether a driver makes such keys of the bytes: the core can neither reduce nor hash.",
    )
