# SPDX-License-Identifier: Apache-2.0
"""As many ranges as the processor supports, and one more: the port's ranges are
replaced in the emulator, so the images are those of test_cost.py."""

from __future__ import annotations

import struct

import pytest
from harness.debugged import debugged, symbols
from walls.test_cost import WALLS, built_for

#: Of wall/*/division.h: a range, and where further ones are, apart from all that there is.
SIZE = 12
SPARE, APART = 0x60000000, 0x1000
#: Below the trusted stack's top, far from the used part.
PLACE = 0x8000
MEMORY, DEVICES = 0, 1


def of_trustzone(number: int, kind: int) -> bytes:
    begin = SPARE + number * APART
    return struct.pack("<III", begin, begin + APART, kind)


def of_pmp(number: int) -> bytes:
    return struct.pack("<III", SPARE + number * APART, APART, 2)


def run_with(transport: str, further: list[bytes]) -> tuple[int, str]:
    """The program, after the port has said further ranges beside its own."""
    wall = WALLS[transport]
    built = built_for(wall, wall.board, False)
    assert built.trusted
    names = symbols(built.trusted, built.board.toolchain.prefix)
    with debugged(built) as program:
        program.stop_at(names["corral_port_divide"])
        program.go_on()
        count_at, end = program.argument(), program.caller()
        program.stop_at(end)
        program.go_on()
        assert program.place() == end
        count = int.from_bytes(program.read(count_at, 4), "little")
        ranges = program.read(program.argument(), count * SIZE) + b"".join(further)
        place = names["stack_top"] - PLACE
        program.write(place, ranges)
        program.write(count_at, (count + len(further)).to_bytes(4, "little"))
        program.set_argument(place)
        return program.finish()


#: Of the eight regions and entries that there are, ports take: two for memory and three for others;
#: three, and one for the guard.
FULL = {
    "trustzone": [of_trustzone(i, (MEMORY, MEMORY, DEVICES)[i]) for i in range(3)],
    "pmp": [of_pmp(i) for i in range(4)],
}
MORE = {
    "memory": ("trustzone", of_trustzone(3, MEMORY), "SFSR 00000000"),
    "devices": ("trustzone", of_trustzone(3, DEVICES), "SFSR 00000000"),
    "any": ("pmp", of_pmp(4), "mcause 00000000"),
}


@pytest.mark.parametrize("transport", FULL)
def test_ranges__as_many_as_there_is_room_for__serve(transport: str) -> None:
    status, output = run_with(transport, FULL[transport])
    assert status == 0 and "sign_hash: 0, " in output and "fault" not in output, output


@pytest.mark.parametrize("more", MORE)
def test_ranges__one_more__end_the_run_at_the_start(more: str) -> None:
    transport, last, fault = MORE[more]
    status, output = run_with(transport, [*FULL[transport], last])
    assert status == 255 and output.startswith(f"\nfault: {fault}"), output
