# SPDX-License-Identifier: Apache-2.0
"""The command explain."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict

from corral import ROOT
from corral.arguments import add_app_and_board, add_json, add_set, settings
from corral.build import image as building
from corral.common.progress import alone
from corral.common.table import listing, wrapped
from corral.configure.fragments import BY_SPEED
from corral.generate import api as interface

ABOUT = "show which driver runs each mechanism, and why"
EXAMPLE = "explain zoo native"
ORDER = 150


def add(parser: argparse.ArgumentParser) -> None:
    add_app_and_board(parser)
    add_set(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    options = building.Options(
        settings=settings(getattr(arguments, "set", [])),
        presets=tuple(getattr(arguments, "preset", [])),
    )
    folder = building.folder_of(arguments.app, arguments.board)
    with alone(folder):  # or what is explained were what another command has just settled
        bindings = building.prepare(arguments.app, arguments.board, options)
        rows = interface.explain(ROOT, arguments.app, arguments.board, folder)
    selected = interface.selected_wants(bindings)
    if getattr(arguments, "json", False):
        report = {
            "app": arguments.app,
            "board": arguments.board,
            "measured_with": interface.figures_of(bindings),
            "mechanisms": [asdict(row) for row in rows],
            "selected": selected,
            "public_alone": interface.public_alone(bindings),
            "notes": [asdict(note) for note in bindings.notes],
        }
        print(json.dumps(report, indent=2))
        return 0
    table = [("mechanism", "where", "served by")]
    table += [(row.mechanism, row.where, row.driver) for row in rows]
    head, rules, *lines = listing(table)
    print(f"{head}\n{rules}")
    for row, line in zip(rows, lines, strict=True):
        print("\n".join([line, *(wrapped(text, 4) for text in _reasons(row))]))
    if processor := interface.figures_of(bindings):
        unit = "instructions" if bindings.configuration.is_on(BY_SPEED) else "bytes"
        print(f"{unit}: as measured with {processor}")
    for symbol, selectors in selected.items():
        print(wrapped(f"selected: {symbol} by {', '.join(selectors)}"))
    for symbol in interface.public_alone(bindings):
        print(f"public keys alone: {symbol}")
    for note in bindings.notes:
        print(wrapped(f"note: {note.subject}: {note.text}"))
    return 0


def _reasons(row: interface.ExplainRow) -> Iterator[str]:
    """Why a driver runs a mechanism, and by which of its functions."""
    yield row.reason
    if row.entry_points:
        yield f"functions: {', '.join(row.entry_points)}"
