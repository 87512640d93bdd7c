# SPDX-License-Identifier: Apache-2.0
"""A hash is suspended under one driver and resumed under another."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from functools import cache

import pytest
from corral.build import image as build
from harness.program import NATIVE, WITHOUT_ELEMENTS

DRIVERS = ("MBEDTLS", "BEARSSL")
HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
MESSAGE = bytes(7 * i & 0xFF for i in range(300))


@cache
def program(driver: str) -> build.Build:
    settings = {**WITHOUT_ELEMENTS, f"CORRAL_DEFAULT_BY_{driver}": "y"}
    options = build.Options(
        settings=settings, sanitize="address,undefined", name=f"tests/states-{driver.lower()}"
    )
    return build.build("../tests/api/states", NATIVE, options)


def lines_of(driver: str, states: Sequence[str] = ()) -> list[str]:
    done = subprocess.run(
        [program(driver).image, *states], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("driver", DRIVERS)
def test_state_of_one_driver_is_taken_by_another(driver: str) -> None:
    other = DRIVERS[DRIVERS.index(driver) - 1]
    states = lines_of(driver)
    assert states == lines_of(other)
    found = lines_of(other, states)
    each = len(states) // len(HASHES)
    assert each > 10
    assert found == [hashlib.new(name, MESSAGE).hexdigest() for name in HASHES for _ in range(each)]
