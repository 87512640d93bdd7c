# SPDX-License-Identifier: Apache-2.0
"""What a call over a wall takes more than one in the same program: docs/WALL.md says it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from corral import build, run, size
from corral.chips import running
from harness import programs, waiting

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "WALL.md").read_text(encoding="utf-8")
#: Time for each instruction.
SHIFT, NANOSECONDS = "shift=10,sleep=off", 1024


@dataclass(frozen=True)
class Measured:
    """A board with a wall, one without; what says how to read their counters, and its tick."""

    board: str
    without: str
    counters: tuple[str, ...]
    tick: int  # nanoseconds


WALLS = {
    "trustzone": Measured(
        programs.WALLS["trustzone"],
        "mps2-an505",
        ("COUNTER=0x40302018u", "COUNTER=0x50302018u"),
        50,
    ),
    "pmp": Measured(programs.WALLS["pmp"], "riscv32-virt", (), 100),
}
TOLERANCE = 0.02


@cache
def instructions(wall: Measured, board: str) -> dict[str, int]:
    options = build.Options(
        settings={"CORRAL_DEFAULT_BY_BEARSSL": "y"},
        defines=wall.counters[board == wall.without :][:1],
        name=f"tests/wall-cost-{board}",
        lto=False,  # figures of documents are without
    )
    built = build.build("../tests/walls/cost", board, options)
    with running((), built.folder, True) as channel:
        command = run.command_of(built, channel, None)
        command[command.index("-icount") + 1] = SHIFT
        done = waiting.run(command, capture_output=True, text=True)
    found = re.findall(r"(\w+): 0, (\d+) ticks", done.stdout)
    assert done.returncode == 0 and len(found) == 4, done.stdout
    counts = {name: round(int(ticks) * wall.tick / NANOSECONDS) for name, ticks in found}
    return {name: count - counts["nothing"] for name, count in counts.items()}


def crossing(transport: str, call: str) -> int:
    wall = WALLS[transport]
    return instructions(wall, wall.board)[call] - instructions(wall, wall.without)[call]


@pytest.mark.parametrize("column", range(len(WALLS)), ids=list(WALLS))
@pytest.mark.parametrize("call", ["hash_compute", "mac_compute", "sign_hash"])
def test_crossing_takes_what_the_document_says(call: str, column: int) -> None:
    row = re.search(rf"\| `psa_{call}\(\)` \| (\d+) \| (\d+) \|", TEXT)
    assert row, "no row"
    assert crossing(list(WALLS)[column], call) == pytest.approx(int(row[1 + column]), rel=TOLERANCE)


def figures_of(row: str, column: int) -> list[int]:
    """Flash and static RAM in a row of the table of a core on either side."""
    found = re.search(rf"\| {row}.*\|", TEXT)
    assert found, row
    return [int(number) for number in re.findall(r"\d+", found[0].split("|")[2 + column])]


@pytest.mark.parametrize("column", range(len(WALLS)), ids=list(WALLS))
def test_core_on_either_side_takes_what_the_document_says(column: int) -> None:
    options = build.Options(
        settings={"CORRAL_PROTECTED_KEY_SLOTS": "1"}, name=f"tests/wall-size-{column}"
    )
    built = build.build("ecdsa", f"{list(WALLS.values())[column].board}-remote", options)
    application, trusted = re.findall(r"^  all +(\d+) +(\d+)$", size.report(built, 1), re.M)
    alone = figures_of("application, keys in its own memory", column)
    more = figures_of("the same with keys of the trusted side", column)
    said = [alone[0] + more[0], alone[1] + more[1], *figures_of("trusted side", column)]
    assert [int(n) for n in (*application, *trusted)] == pytest.approx(said, rel=0.01)
