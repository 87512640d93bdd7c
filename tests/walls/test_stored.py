# SPDX-License-Identifier: Apache-2.0
"""What the client of a wall that protects has stored on the other side."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral import run
from harness import programs
from restart.test_restart import EXPECTED, program

SUITES = {"keys": 11, "its": 9, "ps": 5, "limits": 3}


@pytest.mark.parametrize("transport", programs.WALLS)
def test_suites_of_storage(transport: str) -> None:
    result = programs.stored_behind_wall(transport).run()
    for suite, count in SUITES.items():
        result.check(count, suite)
    result.check(sum(SUITES.values()))


@pytest.mark.parametrize("transport", programs.WALLS)
def test_restart(transport: str, tmp_path: Path) -> None:
    """Power fails for both sides; what is stored is in a file of the host."""
    built = program(programs.WALLS[transport], "FLASH")
    flash = tmp_path / "flash"
    lines: list[str] = []
    for _ in range(5):
        done = run.run(built, [f"flash={flash}"], images=tmp_path, capture=True, repeats=False)
        assert done.returncode == 0, done.stdout
        lines += done.stdout.splitlines()
    assert lines == [*EXPECTED, "destroyed 0 0 0", "run 1 same 1"]
