# SPDX-License-Identifier: Apache-2.0
"""Finite field Diffie-Hellman through the API, in a build that has nothing else."""

from __future__ import annotations

import pytest
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_ffdh(board: str) -> None:
    Program("api/ffdh", board, "api-ffdh", WITHOUT_ELEMENTS).run().check(7)
