# SPDX-License-Identifier: Apache-2.0
"""Properties derived from a tree: its names, variables, unused parameters and headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from corral.generate.c.nodes import Define, File, Function, Parameter
from corral.generate.c.terms import Name, Node, Type, Variable

#: Headers of common names.
HEADERS = {
    "bool": "stdbool.h",
    "true": "stdbool.h",
    "false": "stdbool.h",
    "NULL": "stddef.h",
    "size_t": "stddef.h",
    "uint8_t": "stdint.h",
    "uint16_t": "stdint.h",
    "uint32_t": "stdint.h",
    "corral_wipe": "corral/driver.h",
    "corral_rsa_bits": "corral/rsa.h",
    "psa_crypto_driver_key_derivation_inputs_t": "corral/derivation.h",
    "psa_crypto_driver_pake_inputs_t": "corral/pake.h",
}
#: Headers of names that have a prefix in common.
NAMESPACES = {"psa": "psa/crypto.h"}
STANDARD = ("stdbool.h", "stddef.h", "stdint.h")

_WORD = re.compile(r"[A-Za-z_]\w*")


def walk(value: object) -> Iterator[Node]:
    """A node and everything below it, in the order in which it is written."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, Node):
            yield one
            left += reversed(vars(one).values())
        elif isinstance(one, tuple):
            left += reversed(one)


def variables(function: Function) -> list[Variable]:
    """The variables of a function, in the order in which they appear."""
    found = {n.text: n for n in walk(function.body) if isinstance(n, Variable)}
    return list(found.values())


def unused(function: Function) -> list[Parameter]:
    """The parameters that a function does not name."""
    named = {node.text for node in walk(function.body) if isinstance(node, Name)}
    return [parameter for parameter in function.parameters if parameter.name not in named]


def _headers(word: str) -> list[str]:
    header = HEADERS.get(word) or NAMESPACES.get(word.partition("_")[0].lower())
    return [header] if header else []


def includes(file: File) -> list[str]:
    """The headers of all that a file names. The names of a macro's replacement count
    where it is used: only the explicit ones are included."""
    found = set(file.includes)
    nodes = list(walk(file))
    macros = {node for of in nodes if isinstance(of, Define) for node in walk(of.value)}
    for node in nodes:
        if isinstance(node, Name | Type):
            words = [] if node in macros else _WORD.findall(node.text)
            found.update(node.headers or [h for word in words for h in _headers(word)])
    return sorted(found)


def grouped(headers: list[str]) -> list[list[str]]:
    """Those of the language, those of the API and of ours, those of drivers."""
    groups: list[list[str]] = [[], [], []]
    for header in headers:
        is_drivers = PurePath(header).parts[:2] == ("corral", "drivers")
        groups[0 if header in STANDARD else 2 if is_drivers else 1].append(header)
    return [group for group in groups if group]
