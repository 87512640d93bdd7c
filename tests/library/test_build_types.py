# SPDX-License-Identifier: Apache-2.0
"""Published vectors pass whatever a project's build type, compiler and processor are.

Each run tries one combination, and another one after each change of the library. --long tries all.
CORRAL_COMBINATION=NAME repeats one; it may be a pattern of names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from alone import alone
from harness.areas import is_long

from .project import ROOT, Project
from .vectors_program import Combination, combinations, write

FRONT_DOOR = ROOT / "corral"
#: In the environment: a pattern of the names of combinations to try.
ASKED = "CORRAL_COMBINATION"
#: -O3 and the accesses of Mbed TLS to words at any address: wrong tags of AES-GCM once.
ALWAYS = "mbedtls-corral_library-Release-gcc-plain-riscv32"
_LTO = "set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)\n"
_PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(mine C ASM)
{before}
add_executable(app {sources})
target_compile_options(app PRIVATE -fno-lto -DCORRAL_CALL_UNWANTED)
target_link_options(app PRIVATE {options})
target_link_libraries(app PRIVATE {libraries})
"""


def chosen() -> list[Combination]:
    every = list(combinations())
    if pattern := os.environ.get(ASKED):
        return [one for one in every if re.fullmatch(pattern, str(one))]
    if is_long():
        return every
    share = alone.share_of_tree(len(every))
    return [one for one in every if str(one) == ALWAYS or one is every[share]]


@pytest.mark.parametrize("combination", chosen(), ids=str)
def test_vectors_pass(
    combination: Combination, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    record_property("tells", f"library: {ASKED}={combination}")
    mine = Project(tmp_path)
    sources = write(mine, combination.driver, combination.machine.board)
    build(mine, combination, sources)
    said = mine.run(*combination.machine.command(tmp_path / "out" / "app")).stdout
    (passed, failed) = re.findall(r"^(\d+) passed, (\d+) failed", said, re.M)[-1]
    assert failed == "0", said[-4000:]
    assert int(passed) > 0, said[-4000:]


def build(mine: Project, combination: Combination, sources: list[str]) -> None:
    """By CMake, which has the library as the combination says."""
    machine = combination.machine
    port = machine.port()
    options = [f"-DCMAKE_BUILD_TYPE={combination.build_type}"]
    libraries = f"crypto corral::port::{port} crypto"
    before = _LTO if combination.has_lto else ""
    if combination.way == "library":
        kind = ("--build-type", combination.build_type)
        words = (machine.board, "--prefix", "dist", *kind)
        mine.done(FRONT_DOOR, "library", "crypto.config", *words)
        before += "find_package(corral REQUIRED)"
        options.append(f"-DCMAKE_FIND_ROOT_PATH={mine.folder}/dist")
        options.append(f"-DCMAKE_PREFIX_PATH={mine.folder}/dist")
        libraries = f"corral::corral corral::port::{port} corral::corral"
    elif combination.way == "export":
        mine.done(FRONT_DOOR, "export", "crypto.config", machine.board, "crypto")
        before += "add_subdirectory(crypto)"
        libraries = "crypto"
    else:
        before += f"add_subdirectory({ROOT} corral)\n"
        before += f"corral_library(crypto CONFIG crypto.config BOARD {machine.board})"
    if machine.is_native:
        options.append(f"-DCMAKE_C_COMPILER={combination.compiler}")
        libraries += " -pthread"
    else:
        options += ["--toolchain", "toolchain.cmake"]
    mine.write(
        {
            "toolchain.cmake": "set(CMAKE_SYSTEM_NAME Generic)\n"
            f"set(CMAKE_SYSTEM_PROCESSOR {machine.processor})\n"
            f"set(CMAKE_C_COMPILER {machine.compiler()})\n"
            "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n"
            f'set(CMAKE_C_FLAGS_INIT "{" ".join(machine.cflags())}")\n'
            f'set(CMAKE_ASM_FLAGS_INIT "{" ".join(machine.cflags())}")\n',
            "CMakeLists.txt": _PROJECT.format(
                before=before,
                sources=" ".join(sources),
                options=" ".join(machine.link_options()),
                libraries=libraries,
            ),
        }
    )
    mine.configure(*options)
    mine.build()
