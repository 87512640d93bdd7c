# SPDX-License-Identifier: Apache-2.0
"""The command drivers."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from corral import ROOT
from corral.arguments import Suggestions, add_json, add_path
from corral.common.style import heading
from corral.common.table import wrapped
from corral.errors import fail
from corral.generate import api as interface
from corral.model.node import nearest
from corral.model.places import Places

ABOUT = "list the drivers and the mechanisms that each supports"
EXAMPLE = "drivers bearssl"
ORDER = 160


def add(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    add_json(parser)
    known = Suggestions(Places(ROOT).names("drivers"))
    parser.add_argument(
        "driver",
        metavar="DRIVER",
        nargs="?",
        default="",
        choices=known,
        help=f"only this one: {', '.join(known)}",
    )


def run(arguments: argparse.Namespace) -> int:
    tables = interface.driver_tables(ROOT)
    name = arguments.driver
    if name and name not in (table.name for table in tables):
        known = [table.name for table in tables]
        raise fail(f"drivers/{name}/driver.json", "no such driver", nearest(name, known))
    tables = [table for table in tables if name in ("", table.name)]
    if arguments.json:
        print(json.dumps([asdict(table) for table in tables], indent=2))
        return 0
    for table in tables:
        needs = "".join(f", needs {symbol}" for symbol in table.requires)
        needs += "".join(f", package {name}" for name in table.packages)
        head = wrapped(f"{table.name}: {table.title} ({table.type}{needs})")
        print(head.replace(table.name, heading(table.name), 1))
        for row in table.rows:
            key = "" if row.keys == "-" else f" with {row.keys}"
            print(wrapped(f"{row.entry_points}: {row.algorithms}{key}", 2))
            notes = [row.limits] if row.limits != "-" else []
            notes += [f"time: {row.time}"] if row.time != "-" else []
            if notes:
                print(wrapped("; ".join(notes), 6))
        print()
    return 0
