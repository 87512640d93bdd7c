# SPDX-License-Identifier: Apache-2.0
"""One virtual bus of several simulators: a server that looks like one to the board's program.

As on wires, every request reaches all of them, and the chip that acknowledges it
answers. The protocol is that of sim/README.md. Run by chips.py as a program of its own,
which it can end at any time.
"""

from __future__ import annotations

import os
import selectors
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM = "virtual-bus"

_REQUEST = struct.Struct("<cBBH")  # operation, bus, address, length
_RESPONSE = struct.Struct("<BH")  # status, length; 0 acknowledged, 1 not, 2 no such thing
#: How many bytes follow a request of each operation, by the length that it names.
_PAYLOAD: dict[bytes, Callable[[int], int]] = {
    b"W": lambda length: length,
    b"R": lambda length: 0,
    b"D": lambda length: 4,
    b"E": lambda length: 0,
    b"F": lambda length: length,
}


def request_size(data: bytes | bytearray) -> int:
    """The size of the request that data begins with; 0 while that cannot be said."""
    if len(data) < _REQUEST.size:
        return 0
    operation, _bus, _address, length = _REQUEST.unpack_from(data)
    if operation not in _PAYLOAD:
        raise ValueError(f"no request begins with {operation!r}")
    return _REQUEST.size + _PAYLOAD[operation](length)


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise ConnectionError("a simulator hung up")
        data += piece
    return data


def _ask(simulator: socket.socket, request: bytes) -> bytes:
    simulator.sendall(request)
    head = _read(simulator, _RESPONSE.size)
    return head + _read(simulator, _RESPONSE.unpack(head)[1])


def answer(simulators: Sequence[socket.socket], request: bytes) -> bytes:
    """The answer to one request."""
    if request[:1] == b"E":
        return _ask(simulators[0], request)  # random bytes, wherever they are from
    # All are asked, also behind the one that acknowledges: time passes for each of them.
    answers = [_ask(simulator, request) for simulator in simulators]
    return min(answers, key=lambda a: a[0])


@dataclass
class _Client:
    """The program's side: one socket, or a pipe for each direction."""

    read: int
    write: int
    pending: bytearray = field(default_factory=bytearray)

    def serve(self, simulators: Sequence[socket.socket]) -> bool:
        """Take what has come; False when the client is gone."""
        data = os.read(self.read, 1 << 16)
        self.pending += data
        while (size := request_size(self.pending)) and len(self.pending) >= size:
            response = answer(simulators, bytes(self.pending[:size]))
            del self.pending[:size]
            while response:
                response = response[os.write(self.write, response) :]
        return bool(data)

    def close(self) -> None:
        for descriptor in {self.read, self.write}:
            os.close(descriptor)


def _serve_socket(path: str, simulators: Sequence[socket.socket]) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    print(f"{PROGRAM}: listening on {path}", flush=True)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                descriptor = listener.accept()[0].detach()
                client = _Client(descriptor, descriptor)
                selector.register(descriptor, selectors.EVENT_READ, client)
                continue
            try:
                goes_on = key.data.serve(simulators)
            except (BrokenPipeError, ConnectionResetError, ValueError):
                goes_on = False
            if not goes_on:
                selector.unregister(key.fd)
                key.data.close()


def _serve_fifos(requests: str, responses: str, simulators: Sequence[socket.socket]) -> None:
    for path in (requests, responses):
        os.mkfifo(path)
    print(f"{PROGRAM}: serving {requests} and {responses}", flush=True)
    client = _Client(os.open(requests, os.O_RDONLY), os.open(responses, os.O_WRONLY))
    while client.serve(simulators):
        pass


def main(words: Sequence[str]) -> int:
    """--listen PATH SIMULATOR... or --fifo IN OUT SIMULATOR...: sockets of simulators."""
    ends = 2 if words[0] == "--listen" else 3
    simulators = []
    for path in words[ends:]:
        simulators.append(socket.socket(socket.AF_UNIX))
        simulators[-1].connect(path)
    if words[0] == "--listen":
        _serve_socket(words[1], simulators)
    else:
        _serve_fifos(words[1], words[2], simulators)
    return 0


def command(where: Sequence[str], sockets: Sequence[Path]) -> list[str]:
    """How chips.py starts this program."""
    return [sys.executable, __file__, *where, *map(str, sockets)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
