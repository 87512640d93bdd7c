# SPDX-License-Identifier: Apache-2.0
"""The server's own tests, and how its sources look."""

from __future__ import annotations

import re
import subprocess

import pytest
from corral_fleet import SOURCES, cargo


def test_units_and_damaged_input() -> None:
    results = re.findall(r"^test (\S+) \.\.\. (\w+)$", cargo("test", "--locked"), re.M)
    assert {result for _, result in results} == {"ok"}
    assert len(results) >= 69


def test_sources_are_formatted() -> None:
    command = ["cargo", "fmt", "--version"]
    if subprocess.run(command, cwd=SOURCES, capture_output=True, check=False).returncode != 0:
        pytest.skip("this cargo comes without rustfmt")
    cargo("fmt", "--check")
