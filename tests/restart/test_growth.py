# SPDX-License-Identifier: Apache-2.0
"""A start takes as many operations for each further key in files, and a call as many as ever."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from corral.build import image as build
from harness.program import NATIVE

WRAPPED = ("readdir", "pread", "write", "fstat", "fsync", "unlinkat", "openat")
COUNTS = (64, 128, 256)
#: Of a start for each key: to read its name, to look at it, and to check its seal.
FOR_A_KEY = 40


def program() -> Path:
    options = build.Options(
        settings={"CORRAL_STORAGE_IN_FILES": "y"},
        sources=(build.ROOT / "tests" / "harness" / "operations.c",),
        link_flags=tuple(f"-Wl,--wrap={name}" for name in WRAPPED),
        name="tests/restart-growth",
        lto=False,
        together="core and glue",
    )
    return build.build("../bench/apps/stored", NATIVE, options).image


def test_operations_grow_in_proportion_to_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program starts once, and imports, uses and destroys ten keys."""
    monkeypatch.setenv("CORRAL_STORAGE", str(tmp_path / "entries"))
    monkeypatch.setenv("CORRAL_FLASH", str(tmp_path / "flash"))
    image = program()
    operations = []
    filled = 0
    for count in COUNTS:
        for words in (["fill", str(filled + 1), str(count)], ["measure", str(count)]):
            done = subprocess.run(
                [image, *words], capture_output=True, text=True, check=True, timeout=120
            )
        found = re.search(r"^operations (\d+)$", done.stdout, re.M)
        assert found, done.stdout
        operations.append(int(found[1]))
        filled = count
    first, second, third = operations
    assert third - second == 2 * (second - first), operations
    assert 0 < second - first <= FOR_A_KEY * (COUNTS[1] - COUNTS[0]), operations
