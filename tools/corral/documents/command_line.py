# SPDX-License-Identifier: Apache-2.0
"""The page of the site with all commands, from their parsers."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager

from corral.cli import parser

_HEAD = """\
# Commands

This page has the help of each command, as `./corral help COMMAND` prints it. The page
"Troubleshooting" lists the exit statuses.
"""


@contextmanager
def _width(columns: int) -> Iterator[None]:
    """Help of this width, whatever the terminal has."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(columns)
    try:
        yield
    finally:
        del os.environ["COLUMNS"]
        if before is not None:
            os.environ["COLUMNS"] = before


def _parsers(of: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of commands, each before those of its own commands."""
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield each
                yield from _parsers(each)


def page() -> str:
    """The page of all commands."""
    with _width(90):
        parts = [
            f"## {each.prog.removeprefix('./')}\n\n```text\n{each.format_help()}```\n"
            for each in _parsers(parser()[0])
        ]
    return "\n".join([_HEAD, *parts])
