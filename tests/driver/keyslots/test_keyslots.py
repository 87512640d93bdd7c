# SPDX-License-Identifier: Apache-2.0
"""Key slots: requests that the part rejects by itself, and power and bus that fail at
each transfer."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral import cli
from corral.generate import api
from corral.run import chips
from corral.run import program as run
from harness import programs

ROOT = Path(__file__).resolve().parents[3]
BOARD = "native-keyslots"


def test_part_and_driver() -> None:
    result = programs.keyslots().run()
    result.check(14, "slots")
    result.check(8, "cuts")
    result.check(22)


def test_device_key_is_made_by_order_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    images = tmp_path / BOARD
    monkeypatch.setattr(run, "images_of", lambda _board: images)
    element = next(e for e in api.load_board(ROOT, BOARD).elements if e.name == "KEYS")

    def provision(*order: str) -> tuple[int, str, bytes]:
        """Exit status, output, and the part's memory after it."""
        status = cli.main(["provision", BOARD, "--element", element.name, *order])
        return status, capsys.readouterr().out, chips.Memories(images).image(element).read_bytes()

    status, shown, fresh = provision()
    assert status == 0
    serial = chips.serial_of(element, images)
    assert f"serial number {serial}, open" in shown
    other = f"{int(serial, 16) ^ 1:08X}"
    status, _, memory = provision("--lock", other)
    assert status != 0
    assert memory == fresh
    status, shown, locked = provision("--lock", serial)
    assert status == 0
    assert "made and locked" in shown
    assert locked != fresh
    status, shown, memory = provision("--lock", serial)
    assert status == 0
    assert f"serial number {serial}, ready" in shown
    assert memory == locked
