# SPDX-License-Identifier: Apache-2.0
"""The command new."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from corral.arguments import folder
from corral.extend import scaffold

ABOUT = "write an application, board, port, driver or element to begin with"
EXAMPLE = "new driver acme --in ~/mine"
ORDER = 30


def add(parser: argparse.ArgumentParser) -> None:
    kinds = list(scaffold.SCAFFOLDS)
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument("name", metavar="NAME", help="how it is called")
    parser.add_argument(
        "--in",
        metavar="DIR",
        dest="place",
        type=folder,
        required=True,
        help="a folder of yours (see --path)",
    )
    parser.add_argument(
        "--like", metavar="BOARD", default=scaffold.LIKE, help="the board to copy [%(default)s]"
    )


def run(arguments: argparse.Namespace) -> int:
    place = Path(os.path.abspath(arguments.place))
    for command in scaffold.new(arguments.kind, arguments.name, place, arguments.like):
        print(command)
    return 0
