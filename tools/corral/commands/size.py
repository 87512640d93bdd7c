# SPDX-License-Identifier: Apache-2.0
"""The command size."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

from corral import ROOT
from corral.arguments import (
    add_app_and_board,
    add_json,
    add_lto,
    add_set,
    build_options,
    count,
)
from corral.build import image as building
from corral.configure.configuration import share_menu
from corral.model.board import load_board

ABOUT = "say what takes up flash and RAM of a build"
EXAMPLE = "size hmac mps2-an386"
ORDER = 230


def add(parser: argparse.ArgumentParser) -> None:
    add_app_and_board(parser)
    add_set(parser)
    add_lto(parser)
    add_json(parser)
    parser.add_argument(
        "--symbols",
        metavar="N",
        type=count,
        default=20,
        help="how many of the largest to name",
    )


def run(arguments: argparse.Namespace) -> int:
    # Here, because the reader of ELF is not there when only help is asked for.
    from corral.measure.size import figures, report  # noqa: PLC0415

    options = build_options(arguments)
    app, board = arguments.app, arguments.board
    usual = building.folder_of(app, board)
    description = load_board(ROOT, board)

    def built(lto: bool) -> building.Build:
        # What `build` left in the usual folder stays what it is.
        name = "" if lto == description.lto else f"{usual.name}-{'lto' if lto else 'plain'}"
        if name:
            share_menu(usual, building.folder_of(app, board, name))
        return building.build(app, board, replace(options, lto=lto, name=name))

    plain = built(lto=False)
    done = built(lto=True) if building.has_lto(description, options) else plain
    if arguments.json:
        print(json.dumps(figures(done, arguments.symbols, plain), indent=2))
    else:
        print(report(done, arguments.symbols, plain))
    return 0
