# SPDX-License-Identifier: Apache-2.0
"""Key types and algorithms that only one driver supports, which is off by default."""

from __future__ import annotations

import pytest
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_wolfcrypt(board: str) -> None:
    Program("api/wolfcrypt", board, "api-wolfcrypt", WITHOUT_ELEMENTS).run().check(6)
