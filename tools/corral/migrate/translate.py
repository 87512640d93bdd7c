# SPDX-License-Identifier: Apache-2.0
"""Options of others as a configuration for a board, and a report of the rest."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corral.common.table import wrapped
from corral.errors import CorralError, Problem
from corral.generate import api
from corral.migrate.names import KINDS, PREFIX, Names, load
from corral.migrate.read import Option, Reading
from corral.model.tree import load_tree

GUESSED = "guessed"
UNKNOWN = "unknown"
UNSERVED = "unserved"
_TITLES = {
    GUESSED: "decide yourself",
    UNKNOWN: "not known to this command",
    **KINDS,
    UNSERVED: "no effect on this board",
}
#: Kinds that need no work: a report counts their options, and lists them if asked to.
QUIET = ("stays", "needless")
_SYMBOL = re.compile(r"\b(?:PSA_WANT|CORRAL)_\w+")


@dataclass
class Migration:
    """The symbols of the new configuration, and the options that it does not hold."""

    board: str
    symbols: dict[str, str] = field(default_factory=dict)  # symbol to the option that it is of
    rest: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # kind to name and reason

    @property
    def is_whole(self) -> bool:
        """True if nothing is left for the user to do."""
        return not set(self.rest) - set(QUIET)

    def leave(self, kind: str, name: str, reason: str) -> None:
        self.rest.setdefault(kind, []).append((name, reason))

    def text(self, sources: Sequence[str]) -> str:
        """The file."""
        lines = [f"# For {self.board}, by ./corral migrate from {', '.join(sources)}."]
        before = ""
        for symbol, option in self.symbols.items():
            if option != before:
                lines += ["", f"# {option}"]
            lines.append(f"{symbol}=y")
            before = option
        if UNSERVED in self.rest:
            lines += ["", "# Left out, because they have no effect:"]
            lines += [f"# {symbol}: {reason}" for symbol, reason in self.rest[UNSERVED]]
        return "\n".join([*lines, ""])

    def report(self, is_full: bool) -> str:
        """The options that the file does not hold, for a terminal."""
        lines = [f"{len(self.symbols)} symbols for {self.board}"]
        for kind, title in _TITLES.items():
            found = self.rest.get(kind, [])
            if found and kind in QUIET and not is_full:
                lines.append(f"{title}: {len(found)} (--all lists them)")
            elif found:
                lines.append(f"{title}: {len(found)}")
                reasons = dict.fromkeys(reason for _, reason in found)
                for reason in reasons:
                    names = ", ".join(name for name, of in found if of == reason)
                    lines.append(wrapped(f"{names}: {reason}" if reason else names, 2))
        return "\n".join(lines)


def _known(root: Path) -> set[str]:
    return {want.symbol for menu in load_tree(root).mechanisms.menus for want in menu.wants}


def _translate(options: Iterable[Option], names: Names, known: set[str], into: Migration) -> None:
    for option in options:
        row = names.find(option.name)
        if row is None and option.name in known:
            into.symbols.setdefault(option.name, option.name)
        elif row is None:
            reason = ""
            if option.name.startswith(PREFIX):
                reason = "no symbol of PSA Crypto 1.5 has this name"
            into.leave(UNKNOWN, option.name, reason)
        elif row.kind:
            into.leave(row.kind, option.name, row.reason)
        for symbol in row.symbols if row else ():
            into.symbols.setdefault(symbol, option.name)


def _complete(names: Names, into: Migration) -> None:
    for completion in names.completions:
        if completion.applies(into.symbols):
            for want in completion.add:
                into.symbols[PREFIX + want] = "sizes that the options do not name"


@dataclass(frozen=True)
class _Conflict:
    """Symbols of which one has to go, and why."""

    symbols: frozenset[str]
    reason: str


def _conflicts(root: Path, into: Migration) -> list[_Conflict]:
    """Reasons why the symbols are no configuration of the board."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "migrated.config"
        symbols = list(into.symbols)
        file.write_text("".join(f"{symbol}=y\n" for symbol in symbols), encoding="utf-8")
        build = Path(scratch) / "build"
        try:
            api.configure(root, str(file), into.board, build, {})
            api.generate(root, str(file), into.board, build)
        except CorralError as error:
            return [_conflict(problem, symbols) for problem in error.problems]
    return []


def _conflict(problem: Problem, symbols: Sequence[str]) -> _Conflict:
    named = frozenset(_SYMBOL.findall(f"{problem.where} {problem.what}")) & set(symbols)
    place = re.search(r"migrated\.config:(\d+)", problem.where)
    if place and "no enabled driver" not in problem.what:
        named = frozenset({symbols[int(place[1]) - 1]})
    if not named:
        raise CorralError(problem)
    if "no enabled driver" in problem.what:
        why = re.search(r"\((.*)\)$", problem.remedy)
        return _Conflict(named, why[1] if why else f"no driver implements it: {problem.remedy}")
    what = re.sub(r"^\w+=y has no effect, its value is n: ", "", problem.what)
    return _Conflict(named, what)


def _weights(root: Path, symbols: Iterable[str]) -> Counter[str]:
    """In how many mechanisms each symbol takes part."""
    there = set(symbols)
    counts: Counter[str] = Counter()
    for mechanism in load_tree(root).mechanisms.mechanisms.values():
        groups = [set(group) & there for group in mechanism.wants]
        if sum(map(bool, groups)) >= len(groups) - 1:
            counts.update(set().union(*groups))
    return counts


def _to_leave(conflicts: Sequence[_Conflict], weights: Counter[str]) -> dict[str, str]:
    """Symbols without which there is no conflict: first those that nothing works with."""
    chosen: dict[str, str] = {}
    left = list(conflicts)
    while left:
        counts = Counter(symbol for conflict in left for symbol in conflict.symbols)
        worst = max(counts, key=lambda s: (counts[s] / max(weights[s], counts[s]), counts[s], s))
        chosen[worst] = next(c.reason for c in left if worst in c.symbols)
        left = [conflict for conflict in left if worst not in conflict.symbols]
    return chosen


def migrate(root: Path, reading: Reading, board: str) -> Migration:
    """The configuration that options mean, as far as it has an effect on a board."""
    names = load()
    made = Migration(board)
    for where, directive in reading.guesses.items():
        made.leave(GUESSED, where, directive)
    _translate(reading.options, names, _known(root), made)
    _complete(names, made)
    weights = _weights(root, made.symbols)
    while conflicts := _conflicts(root, made):
        for symbol, reason in _to_leave(conflicts, weights).items():
            del made.symbols[symbol]
            made.leave(UNSERVED, symbol, reason)
    return made
