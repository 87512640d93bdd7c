# SPDX-License-Identifier: Apache-2.0
"""The command run."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

from corral import ROOT
from corral.arguments import add_app_and_board, add_lto, add_sanitize, add_set, build_options, named
from corral.build import image as building
from corral.common import system
from corral.common.style import print_error
from corral.configure.configuration import app_folder
from corral.errors import Problem, fail
from corral.run import needed
from corral.run import program as running
from corral.run import provision as provisioning

ABOUT = "build an application and run it"
EXAMPLE = "run ecdsa mps2-an386"
ORDER = 60


def add(parser: argparse.ArgumentParser) -> None:
    add_app_and_board(parser)
    add_set(parser)
    add_lto(parser)
    add_sanitize(parser)
    parser.add_argument("--debug", action="store_true", help="under gdb, or waiting for it")
    parser.add_argument(
        "--input", metavar="FILE", type=named, help="the file that the application reads"
    )
    parser.add_argument(
        "arguments", nargs="*", default=[], help="words for the application, after --"
    )


def run(arguments: argparse.Namespace) -> int:
    file = Path(arguments.input).resolve() if arguments.input else None
    if file and not file.is_file():
        raise fail(arguments.input, "no such file", "name a file that exists")
    provisioning.refuse(arguments.app)
    app_folder(ROOT, arguments.app)
    # Tools to compile and to run, so that one message names all that are missing.
    system.ensure(["host"], needed.by_boards([arguments.board]))
    done = building.build(arguments.app, arguments.board, build_options(arguments))
    images = running.images_of(arguments.board)
    if done.uses_elements:
        # Keys work only in a configured and locked chip; a simulated one can be had anew any time.
        provisioning.prepare_virtual_chips(arguments.board, images)
    status = running.run(
        done,
        [*arguments.arguments, *arguments.rest],
        input_file=file,
        images=images,
        debug=arguments.debug,
    ).returncode
    if status >= 0:
        return status
    what = f"ended by signal {-status} ({signal.strsignal(-status)})"
    problem = Problem(f"{arguments.app} on {arguments.board}", what, "--debug shows where")
    print_error(problem)
    return 128 - status  # as shells have it
