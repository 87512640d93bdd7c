# SPDX-License-Identifier: Apache-2.0
"""The virtual chips' side of an emulated board: passes requests on and counts what they carry."""

from __future__ import annotations

import socket
import struct
from collections import deque
from pathlib import Path

from corral.errors import fail

# sim/README.md has the protocol.
_HEADER = struct.Struct("<cBBH")  # operation, bus, address, length
_ANSWER = struct.Struct("<BH")  # status, length
_ACKNOWLEDGED = 0
#: The word address of a command; behind it come a count and the operation code.
_COMMAND = b"\x03"
_OPCODE = 2


class Bus:
    """A connection to the virtual chips of sim/atecc608."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._pending = bytearray()
        self._asked: deque[tuple[bytes, bytes]] = deque()  # operation and payload
        self._answers = bytearray()
        self.transfers = self.bytes = self.waited_us = 0
        self.commands: list[int] = []

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Data from the program: pieces of requests, which go on unchanged."""
        self._socket.sendall(data)
        self._pending += data
        while self._take_request():
            pass

    def receive(self, length: int) -> bytes:
        """The answers of the chips."""
        data = bytearray()
        while len(data) < length:
            piece = self._socket.recv(length - len(data))
            if not piece:
                raise fail("atecc608-sim", "the virtual chips hung up", "run the measurement again")
            data += piece
        self._answers += data
        while self._count_answer():
            pass
        return bytes(data)

    def take(self) -> tuple[int, int, int]:
        """Transfers, their bytes with address bytes, microseconds waited: since last asked."""
        taken = self.transfers, self.bytes, self.waited_us
        self.transfers = self.bytes = self.waited_us = 0
        return taken

    def take_commands(self) -> list[int]:
        """Operation codes of the commands since last asked, in their order."""
        taken, self.commands = self.commands, []
        return taken

    def _take_request(self) -> bool:
        if len(self._pending) < _HEADER.size:
            return False
        operation, _bus, _address, length = _HEADER.unpack_from(self._pending)
        payload = {b"W": length, b"D": 4}.get(operation, 0)
        if len(self._pending) < _HEADER.size + payload:
            return False
        body = bytes(self._pending[_HEADER.size : _HEADER.size + payload])
        del self._pending[: _HEADER.size + payload]
        self._asked.append((operation, body))
        return True

    def _count_answer(self) -> bool:
        """A transfer without an acknowledgement ends after its address: a poll of a busy chip."""
        if len(self._answers) < _ANSWER.size:
            return False
        status, length = _ANSWER.unpack_from(self._answers)
        if len(self._answers) < _ANSWER.size + length:
            return False
        del self._answers[: _ANSWER.size + length]
        operation, body = self._asked.popleft()
        if operation == b"D":
            self.waited_us += struct.unpack("<I", body)[0]
        elif operation in (b"W", b"R"):
            self.transfers += 1
            self.bytes += 1
            if status == _ACKNOWLEDGED:
                self.bytes += len(body) + length
                if body[:1] == _COMMAND and len(body) > _OPCODE:
                    self.commands.append(body[_OPCODE])
        return True
