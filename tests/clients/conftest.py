# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from corral import ROOT
from corral.model.board import load_board
from corral.run import provision
from corral.run.chips import Channel, running
from harness.program import NATIVE


@pytest.fixture(scope="module")
def channel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Channel]:
    """The board's simulated elements, at work while the module's tests are."""
    images = tmp_path_factory.mktemp("chips")
    provision.prepare_virtual_chips(NATIVE, images)
    with running(load_board(ROOT, NATIVE).elements, images, fifos=False) as channel:
        yield channel
