# SPDX-License-Identifier: Apache-2.0
"""A change of what is generated shows as a difference of files that can be read."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import golden

REMEDY = "if this is meant: .venv/bin/python tests/golden/golden.py, and read the difference"


def test_generated_files_are_the_kept_ones() -> None:
    generated, kept = golden.generate(), golden.kept()
    assert sorted(generated) == sorted(kept), REMEDY
    for name, text in generated.items():
        assert text == kept[name], f"{name}: {REMEDY}"
