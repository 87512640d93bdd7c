# SPDX-License-Identifier: Apache-2.0
"""Authenticated encryption through the API, among all else and in a build that has nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import programs
from harness.program import EMULATED, NATIVE

CONFIGURATIONS: dict[str, Mapping[str, str]] = {
    "default": {},
    "compose": {"CORRAL_CCM_AES_128_BY_COMPOSE": "y"},
}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_aead(configuration: str, board: str) -> None:
    programs.aead(board, configuration, CONFIGURATIONS[configuration]).run().check(23)
