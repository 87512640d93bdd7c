# SPDX-License-Identifier: Apache-2.0
"""A gateway between a device's serial line and UDP: slipmux, written from its description."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from corral.build import image as corral_build
from corral.common import loopback
from corral.run import program as corral_run
from corral.run.chips import running

END, ESCAPE, ESCAPED_END, ESCAPED_ESCAPE = 0xC0, 0xDB, 0xDC, 0xDD
COAP = 0xA9


def check_sequence(data: bytes) -> bytes:
    """RFC 1662's FCS-16, as it is sent."""
    value = 0xFFFF
    for byte in data:
        for bit in range(8):
            odd = (value ^ byte >> bit) & 1
            value = value >> 1 ^ (0x8408 if odd else 0)
    return (value ^ 0xFFFF).to_bytes(2, "little")


def frame(message: bytes) -> bytes:
    """A message as it goes over the line."""
    data = bytes([COAP]) + message
    data += check_sequence(data)
    data = data.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
    return bytes([END]) + data + bytes([END])


class Line:
    """A device's output, split into messages and the text between them."""

    def __init__(self, deliver: Callable[[bytes], None]) -> None:
        self.deliver = deliver
        self.text = ""
        self.messages = 0
        self._pending = b""

    def take(self, data: bytes) -> None:
        """Take what came; deliver each message that is whole."""
        *frames, self._pending = (self._pending + data).split(bytes([END]))
        for each in frames:
            self._end(each)

    def close(self) -> str:
        """All that was no message."""
        self._end(self._pending)
        self._pending = b""
        return self.text

    def _end(self, escaped: bytes) -> None:
        content = escaped.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")
        if content[:1] != bytes([COAP]):
            self.text += escaped.decode(errors="replace")
            return
        assert check_sequence(content[:-2]) == content[-2:]
        self.messages += 1
        self.deliver(content[1:-2])


class _Datagrams(asyncio.DatagramProtocol):
    """Forwards datagrams of the servers to the line."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self.write = write

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.write(frame(data))


async def join(process: asyncio.subprocess.Process, port: int, time_limit: float) -> Line:
    """Pass messages between a process, on whose streams the line is, and a server, to its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: _Datagrams(process.stdin.write),  # type: ignore[union-attr]
        remote_addr=(loopback.host(), port),
    )
    line = Line(transport.sendto)
    try:
        async with asyncio.timeout(time_limit):
            while data := await process.stdout.read(1024):
                line.take(data)
            await process.wait()
    finally:
        transport.close()
        if process.returncode is None:
            process.kill()
    return line


async def live_on_line(
    built: corral_build.Build, images: Path, port: int, words: Sequence[str], time_limit: float
) -> tuple[int, Line]:
    """Run a device on a serial line, with its elements. Returns its status and its output."""
    with running(built.board.elements, images, True) as channel:
        command = corral_run.command_of(built, channel, None, arguments=words, repeats=False)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
        line = await join(process, port, time_limit)
    return process.returncode or 0, line
