# SPDX-License-Identifier: Apache-2.0
"""What all tests share: the tools on the path, and the root of the tree."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
# For all builds, those of commands that tests run too.
os.environ.setdefault("CORRAL_SHARED_OBJECTS", str(ROOT / "build" / "tests" / "objects"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file share what they build, so one process runs them all, unless they say."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the tree under test."""
    return ROOT
