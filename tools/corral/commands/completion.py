# SPDX-License-Identifier: Apache-2.0
"""The command completion."""

from __future__ import annotations

import argparse

ABOUT = "write what completes commands in a shell"
EXAMPLE = "completion bash > ~/.local/share/bash-completion/completions/corral"
ORDER = 210


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", metavar="SHELL", choices=["bash", "zsh", "fish"], help="bash, zsh or fish"
    )


def run(arguments: argparse.Namespace) -> int:
    # Here, because what makes the script is not there when only help is asked for.
    import shtab  # noqa: PLC0415

    arguments.parser.prog = "corral"  # shells look for the last part of the typed name
    print(shtab.complete(arguments.parser, arguments.shell))
    return 0
