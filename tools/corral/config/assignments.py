# SPDX-License-Identifier: Apache-2.0
"""Files of assignments (app.config, user.config) and settings of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import read_text

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")
_NOT_SET = re.compile(r"# ([A-Za-z_][A-Za-z0-9_]*) is not set")


COMMAND_LINE = "command line"


@dataclass(frozen=True)
class Assignment:
    """SYMBOL=value, and where it stands."""

    symbol: str
    value: str
    where: str
    layer: str


def _short(value: str) -> str:
    return value if len(value) <= 40 else f"{value[:37]}..."


def _unquote(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text


def parse_file(path: Path, label: str, layer: str) -> list[Assignment]:
    """Read a file of assignments; comments are # lines, "# X is not set" means X=n."""
    found: list[Assignment] = []
    problems: list[Problem] = []
    for number, raw in enumerate(read_text(path, label).splitlines(), start=1):
        line = raw.strip()
        where = f"{label}:{number}"
        if match := _NOT_SET.fullmatch(line):
            found.append(Assignment(match.group(1), "n", where, layer))
        elif not line or line.startswith("#"):
            continue
        elif match := _ASSIGNMENT.fullmatch(line):
            found.append(Assignment(match.group(1), _unquote(match.group(2)), where, layer))
        else:
            problems.append(Problem(where, f'"{line}" is no assignment', "write SYMBOL=value"))
    if problems:
        raise CorralError(problems)
    return found


def from_settings(settings: Mapping[str, str]) -> list[Assignment]:
    """What the command line sets."""
    return [
        Assignment(symbol, value, f"--set {symbol}={_short(value)}", COMMAND_LINE)
        for symbol, value in settings.items()
    ]
