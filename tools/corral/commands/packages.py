# SPDX-License-Identifier: Apache-2.0
"""The command packages."""

from __future__ import annotations

import argparse
import json

from corral import ROOT
from corral.arguments import add_json, add_path
from corral.common.table import listing
from corral.packages import fetch as fetching

ABOUT = "list third-party code, its origin and licence"
EXAMPLE = "packages"
ORDER = 180


def add(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    table = [("package", "from", "name", "version", "licence", "state")]
    notes = []
    for package in fetching.load_all(ROOT):
        state = "unpacked" if package.is_there(ROOT) else "fetched when needed"
        if package.consent:
            state += f", only with {package.consent}=1"
        source = package.source
        row = (package.name, source.registry, source.name, source.version, package.licence, state)
        table.append(row)
        if package.note:
            notes.append(f"{package.name}: {package.note}")
    if arguments.json:
        print(json.dumps([dict(zip(table[0], row, strict=True)) for row in table[1:]], indent=2))
        return 0
    print("\n".join(listing(table)))
    print("\n".join(notes))
    return 0
