# SPDX-License-Identifier: Apache-2.0
"""Files of assignments (app.config, user.config) and settings of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import nearest, read_text
from corral.model.places import Places

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")
_INCLUDE = re.compile(r"include (\S+)")
_MAX_DEPTH = 8  # of files that include each other
_MAX_PROBLEMS = 5  # of a file, which may be no configuration at all
#: A comment here, which C programmers read as an assignment.
_OF_C = re.compile(r"#\s*(define|undef)\s+((?:PSA_WANT_|CORRAL_)\w+)(?:\s+(\S+))?.*")
_NOT_SET = re.compile(r"# ([A-Za-z_][A-Za-z0-9_]*) is not set")


COMMAND_LINE = "command line"


@dataclass(frozen=True)
class Assignment:
    """SYMBOL=value, and its place in a file."""

    symbol: str
    value: str
    where: str
    layer: str
    is_quoted: bool = False  # as texts are
    replaced: str = ""  # where the same file gave the symbol another value before


def _short(value: str) -> str:
    return value if len(value) <= 40 else f"{value[:37]}..."


def _is_quoted(text: str) -> bool:
    return len(text) >= 2 and text[0] == text[-1] == '"'


def _assignment(symbol: str, text: str, where: str, layer: str) -> Assignment:
    if not _is_quoted(text):
        return Assignment(symbol, text, where, layer)
    value = text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return Assignment(symbol, value, where, layer, is_quoted=True)


def _of_c(match: re.Match[str]) -> str:
    """The assignment that a line of C stands for."""
    keyword, symbol, value = match.groups()
    if keyword == "undef":
        return f"{symbol}=n"
    is_switch = symbol.startswith("PSA_WANT_") or value is None
    return f"{symbol}={ {'0': 'n', '1': 'y', None: 'y'}.get(value, value) if is_switch else value }"


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
        elif match := _OF_C.fullmatch(line):
            what = f'"{_short(line)}" is C, which means nothing here'
            problems.append(Problem(where, what, f"write {_of_c(match)}"))
        elif not line or line.startswith("#"):
            continue
        elif places is not None and (match := _INCLUDE.fullmatch(line)):
            chain = (*included_by, path.resolve())
            file = _included(match.group(1), path, places)
            reason = _misfit(match.group(1), file, places.label(path.parent), chain, places)
            if reason or file is None:
                problems.append(Problem(where, f'"{line}": {reason[0]}', reason[1]))
            else:
                found += parse_file(file, places.label(file), layer, places, chain)
        elif match := _ASSIGNMENT.fullmatch(line):
            found.append(_assignment(match.group(1), match.group(2), where, layer))
        else:
            what = f'"{_short(line)}" is no assignment'
            problems.append(Problem(where, what, "write SYMBOL=value"))
        if len(problems) == _MAX_PROBLEMS:
            problems.append(Problem(label, "further lines were not read", "see to these first"))
            break
    if problems:
        raise CorralError(problems)
    return _marked(found, label)


def _marked(found: Sequence[Assignment], label: str) -> list[Assignment]:
    """Those of a file, with a mark where one replaces another of the same file."""
    last: dict[str, Assignment] = {}
    marked = []
    for assignment in found:
        is_own = assignment.where.rpartition(":")[0] == label
        before = last.get(assignment.symbol) if is_own else None
        is_other = before is not None and before.value != assignment.value
        marked.append(
            replace(assignment, replaced=before.where) if before and is_other else assignment
        )
        if is_own:
            last[assignment.symbol] = assignment
    return marked


def _misfit(
    name: str, file: Path | None, here: str, chain: Sequence[Path], places: Places
) -> tuple[str, ...]:
    """Why a file is not included, and the remedy; nothing if it is."""
    if file is None:
        is_path = "/" in name
        remedy = f"correct the path, which begins at {here}" if is_path else ""
        return "no such preset or file", remedy or nearest(name, places.presets())
    if file.resolve() in chain:
        return "it includes itself", "remove it"
    if len(chain) > _MAX_DEPTH:
        return f"more than {_MAX_DEPTH} files deep", "include it in a file further up"
    return ()


def _included(name: str, path: Path, places: Places) -> Path | None:
    file = path.parent / name if "/" in name else places.presets().get(name)
    return file if file is not None and file.is_file() else None


def from_settings(settings: Mapping[str, str]) -> list[Assignment]:
    """The settings of the command line."""
    return [
        _assignment(symbol, value, f"--set {symbol}={_short(value)}", COMMAND_LINE)
        for symbol, value in settings.items()
    ]
