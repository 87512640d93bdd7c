# SPDX-License-Identifier: Apache-2.0
"""drivers/atecc608/provision on a board of virtual chips: its output, writes and rejections."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import built
import pytest
from harness import waiting

CONFIG = 16  # where the configuration zone is in an image
LOCK_DATA, LOCK_CONFIG = 86, 87
OPEN, LOCKED = 0x55, 0x00


@dataclass
class Board:
    """The program and the memories of its chips."""

    program: Path
    images: list[Path]

    def run(self, orders: str = "", chips: str = "012") -> tuple[int, str]:
        environment = {f"CHIP{c}": str(self.images[int(c)]) for c in chips}
        done = waiting.run(
            [self.program],
            input=orders,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def config(self, chip: int) -> bytes:
        return self.images[chip].read_bytes()[CONFIG : CONFIG + 128]

    def serial(self, chip: int) -> str:
        config = self.config(chip)
        return (config[0:4] + config[8:13]).hex().upper()

    def digests(self) -> list[str]:
        return [hashlib.sha256(x.read_bytes()).hexdigest() for x in self.images]


def reports(output: str) -> list[dict[str, Any]]:
    prefix = "corral-provision "
    return [json.loads(x[len(prefix) :]) for x in output.splitlines() if x.startswith(prefix)]


@pytest.fixture(scope="session")
def program() -> Path:
    return built.sanitized("provision") / "provision"


@pytest.fixture
def board(program: Path, tmp_path: Path) -> Board:
    """Three fresh chips; one run makes their images."""
    made = Board(program, [tmp_path / f"chip{i}.nvm" for i in range(3)])
    status, output = made.run()
    assert status == 0, output
    return made


def test_without_orders_nothing_changes(board: Board) -> None:
    before = board.digests()
    status, output = board.run()
    assert status == 0
    assert board.digests() == before
    for chip in range(3):
        assert board.serial(chip) in output
        assert f"SE{chip} lock {board.serial(chip)}" in output
    assert "CANNOT BE UNDONE" in output
    assert "I2C address (twice its 7 bits): C0 -> 6A" in output
    assert output.count("configuration zone: open") == 3
    assert [x["config_locked"] for x in reports(output)] == [False] * 3
    assert [x["address"] for x in reports(output)] == [0x60, 0x61, 0x60]


def test_lock_writes_one_chip_and_locks_it(board: Board) -> None:
    before = board.digests()
    status, output = board.run(f"SE0 lock {board.serial(0)}\n")
    assert status == 0 and "written" in output
    after = board.digests()
    assert after[0] != before[0] and after[1:] == before[1:]
    config = board.config(0)
    assert config[20:24] == bytes.fromhex("85208F00")
    assert config[96:100] == bytes.fromhex("13001800")
    assert config[LOCK_DATA] == config[LOCK_CONFIG] == LOCKED
    assert [x["fits"] for x in reports(output)] == [True, False, False]


def test_order_wants_the_serial_number_of_the_chip(board: Board) -> None:
    before = board.digests()
    for word in (board.serial(1), board.serial(0)[:-1], board.serial(0).lower(), "yes"):
        status, output = board.run(f"SE0 lock {word}\n")
        assert status == 1, output
        assert "another serial number" in output
        assert board.digests() == before


def test_locked_chips_are_ready(board: Board) -> None:
    orders = "".join(f"SE{i} lock {board.serial(i)}\n" for i in (0, 2))
    status, output = board.run(orders)
    assert status == 0, output
    for chip, state in ((0, LOCKED), (1, OPEN), (2, LOCKED)):
        config = board.config(chip)
        assert config[LOCK_DATA] == config[LOCK_CONFIG] == state
    assert board.config(2)[16] == 0x35 << 1
    status, output = board.run()
    assert status == 0
    assert [x["address"] for x in reports(output)] == [0x60, 0x61, 0x35]
    assert output.count("Ready: nothing to do") == 2
    assert board.run(f"SE0 lock {board.serial(0)}\n")[0] == 0  # again: nothing left to do


def test_chip_with_another_configuration_is_named_and_left_alone(board: Board) -> None:
    assert board.run(f"SE0 lock {board.serial(0)}\n")[0] == 0
    # The chip of SE0 takes the place of SE2: slot 0 is of another kind, address 0x60.
    board.images[2].write_bytes(board.images[0].read_bytes())
    before = board.digests()
    status, output = board.run(f"SE2 lock {board.serial(2)}\n", chips="12")
    assert status == 1
    assert "locked at this address, and the board looks for it at 0x35" in output
    assert "DOES NOT FIT" in output and "not configured as planned" in output
    assert board.digests() == before


def test_absent_chip_is_named(board: Board) -> None:
    status, output = board.run(chips="02")
    assert status == 1
    assert "SE1: no ATECC608 answers" in output
    assert [x["element"] for x in reports(output)] == ["SE0", "SE2"]


@pytest.mark.parametrize(
    "orders",
    [
        "SE3 lock 01\n",
        "SE0 lock\n",
        "SE0 write 0123\n",
        "SE0 unlock 01\n",
        "SE0 lock 01 now\n",
        "x",
        "SE0 lock 01\n" * 60,
    ],
)
def test_anything_but_orders_does_nothing(board: Board, orders: str) -> None:
    before = board.digests()
    status, output = board.run(orders)
    assert status == 2, output
    assert board.digests() == before


def test_blank_lines_and_carriage_returns_are_no_orders(board: Board) -> None:
    before = board.digests()
    assert board.run("\r\n\n   \n")[0] == 0
    assert board.digests() == before
    assert board.run(f"\r\n\tSE1  lock {board.serial(1)} \r\n")[0] == 0
    assert board.digests()[1] != before[1]
