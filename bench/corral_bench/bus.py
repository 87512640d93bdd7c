# SPDX-License-Identifier: Apache-2.0
"""The virtual chips' side of an emulated board: passes requests on and counts what they carry."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

from corral.errors import fail

_HEADER = struct.Struct("<cBBH")  # operation, bus, address, length: sim/atecc608/README.md

#: The word address of a command; behind it come a count and the operation code.
_COMMAND = b"\x03"
_OPCODE = 2


class Bus:
    """A connection to the virtual chips of sim/atecc608."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._pending = bytearray()
        self.transfers = self.bytes = self.waited_us = 0
        self.commands: list[int] = []

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def send(self, data: bytes) -> None:
        """What the program writes: pieces of requests, which go on as they are."""
        self._socket.sendall(data)
        self._pending += data
        while self._count_request():
            pass

    def receive(self, length: int) -> bytes:
        """What the chips answer."""
        data = bytearray()
        while len(data) < length:
            piece = self._socket.recv(length - len(data))
            if not piece:
                raise fail("atecc608-sim", "the virtual chips hung up", "run the measurement again")
            data += piece
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

    def _count_request(self) -> bool:
        if len(self._pending) < _HEADER.size:
            return False
        operation, _bus, _address, length = _HEADER.unpack_from(self._pending)
        payload = {b"W": length, b"D": 4}.get(operation, 0)
        if len(self._pending) < _HEADER.size + payload:
            return False
        body = bytes(self._pending[_HEADER.size : _HEADER.size + payload])
        del self._pending[: _HEADER.size + payload]
        if operation == b"D":
            self.waited_us += struct.unpack("<I", body)[0]
        else:
            self.transfers += 1
            self.bytes += 1 + length
            if operation == b"W" and body[:1] == _COMMAND and length > _OPCODE:
                self.commands.append(body[_OPCODE])
        return True
