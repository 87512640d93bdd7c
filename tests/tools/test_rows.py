# SPDX-License-Identifier: Apache-2.0
"""Kept figures have a line for each row, and say the same as before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corral import ROOT
from corral.common import rows

KEPT = [ROOT / "bench" / "baseline.json", *sorted(ROOT.glob("drivers/*/costs.json"))]


@pytest.mark.parametrize("file", KEPT, ids=lambda path: path.parent.name)
def test_kept_file_is_as_the_writer_writes_it(file: Path) -> None:
    content = file.read_text(encoding="utf-8")
    assert rows.text(json.loads(content)) + "\n" == content


def test_pieces_of_one_object_share_a_line_and_their_order_stays() -> None:
    pieces = {f"aes{number}": [number, 0] for number in ("", "#2", "#3")}
    pieces |= {f"part{number}": [number, 0] for number in range(20)}
    data = {"reason": 'a "b"', "empty": {}, "pieces": pieces, "storage": [{"a": [1, {"b": None}]}]}
    text = rows.text(data)
    assert json.dumps(json.loads(text)) == json.dumps(data)
    assert '  "aes": ["", 0], "aes#2": ["#2", 0], "aes#3": ["#3", 0],\n' in text
    assert '  "part0": [0, 0],\n  "part1": [1, 0],\n' in text
