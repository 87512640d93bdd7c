# SPDX-License-Identifier: Apache-2.0
"""The command configure."""

from __future__ import annotations

import argparse
from pathlib import Path

from corral.arguments import add_config_and_board, add_path_and_set, folder, settings
from corral.export import library

ABOUT = "write what a library consists of, for a build system (cmake/library.cmake)"
EXAMPLE = "configure crypto.config boards/mine build/crypto"
ORDER = 90


def add(parser: argparse.ArgumentParser) -> None:
    add_config_and_board(parser)
    parser.add_argument("folder", metavar="FOLDER", type=folder, help="where to write it")
    add_path_and_set(parser)


def run(arguments: argparse.Namespace) -> int:
    place = Path(arguments.folder).resolve()
    library.configure(arguments.config, arguments.board, place, settings(arguments.set))
    return 0
