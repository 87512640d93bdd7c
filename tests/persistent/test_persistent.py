# SPDX-License-Identifier: Apache-2.0
"""Persistent keys in local memory, sealed and not, with power cut at every step."""

from __future__ import annotations

import pytest
from harness.program import EMULATED, NATIVE, TESTS, WITHOUT_ELEMENTS, Program

ROOT = TESTS.parent
SUITES = {"keys": 20, "seal": 3, "cuts": 1}
# A generator without heap: the tests start the library anew without end.
SETTINGS = {
    **WITHOUT_ELEMENTS,
    "CORRAL_STORAGE_IN_FLASH": "y",
    "CORRAL_RANDOM_BY_COMPOSE": "y",
    "CORRAL_HMAC_SHA_256_BY_COMPOSE": "y",
    "CORRAL_DEFAULT_BY_BEARSSL": "y",
}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_sealed(board: str) -> None:
    result = Program("persistent", board, "persistent", SETTINGS).run()
    for suite, count in SUITES.items():
        result.check(count, suite)
    result.check(sum(SUITES.values()))


def test_in_elements() -> None:
    """Chips in the same process, so that power can fail for them and for the host at once."""
    simulator = sorted((ROOT / "sim" / "atecc608").glob("*.c"))
    settings = {
        "CORRAL_STORAGE_IN_FLASH": "y",
        "CORRAL_RANDOM_BY_COMPOSE": "y",
        "CORRAL_HMAC_SHA_256_BY_COMPOSE": "y",
        "CORRAL_DEFAULT_BY_BEARSSL": "y",
    }
    wrapped = ("corral_port_i2c_write", "corral_port_i2c_read", "corral_port_delay_us")
    program = Program(
        "persistent_elements",
        NATIVE,
        "persistent-elements",
        settings,
        (
            *(path for path in simulator if path.stem not in ("main", "server")),
            TESTS / "persistent" / "device.c",
        ),
        link_flags=(
            *(f"-Wl,--wrap={name}" for name in wrapped),
            "-Wl,--no-as-needed",
            "-lcrypto",
        ),
    )
    program.run().check(6, "elements")


def test_in_clear() -> None:
    """Where the board has no key of its own; the tests of the seal are left out."""
    settings = {**SETTINGS, "CORRAL_SEALED_STORAGE": "n"}
    result = Program("persistent", NATIVE, "persistent-clear", settings).run()
    result.check(SUITES["keys"] - 2, "keys")
    result.check(1, "cuts")
