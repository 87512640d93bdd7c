# SPDX-License-Identifier: Apache-2.0
"""What a call over TrustZone-M takes more than one in the same program: docs/WALL.md says it."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from corral import build, run
from corral.chips import running
from harness import programs

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "WALL.md").read_text(encoding="utf-8")
#: Of the counter, by board.
COUNTERS = {"mps2-an505": 0x50302018, programs.TRUSTZONE: 0x40302018}
#: Time for each instruction, 1024 ns, against a tick of the counter, 50 ns.
SHIFT, TICKS = "shift=10,sleep=off", 1024 / 50
TOLERANCE = 0.1


@cache
def _built(board: str) -> build.Build:
    options = build.Options(
        settings={"CORRAL_DEFAULT_BY_BEARSSL": "y"},
        defines=(f"COUNTER={COUNTERS[board]:#x}u",),
        name=f"tests/wall-cost-{board}",
    )
    return build.build("../tests/trustzone/cost", board, options)


@cache
def instructions(board: str) -> dict[str, int]:
    with running((), _built(board).folder, True) as channel:
        command = run.command_of(_built(board), channel, None)
        command[command.index("-icount") + 1] = SHIFT
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    found = re.findall(r"(\w+): 0, (\d+) ticks", done.stdout)
    assert done.returncode == 0 and len(found) == 4, done.stdout
    counts = {name: round(int(ticks) / TICKS) for name, ticks in found}
    return {name: count - counts["nothing"] for name, count in counts.items()}


def crossing(call: str) -> int:
    return instructions(programs.TRUSTZONE)[call] - instructions("mps2-an505")[call]


@pytest.mark.parametrize("call", ["hash_compute", "mac_compute", "sign_hash"])
def test_crossing_takes_what_the_document_says(call: str) -> None:
    row = re.search(rf"\| `psa_{call}\(\)` \| (\d+) \|", TEXT)
    assert row, "no row"
    assert crossing(call) == pytest.approx(int(row[1]), rel=TOLERANCE)
