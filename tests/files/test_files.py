# SPDX-License-Identifier: Apache-2.0
"""The storage in files: obstacles that other programs create, and the content of the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import programs


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    programs.files().run().check(17)
