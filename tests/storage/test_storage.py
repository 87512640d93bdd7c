# SPDX-License-Identifier: Apache-2.0
"""Secure storage on emulated flash: statuses, wear, damage, costs of calls, power cuts at every
step."""

from __future__ import annotations

import pytest
from harness import programs
from harness.program import EMULATED, NATIVE


@pytest.mark.parametrize(
    ("board", "index"), [(NATIVE, 512), (NATIVE, 4), (NATIVE, 0), (EMULATED, 512)]
)
def test_storage(board: str, index: int) -> None:
    program = programs.storage(board, index)
    program.run().check_each(program.suites())
