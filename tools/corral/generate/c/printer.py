# SPDX-License-Identifier: Apache-2.0
"""The only place that writes C.

One statement a line. A line that is too long goes on in the next, indented twice; where it is
broken says nothing. (tests/golden shows files as clang-format lays them out.)
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import singledispatch

from corral.generate.c import nodes as n
from corral.generate.c import terms as t
from corral.generate.c.names import grouped, includes, unused, variables
from corral.generate.c.operators import POSTFIX, written

WIDTH = 100
INDENT = "    "
#: Where a line is broken: behind it is room for the indentation of four bodies in each other.
ROOM = WIDTH - 4 * len(INDENT)
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 */"

# Runs of letters without a gap; texts in quotation marks stay whole.
_WORD = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^"\s])+')


# Lines


def filled(text: str, end: str = "") -> list[str]:
    """Lines with as many words as there is room for; end: at the end of all but the last one."""
    lines = [""]
    for word in _WORD.findall(text):
        if lines[-1] and len(lines[-1]) + len(word) + len(end) >= ROOM:
            lines[-1] += end
            lines.append(INDENT * 2 + word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines


def indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line if line else line for line in lines]


def _remark(text: str) -> str:
    """A text that neither ends the comment around it nor looks like the beginning of another."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def comment_lines(text: str) -> list[str]:
    """A comment on one line, or a block."""
    text = _remark(text)
    if len(text) + 6 <= WIDTH and "\n" not in text:
        return [f"/* {text} */"] if text else []
    lines = [line for paragraph in text.split("\n") for line in textwrap.wrap(paragraph, WIDTH - 3)]
    return ["/*", *(f" * {line}" for line in lines), " */"]


def _declared(type_of: t.Type, name: str) -> str:
    return type_of.text + name if type_of.text[-1] == "*" else f"{type_of.text} {name}"


def _head(result: t.Type, name: str, parameters: Sequence[n.Parameter]) -> str:
    listed = ", ".join(_declared(p.type, p.name) for p in parameters)
    return _declared(result, f"{name}({listed or 'void'})")


# Statements


@singledispatch
def _statement(statement: t.Node) -> list[str]:
    raise TypeError(f"{type(statement).__name__} is no statement")  # pragma: no cover


def body_lines(body: n.Body) -> list[str]:
    return [line for statement in body for line in _statement(statement)]


@_statement.register
def _(statement: n.Assign) -> list[str]:
    return filled(f"{written(statement.target)} = {written(statement.value)};")


@_statement.register
def _(statement: n.Do) -> list[str]:
    return filled(f"{'(void)' if statement.ignored else ''}{written(statement.call)};")


@_statement.register
def _(statement: n.Return) -> list[str]:
    return filled(f"return {written(statement.value)};")


@_statement.register
def _(_: n.Break) -> list[str]:
    return ["break;"]


@_statement.register
def _(statement: n.Comment) -> list[str]:
    return comment_lines(statement.text)


@_statement.register
def _(statement: n.If) -> list[str]:
    lines = [*filled(f"if ({written(statement.test)}) {{"), *indented(body_lines(statement.then))]
    if not statement.otherwise:
        return [*lines, "}"]
    if isinstance(statement.otherwise[0], n.If) and len(statement.otherwise) == 1:
        first, *rest = _statement(statement.otherwise[0])
        return [*lines, f"}} else {first}", *rest]
    return [*lines, "} else {", *indented(body_lines(statement.otherwise)), "}"]


@_statement.register
def _(statement: n.Switch) -> list[str]:
    lines = [f"switch ({written(statement.on)}) {{"]
    for arm in statement.arms:
        lines += [f"case {written(label)}:" for label in arm.labels]
        lines += indented(body_lines(arm.body))
    return [*lines, "default:", *indented(body_lines(statement.default)), "}"]


# Items of a file


@singledispatch
def _item(item: t.Node) -> list[str]:
    raise TypeError(f"{type(item).__name__} is in no file")  # pragma: no cover


@_item.register
def _(item: n.Comment) -> list[str]:
    return comment_lines(item.text)


@_item.register
def _(item: n.Group) -> list[str]:
    return [*comment_lines(item.comment), *(line for inner in item.items for line in _item(inner))]


@_item.register
def _(item: n.Conditional) -> list[str]:
    return [f"#if {written(item.test)}", *_separated(item.items), "#endif"]


@_item.register
def _(item: n.Define) -> list[str]:
    parameters = "" if item.parameters is None else f"({', '.join(item.parameters)})"
    if isinstance(item.value, tuple):
        value = " ".join(f"{written(one)}," for one in item.value)
    else:
        # An operator would be beside those of the place where the macro is used.
        value = written(item.value, POSTFIX)
    return filled(f"#define {item.name}{parameters} {value}", " \\")


@_item.register
def _(item: n.Undefine) -> list[str]:
    return [f"#undef {item.name}"]


@_item.register
def _(item: n.Pragma) -> list[str]:
    return [f"#pragma {item.words}"]


@_item.register
def _(item: n.Linkage) -> list[str]:
    begin, end = (["#ifdef __cplusplus", text, "#endif"] for text in ('extern "C" {', "}"))
    return [*begin, "", *_separated(item.items), "", *end]


@_item.register
def _(item: n.Prototype) -> list[str]:
    head = _head(item.result, item.name, item.parameters)
    words = " ".join([head, *(written(attribute) for attribute in item.attributes)])
    return [*comment_lines(item.comment), *filled(f"{words};")]


@_item.register
def _(item: n.Function) -> list[str]:
    head = _head(item.result, item.name, item.parameters)
    found = [f"{_declared(v.type, v.text)};" for v in variables(item)]
    return [
        *comment_lines(item.comment),
        *filled(head if item.exported else f"static inline {head}"),
        "{",
        *indented([*found, ""] if found else []),
        *indented(f"(void){parameter.name};" for parameter in unused(item)),
        *indented(body_lines(item.body)),
        "}",
    ]


def _structure(structure: n.Structure, name: str) -> list[str]:
    lines = []
    for field in structure.fields:
        remark = f" /* {_remark(field.remark)} */" if field.remark else ""
        if isinstance(field.type, n.Structure):
            lines += _structure(field.type, field.name)
        else:
            lines.append(f"{_declared(field.type, field.name)};{remark}")
    return [f"{structure.kind} {{", *indented(lines), f"}} {name};"]


@_item.register
def _(item: n.TypeDefinition) -> list[str]:
    first, *rest = _structure(item.type, item.name)
    return [f"typedef {first}", *rest]


@_item.register
def _(item: n.Enumeration) -> list[str]:
    names = indented(f"{name}," for name in item.names)
    return [*comment_lines(item.comment), "enum {", *names, "};"]


def _initialiser(value: t.Term | n.List) -> str:
    if isinstance(value, n.List):
        return f"{{{', '.join(written(one) for one in value.values)}}}"
    return written(value)


@_item.register
def _(item: n.Array) -> list[str]:
    head = f"const {_declared(item.type, item.name)}[{written(item.size)}]"
    if not item.rows:
        return filled(f"extern {head};")
    lines = [f"{head} = {{"]
    for row in item.rows:
        members = [filled(f".{name} = {_initialiser(value)},") for name, value in row.members]
        lines += indented(["{", *indented(line for member in members for line in member), "},"])
    return [*lines, "};"]


@_item.register
def _(item: n.Declaration) -> list[str]:
    return filled(f"extern {_declared(item.type, item.name)};")


@_item.register
def _(item: n.StaticAssert) -> list[str]:
    return filled(f"_Static_assert({written(item.test)}, {t.text_literal(item.message).text});")


@_item.register
def _(item: n.Assembly) -> list[str]:
    first, *rest = [t.text_literal(f"{line}\n").text for line in item.lines]
    lines = [f"__asm__({first}", *(INDENT * 2 + line for line in rest)]
    return [*lines[:-1], f"{lines[-1]});"]


# Files


def _separated(items: Sequence[n.Item]) -> list[str]:
    """An empty line between two items."""
    lines: list[str] = []
    for item in items:
        lines += [*([""] if lines else []), *_item(item)]
    return lines


def _includes(file: n.File) -> list[str]:
    lines: list[str] = []
    for group in grouped(includes(file)):
        lines += [*([""] if lines else []), *(f"#include <{header}>" for header in group)]
    return lines


def printed(file: n.File) -> str:
    """The text of a file."""
    parts = [_includes(file), _separated(file.items)]
    lines = [LICENCE, *comment_lines(file.comment)]
    if file.guard:
        lines += [f"#ifndef {file.guard}", f"#define {file.guard}"]
        parts += [["#endif"]]
    separated = [["", *part] if file.guard or i else part for i, part in enumerate(parts) if part]
    return "\n".join([*lines, *(line for part in separated for line in part), ""])
