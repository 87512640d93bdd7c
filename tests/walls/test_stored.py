# SPDX-License-Identifier: Apache-2.0
"""The stored data of a client of a protecting wall on the other side."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from corral.build import image as build
from corral.run import program as run
from harness import programs
from harness.program import WITHOUT_ELEMENTS
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
    """Power fails for both sides; the storage is in a file of the host."""
    built = program(programs.WALLS[transport], "FLASH")
    flash = tmp_path / "flash"
    lines: list[str] = []
    for _ in range(5):
        done = run.run(built, [f"flash={flash}"], images=tmp_path, capture=True, repeats=False)
        assert done.returncode == 0, done.stdout
        lines += done.stdout.splitlines()
    assert lines == [*EXPECTED, "destroyed 0 0 0", "run 1 same 1"]


CUT_OFF = 3  # how a run ends whose power failed
STRIDE = 6  # of the steps of the flash, of which an operation takes some 80


def test_power_that_fails_on_the_other_side_leaves_a_key_whole_or_gone(tmp_path: Path) -> None:
    """In the middle of the client's request; then both start again."""
    settings = {**WITHOUT_ELEMENTS, "CORRAL_STORAGE_IN_FLASH": "y"}
    options = build.Options(settings=settings, name="tests/walls-power-pmp")
    built = build.build("../tests/walls/power", programs.WALLS["pmp"], options)
    work = tmp_path / "work"
    work.mkdir()

    def start(*words: str) -> subprocess.CompletedProcess[str]:
        arguments = [f"flash={work}/flash", *words]
        return run.run(built, arguments, images=tmp_path, capture=True, repeats=False)

    left = set()
    for before in ("gone", "whole"):
        assert start().stdout.endswith("\n0\n")  # creates the first key, then the second
        kept = tmp_path / before
        shutil.copytree(work, kept)  # flash and counter
        step = 1
        while (done := start(f"cut={step}", f"tear={step // STRIDE % 3}")).returncode == CUT_OFF:
            # A start writes, too, before the client says anything.
            was_at_work = done.stdout == f"whole, {before}\n"
            assert was_at_work or not done.stdout, done.stdout
            after = start()
            found = after.stdout.splitlines()[0]
            possible = {"whole, gone", "whole, whole"} if was_at_work else {f"whole, {before}"}
            assert found in possible, (before, step, after.stdout)
            assert after.returncode == 0, after.stdout
            if was_at_work:
                left.add((before, found))
            shutil.copytree(kept, work, dirs_exist_ok=True)
            step += STRIDE
        assert done.stdout == f"whole, {before}\n0\n"
        assert step > 5 * STRIDE, f"{step} steps of a key that is {before}"
        shutil.copytree(kept, work, dirs_exist_ok=True)
    assert len(left) > 2, left
