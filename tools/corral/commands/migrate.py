# SPDX-License-Identifier: Apache-2.0
"""The command migrate."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from corral import ROOT
from corral.arguments import add_path, named
from corral.common.progress import step
from corral.errors import CorralError, fail
from corral.migrate.read import read
from corral.migrate.translate import migrate

ABOUT = (
    "translate a configuration of Mbed TLS, TF-PSA-Crypto, Zephyr or nRF (exit status 0:"
    " nothing is left to do, 1: read the report, 2: nothing was written)"
)
EXAMPLE = "migrate mbedtls_config.h --board native --output crypto.config"
ORDER = 130


def add(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="mbedtls_config.h, crypto_config.h, a .conf file, or several, in the order in which"
        " they apply",
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        default="native",
        help="leave out symbols that have no effect on this board [native]",
    )
    parser.add_argument(
        "--output", metavar="FILE", type=named, help="where to write it [standard output]"
    )
    parser.add_argument(
        "--all", action="store_true", help="list options that need no work, too, in the report"
    )


def _is_there(output: str) -> CorralError:
    return fail(output, "is there already", "remove it, or name another file")


def run(arguments: argparse.Namespace) -> int:
    if arguments.output and os.path.lexists(arguments.output):
        raise _is_there(arguments.output)
    reading = read(arguments.files)
    with step(f"configuring it for {arguments.board}"):
        made = migrate(ROOT, reading, arguments.board)
    text = made.text([Path(file).name for file in arguments.files])
    if arguments.output:
        try:
            with Path(arguments.output).open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            raise _is_there(arguments.output) from None
    else:
        print(text, end="")
    print(made.report(arguments.all), file=sys.stderr)
    return 0 if made.is_whole else 1
