# SPDX-License-Identifier: Apache-2.0
"""Builds the site of the documents, as `./corral docs` does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def built(tree: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a tree in the folder `site`."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    return subprocess.run(
        [*command, "--config-file", str(tree / "tools/site/mkdocs.yml"), "--site-dir", str(site)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools"), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
