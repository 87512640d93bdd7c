# SPDX-License-Identifier: Apache-2.0
"""Secure storage on emulated flash: statuses, wear, damage, and power cut at every step."""

from __future__ import annotations

import pytest
from harness import programs
from harness.program import EMULATED, NATIVE

SUITES = {"its": 10, "ps": 8, "log": 9, "cuts": 1}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_storage(board: str) -> None:
    result = programs.storage(board).run()
    for suite, count in SUITES.items():
        result.check(count, suite)
    result.check(sum(SUITES.values()))
