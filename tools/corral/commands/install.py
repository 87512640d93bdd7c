# SPDX-License-Identifier: Apache-2.0
"""The command install."""

from __future__ import annotations

import argparse
from pathlib import Path

from corral.arguments import add_prefix
from corral.export import library

ABOUT = "install the tools and sources, for find_package(corral) and corral_library()"
EXAMPLE = "install --prefix /usr/local"
ORDER = 120


def add(parser: argparse.ArgumentParser) -> None:
    add_prefix(parser)


def run(arguments: argparse.Namespace) -> int:
    print(library.install_tools(Path(arguments.prefix).resolve()))
    return 0
