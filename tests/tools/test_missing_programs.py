# SPDX-License-Identifier: Apache-2.0
"""On a machine without the programs of a command, one message names all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ARM = {"gcc-arm-none-eabi", "qemu-system-arm"}


@pytest.mark.parametrize(
    ("words", "packages"),
    [
        ("run ecdsa mps2-an386", {*ARM, "cmake", "ninja-build", "gcc"}),
        ("run hmac native", {"cmake", "ninja-build", "gcc"}),
        ("fleet demo", {*ARM, "cargo-web", "gcc-avr", "gcc"}),
        ("demo", {*ARM, "openssl", "gcc-avr", "gcc"}),
        ("test", {*ARM, "openssl", "gcc-avr", "clang", "ccache", "g++"}),
    ],
)
def test_all_missing_packages_are_named_at_once(
    words: str, packages: set[str], tmp_path: Path
) -> None:
    for name in ("apt-get", "apt-cache"):
        (tmp_path / name).write_text("#!/bin/sh\necho of Debian\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "corral", *words.split()],
        env={**os.environ, "PATH": str(tmp_path), "CORRAL_INSTALL": "0"}
        | {"PYTHONPATH": str(ROOT / "tools")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if line.startswith("corral: error: ")]
    assert (done.returncode, len(said)) == (2, 1), done.stderr
    missing, _, remedy = said[0].partition(": as root: apt-get install ")
    named = set(remedy.split())
    assert set(missing.partition(" are missing: ")[2].split()) == named
    assert packages <= named
