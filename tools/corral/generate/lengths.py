# SPDX-License-Identifier: Apache-2.0
"""Functions of the lengths that this build supports, and of nothing else."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from corral.generate.c.nodes import Arm, Body, Function, Parameter, Return, Switch
from corral.generate.c.terms import Choice, Name, Term, all_of, any_of, term
from corral.generate.functions import ALG, ALGORITHM, KEY_TYPE, SIZE, value_of
from corral.model.expression import Expression

OF_ALGORITHM = (Parameter(ALGORITHM, "alg"),)
OF_ALGORITHM_AND_TYPE = (Parameter(ALGORITHM, "alg"), Parameter(KEY_TYPE, "type"))
OF_TYPE_AND_ALGORITHM = (Parameter(KEY_TYPE, "type"), Parameter(ALGORITHM, "alg"))
NONE = term(0)

_Value = TypeVar("_Value", bound=Hashable)
_Of = TypeVar("_Of")


def by_value(pairs: Iterable[tuple[_Of, _Value]]) -> dict[_Value, list[_Of]]:
    """Cases with the same value, together."""
    found: dict[_Value, list[_Of]] = {}
    for of, value in pairs:
        found.setdefault(value, []).append(of)
    return found


def switch_of(on: Term, values: Mapping[Term, Term], other: Term = NONE) -> Body:
    """A number for each label, and one for others."""
    arms = tuple(
        Arm(tuple(labels), (Return(value),)) for value, labels in by_value(values.items()).items()
    )
    return (Switch(on, arms, (Return(other),)),) if arms else (Return(other),)


def hash_value_function(name: str, values: Mapping[Expression, int], comment: str) -> Function:
    """size_t <name>(psa_algorithm_t alg): a number for each algorithm, 0 for others."""
    body = switch_of(ALG, {value_of(alg): term(value) for alg, value in values.items()})
    if len(set(values.values())) == 1 and len(values) <= 2:
        test = any_of(*(ALG.equals(value_of(algorithm)) for algorithm in values))
        body = (Return(Choice(test, term(next(iter(values.values()))), NONE)),)
    return Function(SIZE, name, OF_ALGORITHM, body, comment)


def typed_value_function(
    name: str,
    parameters: Sequence[Parameter],
    values: Mapping[tuple[Expression, str], int],
    types: frozenset[str],
    comment: str,
) -> Function:
    """A number for each pair of algorithm and key type, 0 for others.

    types: the types of keys that can exist in this build; a comparison that tells none of them
    apart is left out.
    """
    of_types: dict[Expression, dict[str, int]] = {}
    for (algorithm, key_type), number in values.items():
        of_types.setdefault(algorithm, {})[key_type] = number
    found = {algorithm: _of_type(lengths, types) for algorithm, lengths in of_types.items()}
    body = switch_of(ALG, {value_of(algorithm): value for algorithm, value in found.items()})
    if len(values) == 1:
        ((algorithm, value),) = found.items()
        test: Term = ALG.equals(value_of(algorithm))
        if isinstance(value, Choice):
            test, value = all_of(test, value.test), value.yes
        body = (Return(Choice(test, value, NONE)),)
    return Function(SIZE, name, tuple(parameters), body, comment)


def _of_type(lengths: Mapping[str, int], types: frozenset[str]) -> Term:
    """A value by `type`."""
    groups = list(by_value(lengths.items()).items())
    value = NONE
    if types.issubset(lengths):
        value = term(groups.pop()[0])
    for number, mine in reversed(groups):
        test = any_of(*(Name("type").equals(key_type) for key_type in mine))
        value = Choice(test, term(number), value)
    return value
