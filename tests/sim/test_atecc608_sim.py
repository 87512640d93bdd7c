# SPDX-License-Identifier: Apache-2.0
"""The virtual ATECC608: unit tests in C, and the server seen from outside."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest
from harness import waiting

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "tests" / "sim"
TIMEOUT = waiting.PATIENCE

ACK, NAK, BUS_ERROR = 0, 1, 2


def run(command: list[str | Path]) -> None:
    """Run a build command; its output is shown when it fails."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}"


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the built tests, with sanitizers, and of the server."""
    run(["cmake", "-S", HERE, "-B", BUILD, "-G", "Ninja", "-DSANITIZE=ON"])
    run(["cmake", "--build", BUILD, "-j2"])
    return BUILD


@pytest.mark.parametrize(
    "name",
    [
        "bus_test",
        "permissions_test",
        "key_config_test",
        "commands_test",
        "symmetric_test",
        "faults_test",
    ],
)
def test_chip(programs: Path, tmp_path: Path, name: str) -> None:
    arguments = [tmp_path] if name == "faults_test" else []
    done = waiting.run(
        [programs / name, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@dataclass
class Host:
    """The other end of the protocol in sim/README.md."""

    out: IO[bytes]
    inp: IO[bytes]

    def request(
        self, op: str, bus: int = 0, address: int = 0, length: int = 0, payload: bytes = b""
    ) -> tuple[int, bytes]:
        self.out.write(struct.pack("<BBBH", ord(op), bus, address, length) + payload)
        self.out.flush()
        status, size = struct.unpack("<BH", self.read(3))
        return status, self.read(size)

    def read(self, size: int) -> bytes:
        data = self.inp.read(size)
        assert len(data) == size, "the server closed the connection"
        return data

    def write(self, address: int, data: bytes, bus: int = 0) -> int:
        return self.request("W", bus, address, len(data), data)[0]

    def delay(self, microseconds: int) -> None:
        assert self.request("D", payload=struct.pack("<I", microseconds)) == (ACK, b"")

    def wake(self, address: int, bus: int = 0) -> bytes:
        assert self.write(0, b"", bus) == NAK
        self.delay(1500)
        return self.request("R", bus, address, 4)[1]

    def control(self, address: int, text: str, bus: int = 0) -> tuple[int, str]:
        status, answer = self.request("F", bus, address, len(text), text.encode())
        return status, answer.decode()


class Server:
    """A running atecc608-sim, stopped by SIGTERM."""

    def __init__(self, programs: Path, *arguments: str | Path) -> None:
        self.process = subprocess.Popen(
            [programs / "sim" / "atecc608-sim", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.ready = self.process.stdout.readline()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(TIMEOUT)


def connect(path: Path) -> Host:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(TIMEOUT)
    client.connect(str(path))
    return Host(client.makefile("wb"), client.makefile("rb"))


@pytest.fixture
def two_chips(programs: Path, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "bus"
    server = Server(
        programs,
        "--listen",
        path,
        "--chip",
        f"bus=0,address=0x60,nvm={tmp_path / 'se0.nvm'}",
        "--chip",
        f"bus=0,address=0x61,nvm={tmp_path / 'se1.nvm'}",
    )
    assert "listening" in server.ready, server.process.communicate(timeout=TIMEOUT)
    yield path
    assert server.stop() == 0
    assert not path.exists()


def crc(data: bytes) -> bytes:
    register = 0
    for byte in data:
        for bit in range(8):
            carry = (register >> 15) ^ (byte >> bit & 1)
            register = (register << 1 & 0xFFFF) ^ (0x8005 if carry else 0)
    return struct.pack("<H", register)


WAKE_ANSWER = bytes.fromhex("04113343")
INFO = bytes.fromhex("030730000000035D")
REVISION = bytes.fromhex("0700006003")
REVISION += crc(REVISION)


def test_socket__two_chips__answer_apart(two_chips: Path) -> None:
    host = connect(two_chips)
    assert host.wake(0x60) == WAKE_ANSWER
    assert host.request("R", 0, 0x61, 4) == (ACK, WAKE_ANSWER)
    assert host.request("R", 0, 0x62, 4) == (NAK, b"")
    assert host.request("R", 1, 0x60, 4) == (BUS_ERROR, b"")
    assert host.request("R", 0, 0x80, 4) == (BUS_ERROR, b"")
    assert host.write(0x61, INFO) == ACK
    assert host.request("R", 0, 0x61, 1)[0] == NAK
    host.delay(5000)
    assert host.request("R", 0, 0x61, 7)[1] == REVISION
    assert host.control(0x60, "state") == (ACK, "awake")


def test_socket__two_clients__share_the_bus(two_chips: Path) -> None:
    first, second = connect(two_chips), connect(two_chips)
    assert first.wake(0x60) == WAKE_ANSWER
    assert second.write(0x60, INFO) == ACK
    first.delay(5000)
    assert second.request("R", 0, 0x60, 7)[1] == REVISION


def test_socket__frames_in_pieces__are_put_together(two_chips: Path) -> None:
    host = connect(two_chips)
    for byte in struct.pack("<BBBHI", ord("D"), 0, 0, 0, 1500):
        host.out.write(bytes([byte]))
        host.out.flush()
    assert host.read(3) == b"\x00\x00\x00"
    host.out.write(struct.pack("<BBBH", ord("E"), 0, 0, 4) * 3)  # three requests at once
    host.out.flush()
    answers = host.read(3 * 7)
    assert answers[0:3] == answers[7:10] == b"\x00\x04\x00"


def test_socket__unknown_operation__closes_that_client_only(two_chips: Path) -> None:
    bad, good = connect(two_chips), connect(two_chips)
    bad.out.write(b"Xnonsense")
    bad.out.flush()
    assert bad.inp.read(1) == b""
    assert good.wake(0x60) == WAKE_ANSWER


def test_entropy__twice__differs(two_chips: Path) -> None:
    host = connect(two_chips)
    status, first = host.request("E", length=64)
    assert status == ACK
    assert len(first) == 64
    assert host.request("E", length=64)[1] != first
    assert host.request("E", length=0) == (ACK, b"")


def test_control__faults_and_questions(two_chips: Path) -> None:
    host = connect(two_chips)
    assert host.wake(0x60) == WAKE_ANSWER
    assert host.control(0x60, "transactions") == (ACK, "2")
    assert host.control(0x60, "reset-transactions") == (ACK, "")
    assert host.control(0x60, "nak@2") == (ACK, "")
    assert host.write(0x60, INFO[:0]) == ACK
    assert host.write(0x60, INFO[:0]) == NAK
    assert host.write(0x60, INFO[:0]) == ACK
    assert host.control(0x60, "transactions") == (ACK, "3")
    assert host.control(0x60, "silence") == (ACK, "")
    assert host.write(0x60, INFO) == NAK
    assert host.control(0x60, "clear") == (ACK, "")
    assert host.control(0x60, "power-cycle") == (ACK, "")
    assert host.control(0x60, "state") == (ACK, "asleep")
    status, why = host.control(0x60, "explode@1")
    assert status == BUS_ERROR
    assert "explode@1" in why
    status, why = host.control(0x33, "state")
    assert status == BUS_ERROR
    assert "0x33" in why
    assert int(host.control(0x61, "time")[1]) > 1500


def test_fifo__serves_until_the_host_closes(programs: Path, tmp_path: Path) -> None:
    to_chip, from_chip = tmp_path / "to", tmp_path / "from"
    server = Server(programs, "--fifo", to_chip, from_chip, "--chip", "address=0x60")
    assert "serving" in server.ready, server.process.communicate(timeout=TIMEOUT)
    # opened in the order that would block a server which opens its ends one by one
    with from_chip.open("rb", buffering=0) as inp, to_chip.open("wb") as out:
        host = Host(out, inp)
        assert host.wake(0x60) == WAKE_ANSWER
        assert host.request("E", length=5)[0] == ACK
    assert server.process.wait(TIMEOUT) == 0
    assert not to_chip.exists()
    assert not from_chip.exists()


def test_image__written_by_one_server__is_read_by_the_next(programs: Path, tmp_path: Path) -> None:
    image, path = tmp_path / "se.nvm", tmp_path / "bus"
    for expected in (ACK, 0x0F):  # the second lock of the configuration zone is refused
        server = Server(programs, "--listen", path, "--chip", f"nvm={image}")
        host = connect(path)
        assert host.wake(0x60) == WAKE_ANSWER
        packet = bytes.fromhex("0717800000")
        assert host.write(0x60, b"\x03" + packet + crc(packet)) == ACK
        host.delay(40000)
        assert host.request("R", 0, 0x60, 4)[1][1] == expected
        assert server.stop() == 0
    assert image.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.glob("se.nvm.*")) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--listen"),
        (["--listen", "x"], "no chip"),
        (["--listen", "x", "--fifo", "a", "b", "--chip", "bus=0"], "either"),
        (["--listen"], "missing"),
        (["--what"], "--what"),
        (["--listen", "x", "--chip", "address=0xC0"], "address=0xC0"),
        (["--listen", "x", "--chip", "bus=256"], "bus=256"),
        (["--listen", "x", "--chip", "bus"], "name=value"),
        (["--listen", "x", "--chip", "colour=red"], "colour=red"),
        (["--listen", "x", "--chip", "fault=boom@1"], "boom@1"),
        (["--listen", "x", "--chip", "bus=0", "--chip", "bus=0"], "two chips at address 0x60"),
        (["--listen", "x", "--chip", "nvm=/nonexistent/a"], "/nonexistent/a"),
        (["--listen", "/nonexistent/x", "--chip", "bus=0"], "/nonexistent/x"),
        (["--listen", "x" * 200, "--chip", "bus=0"], "longer than"),
    ],
)
def test_command_line__nonsense__one_message(
    programs: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = subprocess.run(
        [programs / "sim" / "atecc608-sim", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode != 0
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_help__names_every_option(programs: Path) -> None:
    done = subprocess.run(
        [programs / "sim" / "atecc608-sim", "--help"], capture_output=True, text=True, check=True
    )
    for word in ("--listen", "--fifo", "--chip", "bus=", "address=", "nvm=", "fault=", "time="):
        assert word in done.stdout


def test_listen__second_server__is_refused(programs: Path, two_chips: Path) -> None:
    done = subprocess.run(
        [programs / "sim" / "atecc608-sim", "--listen", two_chips, "--chip", "bus=0"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 1
    assert "another server" in done.stderr


def test_listen__left_over_socket__is_replaced_but_a_file_is_not(
    programs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bus"
    left_over = socket.socket(socket.AF_UNIX)
    left_over.bind(str(path))
    left_over.close()
    server = Server(programs, "--listen", path, "--chip", "bus=0")
    assert connect(path).wake(0x60) == WAKE_ANSWER
    assert server.stop() == 0
    path.write_text("precious")
    server = Server(programs, "--listen", path, "--chip", "bus=0")
    assert server.process.wait(TIMEOUT) == 1
    assert path.read_text() == "precious"
