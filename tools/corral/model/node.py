# SPDX-License-Identifier: Apache-2.0
"""Strict reading of JSON and TOML: every value is asked for by name and type.

A Node knows its place, so that each problem names file and key. Problems are collected, and a
default is returned in their place; the function that began the reading raises them together.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from corral.errors import CorralError, Problem

T = TypeVar("T")

_MAX_DEPTH = 16
_MAX_LENGTH = 1000
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
#: No size in bits or bytes and no count is larger; a C macro takes it on any target.
MAX_INTEGER = 2**31 - 1

C_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: An object, a macro or a number.
C_CONSTANT = re.compile(rf"{C_IDENTIFIER.pattern}|[0-9]+")

TYPE_NAMES: dict[type, str] = {
    str: "a string",
    bool: "true or false",
    int: "an integer",
    list: "a list",
    dict: "a table",
}


def closest(name: str, known: Iterable[str]) -> str:
    """The name that may be meant by an unknown one, or an empty string."""
    if close := get_close_matches(name, sorted(known), n=3, cutoff=0.7):
        return f"did you mean {' or '.join(close)}?"
    return ""


def nearest(name: str, known: Iterable[str]) -> str:
    """A remedy for a name that is not known: the closest one, or the short list of all."""
    names = sorted(known)
    if not names:
        return "remove it: there are none"
    if meant := closest(name, names):
        return meant
    return f"known are {', '.join(names)}" if len(names) <= 40 else "check its spelling"


def _shown(value: Any) -> str:
    """A value in a message: as much of it as fits a line."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


class Node:
    """A value of a description, and its place."""

    def __init__(self, value: Any, file: str, path: str, problems: list[Problem]) -> None:
        self.value = value
        self.file = file
        self.path = path
        self.problems = problems

    @property
    def where(self) -> str:
        return f"{self.file}: {self.path}" if self.path else self.file

    def complain(self, what: str, remedy: str = "") -> None:
        self.problems.append(Problem(self.where, what, remedy))

    def child(self, key: str) -> Node:
        path = f"{self.path}.{key}" if self.path else key
        return Node(self.value[key], self.file, path, self.problems)

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def is_a(self, wanted: type) -> bool:
        """Check the type of the value; true is no integer here."""
        matches = isinstance(self.value, wanted) and not (
            wanted is int and isinstance(self.value, bool)
        )
        if not matches:
            self.complain(
                f"{_shown(self.value)} is not {TYPE_NAMES[wanted]}",
                f"write {TYPE_NAMES[wanted]}",
            )
        return matches

    def only(self, known: Iterable[str]) -> None:
        """Complain of unknown keys. "_comment" is permitted everywhere."""
        if not self.is_a(dict):
            return
        allowed = set(known)
        for key in self.value:
            if key != "_comment" and key not in allowed:
                place = f"{self.path}.{key}" if self.path else key
                self.problems.append(
                    Problem(f"{self.file}: {place}", "unknown key", nearest(key, allowed))
                )

    def _get(self, key: str, wanted: type, default: Any) -> Any:
        """The typed value of a key; without a default (None) the key is mandatory."""
        if not self.has(key):
            if default is None:
                self.complain(
                    f'the key "{key}" is missing', f"add it, with {TYPE_NAMES[wanted]} as value"
                )
                return wanted()
            return default
        child = self.child(key)
        if child.is_a(wanted):
            return child.value
        return wanted() if default is None else default

    def string(self, key: str, default: str | None = None) -> str:
        return str(self._get(key, str, default))

    def title(self, key: str = "title") -> str:
        """A text that menus and generated files show unchanged."""
        text = self.string(key)
        is_text = self.has(key) and isinstance(self.value[key], str)
        if is_text and (not text or text != text.strip()):
            what = "is empty or has a space at an end"
            self.child(key).complain(f"{_shown(text)} {what}", "write words, and no space around")
        return text

    def boolean(self, key: str, default: bool | None = None) -> bool:
        return bool(self._get(key, bool, default))

    def integer(
        self,
        key: str,
        default: int | None = None,
        minimum: int = 0,
        maximum: int = MAX_INTEGER,
    ) -> int:
        value = int(self._get(key, int, default))
        if self.has(key) and value < minimum:
            self.child(key).complain(f"{value} is too small", f"the least is {minimum}")
        if value > maximum:
            self.child(key).complain(f"{value} is too large", f"the most is {maximum}")
        return value

    def identifier(self, key: str, default: str | None = None) -> str:
        text = self.string(key, default)
        if self.has(key) and text and not C_IDENTIFIER.fullmatch(text):
            self.child(key).complain(f'"{text}" is no C identifier', "use letters, digits and _")
        return text

    def items(self, key: str) -> list[Node]:
        """The elements of a list; an absent list has none."""
        if not self.has(key):
            return []
        child = self.child(key)
        if not child.is_a(list):
            return []
        return [
            Node(value, self.file, f"{child.path}[{i}]", self.problems)
            for i, value in enumerate(child.value)
        ]

    def strings(self, key: str) -> tuple[str, ...]:
        return tuple(item.value for item in self.items(key) if item.is_a(str))

    def each(self, key: str, convert: Callable[[Node], T | None]) -> tuple[T, ...]:
        """Convert the elements of a list; those that give None are left out."""
        converted = (convert(item) for item in self.items(key))
        return tuple(value for value in converted if value is not None)

    def table(self, key: str) -> dict[str, Node]:
        """The members of a table, by name, without comments; an absent table has none."""
        if not self.has(key):
            return {}
        child = self.child(key)
        if not child.is_a(dict):
            return {}
        return {name: child.child(name) for name in child.value if name != "_comment"}

    def string_table(self, key: str) -> dict[str, str]:
        return {name: node.value for name, node in self.table(key).items() if node.is_a(str)}


class _DuplicateError(Exception):
    """A key that appears twice in one object."""


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen and key != "_comment":
            raise _DuplicateError(f'the key "{key}" appears twice in one object')
        seen[key] = value
    return seen


UTF_8 = "make it a text in UTF-8 that may be read"


def read_text(path: Path, label: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors put a mark in front
    except FileNotFoundError:
        raise CorralError(Problem(label, "no such file", "create it")) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CorralError(Problem(label, f"cannot be read: {error}", UTF_8)) from None


def _too_deep(label: str) -> CorralError:
    return CorralError(Problem(label, "nested too deeply", f"use at most {_MAX_DEPTH} levels"))


def _too_long(where: str) -> Problem:
    return Problem(where, "a number has too many digits", "write one below 2^63")


def read_json(path: Path, label: str, problems: list[Problem]) -> Node:
    """Read a JSON file whose top is an object."""
    text = read_text(path, label)
    try:
        value = json.loads(text, object_pairs_hook=_reject_duplicates)
    except json.JSONDecodeError as error:
        raise CorralError(
            Problem(f"{label}:{error.lineno}", f"no JSON: {error.msg}", "correct the syntax")
        ) from None
    except _DuplicateError as error:
        raise CorralError(Problem(label, str(error), "remove one of them")) from None
    except ValueError:
        raise CorralError(_too_long(label)) from None
    except RecursionError:
        raise _too_deep(label) from None
    return _top(value, label, problems)


def read_toml(path: Path, label: str, problems: list[Problem]) -> Node:
    """Read a TOML file."""
    text = read_text(path, label)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CorralError(Problem(label, f"no TOML: {error}", "correct the syntax")) from None
    except ValueError:
        raise CorralError(_too_long(label)) from None
    except RecursionError:
        raise _too_deep(label) from None
    return _top(value, label, problems)


def _top(value: Any, label: str, problems: list[Problem]) -> Node:
    odd = list(_oddities(value, label))
    if odd:
        raise CorralError(odd)
    node = Node(value, label, "", problems)
    if not node.is_a(dict):
        raise CorralError(problems)
    return node


def _oddities(top: Any, label: str) -> Iterator[Problem]:
    """Rejects values that no description may have, so later code need not check."""
    waiting: list[tuple[Any, str, int]] = [(top, "", 0)]
    while waiting:
        value, path, depth = waiting.pop()
        where = f"{label}: {path}" if path else label
        if depth > _MAX_DEPTH:
            raise _too_deep(label)
        if isinstance(value, dict):
            items = [(f"{path}.{key}" if path else key, key, value[key]) for key in value]
            waiting += [(v, place, depth + 1) for place, key, v in items if key != "_comment"]
            if any(_CONTROL.search(key) for key in value):
                yield Problem(where, "a line break or the like in a key", "rename it")
        elif isinstance(value, list):
            waiting += [(v, f"{path}[{i}]", depth + 1) for i, v in enumerate(value)]
        elif isinstance(value, str) and _CONTROL.search(value):
            yield Problem(where, "a line break or the like in a text", "write it in one line")
        elif isinstance(value, str) and len(value) > _MAX_LENGTH:
            yield Problem(where, "the text is too long", f"write at most {_MAX_LENGTH} characters")
        elif isinstance(value, int) and abs(value) >= 2**63:
            yield _too_long(where)
