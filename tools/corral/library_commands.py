# SPDX-License-Identifier: Apache-2.0
"""The commands for projects of somebody else's: configure, library, export, install."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from corral.arguments import add_path_and_set, folder, settings
from corral.export import library

Action = Callable[[argparse.Namespace], int]
#: Adds a command: name, what it does, what it is for, an example.
Add = Callable[[str, Action, str, str], argparse.ArgumentParser]


def add(add_command: Add) -> None:
    added = add_command(
        "configure",
        _configure,
        "write what a library consists of, for a build system (cmake/library.cmake)",
        "configure crypto.config boards/mine build/crypto",
    )
    _add_config_and_board(added)
    added.add_argument("folder", metavar="FOLDER", type=folder, help="where to write it")
    add_path_and_set(added)
    added = add_command(
        "library",
        _install,
        "install a library for one configuration and board, for projects without our CMake",
        "library crypto.config native --prefix dist",
    )
    _add_config_and_board(added)
    _add_prefix(added)
    added.add_argument("--shared", action="store_true", help="a shared library, with the port")
    added.add_argument(
        "--build-type",
        choices=library.BUILD_TYPES,
        default="",
        help="how to optimise [Release if the board says speed = true, else MinSizeRel]",
    )
    add_path_and_set(added)
    added = add_command(
        "export",
        _export_sources,
        "write the configured sources into a folder, for any build system",
        "export crypto.config native firmware/crypto",
    )
    _add_config_and_board(added)
    added.add_argument(
        "folder", metavar="FOLDER", type=folder, help="a new one, or an export to make anew"
    )
    add_path_and_set(added)
    added = add_command(
        "install",
        _install_tools,
        "install the tools and sources, for find_package(corral) and corral_library()",
        "install --prefix /usr/local",
    )
    _add_prefix(added)


def _configure(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder).resolve()
    library.configure(arguments.config, arguments.board, folder, settings(arguments.set))
    return 0


def _install(arguments: argparse.Namespace) -> int:
    wanted = library.Wanted(
        arguments.config,
        arguments.board,
        settings(arguments.set),
        arguments.shared,
        arguments.build_type,
    )
    for path in library.install(wanted, Path(arguments.prefix).resolve()):
        print(path)
    return 0


def _export_sources(arguments: argparse.Namespace) -> int:
    # What it needs of others is installed for this command alone.
    from corral.export.command import command  # noqa: PLC0415

    wanted = library.Wanted(arguments.config, arguments.board, settings(arguments.set))
    command(wanted, Path(arguments.folder).resolve())
    print(arguments.folder)
    return 0


def _install_tools(arguments: argparse.Namespace) -> int:
    print(library.install_tools(Path(arguments.prefix).resolve()))
    return 0


def _add_config_and_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", metavar="CONFIG", help="a file, NAME.config: what is wanted")
    parser.add_argument("board", metavar="BOARD", help="a folder of boards/, or the path of one")


def _add_prefix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--prefix", metavar="FOLDER", type=folder, required=True, help="where to install it"
    )
