# SPDX-License-Identifier: Apache-2.0
"""The ATECC608 driver against virtual chips, every result checked by libcrypto."""

from __future__ import annotations

from pathlib import Path

import built
import pytest


@pytest.fixture(scope="session")
def sanitized() -> Path:
    return built.sanitized()


@pytest.mark.parametrize(
    "name",
    [
        "mechanisms_test",
        "slots_test",
        "faults_test",
        "provision_test",
        "import_test",
        "hostile_test",
    ],
)
def test_driver(sanitized: Path, name: str) -> None:
    assert "0 failed" in built.run([sanitized / name])


@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_no_secret_stays_in_memory(level: str) -> None:
    folder = built.build(f"plain{level}", "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={level}")
    assert "0 failed" in built.run([folder / "leak_test"])
