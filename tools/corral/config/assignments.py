# SPDX-License-Identifier: Apache-2.0
"""Files of assignments (app.config, user.config) and settings of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import nearest, read_text
from corral.model.places import Places

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")
_INCLUDE = re.compile(r"include (\S+)")
_MAX_DEPTH = 8  # of files that include each other
_MAX_PROBLEMS = 5  # of a file, which may be no configuration at all
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


def parse_file(
    path: Path,
    label: str,
    layer: str,
    places: Places | None = None,
    included_by: tuple[Path, ...] = (),
) -> list[Assignment]:
    """Read a file of assignments; comments are # lines, "# X is not set" means X=n.

    places: where a line "include NAME" finds presets; it may also name a file, by a path from
    this one. Without them nothing is included.
    """
    found: list[Assignment] = []
    problems: list[Problem] = []
    for number, raw in enumerate(read_text(path, label).splitlines(), start=1):
        line = raw.strip()
        where = f"{label}:{number}"
        if match := _NOT_SET.fullmatch(line):
            found.append(Assignment(match.group(1), "n", where, layer))
        elif not line or line.startswith("#"):
            continue
        elif places is not None and (match := _INCLUDE.fullmatch(line)):
            file = _included(match.group(1), path, places)
            chain = (*included_by, path.resolve())
            if file is None:
                is_path = "/" in match.group(1)
                remedy = (
                    f"correct the path, which begins at {places.label(path.parent)}"
                    if is_path
                    else nearest(match.group(1), places.presets())
                )
                problems.append(Problem(where, f'"{line}": no such preset or file', remedy))
            elif file.resolve() in chain:
                problems.append(Problem(where, f'"{line}": it includes itself', "remove it"))
            elif len(chain) > _MAX_DEPTH:
                what = f'"{line}": more than {_MAX_DEPTH} files deep'
                problems.append(Problem(where, what, "include it in a file further up"))
            else:
                found += parse_file(file, places.label(file), layer, places, chain)
        elif match := _ASSIGNMENT.fullmatch(line):
            found.append(Assignment(match.group(1), _unquote(match.group(2)), where, layer))
        else:
            what = f'"{_short(line)}" is no assignment'
            problems.append(Problem(where, what, "write SYMBOL=value"))
        if len(problems) == _MAX_PROBLEMS:
            problems.append(Problem(label, "further lines were not read", "see to these first"))
            break
    if problems:
        raise CorralError(problems)
    return found


def _included(name: str, path: Path, places: Places) -> Path | None:
    file = path.parent / name if "/" in name else places.presets().get(name)
    return file if file is not None and file.is_file() else None


def from_settings(settings: Mapping[str, str]) -> list[Assignment]:
    """What the command line sets."""
    return [
        Assignment(symbol, value, f"--set {symbol}={_short(value)}", COMMAND_LINE)
        for symbol, value in settings.items()
    ]
