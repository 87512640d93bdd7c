# SPDX-License-Identifier: Apache-2.0
"""The tables that walks and fuzz targets go by end the program where they have no room."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness.program import TESTS
from headers.test_headers import GCC

MACHINES = TESTS / "harness" / "machines"
#: A table with no states of its own; then as many moves (m), states (s) or steps (k) as asked for.
MAIN = """
#include <stdlib.h>
#include "pake.h"

static struct machine_made made;

int main(int count, char **words)
{
    static char order[64];

    (void)count;
    machine_begin(&made, MACHINE_OWN, 0);
    for (int i = atoi(words[2]); i > 0; i--) {
        switch (*words[1]) {
        case 'm':
            machine_add(&made, PAKE_SETUP, ONLY(MACHINE_INACTIVE), MACHINE_SAME);
            break;
        case 's':
            machine_add_state(&made);
            break;
        default:
            order[i - 1] = 'k';
            break;
        }
    }
    if (*order != 0) {
        unsigned states[PAKE_STEPS][PAKE_STEPS] = {{0}};
        pake_follow(&made, order, 0, states);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("machines")
    words = (f"-I{MACHINES}", "-fsanitize=address,undefined", "-o", str(folder / "program"))
    done = GCC.compile(folder, MAIN, "all", *words)
    assert done.returncode == 0, done.stderr
    return folder / "program"


@pytest.mark.parametrize(
    ("kind", "most", "what"), [("m", 112, "moves"), ("s", 61, "states"), ("k", 9, "steps")]
)
def test_table__with_one_more_than_it_has_room_for__ends_the_program(
    kind: str, most: int, what: str, program: Path
) -> None:
    said = [
        subprocess.run([program, kind, str(count)], capture_output=True, text=True, check=False)
        for count in (most, most + 1)
    ]
    assert (said[0].returncode, said[0].stderr) == (0, "")
    assert said[1].returncode == 1
    assert said[1].stderr == f"a machine has too many {what}\n"


def test_set__with_more_states_than_bits__does_not_compile(tmp_path: Path) -> None:
    for states, is_compiled in ((63, True), (64, False)):
        text = f"""
#include "machine.h"
static const struct machine_move moves[] = {{{{1, ONLY(MACHINE_INACTIVE), MACHINE_OWN}}}};
MACHINE(machine, moves, {states}, 0);
const struct machine *found(void);
const struct machine *found(void) {{ return &machine; }}
"""
        done = GCC.compile(tmp_path, text, "all", f"-I{MACHINES}", "-fsyntax-only")
        assert (done.returncode == 0) == is_compiled, done.stderr
        assert is_compiled or "a set has no room" in done.stderr
