# SPDX-License-Identifier: Apache-2.0
"""The style of a terminal: its width, and colours if it has them.

A pipe and a file get plain text, and so does a terminal if NO_COLOR is set.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import TextIO

#: The width of a page that is no terminal.
WIDTH = 80
_NARROWEST = 40
_BOLD, _RED, _YELLOW = 1, 31, 33


def _styled(text: str, code: int, stream: TextIO) -> str:
    has_colours = os.environ.get("TERM", "dumb") != "dumb" and not os.environ.get("NO_COLOR")
    return f"\x1b[{code}m{text}\x1b[0m" if has_colours and stream.isatty() else text


def width(stream: TextIO) -> int:
    """The columns of a terminal, or the default ones."""
    if not stream.isatty():
        return WIDTH
    return max(shutil.get_terminal_size((WIDTH, 24)).columns, _NARROWEST)


def heading(text: str) -> str:
    """A heading on standard output."""
    return _styled(text, _BOLD, sys.stdout)


def print_error(text: object) -> None:
    print(f"{_styled('corral: error:', _RED, sys.stderr)} {text}", file=sys.stderr)


def print_warning(text: object) -> None:
    print(f"{_styled('corral: warning:', _YELLOW, sys.stderr)} {text}", file=sys.stderr)
