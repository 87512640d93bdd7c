# SPDX-License-Identifier: Apache-2.0
"""The owner of each byte of a linked image: read from the linker map and the symbol table."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from corral.errors import fail
from corral.measure.lines import Lines

# One contribution of an object file: " .text.name  0xADDRESS  0xSIZE  FILE", the name possibly on
# a line of its own when it is long.
_SECTION = re.compile(
    r"^ (?P<section>\.[\w.$-]+|COMMON)(?:\n|\s)\s*0x(?P<address>[0-9a-f]+)"
    r"\s+0x(?P<size>[0-9a-f]+)\s+(?P<file>\S.*)$",
    re.M,
)

#: The parts that a build is split into, in the order of reports. `element` is the driver of a
#: secure element: the chip's protocol, which elsewhere is a vendor's library.
PARTS = (
    "core",
    "dispatch",
    "glue",
    "storage",
    "update",
    "random",
    "element",
    "backend",
    "port",
    "application",
    "libc",
    "other",
)

#: The layer is the price of the API for an application: not the library, not the
#: generator's work, and not the protocol of a chip.
LAYER = ("core", "dispatch", "glue", "storage", "update")

_ROM = (".text", ".rodata", ".data", ".init", ".fini", ".vectors", ".ARM.ex", ".progmem")


@dataclass(frozen=True)
class Range:
    """Bytes that one input section of one object file occupies in the image."""

    address: int
    size: int
    section: str
    file: str
    part: str


def part_of(file: str, elements: frozenset[str] = frozenset()) -> str:
    """The part of the product that a file belongs to, from its path.

    `elements` names the drivers of secure elements: they count as a part of their own.
    """
    path = file.replace("\\", "/")
    if "/packages/" in path:
        return "backend"
    driver = re.search(r"/drivers/(\w+)/", path)
    if driver and driver[1] in elements:
        return "element"
    if re.search(r"/core/random/|/(random|entropy|drbg)\.c", path):
        return "random"
    for folder, part in (
        ("/core/", "core"),
        ("/storage/", "storage"),
        ("/update/", "update"),
        ("/gen/", "dispatch"),
        ("/drivers/", "glue"),
        ("/ports/", "port"),
        ("/include/psa/", "core"),  # inlined somewhere, where only the source is known
        ("/include/corral/", "core"),
        ("/apps/", "application"),
        ("/tests/", "application"),
    ):
        if folder in path:
            return part
    if re.search(r"lib(c|gcc|m|semihost)[^/]*\.a|crt\w*\.o", path):
        return "libc"
    return "other"


#: Where avr-ld puts RAM, whose addresses begin at 0 like those of flash.
AVR_RAM = 0x800000


def _section_at(section: str, address: int) -> str:
    """AVR keeps constants in RAM, where start-up puts them: they are variables with a value."""
    is_constant = section.startswith(".rodata") and address >= AVR_RAM
    return f".data{section}" if is_constant else section


def is_rom(section: str) -> bool:
    """Whether an input section takes room in flash."""
    return section.startswith(_ROM)


def is_ram(section: str) -> bool:
    """Whether an input section takes room in RAM."""
    return section.startswith((".data", ".bss", "COMMON", ".tbss", ".tdata"))


@dataclass(frozen=True)
class Section:
    """The part of one object file in an image, from the linker's map."""

    address: int
    size: int
    section: str
    file: str


def sections(map_file: Path) -> Iterator[Section]:
    """The sections of objects that take room in flash or RAM."""
    text = map_file.read_text(errors="replace")
    start = text.find("Linker script and memory map")
    for m in _SECTION.finditer(text, max(start, 0)):
        size = int(m["size"], 16)
        if size > 0 and (is_rom(m["section"]) or is_ram(m["section"])):
            yield Section(int(m["address"], 16), size, m["section"], m["file"].strip())


def symbols_of(elf: Path) -> dict[str, tuple[int, int]]:
    """Where each function and variable is, and its size."""
    with elf.open("rb") as file:
        image = ELFFile(file)
        table = image.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection), f"{elf} has no symbols"
        found = {}
        for symbol in table.iter_symbols():
            kind, address = symbol["st_info"]["type"], symbol["st_value"]
            if symbol["st_shndx"] == "SHN_UNDEF" or kind in ("STT_SECTION", "STT_FILE"):
                continue
            if image["e_machine"] == "EM_ARM" and kind == "STT_FUNC":
                address &= ~1  # the lowest bit says which instructions it is of
            if not symbol.name.startswith("$"):  # where instructions end and data begin
                found[symbol.name] = (address, symbol["st_size"])
    return found


class Image:
    """A linked ELF file with its map."""

    def __init__(
        self,
        elf: Path,
        map_file: Path,
        elements: Iterable[str] = (),
        known: Mapping[str, str] | None = None,
    ) -> None:
        """`known`: parts_of_data() of the same program without link-time optimisation, which
        leaves no trace of where data come from."""
        if not elf.is_file() or not map_file.is_file():
            raise fail(str(elf), f"not built, or without its map {map_file.name}", "build it first")
        self.elf = elf
        opaque = frozenset(elements)
        self._known = known or {}
        ranges = [
            Range(
                one.address,
                one.size,
                _section_at(one.section, one.address),
                one.file,
                part_of(one.file, opaque),
            )
            for one in sections(map_file)
        ]
        if any(".ltrans" in r.file for r in ranges):
            ranges = [piece for r in ranges for piece in self._by_source(r, opaque)]
        self.ranges = sorted(ranges, key=lambda r: r.address)
        self._starts = [r.address for r in self.ranges]
        self.symbols = symbols_of(elf)

    def _by_source(self, whole: Range, opaque: frozenset[str]) -> list[Range]:
        """A section made by link-time optimisation, in pieces by source file."""
        if ".ltrans" not in whole.file:
            return [whole]
        end = whole.address + whole.size
        if not whole.section.startswith(".text"):
            plain = re.sub(r"\.lto_priv\.\d+$", "", whole.section)
            return [replace(whole, part=self._known.get(plain, "other"))]
        return [
            Range(a, b - a, whole.section, file, part_of(file, opaque))
            for a, b, file in self.lines.pieces(whole.address, end)
        ]

    def parts_of_data(self) -> dict[str, str]:
        """Which part each section of data belongs to, by its name."""
        return {r.section: r.part for r in self.ranges if not r.section.startswith(".text")}

    @cached_property
    def lines(self) -> Lines:
        """The source of each address."""
        return Lines(self.elf)

    def part_at(self, address: int) -> str:
        """The part that owns the code or data at an address."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index >= 0:
            found = self.ranges[index]
            if found.address <= address < found.address + found.size:
                return found.part
        return "other"

    def source_part_at(self, address: int) -> str:
        """The same, with dispatch told apart from the function that it became part of."""
        part = self.part_at(address)
        is_ours = part in ("core", "glue", "random", "element")
        return "dispatch" if is_ours and "/gen/" in self.lines.file_at(address) else part

    def rom(self) -> dict[str, int]:
        """Bytes of flash by part: code, constants, and the initial values of variables."""
        totals = self._sum(is_rom)
        code: dict[str, int] = {}  # of each object of glue, and how much of it is a library's
        library: dict[str, int] = {}
        for r in self.ranges:
            if r.section.startswith(".text") and r.part in ("core", "glue"):
                end = r.address + r.size
                generated = self.lines.bytes_from("/gen/", r.address, end)
                totals["dispatch"] += generated
                included = self.lines.bytes_from("/packages/", r.address, end)
                totals["backend"] += included
                totals[r.part] -= generated + included
                code[r.file] = code.get(r.file, 0) + r.size
                library[r.file] = library.get(r.file, 0) + included
        # Debug lines know nothing of constants: those of glue that includes its library are its.
        for r in self.ranges:
            if r.part == "glue" and is_rom(r.section) and not r.section.startswith(".text"):
                moved = r.size if 2 * library.get(r.file, 0) > code.get(r.file, 0) else 0
                totals["glue"] -= moved
                totals["backend"] += moved
        return totals

    def ram(self) -> dict[str, int]:
        """Bytes of static RAM by part, without stack and heap."""
        return self._sum(is_ram)

    def _sum(self, belongs: Callable[[str], bool]) -> dict[str, int]:
        totals = dict.fromkeys(PARTS, 0)
        for r in self.ranges:
            if belongs(r.section):
                totals[r.part] += r.size
        return totals
