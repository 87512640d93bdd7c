# SPDX-License-Identifier: Apache-2.0
"""The ATECC608 driver against virtual chips, every result checked by libcrypto."""

from __future__ import annotations

import subprocess
from pathlib import Path

import generated
import pytest
from harness import waiting

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[2] / "build" / "tests" / "atecc608"


def run(command: list[str | Path]) -> str:
    """Run a command and return its output; that is shown when it fails."""
    done = waiting.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}"
    return done.stdout


def build(name: str, *options: str) -> Path:
    """Configure and build the test programs; returns their folder."""
    folder = BUILD / name
    run(["cmake", "-S", HERE, "-B", folder, "-G", "Ninja", generated.option(), *options])
    run(["cmake", "--build", folder, "-j2"])
    return folder


@pytest.fixture(scope="session")
def sanitized() -> Path:
    return build("sanitized", "-DSANITIZE=ON")


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
    assert "0 failed" in run([sanitized / name])


@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_no_secret_stays_in_memory(level: str) -> None:
    folder = build(f"plain{level}", "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={level}")
    assert "0 failed" in run([folder / "leak_test"])
