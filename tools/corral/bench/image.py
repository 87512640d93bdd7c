# SPDX-License-Identifier: Apache-2.0
"""Who owns which byte of a linked image: read from the linker map and the symbol table."""

from __future__ import annotations

import bisect
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from corral.errors import fail

#: The parts that a build is split into, in the order of reports.
PARTS = ("core", "glue", "random", "backend", "port", "application", "libc", "other")

# One contribution of an object file: " .text.name  0xADDRESS  0xSIZE  FILE", the name possibly on
# a line of its own when it is long.
_SECTION = re.compile(
    r"^ (?P<section>\.[\w.$-]+|COMMON)(?:\n|\s)\s*0x(?P<address>[0-9a-f]+)"
    r"\s+0x(?P<size>[0-9a-f]+)\s+(?P<file>\S.*)$",
    re.M,
)


@dataclass(frozen=True)
class Range:
    """Bytes that one input section of one object file occupies in the image."""

    address: int
    size: int
    section: str
    file: str
    part: str


def part_of(file: str) -> str:
    """The part of the product that an object file belongs to, from its path."""
    path = file.replace("\\", "/")
    if "/packages/" in path:
        return "backend"
    if re.search(r"/(random|entropy|drbg)\.c", path):
        return "random"
    for folder, part in (
        ("/core/", "core"),
        ("/gen/", "core"),
        ("/drivers/", "glue"),
        ("/ports/", "port"),
        ("/apps/", "application"),
        ("/tests/", "application"),
    ):
        if folder in path:
            return part
    if re.search(r"lib(c|gcc|m|semihost)[^/]*\.a|crt\w*\.o", path):
        return "libc"
    return "other"


def _is_rom(section: str) -> bool:
    return section.startswith((".text", ".rodata", ".data", ".init", ".vectors", ".ARM.ex"))


def _is_ram(section: str) -> bool:
    return section.startswith((".data", ".bss", "COMMON", ".tbss", ".tdata"))


class Image:
    """A linked ELF file with its map."""

    def __init__(self, elf: Path, map_file: Path, prefix: str) -> None:
        if not elf.is_file() or not map_file.is_file():
            raise fail(str(elf), f"not built, or without its map {map_file.name}", "build it first")
        self.elf = elf
        self.prefix = prefix
        text = map_file.read_text(errors="replace")
        start = text.find("Linker script and memory map")
        self.ranges = sorted(
            (
                Range(
                    int(m["address"], 16),
                    int(m["size"], 16),
                    m["section"],
                    m["file"].strip(),
                    part_of(m["file"]),
                )
                for m in _SECTION.finditer(text, max(start, 0))
                if int(m["size"], 16) > 0 and (_is_rom(m["section"]) or _is_ram(m["section"]))
            ),
            key=lambda r: r.address,
        )
        self._starts = [r.address for r in self.ranges]
        self.symbols = self._read_symbols()

    def _read_symbols(self) -> dict[str, tuple[int, int]]:
        output = subprocess.run(
            [f"{self.prefix}nm", "-S", str(self.elf)], check=True, capture_output=True, text=True
        ).stdout
        symbols: dict[str, tuple[int, int]] = {}
        for line in output.splitlines():
            fields = line.split()
            if len(fields) == 4:
                symbols[fields[3]] = (int(fields[0], 16), int(fields[1], 16))
            elif len(fields) == 3:
                symbols[fields[2]] = (int(fields[0], 16), 0)
        return symbols

    def part_at(self, address: int) -> str:
        """The part that owns the code or data at an address."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index >= 0:
            found = self.ranges[index]
            if found.address <= address < found.address + found.size:
                return found.part
        return "other"

    def rom(self) -> dict[str, int]:
        """Bytes of flash by part: code, constants, and the initial values of variables."""
        return self._sum(_is_rom)

    def ram(self) -> dict[str, int]:
        """Bytes of static RAM by part, without stack and heap."""
        return self._sum(_is_ram)

    def _sum(self, belongs: object) -> dict[str, int]:
        assert callable(belongs)
        totals = dict.fromkeys(PARTS, 0)
        for r in self.ranges:
            if belongs(r.section):
                totals[r.part] += r.size
        return totals
