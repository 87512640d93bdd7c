# SPDX-License-Identifier: Apache-2.0
"""A bus between tpm2-tss and swtpm: it reads along, and disturbs one command."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

#: How a command is disturbed.
BEFORE, AFTER, HALF, FLIPPED, LAST, FAILURE, EARLIER, HELD = range(1, 9)
MODES = (BEFORE, AFTER, HALF, FLIPPED, LAST, FAILURE, EARLIER)
_HEADER = 10
_TRANSIENT, _SESSIONS = 0x80000000, 0x02000000
_FAILURE = bytes.fromhex("80010000000a00000101")


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise ConnectionError
        data += piece
    return data


def _packet(connection: socket.socket) -> bytes:
    head = _read(connection, _HEADER)
    return head + _read(connection, int.from_bytes(head[2:6]) - _HEADER)


def ask(upstream: str, command: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as tpm:
        tpm.connect(upstream)
        tpm.sendall(command)
        return _packet(tpm)


def left_in(upstream: str) -> int:
    """How many objects and sessions a TPM has loaded."""
    count = 0
    for first in (_TRANSIENT, _SESSIONS):
        command = bytes.fromhex("8001000000160000017a00000001")
        answer = ask(upstream, command + first.to_bytes(4) + (254).to_bytes(4))
        assert answer[6:10] == bytes(4), answer.hex()
        count += int.from_bytes(answer[15:19])
    return count


class Bus:
    """Listens at `path`; each of its clients gets a connection of its own to the TPM."""

    def __init__(self, path: Path, upstream: str) -> None:
        self.path = path
        self.log = b""
        self.has_struck = False
        self.is_held = threading.Event()
        self._upstream = upstream
        self._commands = 0  # until the one that is disturbed
        self._mode = 0
        self._earlier = b""
        self._clients: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        Path(f"{path}.ctrl").symlink_to(f"{upstream}.ctrl")  # of swtpm itself, and no bus
        self._listener.listen(8)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def disturb(self, command: int, mode: int) -> None:
        """Disturb the n-th command from now on, from 1."""
        self._commands, self._mode, self.has_struck = command, mode, False

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        """One client after the other, as swtpm."""
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client, socket.socket(socket.AF_UNIX) as tpm:
                tpm.connect(self._upstream)
                with contextlib.suppress(OSError):
                    self._pass_on(client, tpm)

    def _pass_on(self, client: socket.socket, tpm: socket.socket) -> None:
        while True:
            command = _packet(client)
            self._commands -= 1
            strikes = self._commands == 0
            mode = self._mode if strikes else 0
            self.has_struck |= strikes
            if mode == BEFORE:
                return
            tpm.sendall(command)
            answer = _packet(tpm)
            self.log += command + answer
            if mode == AFTER:
                return
            if mode == HELD:
                self.is_held.set()
                client.recv(1)  # until the client ends
                return
            client.sendall(self._disturbed(answer, mode))
            if mode == HALF:
                return
            self._earlier = answer

    def _disturbed(self, answer: bytes, mode: int) -> bytes:
        if mode == HALF:
            return answer[: len(answer) // 2]
        if mode == FLIPPED:
            at = max(len(answer) // 2, _HEADER - 1)
            return answer[:at] + bytes([answer[at] ^ 1]) + answer[at + 1 :]
        if mode == LAST:
            return answer[:-1] + bytes([answer[-1] ^ 0x80])
        if mode == FAILURE:
            return _FAILURE
        return self._earlier if mode == EARLIER and self._earlier else answer
