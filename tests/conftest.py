# SPDX-License-Identifier: Apache-2.0
"""What all tests share: the tools on the path, and the root of the tree."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the tree under test."""
    return ROOT
