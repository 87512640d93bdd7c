# SPDX-License-Identifier: Apache-2.0
"""The gateway between a pseudo-terminal, as a serial device looks, and UDP."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import termios
from pathlib import Path

from corral.common import loopback
from gateway import frame
from harness.waiting import PATIENCE

#: Bytes that a terminal would take for itself, and those that slipmux escapes.
EVERY_BYTE = bytes([0x40, 0x01]) + bytes(range(256))
ANSWER = bytes.fromhex("60450001ff") + bytes(reversed(range(256)))


def _read_until(line: int, end: bytes) -> bytes:
    found = b""
    while not found.endswith(end):
        assert select.select([line], [], [], PATIENCE)[0], found
        found += os.read(line, 1024)
    return found


def test_terminal__passes_every_byte_and_counts_what_is_damaged(binary: Path) -> None:
    device, line = os.openpty()
    with socket.socket(loopback.family(), socket.SOCK_DGRAM) as server:
        server.bind((loopback.host(), 0))
        server.settimeout(PATIENCE)
        at = loopback.at(server.getsockname()[1])
        command = [binary, "--json", "gateway", "--server", at, os.ttyname(line)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        os.write(device, b"boot\n")
        # The gateway has made the line raw before it prints this.
        assert json.loads(process.stdout.readline())["text"] == "boot"
        os.close(line)
        os.write(device, frame(EVERY_BYTE)[:-3] + b"\xc0" + frame(EVERY_BYTE))
        message, peer = server.recvfrom(2048)
        assert message == EVERY_BYTE
        server.sendto(ANSWER, peer)
        # Before the line was raw, it may have echoed what the device said.
        echo = _read_until(device, frame(ANSWER)).removesuffix(frame(ANSWER))
        assert echo in (b"", b"boot\r\n")
        os.close(device)
        output, _ = process.communicate(timeout=PATIENCE)
    (counts,) = map(json.loads, output.splitlines())
    del counts["line"]
    assert counts == {"up": 1, "down": 1, "malformed": 1, "other": 0, "lost": 0}
    assert process.returncode == 0


def test_line_that_is_not_there__is_said_while_another_is_joined(
    binary: Path, tmp_path: Path
) -> None:
    device, line = os.openpty()
    command = [binary, "gateway", os.ttyname(line), tmp_path / "none"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        assert select.select([process.stderr], [], [], PATIENCE)[0]
        said = process.stderr.readline()
        assert said.startswith(f"corral-fleet: {tmp_path / 'none'}: ")
        assert process.poll() is None
        os.close(line)
        os.close(device)
        assert process.wait(timeout=PATIENCE) == 1
    finally:
        process.kill()
        process.communicate()


def test_terminal__told_to_end__says_its_counts_and_left_nothing_to_wait_for(binary: Path) -> None:
    """The line's former settings: two stop bits, and a handshake that three wires cannot carry."""
    device, line = os.openpty()
    settings = termios.tcgetattr(line)
    settings[0] |= termios.IXOFF | termios.IXANY
    settings[2] |= termios.CSTOPB | termios.CRTSCTS
    termios.tcsetattr(line, termios.TCSANOW, settings)
    command = [binary, "--json", "gateway", "--server", "localhost:5683", os.ttyname(line)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        os.write(device, b"boot\n")
        assert json.loads(process.stdout.readline())["text"] == "boot"
        modes = termios.tcgetattr(line)
        assert modes[0] & (termios.IXOFF | termios.IXANY) == 0
        assert modes[2] & (termios.CSTOPB | termios.CRTSCTS) == 0
        process.send_signal(signal.SIGTERM)
        counts = json.loads(process.communicate(timeout=PATIENCE)[0])
        assert counts == {
            "line": os.ttyname(line),
            **dict.fromkeys(("up", "down", "malformed", "other", "lost"), 0),
        }
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()
        os.close(line)
        os.close(device)
