# SPDX-License-Identifier: Apache-2.0
"""A prefix of `./corral library` has all that a program needs, whatever is wanted.

Headers of presets compile in each run. Programs rotate with the tree: tests/alone says how.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alone import alone
from corral.export import library
from corral.model.places import Places
from corral.model.tree import load_tree
from harness.areas import is_long

from .project import ROOT, Project

FRONT_DOOR = ROOT / "corral"
PRESETS = Places(ROOT).presets()
#: Those of boot loaders install the same headers; all are looked at in long runs.
WITH_HEADERS = [name for name in PRESETS if is_long() or not name.startswith("boot-")]
PROGRAMS = ROOT / "tests" / "library" / "presets"
WITH_PROGRAM = sorted(path.parent.name for path in PROGRAMS.glob("*/main.c"))
WARNINGS = ("-Wall", "-Wextra", "-Werror")
FIND = """\
cmake_minimum_required(VERSION 3.18)
project(mine {language})
find_package(corral REQUIRED)
add_executable(app {sources})
target_link_libraries(app PRIVATE {libraries})
target_compile_options(app PRIVATE {options})
"""


def install(mine: Project, config: Path | str, *more: str) -> None:
    mine.done(FRONT_DOOR, "library", config, "native", "--prefix", "dist", *more)


def compile_by_pkg_config(mine: Project, compiler: str, *words: str) -> None:
    module = mine.folder / "dist/lib/pkgconfig/corral.pc"
    found = mine.done("pkg-config", "--cflags", "--libs", module).split()
    rpath = f"-Wl,-rpath,{mine.folder}/dist/lib"
    mine.done(*compiler.split(), *WARNINGS, *words, *found, rpath, "-o", "app")


def compile_by_cmake(mine: Project, sources: list[str], options: list[str], shared: bool) -> None:
    libraries = "corral::corral" if shared else "corral::corral corral::port::posix"
    words = " ".join(f'"{word}"' for word in (*WARNINGS, *options))
    mine.write(
        {
            "CMakeLists.txt": FIND.format(
                language="C", sources=" ".join(sources), libraries=libraries, options=words
            )
        }
    )
    mine.configure(f"-DCMAKE_PREFIX_PATH={mine.folder}/dist")
    mine.build()


def headers_below(include: Path) -> list[str]:
    compat = include / "corral" / "compat"
    found = (path for path in include.rglob("*.h") if not path.is_relative_to(compat))
    return sorted(path.relative_to(include).as_posix() for path in found)


def check_headers(mine: Project, include: str) -> None:
    """Each header compiles without another before it, in C and in C++, with only this folder."""
    for name in headers_below(mine.folder / include):
        mine.write({f"tries/{name}.c": f"#include <{name}>\n"})
    tries = [str(path) for path in sorted((mine.folder / "tries").rglob("*.c"))]
    assert len(tries) > 30
    for words in ("gcc -std=c11", "clang -std=c11", "g++ -x c++", "clang++ -x c++"):
        mine.done(*words.split(), "-fsyntax-only", *WARNINGS, f"-I{include}", *tries)


@pytest.mark.parametrize("name", WITH_HEADERS)
def test_each_header_that_a_preset_installs_compiles_alone(name: str, tmp_path: Path) -> None:
    """Without the library itself, whose compilation takes a minute."""
    settled = tmp_path / "settled"
    library.configure(str(PRESETS[name]), "native", settled, {})
    mine = Project(tmp_path)
    listed = library.installed_headers(settled / "gen")
    for above, names in listed.items():
        for header in names:
            mine.write({f"include/{header}": (above / header).read_text(encoding="utf-8")})
    check_headers(mine, "include")


def combinations() -> Iterator[tuple[str, bool]]:
    """Each preset with a program, static and shared; without --long, one of them."""
    every = [(name, shared) for name in WITH_PROGRAM for shared in (False, True)]
    share = alone.share_of_tree(len(every))
    yield from every if is_long() else every[share : share + 1]


@pytest.mark.parametrize(("name", "shared"), combinations())
def test_program_of_a_preset_runs_by_pkg_config_and_by_find_package(
    name: str, shared: bool, tmp_path: Path
) -> None:
    mine = Project(tmp_path)
    install(mine, PRESETS[name], *(["--shared"] if shared else []))
    check_headers(mine, "dist/include")
    program = str(PROGRAMS / name / "main.c")
    for compiler in ("gcc", "clang"):
        compile_by_pkg_config(mine, compiler, program)
        assert mine.done("./app") == "done\n"
    compile_by_cmake(mine, [program], [], shared)
    assert mine.done("out/app") == "done\n"


def wants() -> Iterator[tuple[alone.Case, bool]]:
    """Each want by itself, static and shared; without --long, one of them."""
    every = [(case, shared) for case in alone.cases(load_tree(ROOT)) for shared in (False, True)]
    share = alone.share_of_tree(len(every))
    yield from every if is_long() else every[share : share + 1]


@pytest.mark.parametrize(
    ("case", "shared"), [pytest.param(*pair, id=f"{pair[0].name}-{pair[1]}") for pair in wants()]
)
def test_want_alone_is_used_from_a_prefix(case: alone.Case, shared: bool, tmp_path: Path) -> None:
    mine = Project(tmp_path)
    drivers = load_tree(ROOT).drivers
    lines = [f"{want}=y\n" for want in sorted(case.wants)]
    lines += [f"{drivers[name].enabled_by}=y\n" for name in case.drivers]
    mine.write({"crypto.config": "".join(lines)})
    install(mine, "crypto.config", *(["--shared"] if shared else []))
    check_headers(mine, "dist/include")
    sources = [str(alone.HERE / name) for name in ("main.c", f"{case.program}.c")]
    compile_by_pkg_config(mine, "gcc", *case.defines, f"-I{alone.HERE}", *sources)
    mine.done("./app")
    compile_by_cmake(mine, sources, [*case.defines, f"-I{alone.HERE}"], shared)
    mine.done("out/app")
