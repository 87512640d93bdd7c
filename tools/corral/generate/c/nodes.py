# SPDX-License-Identifier: Apache-2.0
"""C as a tree. Generators build it, names.py looks through it and printer.py writes it.

A generator says what a function does. The declarations of its variables, its unused
parameters, braces and parentheses, and the headers of a file follow from the tree. Nodes
are values: two that are equal are the same C, so bodies can be compared and grouped.
"""

from __future__ import annotations

from dataclasses import dataclass

from corral.generate.c.terms import Call, Node, Term, Type

# Statements


@dataclass(frozen=True)
class Statement(Node):
    """A body is a row of these."""


Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Assign(Statement):
    target: Term
    value: Term


@dataclass(frozen=True)
class Do(Statement):
    """A call for its effect. The result, if any, is `ignored`."""

    call: Call
    ignored: bool = False


@dataclass(frozen=True)
class Return(Statement):
    value: Term


@dataclass(frozen=True)
class Break(Statement):
    pass


@dataclass(frozen=True)
class If(Statement):
    """A branch; `otherwise` may be another one."""

    test: Term
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True)
class Arm(Node):
    """Labels of a switch with their statements, which end with a break or a return."""

    labels: tuple[Term, ...]
    body: Body


@dataclass(frozen=True)
class Switch(Statement):
    on: Term
    arms: tuple[Arm, ...]
    default: Body


def when(test: Term, *then: Statement) -> If:
    return If(test, then)


def first_of(*branches: If) -> If:
    """if, else if, else if, ..."""
    first, *rest = branches
    return If(first.test, first.then, (first_of(*rest),)) if rest else first


# An item of a file


@dataclass(frozen=True)
class Item(Node):
    """An item of a file, an empty line between two."""


@dataclass(frozen=True)
class Comment(Item, Statement):
    """Filled to the width; each line of the text is a paragraph."""

    text: str


@dataclass(frozen=True)
class Group(Item):
    """Items without empty lines between them, after a comment of theirs."""

    items: tuple[Item, ...]
    comment: str = ""


@dataclass(frozen=True)
class Conditional(Item):
    """#if test, items, #endif."""

    test: Term
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Define(Item):
    """A macro. parameters None: one without parentheses. Several values: each has a comma behind
    it, as in an array."""

    name: str
    value: Term | tuple[Term, ...]
    parameters: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Undefine(Item):
    name: str


@dataclass(frozen=True)
class Pragma(Item):
    """Words for the compiler."""

    words: str


@dataclass(frozen=True)
class Linkage(Item):
    """Declarations for C, in C++ too."""

    items: tuple[Item, ...]


@dataclass(frozen=True)
class Parameter(Node):
    type: Type
    name: str


@dataclass(frozen=True)
class Prototype(Item):
    """attributes: the text after the parameters."""

    result: Type
    name: str
    parameters: tuple[Parameter, ...]
    comment: str = ""
    attributes: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Function(Item):
    """Static and inline, as functions of headers are, unless it is said to be exported."""

    result: Type
    name: str
    parameters: tuple[Parameter, ...]
    body: Body
    comment: str = ""
    exported: bool = False


@dataclass(frozen=True)
class Field(Node):
    """A member of a structure or a union, with a remark behind it."""

    type: Type | Structure
    name: str
    remark: str = ""


@dataclass(frozen=True)
class Structure(Node):
    """A structure or a union with its members; kind: "struct" or "union"."""

    kind: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class TypeDefinition(Item):
    type: Structure
    name: str


@dataclass(frozen=True)
class Enumeration(Item):
    """Names for 0, 1, 2, ..."""

    names: tuple[str, ...]
    comment: str = ""


@dataclass(frozen=True)
class List(Node):
    """Values in braces."""

    values: tuple[Term, ...]


@dataclass(frozen=True)
class Record(Node):
    """Members in braces, by name."""

    members: tuple[tuple[str, Term | List], ...]


@dataclass(frozen=True)
class Array(Item):
    """A constant array; without rows only its declaration."""

    type: Type
    name: str
    size: Term
    rows: tuple[Record, ...] = ()


@dataclass(frozen=True)
class Declaration(Item):
    """An object that is defined elsewhere."""

    type: Type
    name: str


@dataclass(frozen=True)
class StaticAssert(Item):
    test: Term
    message: str


@dataclass(frozen=True)
class Assembly(Item):
    """Lines for the assembler."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class File(Node):
    """A file. guard: the symbol of a header; includes: headers beside those that follow from it."""

    comment: str
    items: tuple[Item, ...]
    guard: str = ""
    includes: tuple[str, ...] = ()
