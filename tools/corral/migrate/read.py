# SPDX-License-Identifier: Apache-2.0
"""The options that headers of Mbed TLS and .conf files of Zephyr set, read in order."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from corral.errors import fail
from corral.model.node import read_text

#: Options that are about cryptography; a .conf file has many others.
_OURS = re.compile(r"(?:MBEDTLS|PSA|TF_PSA_CRYPTO|NRF_SECURITY|TFM|BUILD_WITH_TFM)(?:_|$)")
#: Strings, so that one with "/*" begins no comment. An open comment ends with the file.
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*"?)|/\*.*?(?:\*/|\Z)|//[^\n]*', re.S)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)", re.A)
_DEFINITION = re.compile(r"(\w+)(.*)", re.A)
_ASSIGNMENT = re.compile(r"CONFIG_(\w+)\s*=\s*(.*)", re.A)
_UNSET = re.compile(r"#\s*CONFIG_(\w+) is not set", re.A)
_CONF_LINE = re.compile(r"(?m)^\s*CONFIG_\w+\s*=|^\s*# CONFIG_\w+ is not set$", re.A)
_HEADER_LINE = re.compile(r"(?m)^\s*#\s*(?:define|undef|include)\b")
#: Headers that set no option.
_WITHOUT_OPTIONS = re.compile(
    r"(?:assert|inttypes|limits|std(?:bool|def|int|io|lib)|string|time|check_config)\.h"
)
#: More is no configuration; a device such as /dev/zero has no end.
_MAX_SIZE = 4 << 20

_TOKEN = re.compile(r"\s*(defined\s*(?:\(\s*\w+\s*\)|\s\w+)|\w+|&&|\|\||[=!<>]=|[<>!()])", re.A)
_WORDS = {"&&": " and ", "||": " or ", "!": " not "}
_COMPARISONS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@dataclass(frozen=True)
class Option:
    """An option that is set, and its value if it has one."""

    name: str
    value: str


@dataclass
class Reading:
    """The options that files set together, and the lines that could not be decided."""

    defined: dict[str, Option] = field(default_factory=dict)
    guesses: dict[str, str] = field(default_factory=dict)  # file and line to the directive
    read: set[str] = field(default_factory=set)  # names of files, for #include
    is_ours: bool = False  # the present file sets or removes an option of ours

    @property
    def options(self) -> list[Option]:
        return [option for option in self.defined.values() if _OURS.match(option.name)]

    def set(self, name: str, value: str) -> None:
        self.defined[name] = Option(name, value)
        self.is_ours = self.is_ours or bool(_OURS.match(name))

    def remove(self, name: str) -> None:
        self.defined.pop(name, None)
        self.is_ours = self.is_ours or bool(_OURS.match(name))


@dataclass
class _Branch:
    """The branch of an #if that is open."""

    is_read: bool
    was_read: bool  # this one, or one before it
    guess: tuple[str, str] | None  # file and line, and the directive; None: it is certain


def _is_guard(name: str, value: str) -> bool:
    return not value and name.endswith("_H")


def _is_known(name: str) -> bool:
    """Whether a name that no file defines is certainly not defined."""
    if name.startswith("MBEDTLS_VERSION_"):
        return False  # from a header of the library
    return bool(_OURS.match(name)) or name.endswith("_H") or name == "__cplusplus"


def _integer(text: str) -> str | None:
    found = re.fullmatch(r"\(?\s*(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,19})[uUlL]*\s*\)?", text)
    if found is None:
        return None
    return str(int(found[1], 16 if found[1][:2].lower() == "0x" else 10))


def _value(token: str, defined: dict[str, Option]) -> str | None:
    """A token of a condition in Python's words; None: it cannot be known."""
    if token.startswith("defined"):
        name = re.findall(r"\w+", token)[-1]
        return str(int(name in defined)) if name in defined or _is_known(name) else None
    if not token[0].isalnum() and token[0] != "_":
        return _WORDS.get(token, token)
    if token[0].isdigit():
        return _integer(token)
    if token in defined:
        return _integer(defined[token].value)
    return "0" if _is_known(token) else None


def _number(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BoolOp):
        combine = all if isinstance(node.op, ast.And) else any
        return int(combine(_number(value) for value in node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return int(not _number(node.operand))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        compare = _COMPARISONS[type(node.ops[0])]
        return int(compare(_number(node.left), _number(node.comparators[0])))
    raise ValueError(ast.dump(node))


def _decide(condition: str, defined: dict[str, Option]) -> bool | None:
    """Whether a condition holds; None: that follows from things that are not in the files."""
    words: list[str] = []
    end = 0
    while condition[end:].strip():
        token = _TOKEN.match(condition, end)
        value = _value(token[1], defined) if token else None
        if token is None or value is None:
            return None
        words.append(value)
        end = token.end()
    if " not " in words and any(re.fullmatch("[=!<>]=|[<>]", word) for word in words):
        return None  # the order of these is not the same in Python
    try:
        return bool(_number(ast.parse("".join(words).strip(), mode="eval").body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _holds(keyword: str, condition: str, defined: dict[str, Option]) -> bool | None:
    if keyword in ("ifdef", "ifndef"):
        found = _DEFINITION.match(condition)
        held = _decide(f"defined({found[1]})", defined) if found else None
        return held if held is None or keyword == "ifdef" else not held
    return _decide(condition, defined)


def _directives(text: str) -> Iterator[tuple[int, str, str]]:
    """Number of the first line, keyword and rest; a continued line is one line."""
    text = _COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text)
    number = 1
    for line in re.sub(r"\\[ \t]*\n", "\\\0", text).split("\n"):
        if found := _DIRECTIVE.fullmatch(line.replace("\\\0", " ").rstrip()):
            yield number, found[1], found[2].strip()
        number += 1 + line.count("\\\0")


def _branch(held: bool | None, keyword: str, may_be_read: bool, line: tuple[str, str]) -> _Branch:
    """A branch whose condition cannot be decided is read, except that of an #ifdef."""
    is_read = may_be_read and (keyword != "ifdef" if held is None else held)
    return _Branch(is_read, is_read or not may_be_read, line if held is None else None)


def _read_header(text: str, label: str, into: Reading) -> None:
    branches: list[_Branch] = []
    for number, keyword, rest in _directives(text):
        shown = re.sub(r"[^ -~]", "?", f"#{keyword} {rest}".strip())
        line = (f"{label}:{number}", shown if len(shown) <= 60 else f"{shown[:57]}...")
        if keyword in ("if", "ifdef", "ifndef"):
            branches.append(_branch(_holds(keyword, rest, into.defined), keyword, True, line))
        elif keyword in ("elif", "else") and branches:
            before = branches[-1]
            held = True if keyword == "else" else _holds("if", rest, into.defined)
            branches[-1] = _branch(held, keyword, not before.was_read, line)
            branches[-1].guess = before.guess or branches[-1].guess
        elif keyword == "endif" and branches:
            branches.pop()
        elif keyword in ("define", "undef", "include"):
            _take(keyword, rest, branches, line, into)


def _take(
    keyword: str, rest: str, branches: list[_Branch], line: tuple[str, str], into: Reading
) -> None:
    found = _DEFINITION.match(rest)
    name = found[1] if found else ""
    is_read = all(branch.is_read for branch in branches)
    if all(branch.is_read or branch.guess for branch in branches) and _OURS.match(name):
        into.guesses.update(branch.guess for branch in branches if branch.guess)
    if keyword == "include" and is_read:
        included = PurePosixPath(rest.strip('<>"')).name
        if included not in into.read and not _WITHOUT_OPTIONS.fullmatch(included):
            into.guesses[line[0]] = line[1]
    elif keyword == "define" and is_read and found and not _is_guard(name, found[2].strip()):
        into.set(name, found[2].strip())
    elif keyword == "undef" and is_read:
        into.remove(name)


def _read_conf(text: str, into: Reading) -> None:
    for line in map(str.strip, text.splitlines()):
        if unset := _UNSET.fullmatch(line):
            into.remove(unset[1])
        elif match := _ASSIGNMENT.fullmatch(line):
            name, value = match[1], match[2].strip()
            if value in ("n", "0"):
                into.remove(name)
            else:
                into.set(name, "" if value == "y" else value)


def _check_size(path: Path, label: str) -> None:
    try:
        with path.open("rb") as file:
            size = len(file.read(_MAX_SIZE + 1)) if not path.is_fifo() else 0
    except OSError:
        return  # read_text() says why
    if size > _MAX_SIZE:
        raise fail(label, f"is longer than {_MAX_SIZE >> 20} MiB", "name a configuration")


def read(files: Iterable[str]) -> Reading:
    """The options of files about cryptography. A later file changes those of earlier ones."""
    reading = Reading()
    for label in files:
        path = Path(label)
        _check_size(path, label)
        text = read_text(path, label)
        reading.is_ours = False
        if _HEADER_LINE.search(text) and not _CONF_LINE.search(text):
            _read_header(text, label, reading)
        else:
            _read_conf(text, reading)
        if not reading.is_ours:
            what = "sets no option of Mbed TLS, TF-PSA-Crypto or PSA Crypto"
            remedy = "name mbedtls_config.h, crypto_config.h or a .conf file of Zephyr"
            raise fail(label, what, remedy)
        reading.read.add(path.name)
    return reading
