# SPDX-License-Identifier: Apache-2.0
"""The additional cost of a call over a wall, for the figures of docs/WALL.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from corral.measure import size
from corral.run import program as run
from corral.run.chips import running
from harness import programs, waiting
from harness.debugged import Debugged, debugged, symbols

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "WALL.md").read_text(encoding="utf-8")
#: Time for each instruction.
SHIFT, NANOSECONDS = "shift=10,sleep=off", 1024


@dataclass(frozen=True)
class Measured:
    """A board with a wall, one without; the form of their counters, and its tick."""

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
CALLS = ("hash_compute", "mac_compute", "sign_hash")
TOLERANCE = 0.02
#: Below a stack that is measured: more than any call takes.
DEPTH = 8192
PAINT = b"\xa5"


@cache
def built_for(wall: Measured, board: str, lto: bool) -> build.Build:
    options = build.Options(
        settings={"CORRAL_DEFAULT_BY_BEARSSL": "y"},
        defines=wall.counters[board == wall.without :][:1],
        name=f"tests/wall-cost-{board}{'-lto' * lto}",
        lto=lto,
    )
    return build.build("../tests/walls/cost", board, options)


@cache
def instructions(wall: Measured, board: str, lto: bool) -> dict[str, int]:
    built = built_for(wall, board, lto)
    with running((), built.folder, True) as channel:
        command = run.command_of(built, channel, None)
        command[command.index("-icount") + 1] = SHIFT
        done = waiting.run(command, capture_output=True, text=True)
    found = re.findall(r"(\w+): 0, (\d+) ticks", done.stdout)
    assert done.returncode == 0 and len(found) == 4, done.stdout
    counts = {name: round(int(ticks) * wall.tick / NANOSECONDS) for name, ticks in found}
    return {name: count - counts["nothing"] for name, count in counts.items()}


def crossing(wall: Measured, call: str, lto: bool) -> int:
    beyond = instructions(wall, wall.board, lto)[call]
    return beyond - instructions(wall, wall.without, lto)[call]


def row_of(title: str, call: str) -> list[int]:
    """The figures of a call in the table whose first row begins with this."""
    table = re.search(rf"^\| {title} \|.*\n(?:\|.*\n)+", TEXT, re.M)
    assert table, title
    row = re.search(rf"^\| `psa_{call}\(\)` \|(.*)\|$", table[0], re.M)
    assert row, call
    return [int(cell) for cell in row[1].split("|")]


@pytest.mark.parametrize("lto", [False, True], ids=["apart", "lto"])
@pytest.mark.parametrize("column", range(len(WALLS)), ids=list(WALLS))
@pytest.mark.parametrize("call", CALLS)
def test_crossing_takes_what_the_document_says(call: str, column: int, lto: bool) -> None:
    said = row_of("Instructions", call)[column + lto * len(WALLS)]
    assert crossing(list(WALLS.values())[column], call, lto) == pytest.approx(said, rel=TOLERANCE)


def lowest(program: Debugged, begin: int) -> int:
    """The lowest address that was written since the stack from there on was painted."""
    found = program.read(begin, DEPTH)
    clean = len(found) - len(found.lstrip(PAINT))
    assert clean > 0, "the stack is deeper than what was painted"
    return begin + clean


@cache
def stacks(wall: Measured, board: str) -> dict[str, tuple[int, int]]:
    """The stack that calls use of their caller's, and of the trusted side's from its
    beginning on."""
    built = built_for(wall, board, False)
    prefix = built.board.toolchain.prefix
    calls = {symbols(built.image, prefix)[f"psa_{call}"]: call for call in CALLS}
    trusted = symbols(built.trusted, prefix) if built.trusted else {}
    served = trusted.get("corral_wall_serve", 0)
    found = {}

    def paint(program: Debugged) -> tuple[int, int]:
        """At the beginning of a function: its stack pointer, and where it returns to."""
        stack, end = program.stack(), program.caller()
        program.write(stack - DEPTH, DEPTH * PAINT)
        program.stop_at(end)
        return stack, end

    with debugged(built) as program:
        for address in calls:
            program.stop_at(address)
        for _ in range(2 * len(calls)):
            program.go_on()
            call = calls[program.place()]
            stack, end = paint(program)
            deepest = 0
            if trusted:
                program.stop_at(served)
                program.go_on()
                assert program.place() == served
                begin, inner = paint(program)
                program.go_on()
                assert program.place() == inner
                deepest = trusted["stack_top"] - lowest(program, begin - DEPTH)
                program.pass_by(inner)
                program.pass_by(served)
            program.go_on()
            assert program.place() == end
            found[call] = (stack - lowest(program, stack - DEPTH), deepest)
            program.pass_by(end)
    return found


@pytest.mark.parametrize("column", range(len(WALLS)), ids=list(WALLS))
@pytest.mark.parametrize("call", CALLS)
def test_stacks_take_what_the_document_says(call: str, column: int) -> None:
    wall = list(WALLS.values())[column]
    client, trusted = stacks(wall, wall.board)[call]
    local, _ = stacks(wall, wall.without)[call]
    said = row_of("Bytes of stack", call)[3 * column : 3 * column + 3]
    assert [client, trusted, local] == said


def figures_of(row: str, column: int) -> list[int]:
    """Flash and static RAM in a row of one of the tables of images."""
    found = re.search(rf"^\| {row}.*\|$", TEXT, re.M)
    assert found, row
    return [int(number) for number in re.findall(r"\d+", found[0].split("|")[2 + column])]


def images(built: build.Build) -> list[int]:
    """Flash and static RAM of the client's image, and of the trusted side's."""
    client, trusted = re.findall(r"^  all +(\d+) +(\d+)$", size.report(built, 1), re.M)
    return [int(n) for n in (*client, *trusted)]


@pytest.mark.parametrize("column", range(len(WALLS)), ids=list(WALLS))
def test_images_take_what_the_document_says(column: int) -> None:
    options = build.Options(name=f"tests/wall-images-{column}")
    built = build.build("ecdsa", list(WALLS.values())[column].board, options)
    said = [*figures_of("the client's", column), *figures_of("the trusted side's", column)]
    assert images(built) == pytest.approx(said, rel=0.01)


@pytest.mark.parametrize("column", range(len(WALLS)), ids=list(WALLS))
def test_core_on_either_side_takes_what_the_document_says(column: int) -> None:
    options = build.Options(
        settings={"CORRAL_PROTECTED_KEY_SLOTS": "1"}, name=f"tests/wall-size-{column}"
    )
    built = build.build("ecdsa", f"{list(WALLS.values())[column].board}-remote", options)
    alone = figures_of("application, keys only in its own memory", column)
    more = figures_of("the same with keys of the trusted side", column)
    trusted = figures_of("the trusted side's", column)
    said = [alone[0] + more[0], alone[1] + more[1], *trusted]
    assert images(built) == pytest.approx(said, rel=0.01)
