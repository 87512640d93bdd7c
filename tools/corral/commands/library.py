# SPDX-License-Identifier: Apache-2.0
"""The command library."""

from __future__ import annotations

import argparse
from pathlib import Path

from corral.arguments import add_config_and_board, add_path_and_set, add_prefix, settings
from corral.export import library

ABOUT = "install a library for one configuration and board, for projects without our CMake"
EXAMPLE = "library crypto.config native --prefix dist"
ORDER = 100


def add(parser: argparse.ArgumentParser) -> None:
    add_config_and_board(parser)
    add_prefix(parser)
    parser.add_argument("--shared", action="store_true", help="a shared library, with the port")
    parser.add_argument(
        "--build-type",
        choices=library.BUILD_TYPES,
        default="",
        help="how to optimise [Release if the board says speed = true, else MinSizeRel]",
    )
    add_path_and_set(parser)


def run(arguments: argparse.Namespace) -> int:
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
