# SPDX-License-Identifier: Apache-2.0
"""Which source file each address of an image was compiled from: its debug lines.

Functions that are generated into headers, the dispatch, become part of whatever includes them. Only
the debug information still knows them.
"""

from __future__ import annotations

import bisect
import re
import subprocess
from itertools import pairwise
from pathlib import Path

_FILE = re.compile(r"^(?:CU: )?(/\S+|\S+\.[chS]):$")
_LINE = re.compile(r"^\S+\s+(\d+|-)\s+(0x[0-9a-f]+|0)\b")


class Lines:
    """The line table of an ELF file: from address to source file."""

    def __init__(self, elf: Path, prefix: str) -> None:
        text = subprocess.run(
            [f"{prefix}objdump", "--dwarf=decodedline", str(elf)],
            check=True,
            capture_output=True,
            text=True,
            errors="replace",
        ).stdout
        # The linker shortens AVR code, so each line there has an address of its own, 0 if dropped.
        found = self._parse(text, is_loose=prefix == "avr-")
        self._starts = sorted(found)
        self._files = [found[start] for start in self._starts]

    @staticmethod
    def _parse(text: str, is_loose: bool) -> dict[int, str]:
        found: dict[int, str] = {}
        file = ""
        sequence: list[tuple[int, str]] = []
        for line in text.splitlines():
            named = _FILE.match(line)
            if named:
                file = named[1]
                continue
            entry = _LINE.match(line)
            if not entry:
                continue
            address = int(entry[2], 16)
            if is_loose:
                _keep([(address, file)], None, found)
            elif entry[1] == "-":
                _keep(sequence, address, found)
                sequence = []
            else:
                sequence.append((address, file))
        _keep(sequence, None, found)
        return found

    def file_at(self, address: int) -> str:
        """The source file of the code at an address; empty if nobody knows."""
        index = bisect.bisect_right(self._starts, address) - 1
        return self._files[index] if index >= 0 else ""

    def bytes_from(self, folder: str, start: int, end: int) -> int:
        """How many bytes of [start, end) were compiled from files under a folder."""
        return sum(b - a for a, b, file in self.pieces(start, end) if folder in file)

    def pieces(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """[start, end) in pieces of one source file each: start, end, file."""
        inside = bisect.bisect_right(self._starts, start), bisect.bisect_left(self._starts, end)
        cuts = [start, *self._starts[inside[0] : inside[1]], end]
        return [(a, b, self.file_at(a)) for a, b in pairwise(cuts) if a < b]


def _keep(sequence: list[tuple[int, str]], end: int | None, found: dict[int, str]) -> None:
    """Enter a run of lines, unless it belongs to a section that the linker dropped (address 0)."""
    if not sequence or sequence[0][0] == 0:
        return
    for address, file in sequence:
        found[address] = file
    if end is not None:
        found.setdefault(end, "")
