# SPDX-License-Identifier: Apache-2.0
"""Settle the configuration of a build from its layers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corral.configure.assignments import Assignment, from_settings, parse_file
from corral.configure.candidates import Candidates, find_candidates
from corral.configure.cheapest import Pick
from corral.configure.fragments import check_cycles, write_fragments
from corral.configure.kconfig import Kconfig
from corral.configure.pick import pick
from corral.errors import CorralError, Problem, fail
from corral.model.board import Board, check_builtin_keys, check_elements, load_board
from corral.model.driver import Driver
from corral.model.node import nearest
from corral.model.places import Places
from corral.model.tree import Tree, load_tree

USER_LAYER = "user.config"
SETTINGS_LAYER = "settings.config"
WALL = "CORRAL_WALL"  # with which the names of all its symbols begin
PRESETS = "presets"  # the names of those that the command line asked for


@dataclass(frozen=True)
class Note:
    """Something that a user should know, and that is no error."""

    subject: str
    text: str
    is_warning: bool = False  # then each build says it, too


@dataclass(frozen=True)
class Configuration:
    """A settled configuration."""

    tree: Tree
    app: str
    board: Board
    build_dir: Path
    kconfig: Kconfig
    candidates: Candidates
    assignments: tuple[Assignment, ...]
    picks: Mapping[str, Pick] = field(default_factory=dict)  # drivers selected by cost

    def is_on(self, symbol: str) -> bool:
        return self.kconfig.is_on(symbol)

    def number(self, symbol: str) -> int:
        """The value of an integer symbol; 0 if its conditions are not met."""
        value = self.kconfig.value(symbol)
        return int(value, 0) if value else 0

    def assignment_of(self, symbol: str) -> Assignment | None:
        """The last assignment of a symbol."""
        found = [a for a in self.assignments if a.symbol == symbol]
        return found[-1] if found else None

    def attached_drivers(self) -> list[Driver]:
        """Opaque drivers of the board's elements that keep keys: enabled, with slots for keys."""
        if self.number("CORRAL_PROTECTED_KEY_SLOTS") == 0:
            return []
        names = sorted({element.driver for element in self.board.elements})
        drivers = [self.tree.drivers[name] for name in names]
        return [driver for driver in drivers if self.is_on(driver.enabled_by)]


def is_configuration(app: str) -> bool:
    """Whether the configuration is only a file: a library, without an application."""
    return app.endswith(".config")


def configuration_file(word: str) -> Path:
    if not Path(word).is_file():
        raise fail(word or "CONFIG", "no such configuration", "correct the path")
    if not is_configuration(word):
        raise fail(word, "is no configuration", "name a file NAME.config")
    return Path(word)


def app_folder(root: Path, word: str) -> Path:
    """The folder of an application: a name, or its path."""
    places = Places.of(root)
    folder = places.find("apps", word)
    if folder is None:
        raise places.missing("apps", word, "no such application")
    return folder


def _app_layers(root: Path, app: str, board: str) -> list[Assignment]:
    places = Places.of(root)
    if is_configuration(app):
        return parse_file(configuration_file(app), app, "configuration", places)
    folder = app_folder(root, app)
    of_board = folder / f"{Path(os.path.abspath(board)).name}.config"
    files = [folder / "app.config", *([of_board] if of_board.is_file() else [])]
    return [
        a for file in files for a in parse_file(file, places.label(file), "application", places)
    ]


def _preset_layer(root: Path, presets: Sequence[str]) -> list[Assignment]:
    places = Places.of(root)
    found: list[Assignment] = []
    for name in presets:
        file = places.presets().get(name)
        if file is None:
            raise fail(f"--preset {name}", "no such preset", nearest(name, places.presets()))
        found += parse_file(file, places.label(file), "preset", places)
    return found


def _presets_of(build_dir: Path) -> list[str]:
    path = build_dir / PRESETS
    return path.read_text(encoding="utf-8").split() if path.is_file() else []


def _build_layer(build_dir: Path, name: str, layer: str) -> list[Assignment]:
    path = build_dir / name
    return parse_file(path, str(path), layer) if path.is_file() else []


def share_menu(of: Path, to: Path) -> None:
    """Take what menuconfig changed in one build over to another of the same application."""
    changed = of / USER_LAYER
    if changed.is_file():
        to.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(changed, to / USER_LAYER)
    else:
        (to / USER_LAYER).unlink(missing_ok=True)


def menu_of(build_dir: Path) -> dict[str, str]:
    """The symbols that menuconfig changed in a build."""
    return {a.symbol: a.value for a in _build_layer(build_dir, USER_LAYER, "menu")}


def _settings_layer(build_dir: Path) -> list[Assignment]:
    found = _build_layer(build_dir, SETTINGS_LAYER, "command line")
    return from_settings({a.symbol: a.value for a in found})


def _check_board(tree: Tree, board: Board) -> None:
    problems: list[Problem] = []
    check_elements(board, tree.drivers, problems)
    check_builtin_keys(board, tree.vocabulary, tree.entry_points.usages_of_elements, problems)
    if problems:
        raise CorralError(problems)


def _settle(root: Path, app: str, board_name: str, build_dir: Path) -> Configuration:
    """Everything but the assignments."""
    board = load_board(root, board_name)
    tree = load_tree(root, board)
    _check_board(tree, board)
    candidates = find_candidates(tree, board)
    problems: list[Problem] = []
    check_cycles(tree, candidates, problems)
    if problems:
        raise CorralError(problems)
    folder = build_dir / "kconfig"
    write_fragments(tree, board, candidates, folder)
    kconfig = Kconfig(root, folder.resolve())
    return Configuration(tree, app, board, build_dir, kconfig, candidates, ())


def _with(configuration: Configuration, assignments: list[Assignment]) -> Configuration:
    kconfig, candidates = configuration.kconfig, configuration.candidates
    kconfig.assign(assignments)
    picks = pick(configuration.tree, configuration.board, kconfig, candidates)
    return replace(configuration, assignments=tuple(assignments), picks=picks)


def _refuse_of_other_side(board: Board, layers: Sequence[Assignment]) -> None:
    """Settings about the wall if it is another board's, which no symbol here could turn on."""
    remedy = f"write it to {board.trusted}.config beside app.config"
    what = f"is of the trusted side, which board {board.trusted} has"
    found = [a for a in layers if a.symbol.startswith(WALL) and board.trusted]
    if found:
        raise CorralError([Problem(a.where, f"{a.symbol} {what}", remedy) for a in found])


def load_configuration(root: Path, app: str, board: str, build_dir: Path) -> Configuration:
    """The configuration that configure_build() has settled."""
    if not (build_dir / ".config").is_file():
        raise fail(str(build_dir / ".config"), "not configured yet", f"configure {app} for {board}")
    layers = _preset_layer(root, _presets_of(build_dir)) + _app_layers(root, app, board)
    layers += _build_layer(build_dir, USER_LAYER, "menu")
    layers += _settings_layer(build_dir)
    return _with(_settle(root, app, board, build_dir), layers)


def configure_build(
    root: Path,
    app: str,
    board: str,
    build_dir: Path,
    settings: Mapping[str, str],
    menu: bool = False,
    presets: Sequence[str] = (),
) -> Configuration:
    """See corral.generate.api.configure()."""
    layers = _preset_layer(root, presets) + _app_layers(root, app, board)
    is_new = not build_dir.exists()
    try:
        configuration = _settle(root, app, board, build_dir)
        if menu:
            of_app = _app_layers(root, app, board)
            _ask_user(root, configuration, layers, of_app, _curses_menu)
            layers, presets = of_app, ()  # their settings are the user's now
        layers += _build_layer(build_dir, USER_LAYER, "menu")
        layers += from_settings(settings)
        _refuse_of_other_side(configuration.board, layers)
        configuration = _with(configuration, layers)
    except CorralError:
        if is_new:
            shutil.rmtree(build_dir, ignore_errors=True)
        raise
    _write_settings(build_dir, settings)
    (build_dir / PRESETS).write_text("".join(f"{name}\n" for name in presets), encoding="utf-8")
    configuration.kconfig.write(
        build_dir / ".config",
        f"# {app} on {board}, as settled by corral configure; change it with corral menuconfig.\n",
    )
    return configuration


def _write_settings(build_dir: Path, settings: Mapping[str, str]) -> None:
    lines = [f"{symbol}={value}\n" for symbol, value in settings.items()]
    (build_dir / SETTINGS_LAYER).write_text("".join(lines), encoding="utf-8")


def _curses_menu(kconf: Any) -> None:
    from menuconfig import menuconfig  # type: ignore[import-untyped]  # noqa: PLC0415

    menuconfig(kconf)


def _ask_user(
    root: Path,
    configuration: Configuration,
    layers: list[Assignment],
    app_layers: list[Assignment],
    menu: Callable[[Any], None],
) -> None:
    """Show the menu, which begins with the layers; only the differences from the
    application's layers go to user.config."""
    build_dir = configuration.build_dir
    of_user = _build_layer(build_dir, USER_LAYER, "menu")
    scratch = build_dir / "kconfig" / "menu.config"
    before = "".join(f"{a.symbol}={_quote(configuration, a)}\n" for a in (*layers, *of_user))
    scratch.write_text(before, encoding="utf-8")
    folder = build_dir.resolve() / "kconfig"
    # The menu shows what follows from cost as defaults.
    settled = _with(configuration, [*layers, *of_user])
    picks = {name: p.driver for name, p in settled.picks.items()}
    write_fragments(
        configuration.tree, configuration.board, configuration.candidates, folder, picks
    )
    Kconfig(root, folder).show_menu(scratch, menu)
    is_saved = scratch.read_text(encoding="utf-8") != before
    saved = parse_file(scratch, str(scratch), "menu") if is_saved else [*app_layers, *of_user]
    changes = _differences(root, folder, app_layers, saved)
    (build_dir / USER_LAYER).write_text(
        "# What menuconfig changed; later than the application's own configuration.\n"
        + "".join(f"{symbol}={value}\n" for symbol, value in changes.items()),
        encoding="utf-8",
    )


def _quote(configuration: Configuration, assignment: Assignment) -> str:
    kconfig = configuration.kconfig
    if kconfig.is_defined(assignment.symbol) and kconfig.is_string(assignment.symbol):
        return '"' + assignment.value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return assignment.value


def _differences(
    root: Path, folder: Path, app_layers: list[Assignment], saved: list[Assignment]
) -> dict[str, str]:
    """The fewest assignments, in the order of the menu, that lead from the layers to `saved`.

    A change of a default library changes many choices; only the first is worth remembering.
    """
    target = {a.symbol: a.value for a in saved}
    kconfig = Kconfig(root, folder)
    changes: dict[str, str] = {}
    kconfig.assign(app_layers)
    for name in kconfig.names():
        value = target.get(name)
        if value is None or not kconfig.has_prompt(name) or not kconfig.is_available(name):
            continue
        if value == kconfig.value(name) or (value == "n" and kconfig.is_choice_entry(name)):
            continue
        changes[name] = value
        kconfig.assign([Assignment(name, value, name, "menu")])
    return changes
