# SPDX-License-Identifier: Apache-2.0
"""The command migrate."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corral import ROOT
from corral.arguments import add_path, named
from corral.common.progress import step
from corral.errors import fail
from corral.migrate.read import options
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
        help="mbedtls_config.h, crypto_config.h, a .conf file, or several of them",
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


def run(arguments: argparse.Namespace) -> int:
    read = [option for file in arguments.files for option in options(Path(file), file)]
    if arguments.output and Path(arguments.output).exists():
        raise fail(arguments.output, "is there already", "remove it, or name another file")
    with step(f"configuring it for {arguments.board}"):
        made = migrate(ROOT, read, arguments.board)
    text = made.text([Path(file).name for file in arguments.files])
    if arguments.output:
        Path(arguments.output).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    print(made.report(arguments.all), file=sys.stderr)
    return 0 if made.is_whole else 1
