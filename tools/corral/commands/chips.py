# SPDX-License-Identifier: Apache-2.0
"""The command chips."""

from __future__ import annotations

import argparse
import shutil

from corral import ROOT
from corral.arguments import add_path
from corral.errors import fail
from corral.model.board import load_board
from corral.run import program as running
from corral.run import provision as provisioning

ABOUT = "run a program of yours with a board's simulated elements"
EXAMPLE = "chips native out/client 4433 own.pem peer.pem"
ORDER = 70


def add(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    parser.add_argument("board", metavar="BOARD", help="a board of this computer with elements")
    parser.add_argument(
        "program", metavar="COMMAND", nargs=argparse.REMAINDER, help="the program and its words"
    )


def run(arguments: argparse.Namespace) -> int:
    images = running.images_of(arguments.board)
    board = load_board(ROOT, arguments.board)
    if not arguments.program:
        raise fail("chips", "no command", f"write one behind {arguments.board}")
    if shutil.which(arguments.program[0]) is None:
        raise fail(arguments.program[0], "no such program", "name one that is built")
    if board.toolchain.prefix or board.simulator:
        raise fail(board.label, "its elements are on an emulated bus", "name native or one like it")
    provisioning.prepare_virtual_chips(arguments.board, images)
    return running.beside_chips(board, images, arguments.program)
