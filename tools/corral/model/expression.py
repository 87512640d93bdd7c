# SPDX-License-Identifier: Apache-2.0
"""Algorithms and key types as PSA macro expressions, and patterns that match them.

An Expression is a macro name with arguments: PSA_ALG_HMAC(PSA_ALG_SHA_256). Patterns may hold
PSA_ALG_ANY_HASH in the place of a hash and _ in the place of a curve or group. Which macros exist
is read from include/psa/, so a misspelt name is noticed, and there is no second list to maintain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from corral.model.node import nearest

ANY_HASH = "PSA_ALG_ANY_HASH"
ANY = "_"

_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[(),])")
_DEFINE = re.compile(
    r"^#define\s+(PSA_(?:ALG|KEY_TYPE|[A-Z_]+_FAMILY)_[A-Z0-9_]+)"
    r"(\(([^)]*)\))?",
    re.MULTILINE,
)
# Macros that ask or convert; none of them names an algorithm or a key type.
_NO_VALUE = re.compile(r"_(IS|GET|OF|SUPPORTS)_|_ALG_(TRUNCATED|FULL_LENGTH|AT_LEAST)_|_NONE$")


_MAX_DEPTH = 8


@dataclass(frozen=True, order=True)
class Expression:
    """A macro with its arguments. str() is C, spelt as the standard macros are used."""

    name: str
    arguments: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        if not self.arguments:
            return self.name
        return f"{self.name}({', '.join(str(argument) for argument in self.arguments)})"

    @cached_property
    def is_pattern(self) -> bool:
        return self.name in (ANY, ANY_HASH) or any(a.is_pattern for a in self.arguments)

    def matches(self, other: Expression) -> bool:
        """True when this pattern covers all that `other` stands for."""
        if self.name == ANY:
            return True
        if self.name == ANY_HASH:
            return not other.arguments
        return (
            self.name == other.name
            and len(self.arguments) == len(other.arguments)
            and all(a.matches(b) for a, b in zip(self.arguments, other.arguments, strict=True))
        )

    def overlaps(self, other: Expression) -> bool:
        return self.matches(other) or other.matches(self)


@dataclass(frozen=True)
class Vocabulary:
    """The macros that include/psa/ defines, with their numbers of arguments."""

    arities: dict[str, int]
    # The tables of mechanisms come to the same few expressions again and again.
    _known: dict[str, Expression] = field(default_factory=dict, compare=False, repr=False)

    def parse(self, text: str, category: str) -> Expression:
        """Parse an expression whose macro begins with `category` (PSA_ALG_, PSA_KEY_TYPE_).

        Raises ValueError with the fault, and the name that may be meant.
        """
        expression = self._known.get(text)
        if expression is None:
            expression = self._known[text] = self._parse(text)
        if not expression.name.startswith(category):
            raise ValueError(f"{expression.name} is not a {category}... macro")
        if expression.name == ANY_HASH:
            raise ValueError(f"{ANY_HASH} is only for the place of a hash inside an algorithm")
        return expression

    def _parse(self, text: str) -> Expression:
        tokens = _tokenise(text)
        if tokens.count("(") > _MAX_DEPTH:
            raise ValueError("more parentheses than any macro of PSA Crypto 1.5 needs")
        expression = self._expression(tokens)
        if tokens:
            raise ValueError(f'"{tokens[0]}" follows the end of the expression')
        return expression

    def _expression(self, tokens: list[str]) -> Expression:
        if not tokens or tokens[0] in "(),":
            raise ValueError("a macro name is missing")
        name = tokens.pop(0)
        arguments: list[Expression] = []
        if tokens and tokens[0] == "(":
            tokens.pop(0)
            arguments.append(self._expression(tokens))
            while tokens and tokens[0] == ",":
                tokens.pop(0)
                arguments.append(self._expression(tokens))
            if not tokens or tokens.pop(0) != ")":
                raise ValueError('a ")" is missing')
        self._check(name, len(arguments))
        return Expression(name, tuple(arguments))

    def _check(self, name: str, count: int) -> None:
        if name == ANY and count == 0:
            return
        if name not in self.arities:
            raise ValueError(f"{name} is no macro of PSA Crypto 1.5; {nearest(name, self.arities)}")
        if self.arities[name] != count:
            raise ValueError(f"{name} takes {self.arities[name]} arguments, not {count}")


def _tokenise(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise ValueError(f'"{stripped[position]}" is not understood')
        tokens.append(match.group(1))
        position = match.end()
    return tokens


def load_vocabulary(include: Path) -> Vocabulary:
    """The macros of the headers in `include` (include/psa/)."""
    return _vocabulary(
        tuple(path.read_text(encoding="utf-8") for path in sorted(include.glob("*.h")))
    )


@lru_cache(maxsize=1)
def _vocabulary(headers: tuple[str, ...]) -> Vocabulary:
    """A process that builds many things asks for the same headers again and again."""
    arities: dict[str, int] = {}
    for header in headers:
        for name, call, parameters in _DEFINE.findall(header):
            if not _NO_VALUE.search(name):
                arities[name] = parameters.count(",") + 1 if call else 0
    return Vocabulary(arities)


def name(text: str) -> Expression:
    """An expression that our own tables hold, without arguments or already checked."""
    tokens = _tokenise(text)
    return _trusted(tokens)


def _trusted(tokens: list[str]) -> Expression:
    macro = tokens.pop(0)
    arguments: list[Expression] = []
    if tokens and tokens[0] == "(":
        while tokens.pop(0) != ")":
            arguments.append(_trusted(tokens))
    return Expression(macro, tuple(arguments))


def covered(patterns: Iterable[Expression] | None, concrete: Expression | None) -> bool:
    """Whether one of the patterns covers `concrete`; no patterns, or nothing to cover: yes."""
    if patterns is None or concrete is None:
        return True
    return any(pattern.matches(concrete) for pattern in patterns)
