# SPDX-License-Identifier: Apache-2.0
"""The site of this tree, built once for all tests that read it."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.site import ROOT, built


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = built(ROOT, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
