# SPDX-License-Identifier: Apache-2.0
"""The own tests of the server and of the crate for applications, and how their sources look."""

from __future__ import annotations

import re
import subprocess

import pytest
from corral_server import EVERYTHING, SOURCES, cargo


def test_units_and_damaged_input() -> None:
    results = re.findall(r"^test (\S+) \.\.\. (\w+)$", cargo("test", *EVERYTHING), re.M)
    assert {result for _, result in results} == {"ok"}
    assert len(results) >= 150


@pytest.mark.parametrize(
    ("package", "features"),
    [("corral-fleet", ""), ("corral-fleet-verify", "http")],
)
def test_package__is_whole_without_the_features_that_are_on(package: str, features: str) -> None:
    words = ("check", "--locked", "-p", package, "--no-default-features", "--features", features)
    assert "warning" not in cargo(*words)


def test_sources_are_formatted() -> None:
    command = ["cargo", "fmt", "--version"]
    if subprocess.run(command, cwd=SOURCES, capture_output=True, check=False).returncode != 0:
        pytest.skip("this cargo comes without rustfmt")
    cargo("fmt", "--all", "--check")
