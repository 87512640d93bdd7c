# SPDX-License-Identifier: Apache-2.0
"""A fresh small tree for each test."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from trees import make_tree


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with the drivers, boards and packages of fixtures/."""
    folder = tmp_path / "tree"
    folder.mkdir()
    return make_tree(folder)
