# SPDX-License-Identifier: Apache-2.0
"""./corral size: the users of flash and RAM in one build, for when one of them is full."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from corral.build import image as build
from corral.common.style import heading
from corral.common.table import align
from corral.measure.image import LAYER, PARTS, Image, is_ram, is_rom

_MEANING = {
    "core": "the API: keys, policies, checks",
    "dispatch": "generated: selects the driver of each call",
    "glue": "drivers, without the libraries that they call",
    "storage": "entries in flash or files, and their protection",
    "update": "firmware update",
    "random": "the generator and its health tests",
    "element": "the protocol of secure elements",
    "backend": "libraries",
    "port": "the board",
    "application": "",
    "libc": "the C library and the compiler's",
    "other": "",
}
_SYMBOL = ("bytes", "in", "part", "symbol", "file")
_FRAME = ("frame", "function", "file")


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


def _largest(image: Image, count: int) -> Iterator[tuple[int, str, str, str, str]]:
    """Input sections are functions and variables: each has one of its own."""
    for r in sorted(image.ranges, key=lambda r: -r.size)[:count]:
        where = "/".join(
            name for name, holds in (("ROM", is_rom), ("RAM", is_ram)) if holds(r.section)
        )
        name = re.sub(r"^\.(text|rodata|data|bss)\.", "", r.section)
        file = re.sub(r"^.*/|\.obj$|\.o$", "", re.sub(r"^.*\((.*)\)$", r"\1", r.file))
        yield r.size, where, r.part, name, file


def _largest_frames(image: Image, folder: Path, count: int) -> list[tuple[int, str, str]]:
    linked = set(image.symbols)
    return sorted(
        {
            (size, function, Path(path).name)
            for size, function, path in _frames(folder)
            if function in linked
        },
        reverse=True,
    )[:count]


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]], left: Collection[int]) -> str:
    return align([head, *([str(cell) for cell in row] for row in rows)], "  ", left)


def figures(done: build.Build, count: int, plain: build.Build | None = None) -> dict[str, object]:
    """The report of one build for programs."""
    image = image_of(done, image_of(plain) if plain else None)
    symbols = _largest(image, count)
    frames = _largest_frames(image, done.folder, count)
    result: dict[str, object] = {
        "app": done.app,
        "board": done.board.name,
        "rom": image.rom(),
        "ram": image.ram(),
        "symbols": [dict(zip(_SYMBOL, row, strict=True)) for row in symbols],
        "frames": [dict(zip(_FRAME, row, strict=True)) for row in frames],
    }
    if done.trusted:
        behind = _read(done, done.trusted)
        result["trusted"] = {"rom": behind.rom(), "ram": behind.ram()}
    return result


def report(done: build.Build, count: int, plain: build.Build | None = None) -> str:
    """The report of one build as text; `count` bounds the lists of the largest."""
    image = image_of(done, image_of(plain) if plain else None)
    behind = [_read(done, done.trusted)] if done.trusted else []
    sections = [
        (f"{done.app} on {done.board.name}, bytes of static memory", _parts_table(image)),
        *(("the trusted side", _parts_table(one)) for one in behind),
        (
            "largest functions and variables",
            _table(_SYMBOL, _largest(image, count), range(1, 5)),
        ),
        (
            "largest stack frames (one function each; ./corral bench measures calls as a whole)",
            _table(_FRAME, _largest_frames(image, done.folder, min(count, 10)), range(1, 3)),
        ),
    ]
    return "\n\n".join(f"{heading(title)}\n{body}" for title, body in sections)
