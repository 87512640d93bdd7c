# SPDX-License-Identifier: Apache-2.0
"""Sealed storage in files: a full disk, many keys, and an attacker who writes the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import programs


def test_files_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    result = programs.files_sealed().run()
    result.check(9, "files_sealed")
    result.check(3, "adversary")
