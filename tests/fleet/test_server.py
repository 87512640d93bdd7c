# SPDX-License-Identifier: Apache-2.0
"""The own tests of the server and of the crate for applications, and how their sources look."""

from __future__ import annotations

import re
import subprocess

import pytest
from corral_server import SOURCES, cargo


@pytest.mark.parametrize(
    ("package", "features", "count"),
    [
        ("corral-fleet", "", 57),
        ("corral-fleet-verify", "", 30),
        ("corral-fleet-verify", "http", 45),
    ],
)
def test_units_and_damaged_input(package: str, features: str, count: int) -> None:
    said = cargo("test", "--locked", "-p", package, "--features", features)
    results = re.findall(r"^test (\S+) \.\.\. (\w+)$", said, re.M)
    assert {result for _, result in results} == {"ok"}
    assert len(results) >= count


@pytest.mark.parametrize(
    ("package", "features"),
    [("corral-fleet", ""), ("corral-fleet-verify", ""), ("corral-fleet-verify", "http")],
)
def test_package__is_whole_without_the_features_that_are_on(package: str, features: str) -> None:
    words = ("check", "--locked", "-p", package, "--no-default-features", "--features", features)
    assert "warning" not in cargo(*words)


def test_sources_are_formatted() -> None:
    command = ["cargo", "fmt", "--version"]
    if subprocess.run(command, cwd=SOURCES, capture_output=True, check=False).returncode != 0:
        pytest.skip("this cargo comes without rustfmt")
    cargo("fmt", "--all", "--check")
