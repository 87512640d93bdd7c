# SPDX-License-Identifier: Apache-2.0
"""Pieces of the core by themselves."""

from __future__ import annotations

import pytest
from harness.program import EMULATED, NATIVE, TESTS, WITHOUT_ELEMENTS, Program

SUITES = {"policy": 7, "entropy": 5, "padding": 3, "memory": 5}


def test_every_suite_is_listed() -> None:
    assert {path.stem for path in (TESTS / "unit").glob("*.c")} == {*SUITES, "main"}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_units(board: str) -> None:
    result = Program("unit", board, "unit", WITHOUT_ELEMENTS).run()
    for suite, count in SUITES.items():
        result.check(count, suite)
    result.check(sum(SUITES.values()))
