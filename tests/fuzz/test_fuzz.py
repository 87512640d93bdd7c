# SPDX-License-Identifier: Apache-2.0
"""A short run of each fuzz target, from the inputs that are kept. For a long one: long_run.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import areas

from fuzz import targets

#: A minute for all together; with --long ten minutes for each.
SECONDS = areas.campaign(60 // len(targets.TARGETS), 600)


def test_every_target_is_listed() -> None:
    assert {path.parent.name for path in targets.FOLDER.glob("*/main.c")} == set(targets.TARGETS)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_short_run(target: str, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    targets.unpack(target, corpus)
    kept = len(list(corpus.iterdir()))
    assert kept > 0
    done = targets.run(
        target,
        targets.build(target),
        [
            f"-max_total_time={SECONDS}",
            "-seed=1",
            "-print_final_stats=1",
            f"-artifact_prefix={tmp_path}/",
            str(corpus),
        ],
        SECONDS + 120,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    runs = [line for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    assert runs and int(runs[0].split()[-1]) > kept, done.stderr[-2000:]
