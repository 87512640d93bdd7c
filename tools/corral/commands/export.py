# SPDX-License-Identifier: Apache-2.0
"""The command export."""

from __future__ import annotations

import argparse
from pathlib import Path

from corral.arguments import add_config_and_board, add_path_and_set, folder, settings
from corral.export import library

ABOUT = "write the configured sources into a folder, for any build system"
EXAMPLE = "export crypto.config native firmware/crypto"
ORDER = 110


def add(parser: argparse.ArgumentParser) -> None:
    add_config_and_board(parser)
    parser.add_argument(
        "folder", metavar="FOLDER", type=folder, help="a new one, or an export to make anew"
    )
    add_path_and_set(parser)


def run(arguments: argparse.Namespace) -> int:
    # Its Python packages are installed when this command runs.
    from corral.export.command import command  # noqa: PLC0415

    wanted = library.Wanted(arguments.config, arguments.board, settings(arguments.set))
    command(wanted, Path(arguments.folder).resolve())
    print(arguments.folder)
    return 0
