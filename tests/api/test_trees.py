# SPDX-License-Identifier: Apache-2.0
"""Public keys of LMS and HSS: the same rules whoever verifies, over the hashes of the build."""

from __future__ import annotations

import pytest
from harness import suites
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program
from vectors import trees

SHAKE = {f"PSA_WANT_ALG_SHAKE256_{bits}": "y" for bits in (192, 256)}
WOLFCRYPT = {
    "CORRAL_DRIVER_WOLFCRYPT": "y",
    **{
        f"CORRAL_{scheme}_{bits}_BY_WOLFCRYPT": "y"
        for scheme in ("LMS", "HSS")
        for bits in (192, 256)
    },
}


@pytest.mark.parametrize(
    ("board", "name", "settings"),
    [
        (NATIVE, "compose", SHAKE),
        (EMULATED, "compose", SHAKE),
        (NATIVE, "without-shake", {}),
        (NATIVE, "wolfcrypt", {**SHAKE, **WOLFCRYPT}),
    ],
)
def test_trees(board: str, name: str, settings: dict[str, str]) -> None:
    program = Program(
        "api/trees",
        board,
        f"api-trees-{name}",
        {**WITHOUT_ELEMENTS, **settings},
        (suites.written("tree_rows.c", trees.source()),),
        is_fast=True,
    )
    program.run().check(8)
