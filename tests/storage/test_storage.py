# SPDX-License-Identifier: Apache-2.0
"""Secure storage on emulated flash: statuses, wear, damage, what calls cost, power cut at every
step."""

from __future__ import annotations

import pytest
from harness import programs
from harness.program import EMULATED, NATIVE

SUITES = {"its": 9, "its_media": 2, "ps": 5, "ps_media": 7}
SUITES |= {"log": 14, "fill": 2, "damage": 1, "cuts": 1}


@pytest.mark.parametrize(
    ("board", "index"), [(NATIVE, 512), (NATIVE, 4), (NATIVE, 0), (EMULATED, 512)]
)
def test_storage(board: str, index: int) -> None:
    result = programs.storage(board, index).run()
    for suite, count in SUITES.items():
        result.check(count, suite)
    result.check(sum(SUITES.values()))
