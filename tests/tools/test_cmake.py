# SPDX-License-Identifier: Apache-2.0
"""Existing folders of CMake: later changes reach them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from corral import ROOT
from corral.build import image as build
from corral.common.cmake import Folder, quote
from corral.common.progress import first_error
from corral.errors import CorralError

PROJECT = """\
cmake_minimum_required(VERSION 3.18)
set(CMAKE_C_COMPILER {compiler})
project(tiny C)
add_executable(tiny tiny.c)
"""
INCLUDES = """\
#include <stdio.h>
#if __has_include(<tiny_of_the_environment.h>)
#include <tiny_of_the_environment.h>
#else
#define SAID "ours"
#endif
int main(void) { return printf(SAID) < 0; }
"""
WRAPPER = '#!/bin/sh\n[ "$1" = --version ] && echo "{version}"\nexec gcc "$@"\n'


class Tiny:
    """A project of one file, and compilers that one can tell apart."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.bin = root / "bin"
        self.source = root / "source"
        self.folder = root / "a folder"
        self.bin.mkdir()
        self.source.mkdir()
        (self.source / "tiny.c").write_text("int main(void) { return 0; }\n")

    def compiler(self, name: str, version: str = "1") -> None:
        (self.bin / name).write_text(WRAPPER.format(version=version))
        (self.bin / name).chmod(0o755)

    def build(self, compiler: str) -> None:
        (self.source / "CMakeLists.txt").write_text(PROJECT.format(compiler=compiler))
        Folder(self.source, self.folder, compiler).build("tiny", "correct it")

    def rules(self) -> str:
        return (self.folder / "CMakeFiles" / "rules.ninja").read_text()

    def says(self) -> str:
        return subprocess.check_output([self.folder / "tiny"], text=True)

    def cache(self) -> str:
        return (self.folder / "CMakeCache.txt").read_text()


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    made = Tiny(tmp_path)
    monkeypatch.setenv("PATH", f"{made.bin}:{os.environ['PATH']}")
    made.compiler("one")
    made.build("one")
    (made.folder / "kept").touch()
    return made


def test_folder_stays_as_long_as_nothing_changes(tiny: Tiny) -> None:
    tiny.build("one")
    assert (tiny.folder / "kept").exists()


def test_another_compiler_is_used(tiny: Tiny) -> None:
    tiny.compiler("two")
    tiny.build("two")
    assert f"{tiny.bin}/two" in tiny.rules()
    assert f"{tiny.bin}/one" not in tiny.rules()


def test_updated_compiler_compiles_everything_again(tiny: Tiny) -> None:
    tiny.compiler("one", version="2")
    tiny.build("one")
    assert not (tiny.folder / "kept").exists()


def test_flags_of_the_environment_are_used(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", "-DOTHER")
    tiny.build("one")
    assert "CMAKE_C_FLAGS:STRING=-DOTHER" in tiny.cache()


@pytest.mark.parametrize("name", ["CPATH", "C_INCLUDE_PATH"])
def test_header_that_the_environment_finds_is_compiled_with(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Also if the same was compiled before without it, and without it again."""
    (tiny.source / "tiny.c").write_text(INCLUDES)
    tiny.build("one")
    assert tiny.says() == "ours"
    (tiny.root / "theirs").mkdir()
    (tiny.root / "theirs" / "tiny_of_the_environment.h").write_text('#define SAID "theirs"\n')
    monkeypatch.setenv(name, str(tiny.root / "theirs"))
    tiny.build("one")
    assert tiny.says() == "theirs"
    monkeypatch.delenv(name)
    tiny.build("one")
    assert tiny.says() == "ours"


def test_moved_folder_is_built_where_it_is(tiny: Tiny) -> None:
    tiny.folder = tiny.folder.replace(tiny.root / "moved")
    tiny.build("one")
    assert str(tiny.root / "moved") in tiny.cache()
    source = tiny.source.replace(tiny.root / "moved source")
    tiny.source = source
    tiny.build("one")
    assert str(source) in tiny.cache()


def test_compiler_that_is_not_there_is_named_with_its_file(tiny: Tiny) -> None:
    with pytest.raises(CorralError, match="system: three is not installed: install it"):
        tiny.build("three")


def test_changed_prefix_of_a_board_reaches_its_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = tmp_path / "mine"
    board.mkdir()
    native = (ROOT / "boards" / "native" / "board.toml").read_text()
    for tool in ("gcc", "nm"):
        for prefix in ("one-", "two-"):
            (tmp_path / f"{prefix}{tool}").symlink_to(str(shutil.which(tool)))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    name = os.path.relpath(board, ROOT / "boards")
    for prefix in ("one-", "two-"):
        (board / "board.toml").write_text(native.replace('prefix = ""', f'prefix = "{prefix}"'))
        done = build.build("hmac", name, build.Options(name="tests/cli/prefix"))
        commands = json.loads((done.folder / "cmake" / "compile_commands.json").read_text())
        compiler = str(tmp_path / f"{prefix}gcc")
        assert all(compiler in shlex.split(entry["command"]) for entry in commands)


def test_any_character_reaches_cmake_as_it_is() -> None:
    assert quote(["a b", 'c"d', "${e}", "f;g\\"]) == '"a b" "c\\"d" "\\${e}" "f\\;g\\\\"'


COMPILER = """\
[1/3] Building C object a.o
FAILED: b.o
/usr/bin/gcc -c b.c
In file included from /b.c:1:
/b.h:3:1: error: unknown type name 'foo'
    3 | foo bar;
      | ^~~
/b.c:9:1: error: second
[2/3] Building C object error.o
ninja: build stopped: subcommand failed.
"""
LINKER = """\
FAILED: image
/usr/bin/gcc -o image
/usr/bin/ld: main.o: in function `main':
main.c:7: undefined reference to `nothere'
collect2: error: ld returned 1 exit status
"""

LINKED = "/usr/bin/ld: warning: a.o requires executable stack\n"
FULL = """\
FAILED: image
/usr/bin/ld: region `CODE' overflowed by 8 bytes
collect2: error: ld returned 1 exit status
"""


@pytest.mark.parametrize(
    ("output", "first", "last"),
    [
        (COMPILER, "In file included from /b.c:1:", "      | ^~~"),
        (LINKER, "/usr/bin/ld: main.o: in", "main.c:7: undefined reference to `nothere'"),
        (f"{LINKED}[1/2] x\n{FULL}", "/usr/bin/ld: region", "by 8 bytes"),
        ("-- x\nCMake Error at C.txt:3 (m):\n  no\n\n-- Configuring", "CMake Error at", "  no"),
        ("".join(f"{i}\n" for i in range(40)), "28", "39"),
        ("", "", ""),
    ],
    ids=["compiler", "linker", "full", "cmake", "unknown", "silent"],
)
def test_first_error_is_shown(output: str, first: str, last: str) -> None:
    shown = first_error(output)
    assert shown.startswith(first) and shown.endswith(last)
    assert "second" not in shown
