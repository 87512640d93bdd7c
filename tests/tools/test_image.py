# SPDX-License-Identifier: Apache-2.0
"""A linked image's tables: the places of functions, and their sources."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corral.errors import CorralError
from corral.measure.image import Image

_HEADER = "__attribute__((noinline)) static int inner(int x) { return 3 * x; }\n"
_SOURCE = """\
#include "gen/inner.h"
int outer(int x);
int outer(int x) { return inner(x) + 1; }
int last(int x);
__attribute__((noinline)) int last(int x) { return x - 7; }
int variable = 1;
int main(void) { return outer(variable) + last(variable); }
"""


@pytest.fixture(scope="module", params=["4", "5"])
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """A program of the host, with debug information of this version."""
    folder = tmp_path_factory.mktemp("an imäge")
    (folder / "core" / "gen").mkdir(parents=True)
    (folder / "core" / "gen" / "inner.h").write_text(_HEADER)
    (folder / "core" / "a.c").write_text(_SOURCE)
    flags = ["-O1", f"-gdwarf-{request.param}", "-ffunction-sections", "-no-pie"]
    command = ["gcc", *flags, "core/a.c", "-o", "a.elf", "-Wl,-Map=a.map"]
    subprocess.run(command, cwd=folder, check=True)
    return Image(folder / "a.elf", folder / "a.map")


def test_each_function_has_the_source_that_it_was_written_in(image: Image) -> None:
    """Also that which follows a function from a header, in a section of its own."""
    sources = {
        name: image.lines.file_at(image.symbols[name][0])
        for name in ("inner", "outer", "last", "main")
    }
    folder = image.elf.parent / "core"
    assert sources == {
        "inner": str(folder / "gen" / "inner.h"),
        "outer": str(folder / "a.c"),
        "last": str(folder / "a.c"),
        "main": str(folder / "a.c"),
    }


def test_bytes_are_told_apart_by_source(image: Image) -> None:
    address, size = image.symbols["inner"]
    assert image.lines.bytes_from("/gen/", address, address + size) == size > 0
    address, size = image.symbols["last"]
    assert image.lines.bytes_from("/gen/", address, address + size) == 0
    assert image.lines.bytes_from("/core/", address, address + size) == size > 0


def test_symbols_are_functions_and_variables_with_their_size(image: Image) -> None:
    assert image.symbols["variable"][1] == 4
    assert image.symbols["main"][0] > 0 and "a.c" not in image.symbols


def test_image_without_its_map_is_not_built(image: Image) -> None:
    with pytest.raises(CorralError, match="without its map"):
        Image(image.elf, Path(f"{image.elf}.map"))
