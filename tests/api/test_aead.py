# SPDX-License-Identifier: Apache-2.0
"""Authenticated encryption through the API, in a build that has nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program

CONFIGURATIONS: dict[str, Mapping[str, str]] = {
    "default": {},
    "compose": {"CORRAL_CCM_AES_128_BY_COMPOSE": "y"},
}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_aead(configuration: str, board: str) -> None:
    settings = {**WITHOUT_ELEMENTS, **CONFIGURATIONS[configuration]}
    Program("api/aead", board, f"api-aead-{configuration}", settings).run().check(25)
