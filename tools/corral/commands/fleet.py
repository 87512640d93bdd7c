# SPDX-License-Identifier: Apache-2.0
"""The command fleet."""

from __future__ import annotations

import argparse

ABOUT = "show a fleet: three devices, a server, and an attacker on the network"
EXAMPLE = "fleet demo"
ORDER = 20


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", choices=["demo"], help="demo")
    parser.add_argument("--json", action="store_true", help="print only the figures, as one object")


def run(arguments: argparse.Namespace) -> int:
    # Here, because no other command needs a server and a network.
    from corral.fleet.demo import demo as of_a_fleet  # noqa: PLC0415

    return of_a_fleet(arguments.json)
