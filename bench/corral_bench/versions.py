# SPDX-License-Identifier: Apache-2.0
"""The tools of a measurement: versions and flags, so others can repeat it."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable
from typing import Any

from corral import ROOT
from corral.errors import fail
from corral.generate import api
from corral.model.board import Board
from corral.packages import fetch as packages

_FLAGS = "-Os -g -ffunction-sections -fdata-sections -Wl,--gc-sections"


def _said(command: list[str]) -> str | None:
    """The first line of a tool's output; None if it is not installed or refuses."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    except FileNotFoundError:
        return None
    lines = (done.stdout or done.stderr).splitlines()
    return lines[0].strip() if lines and done.returncode == 0 else None


def tools() -> dict[str, str | None]:
    """Versions of the tools; None for one that is not installed."""
    import unicorn  # noqa: PLC0415  (large, and only measurements need it)

    return {
        "arm-none-eabi-gcc": _said(["arm-none-eabi-gcc", "--version"]),
        "arm-none-eabi-ld": _said(["arm-none-eabi-ld", "--version"]),
        "avr-gcc": _said(["avr-gcc", "--version"]),
        "gcc": _said(["gcc", "--version"]),
        "cmake": _said(["cmake", "--version"]),
        "unicorn": str(unicorn.__version__),
        "python": platform.python_version(),
        "tree": _said(["git", "describe", "--always", "--dirty", "--exclude=*"]),
    }


def compiler(board: Board) -> str:
    """The version of a board's compiler."""
    command = [f"{board.toolchain.prefix}gcc", "--version"]
    line = _said(command)
    if line is None:
        raise fail(
            "bench", f"{command[0]} does not run", f"./corral build hmac {board.name} installs it"
        )
    return line


def flags(boards: Iterable[str]) -> dict[str, str]:
    """How the programs of each board are compiled and linked."""
    made = {}
    for board in boards:
        toolchain = api.load_board(ROOT, board).toolchain
        made[board] = " ".join([_FLAGS, *toolchain.cflags, *toolchain.ldflags])
    return made


def libraries() -> dict[str, str]:
    """Versions of the packages that drivers use."""
    return {package.name: package.source.version for package in packages.load_all(ROOT)}


def made_with(boards: Iterable[str]) -> dict[str, Any]:
    """All of it, as plain data."""
    return {"tools": tools(), "flags": flags(boards), "packages": libraries()}
