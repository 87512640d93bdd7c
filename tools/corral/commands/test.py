# SPDX-License-Identifier: Apache-2.0
"""The command test."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from corral import ROOT
from corral.build import image as building
from corral.common import system
from corral.extend import suites
from corral.model.places import VARIABLE
from corral.model.port import debian_of_all
from corral.model.tree import load_tree

ABOUT = "run tests"
EXAMPLE = "test tests/config -k golden"
ORDER = 40


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "arguments",
        metavar="ARGUMENT",
        nargs="*",
        default=[],
        help="default: the areas that tests/areas.toml always runs. Choose areas by --area NAME or"
        " --area all. Use --quick for two minutes of tests that find most faults. Add --long for"
        " repetitions and campaigns of hours. Add --budget to fail if an area takes too long. Use"
        " --driver DIR or --board DIR for the tests that a driver or board of yours inherits. Add"
        " --path DIR for other folders it needs. All other options go to pytest.",
    )


def run(arguments: argparse.Namespace) -> int:
    words, places, driver = suites.outside(arguments.rest)
    os.environ[VARIABLE] = os.pathsep.join(places)
    if driver:
        for problem in suites.check_tested(load_tree(ROOT), driver):
            print(f"  note: {problem}", file=sys.stderr)
    system.ensure(["host", "c++", "openssl", "test"], debian_of_all(ROOT))
    # A process for each processor; groups of tests in the order of tests/conftest.py.
    side_by_side = ["-n", "auto", "--dist", "loadgroup", "--no-loadscope-reorder"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *side_by_side]
    command += words
    print("running " + building.shell(command[1:]), file=sys.stderr)
    return subprocess.run(command, cwd=ROOT, check=False).returncode
