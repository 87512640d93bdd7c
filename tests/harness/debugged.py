# SPDX-License-Identifier: Apache-2.0
"""A program in an emulator that is stopped where a test says, and looked at there.

QEMU answers to the remote protocol of GDB; this has the part that the tests need.
"""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from corral.build import image as build
from corral.run import program as run
from corral.run.chips import running

from harness import waiting

#: Bytes of memory in one message, which has two digits for each.
_PART = 1024


@dataclass(frozen=True)
class _Registers:
    """By GDB's numbers."""

    stack: int
    caller: int  # where a function returns to, at its first instruction
    place: int
    argument: int  # the first one, and the result of a function


_REGISTERS = {
    "arm-none-eabi-": _Registers(13, 14, 15, 0),
    "riscv64-unknown-elf-": _Registers(2, 1, 32, 10),
}


class Debugged:
    """The program, which is stopped between two calls of go_on()."""

    def __init__(
        self, process: subprocess.Popen[str], connection: socket.socket, prefix: str
    ) -> None:
        self._process = process
        self._registers = _REGISTERS[prefix]
        self._stops: set[int] = set()
        self._connection = connection
        self._received = b""

    def _next(self) -> bytes:
        part = self._connection.recv(65536)
        assert part, "the emulator has ended"
        return part

    def _send(self, words: str) -> None:
        text = words.encode()
        self._connection.sendall(b"$%s#%02x" % (text, sum(text) % 256))

    def _ask(self, words: str) -> str:
        self._send(words)
        while b"#" not in self._received or len(self._received.partition(b"#")[2]) < 2:
            self._received += self._next()
        head, _, rest = self._received.partition(b"#")
        self._received = rest[2:]
        self._connection.sendall(b"+")
        return head.partition(b"$")[2].decode()

    def _order(self, words: str) -> None:
        assert self._ask(words) == "OK", words

    def stop_at(self, address: int) -> None:
        """Stop before this instruction, each time that it is reached."""
        self._stops.add(address)
        self._order(f"Z0,{address:x},2")

    def pass_by(self, address: int) -> None:
        """No more."""
        self._stops.remove(address)
        self._order(f"z0,{address:x},2")

    def go_on(self) -> None:
        """Until it is at one of these instructions, again if it is at one already."""
        here = self.place()
        is_stop = here in self._stops
        if is_stop:  # else it would stop at its present place
            self.pass_by(here)
            self._ask("s")
            self.stop_at(here)
        said = self._ask("c")
        assert said.startswith("T05"), said

    def _register(self, number: int) -> int:
        all_of_them = bytes.fromhex(self._ask("g"))
        return int.from_bytes(all_of_them[4 * number : 4 * number + 4], "little")

    def place(self) -> int:
        """The address of the instruction that comes next."""
        return self._register(self._registers.place)

    def stack(self) -> int:
        """The stack pointer."""
        return self._register(self._registers.stack)

    def caller(self) -> int:
        """At the first instruction of a function: the address of the one that it returns to."""
        return self._register(self._registers.caller) & ~1

    def argument(self) -> int:
        """At the first instruction of a function: its first argument; behind it what it returns."""
        return self._register(self._registers.argument)

    def set_argument(self, value: int) -> None:
        """The same register gets another value."""
        all_of_them = bytearray.fromhex(self._ask("g"))
        at = 4 * self._registers.argument
        all_of_them[at : at + 4] = value.to_bytes(4, "little")
        self._order(f"G{all_of_them.hex()}")

    def finish(self) -> tuple[int, str]:
        """Let the program come to its end: its status, and all that it has said."""
        for address in [*self._stops]:
            self.pass_by(address)
        self._send("c")
        output, _ = self._process.communicate(timeout=waiting.PATIENCE)
        return self._process.returncode, output

    def read(self, address: int, size: int) -> bytes:
        """Memory, as whoever is stopped may read it."""
        found = b""
        while len(found) < size:
            length = min(_PART, size - len(found))
            part = bytes.fromhex(self._ask(f"m{address + len(found):x},{length:x}"))
            assert len(part) == length, hex(address)
            found += part
        return found

    def write(self, address: int, data: bytes) -> None:
        """Memory, as whoever is stopped may write it."""
        for at in range(0, len(data), _PART):
            part = data[at : at + _PART]
            self._order(f"M{address + at:x},{len(part):x}:{part.hex()}")


def symbols(image: Path, prefix: str) -> dict[str, int]:
    """Where functions (not their first bit) and variables of an image are, by nm."""
    command = [f"{prefix}nm", image]
    listed = waiting.run(command, capture_output=True, text=True)
    assert listed.returncode == 0, listed.stderr
    rows = [line.split() for line in listed.stdout.splitlines()]
    return {
        name: int(value, 16) & (~1 if kind in "Tt" else ~0)
        for value, kind, name in (row for row in rows if len(row) == 3)
    }


@contextmanager
def debugged(built: build.Build) -> Iterator[Debugged]:
    """Start an image of an emulated board, stopped before its first instruction."""
    with running((), built.folder, True) as channel:
        meeting = channel.folder / "gdb"
        words = ["-S", "-gdb", f"unix:{meeting},server=on,wait=off"]
        command = [*run.command_of(built, channel, None), *words]
        process = subprocess.Popen(
            waiting.limited(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(waiting.PATIENCE)
                waiting.until(
                    lambda: connection.connect_ex(str(meeting)) == 0,
                    "the emulator does not answer",
                )
                yield Debugged(process, connection, built.board.toolchain.prefix)
        finally:
            process.kill()
            process.communicate()
