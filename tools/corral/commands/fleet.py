# SPDX-License-Identifier: Apache-2.0
"""The command fleet."""

from __future__ import annotations

import argparse
import json

ABOUT = "show a fleet of three devices under attack, or build its server"
EXAMPLE = "fleet demo"
ORDER = 20


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        metavar="WHAT",
        choices=["demo", "build"],
        help="demo; or build, which compiles the server for use and prints its path",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")


def run(arguments: argparse.Namespace) -> int:
    # Here, because no other command needs a server and a network.
    from corral.fleet import server  # noqa: PLC0415
    from corral.fleet.demo import demo as of_a_fleet  # noqa: PLC0415

    if arguments.what == "demo":
        return of_a_fleet(arguments.json)
    program = str(server.binary("release"))
    print(json.dumps({"program": program}) if arguments.json else program)
    return 0
