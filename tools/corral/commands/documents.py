# SPDX-License-Identifier: Apache-2.0
"""The command documents."""

from __future__ import annotations

import argparse

from corral import ROOT
from corral.common import system
from corral.documents import write as writing

ABOUT = "write the documents that follow from descriptions"
EXAMPLE = "documents"
ORDER = 170


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--observed",
        action="store_true",
        help="also write documents made from results of test programs (takes minutes)",
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.observed:
        system.ensure(["host", "test"])
    for name in writing.write(ROOT, arguments.observed):
        print(name)
    return 0
