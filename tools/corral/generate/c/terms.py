# SPDX-License-Identifier: Apache-2.0
"""Terms of C, which have a value, and the types of declarations: the leaves of a tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """Anything in a tree."""


@dataclass(frozen=True)
class Term(Node):
    """An expression. The methods build larger ones from it, in the order in which C reads."""

    def arrow(self, member: str) -> Member:
        return Member(self, "->", member)

    def dot(self, member: str) -> Member:
        return Member(self, ".", member)

    def at(self, index: int) -> Index:
        return Index(self, index)

    def with_operator(self, operator: str, other: Operand) -> Binary:
        return Binary(operator, self, term(other))

    def equals(self, other: Operand) -> Binary:
        return self.with_operator("==", other)

    def differs(self, other: Operand) -> Binary:
        return self.with_operator("!=", other)

    def call(self, *arguments: Operand) -> Call:
        return Call(self, tuple(term(argument) for argument in arguments))


#: Operands of a term: a number stands for itself, a text for a name.
Operand = Term | str | int


@dataclass(frozen=True)
class Type(Node):
    """A type as a declaration begins with it: "const uint8_t *". headers: where it is defined,
    if names.py does not know."""

    text: str
    headers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Name(Term):
    """A constant, a parameter, a function or a macro."""

    text: str
    headers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Variable(Name):
    """A variable of the function that contains it, which declares it by its use."""

    type: Type = Type("psa_status_t")


@dataclass(frozen=True)
class Literal(Term):
    """A number as it is spelt, or a text with its quotation marks."""

    text: str


@dataclass(frozen=True)
class Member(Term):
    of: Term
    operator: str
    name: str


@dataclass(frozen=True)
class Index(Term):
    """a[2]."""

    of: Term
    index: int


@dataclass(frozen=True)
class Call(Term):
    function: Term
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Unary(Term):
    """&a, ~a, !a, sizeof a."""

    operator: str
    of: Term


@dataclass(frozen=True)
class Cast(Term):
    type: Type
    of: Term


@dataclass(frozen=True)
class Attribute(Term):
    """An attribute of a declaration for the compiler."""

    of: Term


@dataclass(frozen=True)
class Binary(Term):
    operator: str
    left: Term
    right: Term


@dataclass(frozen=True)
class All(Term):
    """a && b && c."""

    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Any(Term):
    """a || b || c."""

    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Choice(Term):
    """a ? b : c."""

    test: Term
    yes: Term
    no: Term


def term(operand: Operand) -> Term:
    if isinstance(operand, Term):
        return operand
    return Name(operand) if isinstance(operand, str) else Literal(str(operand))


_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


def text_literal(value: str) -> Literal:
    """A text as C spells it."""
    return Literal(f'"{value.translate(_ESCAPES)}"')


def text_of(parts: Iterable[str]) -> Literal:
    """A text in parts, between which a line may end."""
    return Literal(" ".join(text_literal(part).text for part in parts))


def address(of: Operand) -> Unary:
    return Unary("&", term(of))


def all_of(*terms: Term) -> Term:
    """a && b; terms of a conjunction are joined with the others."""
    flat = [part for t in terms for part in (t.terms if isinstance(t, All) else (t,))]
    return flat[0] if len(flat) == 1 else All(tuple(flat))


def any_of(*terms: Term) -> Term:
    """a || b; terms of a disjunction are joined with the others."""
    flat = [part for t in terms for part in (t.terms if isinstance(t, Any) else (t,))]
    return flat[0] if len(flat) == 1 else Any(tuple(flat))
