# SPDX-License-Identifier: Apache-2.0
"""The server that the tests talk to: built once, and one of each test's own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from corral_server import ROOT, Server, compiled

# The application's package, as if it were installed.
PACKAGE = ROOT / "fleet" / "python"
sys.path.insert(0, str(PACKAGE))


@pytest.fixture(scope="session")
def binary() -> Path:
    """The server, compiled."""
    return compiled() / "corral-fleet"


@pytest.fixture
def server(binary: Path, tmp_path: Path) -> Iterator[Server]:
    """A server with an empty store, which knows no device."""
    with Server(binary, tmp_path / "fleet.sqlite").serving() as running:
        yield running
