# SPDX-License-Identifier: Apache-2.0
"""Each fuzz target, from the inputs that are kept: a short run, the same each time, or a long one.

With --long the choices are new in each run. The new inputs of long_run.py are kept.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness import areas, waiting

from fuzz import targets

#: Of each target, with --long.
SECONDS = 600


def _executions(done: subprocess.CompletedProcess[str]) -> int:
    runs = [line for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    return int(runs[0].split()[-1]) if runs else 0


def _learned(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The gain of each new input, without its speed."""
    lines = [line.partition(" exec/s")[0] for line in done.stderr.splitlines()]
    return [line for line in lines if line.startswith("#") and "pulse" not in line]


def test_every_target_is_listed() -> None:
    assert {path.parent.name for path in targets.FOLDER.glob("*/main.c")} == set(targets.TARGETS)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_run(target: str, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    kept = targets.unpack(target, corpus)
    assert kept
    runs = targets.TARGETS[target].runs
    chosen = targets.repeatable(runs, kept, tmp_path)
    if areas.is_long():
        chosen = [f"-max_total_time={SECONDS}", str(corpus)]
    done = targets.run(
        target,
        targets.build(target),
        ["-print_final_stats=1", f"-artifact_prefix={tmp_path}/", *chosen],
        waiting.PROCESSOR + areas.campaign(0, SECONDS),
    )
    assert done.returncode == 0, done.stderr[-5000:]
    executions = _executions(done)
    assert executions > len(kept) if areas.is_long() else executions >= runs > len(kept)


@pytest.mark.parametrize("target", ["mac", "hash"])
def test_short_run__does_the_same_each_time(target: str, tmp_path: Path) -> None:
    learned = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        chosen = targets.repeatable(2000, targets.unpack(target, folder), folder)
        done = targets.run(target, targets.build(target), chosen)
        assert done.returncode == 0, done.stderr[-5000:]
        learned.append(_learned(done))
    assert learned[0] == learned[1]
    assert len(learned[0]) > 10
