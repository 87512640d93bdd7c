# SPDX-License-Identifier: Apache-2.0
"""Runs a linked Cortex-M4 image instruction by instruction and says who executed what.

From an API call's entry to its return, instructions are attributed as follows: *primitive*
is everything from the moment code of a backend library is entered until it returns, with
the functions that it calls; *random* the same for the generator (corral_random and the
port's entropy); *bus* the same for the port's bus functions; *element* what the driver of a
secure element executes; *layer* is the rest: core, dispatch, glue, and the C library that
these call. *Wiping*, overwriting secrets that are no longer needed, is part of the layer
and also counted by itself; its frames lie over those of the library and are not the layer's
depth. The counts repeat exactly. They are instructions, not cycles.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import unicorn
from corral.errors import fail
from corral.measure.image import Image
from unicorn import arm_const

from corral_bench.bus import Bus
from corral_bench.record import Call, is_wiping

_CODE = (0x00000000, 0x00400000)
_RAM = (0x20000000, 0x00400000)
_PERIPHERALS = (0x40000000, 0x00100000)
_SYSTEM = (0xE0000000, 0x00100000)
_UART_DATA = 0x40004000
_SEMIHOSTING = b"\xab\xbe"  # BKPT 0xAB
_RANDOM = ("corral_random", "corral_random_seed", "corral_port_entropy")
#: The stack below a call is marked that deep, which the board leaves to it (memory.ld).
_DEPTH = 32768
_PAINT = b"\xa5"
_FILES = (b"random", b"requests", b"responses")  # which the program may open: 1, 2, 3


class Block:
    __slots__ = ("instructions", "name", "part", "parts")

    def __init__(self, part: str, name: str, parts: dict[str, int]) -> None:
        self.part = part
        self.name = name
        self.parts = parts  # instructions by part: dispatch is inlined into other functions
        self.instructions = sum(parts.values())


@dataclass
class _Inner:
    """A stretch of work outside of the layer, down to its return."""

    kind: str  # a field of Call
    address: int  # where it returns to
    stack: int
    count: int = 0

    def ends_at(self, address: int, stack: int) -> bool:
        return address == self.address and stack >= self.stack


class Emulator:
    """A Cortex-M4 with RAM, a console, semihosting, and a bus of virtual chips."""

    def __init__(self, image: Image, bus: Bus | None = None) -> None:
        self.image = image
        self.console = bytearray()
        self.exit_code: int | None = None
        self.calls: list[Call] = []
        self._blocks: dict[int, Block] = {}
        self._functions = sorted(
            (address & ~1, address + size, name)
            for name, (address, size) in image.symbols.items()
            if size > 0 and address < _CODE[1]
        )
        self._api = {
            address & ~1: name
            for name, (address, size) in image.symbols.items()
            if name.startswith("psa_") and size > 0
        }
        self._call: Call | None = None
        self._call_return = self._call_stack = 0
        self._inner: list[_Inner] = []
        self._wiper: _Inner | None = None
        self._returns = (0, 0)
        self._bus = bus
        self._entropy = random.Random(0)  # so that counts repeat
        self._uc = self._prepare()

    def _prepare(self) -> Any:
        uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
        uc.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M4)
        for base, size in (_CODE, _RAM, _PERIPHERALS, _SYSTEM):
            uc.mem_map(base, size)
        for address, data in _load_segments(self.image.elf.read_bytes()):
            uc.mem_write(address, data)
        self._block_hook = uc.hook_add(unicorn.UC_HOOK_BLOCK, self._on_block)
        uc.hook_add(unicorn.UC_HOOK_INTR, self._on_interrupt)
        uc.hook_add(unicorn.UC_HOOK_MEM_WRITE, self._on_uart, begin=_UART_DATA, end=_UART_DATA + 3)
        return uc

    def run(self, limit: int = 2_000_000_000) -> None:
        """Run from reset until the image exits; `limit` bounds the instructions."""
        self._go(self._reset(), limit=limit)
        if self.exit_code is None:
            raise fail(str(self.image.elf), f"still running after {limit} instructions")

    def run_through(self, function: str) -> None:
        """Run until the image exits, without counting what `function` does, which is quick."""
        uc = self._uc
        address = self.image.symbols[function][0] & ~1
        self._go(self._reset(), address)
        uc.hook_del(self._block_hook)
        uc.ctl_flush_tb()
        back = uc.reg_read(arm_const.UC_ARM_REG_LR) & ~1
        self._go(address, back)
        self._block_hook = uc.hook_add(unicorn.UC_HOOK_BLOCK, self._on_block)
        uc.ctl_flush_tb()
        self._go(back)

    def _reset(self) -> int:
        """Returns where the program begins."""
        stack, entry = struct.unpack("<II", bytes(self._uc.mem_read(0, 8)))
        self._uc.reg_write(arm_const.UC_ARM_REG_MSP, stack)
        self._uc.reg_write(arm_const.UC_ARM_REG_SP, stack)
        return int(entry)

    def _go(self, begin: int, until: int = 0xFFFFFFFE, limit: int = 0) -> None:
        try:
            self._uc.emu_start(begin | 1, until, count=limit)
        except unicorn.UcError as error:
            pc = self._uc.reg_read(arm_const.UC_ARM_REG_PC)
            raise fail(str(self.image.elf), f"emulation stopped at {pc:#x}: {error}") from error

    def kind_of(self, block: Block) -> str | None:
        """Whose stretch begins with a block, seen from the layer."""
        if block.name in _RANDOM:
            return "random"
        return {"backend": "primitive", "element": "element", "port": "bus"}.get(block.part)

    def _block_at(self, address: int, size: int) -> Block:
        code = bytes(self._uc.mem_read(address, size))
        parts: dict[str, int] = {}
        offset = 0
        while offset < size:
            part = self.image.source_part_at(address + offset)
            parts[part] = parts.get(part, 0) + 1
            wide = code[offset + 1] >> 3 in (0x1D, 0x1E, 0x1F)
            offset += 4 if wide else 2
        name = next((n for a, e, n in self._functions if a <= address < e), hex(address))
        return Block(self.image.part_at(address), name, parts)

    def _on_block(self, uc: Any, address: int, size: int, _data: object) -> None:
        block = self._blocks.get(address)
        if block is None:
            block = self._blocks[address] = self._block_at(address, size)
        if self._inner and address not in self._returns:
            # Most of all time is spent in here.
            if self._inner[-1].kind == "element" and block.part == "port":
                self._enter("bus")
            self._inner[-1].count += block.instructions
            return
        if self._call is None:
            if address in self._api:
                self._begin(address)
            else:
                return
        else:
            self._leave(uc, address)
            if self._call is None:
                return
        if not self._inner and (kind := self.kind_of(block)):
            self._enter(kind)
        if self._inner:
            self._inner[-1].count += block.instructions
        else:
            self._count_layer(uc, block, address)

    def _count_layer(self, uc: Any, block: Block, address: int) -> None:
        call = self._call
        assert call is not None
        call.layer += block.instructions
        call.profile[block.name] = call.profile.get(block.name, 0) + block.instructions
        for part, count in block.parts.items():
            call.parts[part] = call.parts.get(part, 0) + count
        stack = uc.reg_read(arm_const.UC_ARM_REG_SP)
        if self._wiper and self._wiper.ends_at(address, stack):
            self._wiper = None
        elif not self._wiper and is_wiping(block.name):
            back = uc.reg_read(arm_const.UC_ARM_REG_LR) & ~1
            self._wiper = _Inner("wiping", back, stack)
        if self._wiper:
            call.wiping += block.instructions
        else:
            call.stack = max(call.stack, self._call_stack - stack)

    def _begin(self, address: int) -> None:
        uc = self._uc
        self._call = Call(self._api[address])
        self._call_return = uc.reg_read(arm_const.UC_ARM_REG_LR) & ~1
        self._call_stack = uc.reg_read(arm_const.UC_ARM_REG_SP)
        if self._bus:
            self._bus.take()
            self._bus.take_commands()
        uc.mem_write(self._call_stack - _DEPTH, _PAINT * _DEPTH)

    def _leave(self, uc: Any, address: int) -> None:
        """Notice that an inner stretch, or the whole call, has returned."""
        stack = uc.reg_read(arm_const.UC_ARM_REG_SP)
        call = self._call
        assert call is not None
        while self._inner and self._inner[-1].ends_at(address, stack):
            ended = self._inner.pop()
            setattr(call, ended.kind, getattr(call, ended.kind) + ended.count)
        self._returns = (self._inner[-1].address if self._inner else 0, self._call_return)
        if address == self._call_return and stack >= self._call_stack:
            assert not self._inner
            if self._bus:
                call.transfers, call.bus_bytes, call.chip_us = self._bus.take()
                call.commands = self._bus.take_commands()
            below = bytes(uc.mem_read(self._call_stack - _DEPTH, _DEPTH))
            call.deepest = len(below.lstrip(_PAINT))
            self.calls.append(call)
            self._call = None

    def _enter(self, kind: str) -> None:
        """From here until the function just entered returns, code outside of the layer works."""
        uc = self._uc
        back = uc.reg_read(arm_const.UC_ARM_REG_LR) & ~1
        self._inner.append(_Inner(kind, back, uc.reg_read(arm_const.UC_ARM_REG_SP)))
        self._returns = (back, self._call_return)

    def _on_uart(
        self, _uc: Any, _access: int, _address: int, _size: int, value: int, _data: object
    ) -> None:
        self.console.append(value & 0xFF)

    def _on_interrupt(self, uc: Any, _number: int, _data: object) -> None:
        pc = uc.reg_read(arm_const.UC_ARM_REG_PC)
        at = pc if bytes(uc.mem_read(pc, 2)) == _SEMIHOSTING else pc - 2
        if bytes(uc.mem_read(at, 2)) != _SEMIHOSTING:
            raise fail(str(self.image.elf), f"exception at {pc:#x}")
        operation = uc.reg_read(arm_const.UC_ARM_REG_R0)
        handler = _HANDLERS.get(operation)
        if handler is None:
            raise fail(str(self.image.elf), f"semihosting call {operation:#x} is not emulated")
        uc.reg_write(arm_const.UC_ARM_REG_R0, handler(self, uc.reg_read(arm_const.UC_ARM_REG_R1)))
        uc.reg_write(arm_const.UC_ARM_REG_PC, (at + 2) | 1)

    def _words(self, address: int, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}I", bytes(self._uc.mem_read(address, 4 * count)))

    def _write0(self, address: int) -> int:
        while (byte := bytes(self._uc.mem_read(address, 1))) != b"\0":
            self.console += byte
            address += 1
        return 0

    def _writec(self, address: int) -> int:
        self.console += bytes(self._uc.mem_read(address, 1))
        return 0

    def _exit(self, reason: int) -> int:
        self.exit_code = 0 if reason == 0x20026 else 1
        self._uc.emu_stop()
        return 0

    def _exit_extended(self, block: int) -> int:
        reason, code = self._words(block, 2)
        self.exit_code = code if reason == 0x20026 else 1
        self._uc.emu_stop()
        return 0

    def _command_line(self, block: int) -> int:
        buffer, _size = self._words(block, 2)
        words = b"image requests=requests responses=responses" if self._bus else b"image"
        self._uc.mem_write(buffer, words + b"\0")
        self._uc.mem_write(block + 4, struct.pack("<I", len(words)))
        return 0

    def _open(self, block: int) -> int:
        """This host's files: entropy, the same bytes in every run, and the way to the chips."""
        name, _mode, length = self._words(block, 3)
        path = bytes(self._uc.mem_read(name, length))
        found = [number for number, file in enumerate(_FILES, 1) if file in path]
        if not found or (found[0] > 1 and self._bus is None):
            return 0xFFFFFFFF
        return found[0]

    def _read(self, block: int) -> int:
        handle, buffer, length = self._words(block, 3)
        if handle == 1 or self._bus is None:
            self._uc.mem_write(buffer, self._entropy.randbytes(length))
        else:
            self._uc.mem_write(buffer, self._bus.receive(length))
        return 0

    def _write(self, block: int) -> int:
        """The answer is how many bytes were not written."""
        handle, buffer, length = self._words(block, 3)
        if handle == 1 or self._bus is None:
            return length
        self._bus.send(bytes(self._uc.mem_read(buffer, length)))
        return 0

    def _close(self, _block: int) -> int:
        return 0


_HANDLERS: dict[int, Callable[[Emulator, int], int]] = {
    0x01: Emulator._open,
    0x02: Emulator._close,
    0x03: Emulator._writec,
    0x04: Emulator._write0,
    0x05: Emulator._write,
    0x06: Emulator._read,
    0x15: Emulator._command_line,
    0x18: Emulator._exit,
    0x20: Emulator._exit_extended,
}


def _load_segments(elf: bytes) -> list[tuple[int, bytes]]:
    """The loadable segments of a 32-bit little-endian ELF file, at their load addresses."""
    offset, entry_size, count = (
        struct.unpack_from("<I", elf, 28)[0],
        struct.unpack_from("<H", elf, 42)[0],
        struct.unpack_from("<H", elf, 44)[0],
    )
    segments = []
    for index in range(count):
        kind, start, _virtual, physical, file_size = struct.unpack_from(
            "<IIIII", elf, offset + index * entry_size
        )
        if kind == 1 and file_size > 0:
            segments.append((physical, elf[start : start + file_size]))
    return segments
