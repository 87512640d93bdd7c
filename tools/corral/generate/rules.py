# SPDX-License-Identifier: Apache-2.0
"""Conditions of dispatch: from cases to the fewest comparisons that tell them apart.

A case is an algorithm and a key that some driver serves. What else can reach a dispatch function
is the universe: the keys that the build can hold at all, since nobody can create others. A
condition that separates a case from nothing in the universe is left out. Algorithms are always
compared, because applications put any algorithm into a policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from corral.generate.ctext import any_of, condition, indented
from corral.model.expression import ANY_HASH, Expression

RANDOMIZED = Expression("PSA_ALG_ECDSA", (Expression(ANY_HASH),))
DETERMINISTIC = Expression("PSA_ALG_DETERMINISTIC_ECDSA", (Expression(ANY_HASH),))
UNNAMED = Expression("PSA_ALG_ECDSA_ANY")


class Key(NamedTuple):
    """A type of key with a size; bits None: any size, or those of sizes."""

    type: str
    bits: int | None
    sizes: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Case:
    """An algorithm (None: there is none) with a key (None likewise), and the C that serves it."""

    algorithm: Expression | None
    key: Key | None
    action: tuple[str, ...]


@dataclass(frozen=True)
class Names:
    """How the C code calls what is compared."""

    algorithm: str = "alg"
    type: str = "attributes->type"
    bits: str = "attributes->bits"
    # Size 0 stands for "as the data says": creation with a size that is not given.
    open_size: bool = False


Universe = frozenset[Key] | None


def algorithm_condition(algorithms: Sequence[Expression], name: str) -> str:
    """One C condition for a set of algorithms."""
    left = list(algorithms)
    parts: list[str] = []
    if RANDOMIZED in left or DETERMINISTIC in left:
        parts.append(_ecdsa_condition(left, name))
        left = [a for a in left if a not in (RANDOMIZED, DETERMINISTIC, UNNAMED)]
    for algorithm in left:
        if algorithm.is_pattern:
            none = Expression(algorithm.name, (Expression("PSA_ALG_NONE"),))
            parts.append(f"({name} & ~(psa_algorithm_t)0xff) == {none}")
        else:
            parts.append(f"{name} == {algorithm}")
    return any_of(parts)


def _ecdsa_condition(algorithms: Sequence[Expression], name: str) -> str:
    """ECDSA with any hash is one comparison under a mask, less the values that are none of it."""
    randomized, deterministic = RANDOMIZED in algorithms, DETERMINISTIC in algorithms
    if randomized and deterministic:
        test = f"PSA_ALG_IS_ECDSA({name})"
    elif randomized:
        test = f"PSA_ALG_IS_RANDOMIZED_ECDSA({name})"
    else:
        test = f"PSA_ALG_IS_DETERMINISTIC_ECDSA({name})"
    if randomized and UNNAMED not in algorithms:
        test += f" && {name} != {UNNAMED}"
    if deterministic:
        test += f" && {name} != PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_NONE)"
    if not randomized and UNNAMED in algorithms:
        test = any_of([test, f"{name} == {UNNAMED}"])
    return test


def _type_condition(types: Iterable[str], names: Names) -> str:
    return any_of([f"{names.type} == {t}" for t in dict.fromkeys(types)])


def _sizes_condition(sizes: Sequence[int], names: Names) -> list[str]:
    """Sizes as a range where they are one, otherwise one by one."""
    ordered = sorted(set(sizes))
    steps = {b - a for a, b in pairwise(ordered)}
    if len(ordered) > 3 and len(steps) == 1:
        step = steps.pop()
        parts = [] if ordered[0] == step else [f"{names.bits} >= {ordered[0]}"]
        parts.append(f"{names.bits} <= {ordered[-1]}")
        if step > 1:
            parts.append(f"{names.bits} % {step} == {ordered[0] % step}")
        if ordered[0] == step and not names.open_size:
            parts.append(f"{names.bits} != 0")
        return parts
    tests = [f"{names.bits} == {size}" for size in ordered]
    if names.open_size:
        tests.insert(0, f"{names.bits} == 0")
    return [any_of(tests)]


def _exact(keys: Sequence[Key], names: Names) -> list[str]:
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
    alternatives: list[list[str]] = []
    for (sizes,), types in by_sizes.items():
        parts = [_type_condition(types, names)]
        if sizes is not None:
            parts += _sizes_condition(sizes, names)
        alternatives.append(parts)
    if len(alternatives) == 1:
        return alternatives[0]
    return [any_of([" && ".join(parts) for parts in alternatives])]


def key_condition(
    keys: Sequence[Key], universe: Universe, handled: Iterable[Key], names: Names
) -> list[str]:
    """Conditions, all to be met, that hold for `keys` and for nothing else in the universe.

    universe None: the whole world. handled: what does not come here any more.
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
    """Algorithms that are served alike: who serves which keys, in order."""

    algorithms: list[Expression]
    rules: list[tuple[tuple[str, ...], list[Key | None]]]


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
    groups: dict[tuple[tuple[tuple[str, ...], tuple[Key | None, ...]], ...], _Group] = {}
    by_algorithm: dict[Expression | None, list[Case]] = {}
    for case in cases:
        by_algorithm.setdefault(case.algorithm, []).append(case)
    patterns = [case for case in cases if case.algorithm is not None and case.algorithm.is_pattern]
    algorithms = list(by_algorithm)
    # What is specific must be asked before the patterns that cover it.
    algorithms.sort(key=lambda a: a is not None and a.is_pattern)
    for algorithm in algorithms:
        rules: dict[tuple[str, ...], list[Key | None]] = {}
        for case in _rules_of(algorithm, by_algorithm[algorithm], patterns):
            rules.setdefault(case.action, []).append(case.key)
        signature = tuple((action, tuple(keys)) for action, keys in rules.items())
        group = groups.setdefault(signature, _Group([], list(rules.items())))
        if algorithm is not None:
            group.algorithms.append(algorithm)
    ordered = list(groups.values())
    ordered.sort(key=lambda g: any(a.is_pattern for a in g.algorithms))
    return ordered


def _conditions(group: _Group, universe: Universe, names: Names) -> list[list[str]]:
    """For each rule of a group its conditions on the key; empty: none is needed."""
    found: list[list[str]] = []
    handled: set[Key] = set()
    for _, keys in group.rules:
        mine = [key for key in keys if key is not None]
        if not mine:
            found.append([])
            continue
        found.append(key_condition(mine, universe, handled, names))
        handled.update(mine)
    return found


def _body(group: _Group, conditions: Sequence[Sequence[str]]) -> tuple[list[str], bool]:
    """The rules of a group; whether the end can be reached."""
    lines: list[str] = []
    for (action, _), parts in zip(group.rules, conditions, strict=True):
        if not parts:
            return lines + list(action), False
        lines += [condition(parts), *indented(action), "}"]
    return lines, True


def emit(
    cases: Sequence[Case],
    universes: dict[Expression | None, Universe] | Universe,
    names: Names,
    otherwise: Sequence[str],
) -> list[str]:
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

    groups = _groups(cases)
    with_conditions = [(group, _conditions(group, universe(group), names)) for group in groups]
    if len(groups) == 1 and not groups[0].algorithms:
        lines, is_open = _body(*with_conditions[0])
        return [*lines, *otherwise] if is_open else lines
    specific = all(not a.is_pattern for group in groups for a in group.algorithms)
    if specific and sum(len(group.algorithms) for group in groups) > 2:
        return _switch(with_conditions, names, otherwise)
    lines = []
    for group, conditions in with_conditions:
        test = algorithm_condition(group.algorithms, names.algorithm)
        if len(group.rules) == 1:
            parts = [test, *conditions[0]]
            lines += [condition(parts), *indented(group.rules[0][0]), "}"]
        else:
            body, _ = _body(group, conditions)
            lines += [condition([test]), *indented(body), "}"]
    return [*lines, *otherwise]


def _switch(
    groups: Sequence[tuple[_Group, list[list[str]]]], names: Names, otherwise: Sequence[str]
) -> list[str]:
    lines = [f"switch ({names.algorithm}) {{"]
    simple = len(otherwise) == 1
    for group, conditions in groups:
        lines += [f"case {algorithm}:" for algorithm in group.algorithms]
        body, is_open = _body(group, conditions)
        lines += indented(body)
        if is_open:
            lines += indented(otherwise if simple else ["break;"])
    lines.append("default:")
    if simple:
        return [*lines, *indented(otherwise), "}"]
    return [*lines, *indented(["break;"]), "}", *otherwise]
