# SPDX-License-Identifier: Apache-2.0
"""How terms are written: their operators, and parentheses where those would bind otherwise."""

from __future__ import annotations

from functools import singledispatch

from corral.generate.c import terms as t

#: How tightly operators hold what is beside them.
_LEVELS = (("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"))
_CHOICE, _ANY, _ALL, _BINARY = 0, 1, 2, 3
_PRODUCT = _BINARY + len(_LEVELS)
_UNARY, POSTFIX = _PRODUCT + 1, _PRODUCT + 2
_BINARIES = {operator: _BINARY + i for i, level in enumerate(_LEVELS) for operator in level}


def written(term: t.Term, at_least: int = _CHOICE) -> str:
    """A term, in parentheses if its operator holds less tightly than asked for."""
    text, level = _term(term)
    return text if level >= at_least else f"({text})"


@singledispatch
def _term(term: t.Node) -> tuple[str, int]:
    raise TypeError(f"{type(term).__name__} has no value")  # pragma: no cover


@_term.register
def _(term: t.Name) -> tuple[str, int]:
    return term.text, POSTFIX


@_term.register
def _(term: t.Literal) -> tuple[str, int]:
    return term.text, POSTFIX


@_term.register
def _(term: t.Member) -> tuple[str, int]:
    return f"{written(term.of, POSTFIX)}{term.operator}{term.name}", POSTFIX


@_term.register
def _(term: t.Index) -> tuple[str, int]:
    return f"{written(term.of, POSTFIX)}[{term.index}]", POSTFIX


@_term.register
def _(term: t.Call) -> tuple[str, int]:
    arguments = ", ".join(written(argument) for argument in term.arguments)
    return f"{written(term.function, POSTFIX)}({arguments})", POSTFIX


@_term.register
def _(term: t.Unary) -> tuple[str, int]:
    gap = " " if term.operator == "sizeof" else ""
    return f"{term.operator}{gap}{written(term.of, _UNARY)}", _UNARY


@_term.register
def _(term: t.Cast) -> tuple[str, int]:
    return f"({term.type.text}){written(term.of, _UNARY)}", _UNARY


@_term.register
def _(term: t.Attribute) -> tuple[str, int]:
    return f"__attribute__(({written(term.of)}))", POSTFIX


@_term.register
def _(term: t.Binary) -> tuple[str, int]:
    level = _BINARIES.get(term.operator, _PRODUCT)
    left, right = written(term.left, level), written(term.right, level + 1)
    return f"{left} {term.operator} {right}", level


@_term.register
def _(term: t.All) -> tuple[str, int]:
    return " && ".join(written(part, _BINARY) for part in term.terms), _ALL


@_term.register
def _(term: t.Any) -> tuple[str, int]:
    # Compilers ask for parentheses around && here, which C does not need.
    return " || ".join(written(part, _BINARY) for part in term.terms), _ANY


@_term.register
def _(term: t.Choice) -> tuple[str, int]:
    test, yes = written(term.test, _ANY), written(term.yes, _ANY)
    return f"{test} ? {yes} : {written(term.no)}", _CHOICE
