# SPDX-License-Identifier: Apache-2.0
"""The command menuconfig."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corral.arguments import add_app_and_board, add_preset
from corral.build import image as building
from corral.commands import explain
from corral.configure.configuration import USER_LAYER
from corral.errors import fail

ABOUT = "choose backends, slots and drivers in a menu"
EXAMPLE = "menuconfig zoo native"
ORDER = 80


def add(parser: argparse.ArgumentParser) -> None:
    add_app_and_board(parser)
    add_preset(parser)


def _say_where(file: Path) -> None:
    """Name the file that has what differs from the application's own configuration."""
    lines = file.read_text(encoding="utf-8").splitlines()
    if changes := [line for line in lines if not line.startswith("#")]:
        print(f"saved in {file}: {', '.join(changes)}")
        print("Later builds use it. To begin anew, remove the file.\n")
    else:
        print(f"{file}: no setting changed\n")


def run(arguments: argparse.Namespace) -> int:
    if not sys.stdin.isatty():
        raise fail("menuconfig", "needs a terminal", "use ./corral build ... --set SYMBOL=VALUE")
    options = building.Options(presets=tuple(arguments.preset))
    made = building.prepare(arguments.app, arguments.board, options, menu=True)
    _say_where(made.configuration.build_dir / USER_LAYER)
    arguments.preset = []  # it is among what the menu changed
    return explain.run(arguments)
