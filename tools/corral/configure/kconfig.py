# SPDX-License-Identifier: Apache-2.0
"""A typed door to kconfiglib: parse, assign, ask. Nothing else imports it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# The command line explains itself before there is an environment.
with suppress(ImportError):
    import kconfiglib  # type: ignore[import-untyped]

from corral.configure.assignments import COMMAND_LINE, Assignment
from corral.errors import CorralError, Problem, fail
from corral.model.node import MAX_INTEGER, nearest

_MAX_LENGTH = 200  # of a value, in characters
_MAX_MEANT = 3  # symbols that one may have meant
_TRISTATES = {"n": 0, "m": 1, "y": 2}
#: As C reads it, too: a zero in front would make it octal.
_NUMBER = re.compile(r"0|-?[1-9][0-9]*")


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """kconfiglib takes its paths from the environment."""
    saved = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in saved.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _says(expression: Any) -> str:
    return str(kconfiglib.expr_str(expression))


def _problem(warning: str) -> Problem:
    """A warning of kconfiglib, which may have several lines, as one of ours."""
    first = warning.splitlines()[0].rstrip(":")
    place = re.search(r"\bat (\S+:\d+)", warning) or re.match(r"(\S+:\d+): ", first)
    what = first.rpartition("warning: ")[2]
    return Problem(place.group(1) if place else "config/Kconfig", what, "correct it there")


def _mistake(error: str) -> Problem:
    """The error of kconfiglib, without its guesses."""
    text = " ".join(error.split())
    found = re.match(r"(\S+:\d+): (.*?)(?:\. Check that|$)", text)
    if found is None:
        return Problem("config/Kconfig", text, "correct the named file")
    remedy = "correct it there" + "; rsource finds a file beside its own" * ("source" in found[2])
    return Problem(found[1], found[2], remedy)


def _misfit(assignment: Assignment, kind: Any) -> tuple[str, str] | None:
    """The fault in the form of a value, and the correct form."""
    value = assignment.value
    if len(value) > _MAX_LENGTH:
        return "the value is too long", "write a shorter one"
    if assignment.is_quoted and kind != kconfiglib.STRING:
        return f'"{value}" is in quotes, which only texts are', f"write {assignment.symbol}={value}"
    if kind == kconfiglib.BOOL and value not in ("y", "n"):
        return f'"{value}" is no value', "write y or n"
    return None


def escaped(text: str) -> str:
    """A text in the quotes of Kconfig, which expands $(...) as a macro."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")


class Kconfig:
    """A parsed configuration and its values."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Parse config/Kconfig of `root`, with the fragments in `folder`."""
        environment = {
            "srctree": str(root),
            "CONFIG_": "",
            "CORRAL_KCONFIG_FOLDER": str(folder),
            "KCONFIG_WARN_UNDEF": "y",
        }
        with _environment(environment):
            try:
                self._kconf: Any = kconfiglib.Kconfig("config/Kconfig", warn_to_stderr=False)
            except kconfiglib.KconfigError as error:
                raise CorralError([_mistake(str(error))]) from None
            except (RecursionError, UnicodeDecodeError) as error:
                what = f"it or a driver's Kconfig cannot be read: {error}"
                raise fail("config/Kconfig", what, "write it shorter, in UTF-8") from None
        self._preferred: list[str] = []
        if self._kconf.warnings:
            raise CorralError([_problem(warning) for warning in self._kconf.warnings])

    @property
    def raw(self) -> Any:
        """The object of kconfiglib, for its menu."""
        return self._kconf

    def names(self) -> list[str]:
        """All symbols, in the order of the menu."""
        return [sym.name for sym in self._kconf.unique_defined_syms]

    def is_defined(self, name: str) -> bool:
        sym = self._kconf.syms.get(name)
        return sym is not None and bool(sym.nodes)

    def is_bool(self, name: str) -> bool:
        return bool(self._kconf.syms[name].orig_type == kconfiglib.BOOL)

    def is_string(self, name: str) -> bool:
        return bool(self._kconf.syms[name].orig_type == kconfiglib.STRING)

    def is_choice_entry(self, name: str) -> bool:
        return self._kconf.syms[name].choice is not None

    def value(self, name: str) -> str:
        return str(self._kconf.syms[name].str_value)

    def has_prompt(self, name: str) -> bool:
        return any(node.prompt for node in self._kconf.syms[name].nodes)

    def is_on(self, name: str) -> bool:
        sym = self._kconf.syms.get(name)
        return sym is not None and sym.str_value == "y"

    def enabled(self) -> frozenset[str]:
        """The symbols that are y."""
        return frozenset(s.name for s in self._kconf.unique_defined_syms if s.str_value == "y")

    def is_available(self, name: str) -> bool:
        """Whether a symbol can be chosen with the present values."""
        sym = self._kconf.syms.get(name)
        return sym is not None and sym.visibility > 0

    def selection(self, choice: str) -> str:
        """The symbol that a choice has selected, or an empty string."""
        found = self._kconf.named_choices.get(choice)
        return str(found.selection.name) if found is not None and found.selection else ""

    def chosen_by_user(self, choice: str) -> bool:
        found = self._kconf.named_choices.get(choice)
        return found is not None and found.user_selection is found.selection is not None

    def selectors(self, name: str) -> list[str]:
        """The symbols that select this one at present."""
        found: dict[str, None] = {}
        for part in kconfiglib.split_expr(self._kconf.syms[name].rev_dep, kconfiglib.OR):
            if kconfiglib.expr_value(part) > 0:
                found[_says(kconfiglib.split_expr(part, kconfiglib.AND)[0])] = None
        return list(found)

    def unmet(self, name: str) -> list[str]:
        """The conditions that keep a symbol from being set, in the notation of Kconfig."""
        sym = self._kconf.syms[name]
        expressions = [sym.direct_dep]
        if sym.choice is not None:
            expressions.append(sym.choice.direct_dep)
        found: list[str] = []
        for expression in expressions:
            for part in kconfiglib.split_expr(expression, kconfiglib.AND):
                if isinstance(part, kconfiglib.Choice):
                    continue
                text = _says(part)
                if kconfiglib.expr_value(part) == 0 and text not in found:
                    found.append(text)
        return found

    def assign(self, assignments: Iterable[Assignment]) -> None:
        """Set the symbols, later ones win; every value that does not come true is a problem."""
        self.forget_preferences()
        given = list(assignments)
        effective = self._effective(given)
        problems = self._contradictions(given)
        for assignment in effective:
            problems += self._assign(assignment)
        if not problems:
            problems = [p for a in effective for p in self._check(a)]
        if problems:
            raise CorralError(problems)

    def prefer(self, symbols: Iterable[str]) -> None:
        """Select entries of choices, until the next assignment.

        A choice that is not to be seen stays as it is.
        """
        for name in symbols:
            self._kconf.syms[name].set_value(_TRISTATES["y"])
            self._preferred.append(name)

    def forget_preferences(self) -> None:
        """Take back what prefer() has selected."""
        for name in self._preferred:
            sym = self._kconf.syms[name]
            if sym.choice.user_selection is sym:
                sym.choice.unset_value()
                sym.unset_value()
        self._preferred.clear()

    def _contradictions(self, assignments: Iterable[Assignment]) -> list[Problem]:
        """Within the command line, where nothing is meant to replace anything."""
        seen: dict[str, Assignment] = {}
        problems: list[Problem] = []
        for assignment in assignments:
            sym = self._kconf.syms.get(assignment.symbol)
            if assignment.layer != COMMAND_LINE or sym is None or assignment.value != "y":
                continue
            if sym.choice is not None:
                first = seen.setdefault(sym.choice.name, assignment)
                if first is not assignment:
                    what = f"{assignment.symbol} and {first.symbol} are of one choice"
                    problems.append(Problem(assignment.where, what, "set one of them"))
        return problems

    def _effective(self, assignments: list[Assignment]) -> list[Assignment]:
        """Without those that a later one replaces, also by another entry of the same choice."""
        kept: dict[object, Assignment] = {}
        for assignment in assignments:
            sym = self._kconf.syms.get(assignment.symbol)
            choice = sym.choice if sym is not None else None
            key: object = assignment.symbol
            if choice is not None and assignment.value == "y":
                for member in choice.syms:
                    kept.pop(member.name, None)
                key = choice
            kept.pop(key, None)
            kept[key] = assignment
        return list(kept.values())

    def _assign(self, assignment: Assignment) -> list[Problem]:
        name, where = assignment.symbol, assignment.where
        if not self.is_defined(name):
            return [
                Problem(where, f"{name} is no symbol of the configuration", self._similar(name))
            ]
        sym = self._kconf.syms[name]
        value: str | int = assignment.value
        if wrong := _misfit(assignment, sym.orig_type):
            return [Problem(where, f"{name}: {wrong[0]}", wrong[1])]
        if sym.orig_type == kconfiglib.BOOL:
            value = _TRISTATES[assignment.value]
        is_odd = sym.orig_type == kconfiglib.INT and not _NUMBER.fullmatch(assignment.value)
        if is_odd or not sym.set_value(value):
            kind = kconfiglib.TYPE_TO_STR[sym.orig_type]
            remedy = "write decimal digits, no zeros in front" if is_odd else "correct the value"
            return [Problem(where, f'{name}: "{value}" is no {kind}', remedy)]
        is_number = sym.orig_type in (kconfiglib.INT, kconfiglib.HEX)
        if is_number and int(assignment.value, 0) > MAX_INTEGER:
            return [Problem(where, f"{name}: {value} is too large", f"the most is {MAX_INTEGER}")]
        return []

    def _similar(self, name: str) -> str:
        choice, separator, _ = name.partition("_BY_")
        if separator and f"{choice}_BY" in self._kconf.named_choices:
            entries = self._kconf.named_choices[f"{choice}_BY"].syms
            return f"the choice is among {', '.join(sym.name for sym in entries)}"
        longer = [other for other in self.names() if other.endswith(f"_{name}")]
        wants = [other for other in longer if other.startswith("PSA_WANT_")]
        if 0 < len(wants or longer) <= _MAX_MEANT:
            return f"did you mean {' or '.join(wants or longer)}?"
        return nearest(name, self.names())

    def _check(self, assignment: Assignment) -> list[Problem]:
        name, wanted = assignment.symbol, assignment.value
        sym = self._kconf.syms[name]
        actual = sym.str_value
        same = actual == wanted
        if sym.orig_type in (kconfiglib.INT, kconfiglib.HEX):
            same = actual != "" and int(actual, 0) == int(wanted, 0)
        if same:
            return []
        what = f"{name}={wanted} has no effect, its value is {actual or 'empty'}"
        return [Problem(assignment.where, *self._why(sym, name, wanted, what))]

    def _why(self, sym: Any, name: str, wanted: str, what: str) -> tuple[str, str]:
        unmet = self.unmet(name)
        if unmet:
            return (
                f"{what}: it depends on {' and '.join(unmet)}",
                "set what it depends on, or remove this assignment",
            )
        if not self.has_prompt(name):
            is_boards = name.startswith("HAS_")
            why = "it is the board's" if is_boards else "it is computed from others"
            return (
                f"{what}: {why}",
                "say it in board.toml, or " * is_boards + "remove this assignment",
            )
        if wanted == "n" and kconfiglib.expr_value(sym.rev_dep) > 0:
            needed_by = ", ".join(self.selectors(name))
            return f"{what}: {needed_by} needs it", "remove this assignment"
        for low, high, condition in sym.ranges:
            if kconfiglib.expr_value(condition):
                return what, f"use a value from {low.str_value} to {high.str_value}"
        if sym.choice is not None:
            entries = ", ".join(s.name for s in sym.choice.syms if s.visibility)
            return what, f"set another entry of the choice to y instead: {entries}"
        return what, "look at the symbol in menuconfig"

    def write(self, path: Path, header: str) -> None:
        """Write all values in the form of a .config file."""
        self._kconf.write_config(str(path), header=header, save_old=False)

    def show_menu(self, path: Path, menu: Callable[[Any], None]) -> None:
        """Let the user change values; they are loaded from and saved to `path`."""
        with _environment({"KCONFIG_CONFIG": str(path), "MENUCONFIG_STYLE": ""}):
            menu(self._kconf)
