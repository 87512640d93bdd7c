# SPDX-License-Identifier: Apache-2.0
"""Objects that the builds of the tests share: when, and when not."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "#include <number.h>\nint number(void) { return NUMBER; }\n"
CLOCK_REALTIME_COARSE = 5  # of Linux; Python has no name for it
OPTIONS = ("-g", "-O1", "-fstack-usage")


@cache
def program() -> Path:
    """As the builds make it (cmake/corral.cmake)."""
    path = ROOT / "build" / "tests" / f"share_object-{os.getpid()}"
    path.parent.mkdir(parents=True, exist_ok=True)
    warnings = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
    own = [ROOT / "cmake" / "share_object.c", "-o", path]
    subprocess.run(["cc", "-std=gnu11", "-O2", *warnings, *own], check=True)
    return path


@pytest.fixture(scope="module", autouse=True)
def _removed_after_the_tests() -> Iterator[None]:
    yield
    program().unlink()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source that is outside the builds, as those of packages are."""
    path = tmp_path / "number.c"
    path.write_text(SOURCE, encoding="ascii")
    return path


def until_later_than(path: Path) -> None:
    """Until the clock that files have their times by has made its next step, a few milliseconds:
    what is as new as the compiler's start is taken for changed meanwhile."""
    while time.clock_gettime_ns(CLOCK_REALTIME_COARSE) <= path.stat().st_ctime_ns:
        pass


def compiled(
    source: Path,
    build: str = "one",
    header: str = "#define NUMBER 1\n",
    options: tuple[str, ...] = OPTIONS,
    version: str = "gcc-1",
    path: str = os.environ["PATH"],
    depends: tuple[str, ...] = ("-MD", "-MT", "number.o", "-MF", "number.o.d"),
    name: str = "number.o",
    mode: tuple[str, ...] = (),
) -> tuple[int, Path]:
    """How many objects are kept after a build compiled the source; and its own object."""
    folder, kept = source.parent / build, source.parent / "kept"
    (folder / "gen").mkdir(parents=True, exist_ok=True)
    (folder / "gen" / "number.h").write_text(header, encoding="ascii")
    until_later_than(folder / "gen" / "number.h")
    script = [str(program()), *mode, str(kept), str(folder), version]
    command = ["gcc", f"-I{folder}/gen", *options, *depends]
    done = subprocess.run(
        [*script, *command, "-o", name, "-c", str(source)],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return len(list(kept.glob("*.o"))), folder / name


#: The compiler is never asked for the text: so our own sources are shared.
BY_FILES = ("--by-files",)


def replaced_compiler(folder: Path, script: str) -> str:
    """A search path on which this is the compiler, written for sh."""
    (folder / "gcc").write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    (folder / "gcc").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_the_same_text_is_compiled_once_for_two_builds(source: Path) -> None:
    _, one = compiled(source)
    count, other = compiled(source, "other")
    assert count == 1
    assert one.read_bytes() == other.read_bytes()
    assert one.with_suffix(".su").read_text() == other.with_suffix(".su").read_text()


def test_stack_of_an_object_comes_with_it_also_where_boards_name_it_otherwise(source: Path) -> None:
    compiled(source, name="number.obj")
    count, other = compiled(source, "other", name="number.obj")
    assert count == 1
    assert "number" in other.with_suffix(".su").read_text()


def test_object_without_content_is_made_anew(source: Path) -> None:
    compiled(source)
    (kept,) = (source.parent / "kept").glob("*.o")
    kept.write_bytes(b"")
    assert compiled(source, "other")[1].stat().st_size > 0


def test_each_build_knows_what_it_included(source: Path) -> None:
    compiled(source)
    _, other = compiled(source, "other")
    assert str(other.parent / "gen" / "number.h") in other.with_suffix(".o.d").read_text()


@pytest.mark.parametrize("mode", [(), BY_FILES])
def test_the_same_command_does_not_ask_the_compiler_again(
    source: Path, tmp_path: Path, mode: tuple[str, ...]
) -> None:
    without = replaced_compiler(tmp_path, "exit 1")
    with pytest.raises(AssertionError):
        compiled(source, path=without, mode=mode)
    _, one = compiled(source, mode=mode)
    count, other = compiled(source, "other", path=without, mode=mode)
    assert count == 1
    assert one.read_bytes() == other.read_bytes()
    assert one.with_suffix(".su").read_text() == other.with_suffix(".su").read_text()
    read = other.with_suffix(".o.d").read_text().split()
    assert read[0] == "number.o:"
    assert set(read[1:]) >= {str(source), str(other.parent / "gen" / "number.h")}
    with pytest.raises(AssertionError):
        compiled(source, "other", "#define NUMBER 2\n", path=without, mode=mode)


def test_by_files_the_compiler_is_called_once(source: Path, tmp_path: Path) -> None:
    gcc = shutil.which("gcc")
    path = replaced_compiler(tmp_path, f'echo >> {tmp_path}/calls; exec {gcc} "$@"')
    compiled(source, path=path, mode=BY_FILES)
    assert (tmp_path / "calls").read_text() == "\n"


def test_by_files_outputs_may_have_other_names(source: Path) -> None:
    """As those of generated sources have, which CMake calls by the path of the build."""
    _, one = compiled(source, name="one.o", mode=BY_FILES)
    depends = ("-MD", "-MT", "other.o", "-MF", "other.o.d")
    count, other = compiled(source, "other", name="other.o", depends=depends, mode=BY_FILES)
    assert count == 1
    assert one.read_bytes() == other.read_bytes()
    assert other.with_suffix(".o.d").read_text().startswith("other.o: ")


@pytest.mark.parametrize(
    "change",
    [
        {"header": "#define NUMBER 2\n"},
        {"header": "#define NUMBER 1\n#define UNUSED 2\n"},
        {"options": ("-g", "-O2", "-fstack-usage")},
        {"version": "gcc-1-another-configuration"},
    ],
)
def test_by_files_whatever_is_not_the_same_is_compiled_anew(
    source: Path, change: Mapping[str, Any]
) -> None:
    compiled(source, mode=BY_FILES)
    assert compiled(source, "other", mode=BY_FILES, **change)[0] == 2
    assert compiled(source, "third", mode=BY_FILES)[0] == 2


def test_by_files_nothing_is_kept_of_a_file_that_changed_meanwhile(
    source: Path, tmp_path: Path
) -> None:
    """What was compiled is then not what the file has."""
    gcc, header = shutil.which("gcc"), source.parent / "one" / "gen" / "number.h"
    change = f"echo '#define NUMBER 2' > {header}"
    path = replaced_compiler(tmp_path, f'{gcc} "$@" && {change}')
    assert compiled(source, path=path, mode=BY_FILES)[0] == 0
    count, other = compiled(source, "other", "#define NUMBER 2\n", mode=BY_FILES)
    assert count == 1
    assert other.read_bytes() != (source.parent / "one" / "number.o").read_bytes()


def test_command_that_tells_nothing_of_what_it_reads_is_asked_each_time(source: Path) -> None:
    compiled(source, depends=())
    assert compiled(source, "other", "#define NUMBER 2\n", depends=())[0] == 2
    assert not list((source.parent / "kept").glob("*.list"))


def test_header_that_changes_and_comes_back_is_noticed(source: Path) -> None:
    first = compiled(source)[1].read_bytes()
    count, changed = compiled(source, header="#define NUMBER 2\n")
    assert count == 2 and changed.read_bytes() != first
    count, back = compiled(source)
    assert count == 2 and back.read_bytes() == first


def test_list_keeps_what_was_compiled_before(source: Path, tmp_path: Path) -> None:
    for number in (1, 2):
        compiled(source, header=f"#define NUMBER {number}\n")
    without = replaced_compiler(tmp_path, "exit 1")
    for number in (1, 2):
        header = f"#define NUMBER {number}\n"
        assert compiled(source, "other", header, path=without)[0] == 2


def test_macro_that_the_text_does_not_use_changes_nothing(source: Path) -> None:
    compiled(source)
    assert compiled(source, "other", "#define NUMBER 1\n#define UNUSED 2\n")[0] == 1
    assert compiled(source, "third", options=(*OPTIONS, "-DUNUSED=2"))[0] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"header": "#define NUMBER 2\n"},
        {"options": ("-g", "-O2", "-fstack-usage")},
        {"options": (*OPTIONS, "-UNUMBER", "-fno-inline")},
        {"version": "gcc-2"},
    ],
)
def test_other_text_or_option_or_compiler_is_compiled_anew(
    source: Path, change: Mapping[str, Any]
) -> None:
    compiled(source)
    assert compiled(source, "other", **change)[0] == 2


def test_source_that_does_not_compile_keeps_nothing(source: Path) -> None:
    source.write_text("int number(void) { return unknown; }\n", encoding="ascii")
    with pytest.raises(AssertionError, match="unknown"):
        compiled(source)
    assert not (source.parent / "kept").exists()
