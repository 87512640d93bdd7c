# SPDX-License-Identifier: Apache-2.0
"""The command build."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from corral import ROOT
from corral.arguments import add_app_and_board, add_lto, add_sanitize, add_set, build_options
from corral.build import again, reads
from corral.build import image as building
from corral.common.progress import alone
from corral.model.places import KINDS, Places

ABOUT = "build an application for a board"
EXAMPLE = "build hmac mps2-an386"
ORDER = 50


def add(parser: argparse.ArgumentParser) -> None:
    add_app_and_board(parser)
    add_set(parser)
    add_lto(parser)
    add_sanitize(parser)


def run(arguments: argparse.Namespace) -> int:
    began = again.now()
    options = build_options(arguments)
    app, board = arguments.app, arguments.board
    with reads.recorded() as read, alone(building.folder_of(app, board)):
        bindings = building.prepare(app, board, options)
        done = building.build(app, board, options, bindings)
        label = Places.of(ROOT).label(done.image)
        # A warning is said each time; and a trusted side beside a core is a build of its own.
        if not done.board.trusted and not any(note.is_warning for note in bindings.notes):
            _keep(done, label, options, reads.asked_for(read, ROOT, done.folder), began)
    print(label)
    return 0


def _keep(
    done: building.Build, label: str, options: building.Options, read: list[Path], began: int
) -> None:
    """Keep what lets the same command begin with compiling."""
    tools = ("cmake", "ninja", building.compiler_of(done.board, options))
    programs = again.programs_of(tools)
    # Folders of the user and programs of the search path that come later are found first, and a
    # compiler may be called by another program of its name.
    own = [place / kind for place in Places.of(ROOT).own for kind in (*KINDS, "config/presets")]
    found = [Path(folder, name) for folder in os.get_exec_path() for name in tools]
    stamp = again.Stamp(
        title=building.title(done.app, done.board.name),
        label=label,
        folder=str(done.folder),
        prefix=done.board.toolchain.prefix,
        are_two=building.has_two_images(done),
        reads=again.reads_of([*read, *own, *found]),
        programs=programs,
    )
    made = building.inputs_of(done)
    again.keep(stamp, sys.argv[1:], made, began)
