# SPDX-License-Identifier: Apache-2.0
"""Which source file each address of an image was compiled from: its debug lines.

Functions that are generated into headers, the dispatch, become part of whatever includes them. Only
the debug information still knows them.
"""

from __future__ import annotations

import bisect
import os
from itertools import pairwise
from pathlib import Path

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.lineprogram import LineProgram
from elftools.elf.elffile import ELFFile


class Lines:
    """The line table of an ELF file: from address to source file."""

    def __init__(self, elf: Path) -> None:
        found: dict[int, str] = {}
        with elf.open("rb") as file:
            dwarf = ELFFile(file).get_dwarf_info()
            for unit in dwarf.iter_CUs():
                program = dwarf.line_program_for_CU(unit)
                if program is not None:
                    _enter(program, _names(program, unit), found)
        self._starts = sorted(found)
        self._files = [found[start] for start in self._starts]

    def file_at(self, address: int) -> str:
        """The source file of the code at an address; empty if unknown."""
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


def _names(program: LineProgram, unit: CompileUnit) -> list[str]:
    """The paths of the files of a unit, in the order of its line table's numbers."""
    place = unit.get_top_DIE().attributes.get("DW_AT_comp_dir")
    place_name = Path(os.fsdecode(place.value) if place else "")
    folders = [place_name / os.fsdecode(name) for name in program.header.include_directory]
    if program.header.version < 5:
        # Numbers began at 1; folder 0 is where the compiler ran.
        folders.insert(0, place_name)
    names = [str(folders[e.dir_index] / os.fsdecode(e.name)) for e in program.header.file_entry]
    return names if program.header.version >= 5 else ["", *names]


def _enter(program: LineProgram, names: list[str], found: dict[int, str]) -> None:
    """Enter what a unit was compiled to, but what the linker dropped, which begins at 0."""
    sequence: list[tuple[int, str]] = []
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if not state.end_sequence:
            sequence.append((state.address, names[state.file]))
            continue
        if sequence and sequence[0][0] != 0:
            found.update(sequence)
            found.setdefault(state.address, "")
        sequence = []
