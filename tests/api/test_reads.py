# SPDX-License-Identifier: Apache-2.0
"""What a caller hands over is read once, in each function of the API.

The drivers' own suites watch each driver (tests/driver/common); here each input is watched in one
program at least.
"""

from __future__ import annotations

import pytest
from harness import programs, reads
from harness.program import NATIVE, Program

#: Test programs that others build and run, too.
PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in (
        programs.whole(NATIVE, "default", {}),
        programs.aead(NATIVE, "default", {}),
        programs.asymmetric(NATIVE, "mbedtls", {}),
        programs.pake(NATIVE, "default", {}),
        programs.storage(NATIVE),
    )
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_inputs_are_read_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(reads.VARIABLE, "1")
    result = PROGRAMS[name].run()
    result.check(1)
    reads.check(result.output)


def test_every_input_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(reads.VARIABLE, "1")
    outputs = [program.run().output for program in PROGRAMS.values()]
    assert reads.inputs() - reads.watched(outputs) == set()
