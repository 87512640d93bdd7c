# SPDX-License-Identifier: Apache-2.0
"""Conditions of dispatch: from cases to the fewest comparisons that tell them apart.

A case is an algorithm and a key that some driver supports. The universe contains all keys
that can reach a dispatch function: those that the build can hold, since no others can be
created. A condition that separates a case from nothing in the universe is left out.
Algorithms are always compared, because applications put any algorithm into a policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corral.configure.bindings import Binding
from corral.generate.c.nodes import Arm, Body, Function, If, Parameter, Return, Statement, Switch
from corral.generate.c.terms import Cast, Name, Term, Unary, all_of, any_of
from corral.generate.functions import ALG, ALGORITHM, BITS, BOOL, TYPE, value_of
from corral.generate.key import Key, Universe
from corral.model.expression import ANY_HASH, Expression

RANDOMIZED = Expression("PSA_ALG_ECDSA", (Expression(ANY_HASH),))
DETERMINISTIC = Expression("PSA_ALG_DETERMINISTIC_ECDSA", (Expression(ANY_HASH),))
UNNAMED = Expression("PSA_ALG_ECDSA_ANY")


@dataclass(frozen=True)
class Case:
    """An algorithm (None: there is none) with a key (None likewise), and its drivers."""

    algorithm: Expression | None
    key: Key | None
    action: Body


@dataclass(frozen=True)
class Names:
    """The terms to compare."""

    algorithm: Term = ALG
    type: Term = TYPE
    bits: Term = BITS
    # Size 0 stands for "as the data says": creation with a size that is not given.
    open_size: bool = False


def algorithm_condition(algorithms: Sequence[Expression], alg: Term = ALG) -> Term:
    """One condition for a set of algorithms."""
    left = list(algorithms)
    tests: list[Term] = []
    if RANDOMIZED in left or DETERMINISTIC in left:
        tests.append(_ecdsa_condition(left, alg))
        left = [a for a in left if a not in (RANDOMIZED, DETERMINISTIC, UNNAMED)]
    for algorithm in left:
        if algorithm.is_pattern:
            none = Expression(algorithm.name, (Expression("PSA_ALG_NONE"),))
            any_hash = Unary("~", Cast(ALGORITHM, Name("0xff")))
            tests.append(alg.with_operator("&", any_hash).equals(value_of(none)))
        else:
            tests.append(alg.equals(value_of(algorithm)))
    return any_of(*tests)


def supported(name: str, bindings: Sequence[Binding], comment: str) -> Function:
    """bool <name>(psa_algorithm_t alg): whether one of the bindings has it."""
    algorithms = list(dict.fromkeys(b.algorithm for b in bindings if b.algorithm))
    test = algorithm_condition(algorithms) if algorithms else Name("false")
    return Function(BOOL, name, (Parameter(ALGORITHM, "alg"),), (Return(test),), comment)


def _ecdsa_condition(algorithms: Sequence[Expression], alg: Term) -> Term:
    """ECDSA with any hash is one comparison under a mask, less the values that are none of it."""
    randomized, deterministic = RANDOMIZED in algorithms, DETERMINISTIC in algorithms
    unnamed = value_of(UNNAMED)
    kind = "" if randomized and deterministic else "RANDOMIZED_" if randomized else "DETERMINISTIC_"
    tests: list[Term] = [Name(f"PSA_ALG_IS_{kind}ECDSA").call(alg)]
    if randomized and UNNAMED not in algorithms:
        tests.append(alg.differs(unnamed))
    if deterministic:
        tests.append(alg.differs(Name("PSA_ALG_DETERMINISTIC_ECDSA").call("PSA_ALG_NONE")))
    test = all_of(*tests)
    if not randomized and UNNAMED in algorithms:
        return any_of(test, alg.equals(unnamed))
    return test


def _type_condition(types: Iterable[str], names: Names) -> Term:
    return any_of(*(names.type.equals(t) for t in dict.fromkeys(types)))


def _sizes_condition(sizes: Sequence[int], names: Names) -> list[Term]:
    """Sizes as a range where they are one, otherwise one by one."""
    ordered = sorted(set(sizes))
    steps = {b - a for a, b in pairwise(ordered)}
    if len(ordered) > 3 and len(steps) == 1:
        step = steps.pop()
        low, high = ordered[0], ordered[-1]
        tests: list[Term] = [] if low == step else [names.bits.with_operator(">=", low)]
        tests.append(names.bits.with_operator("<=", high))
        if step > 1:
            tests.append(names.bits.with_operator("%", step).equals(low % step))
        if low == step and not names.open_size:
            tests.append(names.bits.differs(0))
        return tests
    given = [0] if names.open_size else []
    return [any_of(*(names.bits.equals(size) for size in [*given, *ordered]))]


def _exact(keys: Sequence[Key], names: Names) -> list[Term]:
    """Type and size of each key, sharing what keys have in common."""
    by_sizes: dict[tuple[tuple[int, ...] | None, ...], list[str]] = {}
    by_type: dict[str, list[Key]] = {}
    for key in keys:
        by_type.setdefault(key.type, []).append(key)
    for key_type, mine in by_type.items():
        bits: tuple[int, ...] | None = tuple(k.bits for k in mine if k.bits is not None)
        if any(k.bits is None for k in mine):
            bits = next((k.sizes for k in mine if k.bits is None), None)
        by_sizes.setdefault((bits,), []).append(key_type)
    alternatives: list[list[Term]] = []
    for (sizes,), types in by_sizes.items():
        parts = [_type_condition(types, names)]
        if sizes is not None:
            parts += _sizes_condition(sizes, names)
        alternatives.append(parts)
    if len(alternatives) == 1:
        return alternatives[0]
    return [any_of(*(all_of(*parts) for parts in alternatives))]


def key_condition(
    keys: Sequence[Key], universe: Universe, handled: Iterable[Key], names: Names
) -> list[Term]:
    """Conditions, all to be met, that hold for `keys` and for nothing else in the universe.

    universe None: the whole world. handled: cases that earlier rules have taken.
    """
    if universe is None:
        return _exact(keys, names)
    forbidden = universe.difference(keys, handled)
    narrowed = any(key.sizes is not None and key not in universe for key in keys)
    if not forbidden and not narrowed:
        return []
    types = {key.type for key in keys}
    sizes = {key.bits for key in keys}
    if not narrowed and types.isdisjoint(key.type for key in forbidden):
        return [_type_condition([key.type for key in keys], names)]
    separated = sizes.isdisjoint(key.bits for key in forbidden)
    if None not in sizes and separated and all(key.bits is not None for key in forbidden):
        return _sizes_condition([key.bits for key in keys if key.bits is not None], names)
    return _exact(keys, names)


@dataclass
class _Group:
    """Algorithms with the same rules: drivers and their keys, in order."""

    algorithms: list[Expression]
    rules: list[tuple[Body, list[Key | None]]]


def _rules_of(
    algorithm: Expression | None, mine: Sequence[Case], patterns: Iterable[Case]
) -> Sequence[Case]:
    """The cases of an algorithm; a specific one also gets those of patterns that cover it."""
    if algorithm is None or algorithm.is_pattern:
        return mine
    keys = {case.key for case in mine}
    return [
        *mine,
        *(
            case
            for case in patterns
            if case.algorithm is not None
            and case.algorithm.matches(algorithm)
            and case.key not in keys
        ),
    ]


def _groups(cases: Sequence[Case]) -> list[_Group]:
    groups: dict[tuple[tuple[Body, tuple[Key | None, ...]], ...], _Group] = {}
    by_algorithm: dict[Expression | None, list[Case]] = {}
    for case in cases:
        by_algorithm.setdefault(case.algorithm, []).append(case)
    patterns = [case for case in cases if case.algorithm is not None and case.algorithm.is_pattern]
    algorithms = list(by_algorithm)
    # A specific algorithm is tested before the patterns that cover it.
    algorithms.sort(key=lambda a: a is not None and a.is_pattern)
    for algorithm in algorithms:
        rules: dict[Body, list[Key | None]] = {}
        for case in _rules_of(algorithm, by_algorithm[algorithm], patterns):
            rules.setdefault(case.action, []).append(case.key)
        signature = tuple((action, tuple(keys)) for action, keys in rules.items())
        group = groups.setdefault(signature, _Group([], list(rules.items())))
        if algorithm is not None:
            group.algorithms.append(algorithm)
    ordered = list(groups.values())
    ordered.sort(key=lambda g: any(a.is_pattern for a in g.algorithms))
    return ordered


def _conditions(group: _Group, universe: Universe, names: Names) -> list[list[Term]]:
    """For each rule of a group its conditions on the key; empty: none is needed."""
    found: list[list[Term]] = []
    handled: set[Key] = set()
    for _, keys in group.rules:
        mine = [key for key in keys if key is not None]
        if not mine:
            found.append([])
            continue
        found.append(key_condition(mine, universe, handled, names))
        handled.update(mine)
    return found


def _body(group: _Group, conditions: Sequence[Sequence[Term]]) -> tuple[Body, bool]:
    """The rules of a group; whether the end can be reached."""
    body: Body = ()
    for (action, _), tests in zip(group.rules, conditions, strict=True):
        if not tests:
            return (*body, *action), False
        body = (*body, If(all_of(*tests), action))
    return body, True


def emit(
    cases: Sequence[Case],
    universes: dict[Expression | None, Universe] | Universe,
    names: Names,
    otherwise: Statement,
) -> Body:
    """The body of a dispatch function. Actions and `otherwise` end with a return.

    universes: one for all algorithms, or one for each.
    """

    def universe(group: _Group) -> Universe:
        if not isinstance(universes, dict):
            return universes
        algorithms: Sequence[Expression | None] = group.algorithms or [None]
        parts = [universes.get(a) for a in algorithms]
        if any(part is None for part in parts):
            return None
        return frozenset(key for part in parts for key in part or ())

    if not cases:
        return (otherwise,)
    groups = _groups(cases)
    with_conditions = [(group, _conditions(group, universe(group), names)) for group in groups]
    if len(groups) == 1 and not groups[0].algorithms:
        body, is_open = _body(*with_conditions[0])
        return (*body, otherwise) if is_open else body
    specific = all(not a.is_pattern for group in groups for a in group.algorithms)
    if specific and sum(len(group.algorithms) for group in groups) > 2:
        return (_switch(with_conditions, names, otherwise),)
    branches = [_branch(group, conditions, names) for group, conditions in with_conditions]
    return (*branches, otherwise)


def _branch(group: _Group, conditions: Sequence[Sequence[Term]], names: Names) -> If:
    """The algorithms of a group; the only drivers of them have the same condition."""
    test = algorithm_condition(group.algorithms, names.algorithm)
    if len(group.rules) == 1:
        return If(all_of(test, *conditions[0]), group.rules[0][0])
    return If(test, _body(group, conditions)[0])


def _switch(
    groups: Sequence[tuple[_Group, list[list[Term]]]], names: Names, otherwise: Statement
) -> Switch:
    arms = []
    for group, conditions in groups:
        body, is_open = _body(group, conditions)
        labels = tuple(value_of(algorithm) for algorithm in group.algorithms)
        arms.append(Arm(labels, (*body, otherwise) if is_open else body))
    return Switch(names.algorithm, tuple(arms), (otherwise,))
