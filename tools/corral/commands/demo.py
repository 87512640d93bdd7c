# SPDX-License-Identifier: Apache-2.0
"""The command demo."""

from __future__ import annotations

import argparse
from pathlib import Path

from corral.demo import show as showing

ABOUT = "build and run everything, and let OpenSSL check each result"
EXAMPLE = "demo LICENSE"
ORDER = 10


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="the file to sign and encrypt")
    parser.add_argument(
        "--gateway",
        action="store_true",
        help="a Linux gateway: keys in memory, a TPM, a PKCS#11 token and three secure elements",
    )


def run(arguments: argparse.Namespace) -> int:
    boards = showing.GATEWAY if arguments.gateway else showing.BOARDS
    return showing.demo(Path(arguments.file) if arguments.file else None, boards)
