# SPDX-License-Identifier: Apache-2.0
"""Firmware update: states, images of imgtool, and power cuts at every step of the flash."""

from __future__ import annotations

import pytest
from harness import programs
from harness.program import EMULATED, NATIVE


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_update(board: str) -> None:
    program = programs.update(board)
    result = program.run()
    result.check_each(program.suites())
    result.check(2, "before")
