# SPDX-License-Identifier: Apache-2.0
"""The command menuconfig."""

from __future__ import annotations

import argparse
import sys

from corral.arguments import add_app_and_board, add_preset
from corral.build import image as building
from corral.commands import explain
from corral.errors import fail

ABOUT = "choose backends, slots and drivers in a menu"
EXAMPLE = "menuconfig zoo native"
ORDER = 80


def add(parser: argparse.ArgumentParser) -> None:
    add_app_and_board(parser)
    add_preset(parser)


def run(arguments: argparse.Namespace) -> int:
    if not sys.stdin.isatty():
        raise fail("menuconfig", "needs a terminal", "use ./corral build ... --set SYMBOL=VALUE")
    options = building.Options(presets=tuple(arguments.preset))
    building.prepare(arguments.app, arguments.board, options, menu=True)
    arguments.preset = []  # it is among what the menu changed
    return explain.run(arguments)
