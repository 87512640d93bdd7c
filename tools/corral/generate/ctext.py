# SPDX-License-Identifier: Apache-2.0
"""Writing C as clang-format would leave it.

Generators write one statement a line, whatever its length; wrap() breaks long lines once their
indentation is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

WIDTH = 100
INDENT = "    "
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _matches(text: str) -> bool:
    """Whether the parenthesis that text begins with is closed by its last letter."""
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def _breaks(line: str, start: int, columns: list[int]) -> list[tuple[int, int, list[int]]]:
    """Places where a line may end: rank, position, columns that are open there."""
    found = []
    open_columns = list(columns)
    for position in range(start, min(len(line), WIDTH)):
        letter = line[position]
        if letter == "(":
            open_columns.append(position + 1)
        elif letter == ")":
            open_columns.pop()
        ends = letter == "," or line[position - 1 : position + 1] in ("&&", "||")
        if ends and line[position + 1 : position + 2] == " " and open_columns:
            found.append((-len(open_columns), position, list(open_columns)))
    return found


def wrap(line: str) -> list[str]:
    """Break a statement behind commas, && and ||, aligned with the parenthesis that is open.

    Of the places that fit, the one with the fewest open parentheses is taken, and of these the
    last. The result type of a function stands alone where that saves two lines, and the parameters
    begin on a line of their own where that saves two more.
    """
    if len(line) <= WIDTH:
        return [line]
    if line.startswith("static inline "):
        result, name = line[: line.index("(")].rsplit(" ", 1)
        aligned = _aligned(line)
        alone = [result, *_aligned(name + line[line.index("(") :])]
        if aligned[0].endswith("("):
            # Worth a line more where not even the first argument fits behind the parenthesis.
            return alone if len(alone) <= len(aligned) + 1 else aligned
        if len(alone) + 1 >= len(aligned):
            return aligned
        filled = _filled(line, INDENT)
        return filled if len(filled) + 1 < len(alone) else alone
    return _aligned(line)


def _aligned(line: str) -> list[str]:
    """Broken inside parentheses; behind the sign of an assignment if the rest then fits."""
    indent = " " * (len(line) - len(line.lstrip()) + len(INDENT))
    if line.lstrip().startswith("status = "):
        head, _, rest = line.partition(" = ")
        if len(indent + rest) <= WIDTH:
            return [f"{head} =", indent + rest]
    lines = _broken(line)
    if max(map(len, lines)) <= WIDTH or "(" not in line:
        return lines
    # The first argument does not fit behind the parenthesis.
    return _filled(line, indent)


def _filled(line: str, indent: str) -> list[str]:
    """A call, or the head of a function, with what is in its parentheses on lines of their own."""
    head, _, rest = line.partition("(")
    end = ");" if rest.endswith(";") else ")"
    arguments = rest.removesuffix(end).split(", ")
    lines = [head + "(", indent + arguments[0]]
    for argument in arguments[1:]:
        if len(lines[-1]) + len(argument) + 2 + len(end) > WIDTH:
            lines[-1] += ","
            lines.append(indent + argument)
        else:
            lines[-1] += f", {argument}"
    return [*lines[:-1], lines[-1] + end]


def _broken(line: str) -> list[str]:
    """Broken at one place after the other. An operand of && or || that did not fit on one line
    ends its last line: the next operator of the expression around it is followed by a break."""
    lines: list[str] = []
    columns: list[int] = []
    nested = 0
    start = len(line) - len(line.lstrip())
    if line.lstrip().startswith("return "):
        columns = [start + len("return ")]
    while len(line) > WIDTH or nested:
        places = _breaks(line, start, columns)
        outer = [p for p in places if -p[0] < nested and line[p[1]] != ","]
        if outer:
            _, position, columns = outer[0]
        elif len(line) > WIDTH and places:
            _, position, columns = max(places)
        else:
            break
        is_operator = line[position] != ","
        nested = len(columns) if is_operator and not outer and len(columns) > 1 else 0
        lines.append(line[: position + 1])
        start = columns[-1]
        line = " " * start + line[position + 2 :]
    return [*lines, line]


def _joins(text: str, operator: str) -> bool:
    """Whether an operator stands outside all parentheses."""
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and text.startswith(operator, position):
            return True
    return False


def call(function: str, arguments: Sequence[str]) -> str:
    return f"{function}({', '.join(arguments)})"


def condition(parts: Sequence[str]) -> str:
    """if (a && b) {"""
    test = " && ".join(parts)
    return f"if {test} {{" if _matches(test) else f"if ({test}) {{"


def any_of(conditions: Sequence[str]) -> str:
    """a || b, in parentheses if it is several; conditions with && get their own."""
    if len(conditions) == 1:
        return conditions[0]
    inner = [f"({c})" if _joins(c, " && ") else c for c in conditions]
    return f"({' || '.join(inner)})"


def indented(lines: Iterable[str], levels: int = 1) -> list[str]:
    return [INDENT * levels + line if line else line for line in lines]


def function(
    result: str, name: str, parameters: Sequence[str], body: Sequence[str], comment: str = ""
) -> list[str]:
    """A static inline function; parameters that the body does not name are marked unused."""
    words = {word for line in body for word in _WORD.findall(line)}
    names = [p.replace("*", " ").split()[-1] for p in parameters]
    lines = comment_lines(comment) if comment else []
    lines.append(f"static inline {result} {call(name, list(parameters) or ['void'])}")
    lines.append("{")
    declarations = []
    if any(line.lstrip().startswith("status = ") for line in body):
        declarations.append("psa_status_t status;")
        if body[0].endswith(";") and body[1:2] == [""]:
            # The body has declarations of its own, and a gap behind them.
            declarations.insert(0, body[0])
            body = body[2:]
        declarations.append("")
    lines += indented(declarations)
    lines += indented(f"(void){n};" for n in names if n not in words)
    return [*lines, *indented(body), "}", ""]


def comment_lines(text: str) -> list[str]:
    """A comment of one line, or a block filled to the width."""
    if len(text) + 6 <= WIDTH and "\n" not in text:
        return [f"/* {text} */"]
    lines = ["/*"]
    for paragraph in text.split("\n"):
        current = " *"
        for word in paragraph.split():
            if len(current) + 1 + len(word) > WIDTH:
                lines.append(current)
                current = " *"
            current += f" {word}"
        lines.append(current)
    return [*lines, " */"]


def header(name: str, comment: str, includes: Sequence[str], body: Sequence[str]) -> str:
    """A whole header file, corral/<name>. Includes as they stand behind #include; empty: a gap."""
    guard = "CORRAL_" + re.sub(r"[/.]", "_", name).upper()
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */", *comment_lines(comment)]
    lines += [f"#ifndef {guard}", f"#define {guard}", ""]
    lines += [f"#include {include}" if include else "" for include in includes]
    if includes:
        lines.append("")
    lines += [*body, "", "#endif"]
    return text_of(lines)


def text_of(lines: Iterable[str]) -> str:
    """Wrap and join the lines, with never more than one empty one in a row."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            is_code = not line.lstrip().startswith(("/*", "*", "#"))
            kept += wrap(line) if is_code else [line]
    return "\n".join(kept).rstrip("\n") + "\n"
