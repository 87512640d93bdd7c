# SPDX-License-Identifier: Apache-2.0
"""RIOT's deviations from the specification: accepted if asked for, and only then."""

from __future__ import annotations

import pytest
from harness.program import NATIVE, WITHOUT_ELEMENTS, Program

LENIENT = {"CORRAL_LENIENT_KEY_BITS": "y", "CORRAL_LENIENT_KEY_IDS": "y"}


@pytest.mark.parametrize(("configuration", "settings"), [("strict", {}), ("lenient", LENIENT)])
def test_lenient(configuration: str, settings: dict[str, str]) -> None:
    name = f"api-lenient-{configuration}"
    Program("api/lenient", NATIVE, name, {**WITHOUT_ELEMENTS, **settings}).run().check(4)
