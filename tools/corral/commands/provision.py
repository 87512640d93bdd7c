# SPDX-License-Identifier: Apache-2.0
"""The command provision."""

from __future__ import annotations

import argparse

from corral.arguments import add_path
from corral.run import provision as provisioning

ABOUT = "show the configuration of a board's secure elements, or write and lock one"
EXAMPLE = "provision native"
ORDER = 190


def add(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    parser.add_argument("board", metavar="BOARD", help="a board with elements")
    parser.add_argument("--element", metavar="NAME", help="only this one, for example SE0")
    parser.add_argument(
        "--lock",
        metavar="SERIAL",
        help="write and lock one chip for good; SERIAL is the number that the plan shows for it",
    )


def run(arguments: argparse.Namespace) -> int:
    return provisioning.provision(arguments.board, arguments.element, arguments.lock)
