# SPDX-License-Identifier: Apache-2.0
"""Functions that know the lengths of what this build serves, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corral.generate.ctext import any_of, function, indented
from corral.model.expression import Expression


def hash_value_function(
    name: str, values: Mapping[Expression, int], comment: str, type_name: str = ""
) -> list[str]:
    """size_t <name>(psa_algorithm_t alg): a number for each algorithm, 0 for others."""
    body = _by_algorithm(values)
    parameters = ["psa_algorithm_t alg"]
    if type_name:
        parameters.insert(0, f"psa_key_type_t {type_name}")
    return function("size_t", name, parameters, body, comment)


def _by_algorithm(values: Mapping[Expression, int]) -> list[str]:
    if not values:
        return ["return 0;"]
    by_value: dict[int, list[Expression]] = {}
    for algorithm, value in values.items():
        by_value.setdefault(value, []).append(algorithm)
    if len(by_value) == 1 and len(values) <= 2:
        value = next(iter(by_value))
        test = " || ".join(f"alg == {algorithm}" for algorithm in values)
        return [f"return {test} ? {value} : 0;"]
    lines = ["switch (alg) {"]
    for value, algorithms in by_value.items():
        lines += [f"case {algorithm}:" for algorithm in algorithms]
        lines += indented([f"return {value};"])
    return [*lines, "default:", *indented(["return 0;"]), "}"]


def typed_value_function(
    name: str,
    parameters: Sequence[str],
    values: Mapping[tuple[Expression, str], int],
    types: frozenset[str],
    comment: str,
) -> list[str]:
    """A number for each pair of algorithm and key type, 0 for others.

    types: the types of keys that can exist in this build; a comparison that tells none of them
    apart is left out.
    """
    by_algorithm: dict[Expression, dict[int, list[str]]] = {}
    for (algorithm, key_type), value in values.items():
        by_algorithm.setdefault(algorithm, {}).setdefault(value, []).append(key_type)
    results: dict[str, list[Expression]] = {}
    for algorithm, by_value in by_algorithm.items():
        results.setdefault(_typed(by_value, types), []).append(algorithm)
    if not results:
        return function("size_t", name, parameters, ["return 0;"], comment)
    lines = ["switch (alg) {"]
    if len(values) == 1:
        ((text, algorithms),) = results.items()
        test, _, rest = text.partition(" ? ")
        one = f"alg == {algorithms[0]}"
        text = f"{one} && {text}" if rest else f"{one} ? {test} : 0"
        return function("size_t", name, parameters, [f"return {text};"], comment)
    for text, algorithms in results.items():
        lines += [f"case {algorithm}:" for algorithm in algorithms]
        lines += indented([f"return {text};"])
    lines += ["default:", *indented(["return 0;"]), "}"]
    return function("size_t", name, parameters, lines, comment)


def _typed(by_value: Mapping[int, list[str]], types: frozenset[str]) -> str:
    """An expression over `type`."""
    text = "0"
    left = set(types)
    parts = list(by_value.items())
    for _, mine in parts:
        left.difference_update(mine)
    for value, mine in reversed(parts):
        if not left and text == "0":
            text = str(value)
        else:
            test = any_of([f"type == {t}" for t in mine])
            text = f"{test} ? {value} : {text}"
    return text
