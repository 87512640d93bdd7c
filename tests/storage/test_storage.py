# SPDX-License-Identifier: Apache-2.0
"""Secure storage on emulated flash: statuses, wear, damage, and power cut at every step."""

from __future__ import annotations

import pytest
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program

SUITES = {"its": 10, "ps": 8, "log": 9, "cuts": 1}
IN_FLASH = {"CORRAL_STORAGE_IN_FLASH": "y"}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_storage(board: str) -> None:
    result = Program("storage", board, "storage", {**WITHOUT_ELEMENTS, **IN_FLASH}).run()
    for suite, count in SUITES.items():
        result.check(count, suite)
    result.check(sum(SUITES.values()))
