# SPDX-License-Identifier: Apache-2.0
"""The command docs."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from corral import ROOT
from corral.common.progress import step
from corral.errors import fail
from corral.model.places import builds_of_tree

ABOUT = "build the documents as a site"
EXAMPLE = "docs --serve"
ORDER = 140

_SETTINGS = ROOT / "tools" / "site" / "mkdocs.yml"
_WATCHED = ("README.md", "CONTRIBUTING.md", "docs", "drivers", "include")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--serve",
        action="store_true",
        help="show it on this computer, and build it again after each change, until interrupted",
    )


def run(arguments: argparse.Namespace) -> int:
    mkdocs = [sys.executable, "-m", "mkdocs"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    if arguments.serve:
        watched = [ROOT / name for name in _WATCHED]
        words = [word for path in watched for word in ("--watch", str(path))]
        serve = [*mkdocs, "serve", "--config-file", str(_SETTINGS), *words]
        return subprocess.run(serve, env=environment, check=False).returncode
    site = builds_of_tree(ROOT) / "site"
    build = [*mkdocs, "build", "--strict", "--config-file", str(_SETTINGS), "--site-dir", str(site)]
    with step("building the site"):
        done = subprocess.run(build, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        # The warnings of MkDocs are the reasons.
        lines = [line for line in done.stderr.splitlines() if line.startswith(("WARNING", "ERROR"))]
        text = "\n".join(lines or done.stderr.splitlines()[-5:])
        raise fail("docs", f"the site cannot be built\n{text}\n", "correct these documents")
    print(site / "index.html")
    return 0
