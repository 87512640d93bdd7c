# SPDX-License-Identifier: Apache-2.0
"""Password-authenticated key exchange through the API, in a build that has nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import programs
from harness.program import EMULATED, NATIVE

CONFIGURATIONS: dict[str, Mapping[str, str]] = {"default": {}}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_pake(configuration: str, board: str) -> None:
    programs.pake(board, configuration, CONFIGURATIONS[configuration]).run().check(62)
