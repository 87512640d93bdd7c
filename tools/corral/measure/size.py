# SPDX-License-Identifier: Apache-2.0
"""./corral size: the users of flash and RAM in one build, for when one of them is full."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from corral.build import image as build
from corral.common.table import align
from corral.measure.image import LAYER, PARTS, Image, is_ram, is_rom

_MEANING = {
    "core": "the API: keys, policies, checks",
    "dispatch": "generated: selects the driver of each call",
    "glue": "drivers, without the libraries that they call",
    "storage": "entries in flash or files, and their protection",
    "random": "the generator and its health tests",
    "element": "the protocol of secure elements",
    "backend": "libraries",
    "port": "the board",
    "application": "",
    "libc": "the C library and the compiler's",
    "other": "",
}


def image_of(done: build.Build, plain: Image | None = None) -> Image:
    """The linked image of a build, with its map; `plain`: the same without LTO, if it has it."""
    return _read(done, done.image, plain)


def _read(done: build.Build, file: Path, plain: Image | None = None) -> Image:
    elements = {element.driver for element in done.board.elements}
    map_file = file.with_name(f"{file.name}.map")
    return Image(file, map_file, elements, plain.parts_of_data() if plain else None)


def _frames(folder: Path) -> Iterator[tuple[int, str, str]]:
    """The stack frames that the compiler reports: bytes, function, file."""
    for file in folder.glob("cmake/**/*.su"):
        for line in file.read_text(errors="replace").splitlines():
            where, size, _kind = line.split("\t")
            path, _line, _column, function = where.rsplit(":", 3)
            yield int(size), function, path


def _parts_table(image: Image) -> str:
    rom, ram = image.rom(), image.ram()
    rows = [["part", "ROM", "RAM", ""]]
    for part in PARTS:
        if rom[part] or ram[part]:
            rows.append([part, str(rom[part]), str(ram[part]), _MEANING[part]])
    layer = [str(sum(memory[part] for part in LAYER)) for memory in (rom, ram)]
    rows.append(["the layer", *layer, " + ".join(LAYER)])
    rows.append(["all", str(sum(rom.values())), str(sum(ram.values())), ""])
    return align(rows, "  ", left=(0, 3))


def _largest(image: Image, count: int) -> str:
    """Input sections are functions and variables: each has one of its own."""
    rows = [["bytes", "in", "part", "symbol", "file"]]
    for r in sorted(image.ranges, key=lambda r: -r.size)[:count]:
        where = "/".join(
            name for name, holds in (("ROM", is_rom), ("RAM", is_ram)) if holds(r.section)
        )
        name = re.sub(r"^\.(text|rodata|data|bss)\.", "", r.section)
        file = re.sub(r"^.*/|\.obj$|\.o$", "", re.sub(r"^.*\((.*)\)$", r"\1", r.file))
        rows.append([str(r.size), where, r.part, name, file])
    return align(rows, "  ", left=range(1, 5))


def _stack_table(image: Image, folder: Path, count: int) -> str:
    linked = set(image.symbols)
    frames = sorted(
        {
            (size, function, Path(path).name)
            for size, function, path in _frames(folder)
            if function in linked
        },
        reverse=True,
    )[:count]
    rows = [["frame", "function", "file"], *([str(s), f, p] for s, f, p in frames)]
    return align([[f, s, p] for s, f, p in rows], "  ")


def report(done: build.Build, count: int, plain: build.Build | None = None) -> str:
    """The report of one build as text; `count` bounds the lists of the largest."""
    image = image_of(done, image_of(plain) if plain else None)
    behind = [_read(done, done.trusted)] if done.trusted else []
    sections = [
        (f"{done.app} on {done.board.name}, bytes of static memory", _parts_table(image)),
        *(("the trusted side", _parts_table(one)) for one in behind),
        ("largest functions and variables", _largest(image, count)),
        (
            "largest stack frames (one function each; ./corral bench measures calls as a whole)",
            _stack_table(image, done.folder, min(count, 10)),
        ),
    ]
    return "\n\n".join(f"{title}\n{body}" for title, body in sections)
