# SPDX-License-Identifier: Apache-2.0
"""Functions of the configuration and the generator for the command line.

Every function raises corral.errors.CorralError for whatever a user can put right; its text names
file, symbol and remedy, one problem a line.

A build lives in `build_dir` (build/<app>-<board>): configure() writes .config there, generate()
gen/corral/*.h, gen/*.c, sources.cmake and bindings.json.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from corral.configure.bindings import Bindings
from corral.configure.configuration import Configuration, Note, configure_build, load_configuration
from corral.configure.solve import solve
from corral.generate.explain import ExplainRow, explain_rows, figures_of, public_alone
from corral.generate.explain import selections as selected_wants
from corral.generate.tables import DriverTable, tables, unserved_markdown
from corral.generate.write import write_build
from corral.model.board import Board, Element, load_board, load_boards
from corral.model.capability import Capability
from corral.model.driver import Driver
from corral.model.tree import load_tree

__all__ = [
    "Bindings",
    "Board",
    "Capability",
    "Configuration",
    "Driver",
    "DriverTable",
    "Element",
    "ExplainRow",
    "Note",
    "configure",
    "driver_tables",
    "explain",
    "figures_of",
    "generate",
    "generate_for",
    "list_boards",
    "list_drivers",
    "load_board",
    "public_alone",
    "selected_wants",
    "unserved_table",
]


def list_drivers(root: Path) -> list[Driver]:
    """All drivers of the tree, by name. Driver.packages names the packages each can need."""
    return list(load_tree(root).drivers.values())


def list_boards(root: Path) -> list[Board]:
    """All boards of the tree, by name."""
    return list(load_boards(root).values())


def configure(
    root: Path,
    app: str,
    board: str,
    build_dir: Path,
    settings: Mapping[str, str],
    menu: bool = False,
    presets: Sequence[str] = (),
) -> Configuration:
    """Settle the configuration and write build_dir/.config (and user.config after a menu).

    `app` is a folder of apps/, or a file <name>.config: a library's, without an application.
    Layers, later ones win: defaults, `presets` (of config/presets), apps/<app>/app.config,
    apps/<app>/<board>.config (or the file), build_dir/user.config (what menuconfig changed),
    `settings` (--set, not remembered).
    With `menu` the menu is shown in between; its changes go to user.config.
    """
    return configure_build(root, app, board, build_dir, settings, menu, presets)


def generate(root: Path, app: str, board: str, build_dir: Path) -> Bindings:
    """Write the generated files for the configuration in build_dir/.config.

    Files whose content does not change keep their time stamps. Bindings.packages names the
    packages that this build needs, Bindings.notes what a user should know.
    """
    return generate_for(load_configuration(root, app, board, build_dir))


def generate_for(configuration: Configuration) -> Bindings:
    """generate(), for the result of configure(): nothing is read again."""
    bindings = solve(configuration)
    write_build(bindings, configuration.build_dir)
    return bindings


def explain(root: Path, app: str, board: str, build_dir: Path) -> list[ExplainRow]:
    """The driver of each mechanism, with its entry points, and the reason."""
    return explain_rows(solve(load_configuration(root, app, board, build_dir)))


def driver_tables(root: Path) -> list[DriverTable]:
    """The mechanisms of each driver, from its description only; DriverTable.markdown()
    for documents."""
    return tables(load_tree(root))


def unserved_table(root: Path) -> str:
    """Mechanisms without a driver, and why, for documents."""
    return unserved_markdown(load_tree(root))
