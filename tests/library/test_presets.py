# SPDX-License-Identifier: Apache-2.0
"""Each preset compiles, on a PC and on a Cortex-M4; in a short run the smallest.

Whether its wants are served, and its slots suffice, tests/config/test_presets.py says each time.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from corral.model.places import Places
from harness.areas import is_long

from .project import ROOT, Project

PRESETS = Places(ROOT).presets()
#: A microcontroller has no use for all that there is.
ALL = "everything"
CASES = [
    (name, board)
    for name in PRESETS
    for board in ("native", "mps2-an386")
    if (name, board) != (ALL, "mps2-an386")
]
#: What compiles each time: a boot loader, whose image is the smallest and has to stay so.
SHORT = [("secure-boot-verify", "mps2-an386")]


@pytest.mark.parametrize(("name", "board"), CASES if is_long() else SHORT)
def test_preset_compiles(name: str, board: str, tmp_path: Path) -> None:
    made = Project(tmp_path)
    made.done(ROOT / "corral", "library", str(PRESETS[name]), board, "--prefix", "dist")
    assert (tmp_path / "dist" / "lib" / "libcorral.a").is_file()
