# SPDX-License-Identifier: Apache-2.0
"""Flash, RAM and stack of drivers' entry points, for comparison with their READMEs.

It is read from the objects of a build, so that nothing is run and nothing waits for a device. A
section of an object is a function or a variable; relocations tell which others it needs, as they
tell the linker.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from corral import ROOT
from corral.build import image as build
from corral.measure.image import is_ram, is_rom
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

_TABLE = re.compile(r"^\| Mechanism \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.M)

#: Groups of functions, each with a figure of flash of its own; the stack is that of all of them.
Roots = Sequence[Collection[str]]
#: Of stack and of flash.
Figures = tuple[list[int], list[int]]


class Section(NamedTuple):
    """A section, by its object's file without suffixes and its name."""

    file: str
    name: str


class _Object:
    """An object of a driver: its sections, and whom each needs."""

    def __init__(self, path: Path) -> None:
        self.sizes: dict[Section, int] = {}
        self.places: dict[str, Section] = {}  # where each symbol is that others see
        self.needs: dict[Section, set[Section | str]] = {}
        self.frames: dict[Section, int] = {}
        self._file = path.name.partition(".")[0]
        with path.open("rb") as file:
            elf = ELFFile(file)
            for section in elf.iter_sections():
                name = self._section(section.name)
                if is_rom(section.name) or is_ram(section.name):
                    self.sizes[name] = section["sh_size"]
            self._read_symbols(elf)
            self._read_needs(elf)
        self._read_frames(path.with_suffix(".su"))

    def _section(self, name: str) -> Section:
        return Section(self._file, name)

    def _read_symbols(self, elf: ELFFile) -> None:
        for symbol in _symbols(elf).iter_symbols():
            number = symbol["st_shndx"]
            if symbol["st_info"]["bind"] == "STB_GLOBAL" and isinstance(number, int):
                self.places[symbol.name] = self._section(elf.get_section(number).name)

    def _read_needs(self, elf: ELFFile) -> None:
        symbols = _symbols(elf)
        for table in elf.iter_sections():
            if not isinstance(table, RelocationSection):
                continue
            needs = self.needs.setdefault(
                self._section(elf.get_section(table["sh_info"]).name), set()
            )
            for relocation in table.iter_relocations():
                symbol = symbols.get_symbol(relocation["r_info_sym"])
                number = symbol["st_shndx"]
                is_here = isinstance(number, int)
                needs.add(self._section(elf.get_section(number).name) if is_here else symbol.name)

    def _read_frames(self, report: Path) -> None:
        for line in report.read_text(encoding="utf-8").splitlines():
            where, size, kind = line.split("\t")
            assert kind in ("static", "dynamic,bounded"), line
            self.frames[self._section(f".text.{where.rpartition(':')[2]}")] = int(size)


def _symbols(elf: ELFFile) -> SymbolTableSection:
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    return table


class Footprint:
    """The objects of one driver in builds that were not optimised at the link.

    Where one build cannot have all of it, those that are missing come from the next.
    """

    def __init__(self, driver: str, *builds: build.Build) -> None:
        found: dict[str, Path] = {}
        for done in builds:
            for path in sorted(done.folder.glob(f"cmake/**/drivers/{driver}/*.obj")):
                found.setdefault(path.name, path)
        assert found, f"nobody has {driver}"
        self.driver = driver
        self._objects = [_Object(path) for path in found.values()]

    @cached_property
    def _places(self) -> dict[str, Section]:
        return {name: place for one in self._objects for name, place in one.places.items()}

    @cached_property
    def _sizes(self) -> dict[Section, int]:
        return {name: size for one in self._objects for name, size in one.sizes.items()}

    @cached_property
    def _frames(self) -> dict[Section, int]:
        return {name: size for one in self._objects for name, size in one.frames.items()}

    @cached_property
    def _needs(self) -> dict[Section, list[Section]]:
        """Of the driver's own sections; functions called beside it are another's."""
        found: dict[Section, list[Section]] = {}
        for one in self._objects:
            for name, needs in one.needs.items():
                places = (self._places.get(n) if isinstance(n, str) else n for n in needs)
                found[name] = [place for place in places if place and place in self._sizes]
        return found

    def reached(self, roots: Collection[str]) -> set[Section]:
        """The parts that the linker keeps for these functions and constants."""
        waiting = [self._places[root] for root in roots]
        found: set[Section] = set()
        while waiting:
            section = waiting.pop()
            if section not in found:
                found.add(section)
                waiting += self._needs.get(section, [])
        return found

    def flash(self, sections: Collection[Section]) -> int:
        return sum(self._sizes[one] for one in sections if is_rom(one.name))

    def ram(self, sections: Collection[Section]) -> int:
        return sum(self._sizes[one] for one in sections if is_ram(one.name))

    def stack(self, roots: Collection[str]) -> int:
        """The deepest way from one of these functions down, within the driver."""
        return max(self._depth(self._places[root], ()) for root in roots)

    def _depth(self, section: Section, above: tuple[Section, ...]) -> int:
        assert section not in above, f"{section} calls itself"
        below = (self._depth(one, (*above, section)) for one in self._called(section))
        return self._frames[section] + max(below, default=0)

    def _called(self, section: Section) -> Iterator[Section]:
        """The functions that a function calls, by itself or through a table of functions."""
        seen = {section}
        open_ = [section]
        while open_:
            for one in self._needs.get(open_.pop(), []):
                if one in seen:
                    continue
                seen.add(one)
                if one in self._frames:
                    yield one
                else:
                    open_.append(one)

    @property
    def readme(self) -> str:
        return (ROOT / "drivers" / self.driver / "README.md").read_text(encoding="utf-8")

    def shared(self, files: Collection[str], roots: Collection[str]) -> set[Section]:
        """The parts of some files of the driver that these functions need."""
        return {one for one in self.reached(roots) if one.file in files}

    def stated(self, rows: Collection[str]) -> dict[str, Figures]:
        """The table of the README, by how its rows begin; one that is not among them is whole."""
        table = _TABLE.search(self.readme)
        assert table, f"{self.driver}: no table"
        found = {}
        for row in table[1].splitlines():
            mechanism, _, _, stack, flash, *_ = re.split(r" *\| *", row.removeprefix("| "))
            name = next((name for name in rows if mechanism.startswith(name)), mechanism)
            found[name] = _numbers(stack), _numbers(flash)
        return found

    def taken(self, rows: Mapping[str, Roots], base: set[Section]) -> dict[str, Figures]:
        """The figures of each row: the deepest stack, and the flash of each group beside a base."""
        return {
            name: (
                [self.stack([root for group in groups for root in group])],
                [self.flash(self.reached(group) - base) for group in groups],
            )
            for name, groups in rows.items()
        }


def _numbers(text: str) -> list[int]:
    """Those that are no part of a name."""
    return [int(number) for number in re.findall(r"(?<![\w-])\d+(?!\w)", text)]
