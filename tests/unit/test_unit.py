# SPDX-License-Identifier: Apache-2.0
"""Pieces of the core by themselves."""

from __future__ import annotations

import pytest
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_units(board: str) -> None:
    program = Program("unit", board, "unit", WITHOUT_ELEMENTS)
    program.run().check_each(program.suites())
