# SPDX-License-Identifier: Apache-2.0
"""The options that a header of Mbed TLS or a .conf file of Zephyr sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corral.errors import fail
from corral.model.node import read_text

#: Options that are about cryptography; a .conf file has many others.
_OURS = re.compile(r"(?:MBEDTLS|PSA|TF_PSA_CRYPTO|NRF_SECURITY|TFM|BUILD_WITH_TFM)(?:_|$)")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)")
_ASSIGNMENT = re.compile(r"CONFIG_(\w+)\s*=\s*(.*)")
_DEFINED = re.compile(r"(!?)\s*defined\s*\(?\s*(\w+)\s*\)?")


@dataclass(frozen=True)
class Option:
    """An option that a file sets, its value if it has one, and the line."""

    name: str
    value: str
    where: str


def _is_guard(name: str, value: str) -> bool:
    return not value and name.endswith("_H")


def _holds(keyword: str, condition: str, defined: dict[str, Option]) -> bool:
    """Whether a branch is read: conditions on anything but names count as true."""
    word = condition.split()[0] if condition else ""
    if keyword in ("ifdef", "ifndef"):
        return (word in defined) == (keyword == "ifdef")
    if found := _DEFINED.fullmatch(condition):
        return (found[2] in defined) != bool(found[1])
    return condition.strip() not in ("0", "(0)")


def _directives(text: str) -> Iterator[tuple[int, str, str]]:
    """Number of the line, keyword and rest; comments and continued lines keep their numbers."""
    text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for number, line in enumerate(re.sub(r"\\\n", " ", text).splitlines(), 1):
        if found := _DIRECTIVE.fullmatch(line):
            yield number, found[1], found[2].strip()


def _of_header(text: str, label: str) -> dict[str, Option]:
    defined: dict[str, Option] = {}
    branches: list[tuple[bool, bool]] = []  # whether this one is read, and one before it was
    for number, keyword, rest in _directives(text):
        if keyword in ("if", "ifdef", "ifndef"):
            is_read = _holds(keyword, rest, defined)
            branches.append((is_read, is_read))
        elif keyword in ("elif", "else") and branches:
            _, was_read = branches[-1]
            is_read = not was_read and (keyword == "else" or _holds("if", rest, defined))
            branches[-1] = (is_read, was_read or is_read)
        elif keyword == "endif" and branches:
            branches.pop()
        elif all(is_read for is_read, _ in branches):
            name, _, value = rest.partition(" ")
            if keyword == "define" and not _is_guard(name, value):
                defined[name] = Option(name, value.strip(), f"{label}:{number}")
            elif keyword == "undef":
                defined.pop(name, None)
    return defined


def _of_conf(text: str, label: str) -> dict[str, Option]:
    found: dict[str, Option] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := _ASSIGNMENT.fullmatch(line.strip()):
            name, value = match[1], match[2].strip()
            if value in ("n", "0"):
                found.pop(name, None)
            else:
                found[name] = Option(name, "" if value == "y" else value, f"{label}:{number}")
    return found


def options(path: Path, label: str) -> list[Option]:
    """The options of a file that are about cryptography."""
    text = read_text(path, label)
    is_header = re.search(r"(?m)^\s*#\s*define\b", text)
    read = _of_header(text, label) if is_header else _of_conf(text, label)
    found = [option for option in read.values() if _OURS.match(option.name)]
    if not found:
        what = "sets no option of Mbed TLS, TF-PSA-Crypto or PSA Crypto"
        raise fail(label, what, "name mbedtls_config.h, crypto_config.h or a .conf file of Zephyr")
    return found
