# SPDX-License-Identifier: Apache-2.0
"""The commands, a module each: the name of the file is the name of the command.

A module has a description of its command (ABOUT), an example (EXAMPLE), its position
among the others (ORDER), a function that adds its arguments to a parser (add), and one
that does its work (run).
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast


class Command(Protocol):
    ABOUT: str
    EXAMPLE: str
    ORDER: int

    def add(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; return the exit status. `arguments.parser` is the parser of all commands."""
        ...


def names() -> list[str]:
    found = Path(__file__).parent.glob("[a-z]*.py")
    return sorted(path.stem for path in found)


def load() -> dict[str, Command]:
    """All commands by their names, in the order of help."""
    loaded = {name: cast(Command, import_module(f"{__name__}.{name}")) for name in names()}
    return dict(sorted(loaded.items(), key=lambda item: item[1].ORDER))
