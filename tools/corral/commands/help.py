# SPDX-License-Identifier: Apache-2.0
"""The command help."""

from __future__ import annotations

import argparse

from corral import commands
from corral.arguments import Suggestions

ABOUT = "explain a command, or name all of them"
EXAMPLE = "help build"
ORDER = 0


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command",
        metavar="COMMAND",
        nargs="?",
        default="",
        choices=Suggestions(commands.names()),
        help="what to explain",
    )


def run(arguments: argparse.Namespace) -> int:
    arguments.parser.parse_args([*arguments.command.split(), "--help"])
    return 0  # pragma: no cover
