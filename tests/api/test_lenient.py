# SPDX-License-Identifier: Apache-2.0
"""Deviations of RIOT and Mbed TLS from the specification: accepted if asked for, and only then."""

from __future__ import annotations

import pytest
from harness.program import NATIVE, WITHOUT_ELEMENTS, Program

LENIENT = {
    "CORRAL_LENIENT_KEY_BITS": "y",
    "CORRAL_LENIENT_KEY_IDS": "y",
    "CORRAL_LENIENT_DESTROY": "y",
}
WALL = {"CORRAL_WALL": "y", "CORRAL_THREADS": "n", "CORRAL_LENIENT_DESTROY": "y"}


@pytest.mark.parametrize(
    ("configuration", "settings"), [("strict", {}), ("lenient", LENIENT), ("wall", WALL)]
)
def test_lenient(configuration: str, settings: dict[str, str]) -> None:
    name = f"api-lenient-{configuration}"
    Program("api/lenient", NATIVE, name, {**WITHOUT_ELEMENTS, **settings}).run().check(9)
