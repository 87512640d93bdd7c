# SPDX-License-Identifier: Apache-2.0
"""The driver's test programs, and the generated headers that they are built with.

The headers are those of a real configuration. The devices, their locations and the hash
are the tests' own (configuration/), and are found first.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from corral.common.progress import alone
from corral.generate import api
from harness import waiting

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILDS = ROOT / "build" / "tests" / "atecc608"


def run(command: list[str | Path]) -> str:
    """Run a command and return its output; that is shown when it fails."""
    done = waiting.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}"
    return done.stdout


@cache
def option() -> str:
    """Configure and generate; the option that tells CMake where it is."""
    folder = BUILDS / "generated"
    app = "../tests/elements"
    with alone(folder):
        api.configure(ROOT, app, "native", folder, {"CORRAL_THREADS": "y"})
        api.generate(ROOT, app, "native", folder)
    return f"-DGENERATED={folder / 'gen'}"


def build(name: str, *options: str, target: str = "all") -> Path:
    """Configure and build the test programs; returns their folder.

    Tests that share it may run side by side: none finds a program half linked.
    """
    folder = BUILDS / name
    with alone(folder):
        run(["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", option(), *options])
        run(["cmake", "--build", folder, "-j2", "--target", target])
    return folder


def sanitized(target: str = "all") -> Path:
    return build("sanitized", "-DSANITIZE=ON", target=target)
