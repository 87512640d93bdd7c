# SPDX-License-Identifier: Apache-2.0
"""corral_library() in CMake projects of others: their toolchain, flags and port."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from .project import (
    BOARD,
    CONFIG,
    MAIN,
    PORT,
    ROOT,
    SPECS,
    Project,
    cmake_lists,
    project,
    qemu,
)
from .vectors_program import MACHINES

LIBRARY = "corral_library(crypto CONFIG crypto.config BOARD boards/mine)"
PROGRAM = "add_executable(app main.c)"
WITH_POSIX = "target_link_libraries(app PRIVATE crypto corral::port::posix)"
#: Flags under which our sources were not written, and which are errors in the project's own.
STRICT = "-Wall -Wextra -Wpedantic -Wcast-qual -Wundef -Wpadded -Werror"

TOOLCHAIN = f"""\
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m4 -mthumb --specs={SPECS}")
"""
MEMORY = {"flash": 0, "flash_size": 0x400000, "ram": 0x20000000, "ram_size": 0x400000}
#: picolibc's own start-up; unused functions are kept.
ON_BOARD = (
    "target_link_options(app PRIVATE --oslib=semihost --crt0=semihost -Wl,--no-gc-sections "
    + " ".join(f"-Wl,--defsym=__{name}={value:#x}" for name, value in MEMORY.items())
    + ")"
)


def commands(made: Project) -> dict[str, str]:
    """The compiler's words for each source."""
    listed = json.loads((made.folder / "out" / "compile_commands.json").read_text())
    return {entry["file"]: entry["command"] for entry in listed}


def test_flags_and_sanitizers_of_the_project_count_and_its_warnings_do_not(tmp_path: Path) -> None:
    made = project(tmp_path, LIBRARY, PROGRAM, WITH_POSIX)
    flags = f"{STRICT.replace('-Wpadded ', '')} -fsanitize=address,undefined -DOWN=1"
    made.configure(f"-DCMAKE_C_FLAGS={flags}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    made.build()
    assert made.done("out/app") == "signed\n"
    for source, command in commands(made).items():
        assert "-fsanitize=address,undefined -DOWN=1" in command
        # Ours follow theirs, so the last word is that there are no warnings.
        assert ("/main.c" in source) != bool(re.search(r"-Werror .* -w ", command)), command


@pytest.mark.parametrize(
    ("options", "optimised"),
    [
        ((), "-Os"),
        (("-DCMAKE_BUILD_TYPE=Debug",), ""),
        (("-DCMAKE_C_FLAGS=-O1",), "-O1"),
        (("-DCMAKE_BUILD_TYPE=Release",), "-O3"),
    ],
    ids=["nothing", "Debug", "flags", "Release"],
)
def test_board_says_how_to_optimise_where_the_project_does_not(
    tmp_path: Path, options: tuple[str, ...], optimised: str
) -> None:
    made = project(tmp_path, LIBRARY)
    made.configure(*options, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    for command in commands(made).values():
        assert re.findall(r" (-O\w+)", command) == ([optimised] if optimised else []), command


def targets(made: Project) -> set[str]:
    made.configure()
    ninja = (made.folder / "out" / "build.ninja").read_text()
    found = re.findall(r"^build (?:cmake_object_order_depends_target_)?(\w+): phony", ninja, re.M)
    return set(found)


def test_target_names_are_in_a_space_of_their_own(tmp_path: Path) -> None:
    made = project(tmp_path, PROGRAM, "add_library(crypto STATIC main.c)")
    without = targets(made)
    made.write({"CMakeLists.txt": cmake_lists(LIBRARY, PROGRAM, WITH_POSIX)})
    ours = targets(made) - without
    assert "corral_crypto_core" in ours
    assert all(name.startswith("corral_") for name in ours), ours


def test_own_port_on_a_cortex_m4_without_collecting_sections(tmp_path: Path) -> None:
    program = "add_executable(app main.c port.c)"
    link = "target_link_libraries(app PRIVATE crypto)"
    made = project(tmp_path, LIBRARY, program, ON_BOARD, link, port=PORT)
    made.write({"arm.cmake": TOOLCHAIN})
    made.configure("--toolchain", "arm.cmake", "-DCMAKE_BUILD_TYPE=MinSizeRel")
    made.build()
    assert "signed" in made.run(*qemu("mps2-an386", "out/app")).stderr
    undefined = made.done("arm-none-eabi-nm", "-u", "out/corral/crypto/crypto.o").split()
    assert [name for name in undefined if "corral" in name] == ["corral_port_entropy"]


def test_assembler_of_a_port_is_compiled_in_a_project_without_its_language(tmp_path: Path) -> None:
    """Since 3.20 CMake tells the compiler a source's language, if the project asks for that: its
    policies count for find_package(corral), which includes the same file."""
    riscv = next(one for one in MACHINES if one.board == "riscv32-virt")
    link = "target_link_libraries(app PRIVATE crypto corral::port::virt crypto)"
    options = f"target_link_options(app PRIVATE {' '.join(riscv.link_options())})"
    library = f"corral_library(crypto CONFIG crypto.config BOARD {riscv.board})"
    head = "cmake_minimum_required(VERSION 3.20)\nproject(mine C)\n"
    lines = (f"include({ROOT}/cmake/library.cmake)", library, PROGRAM, options, link)
    made = Project(tmp_path)
    made.write(
        {
            "crypto.config": CONFIG,
            "main.c": MAIN,
            "CMakeLists.txt": head + "\n".join([*lines, ""]),
            "riscv.cmake": "set(CMAKE_SYSTEM_NAME Generic)\n"
            f"set(CMAKE_SYSTEM_PROCESSOR {riscv.processor})\n"
            f"set(CMAKE_C_COMPILER {riscv.compiler()})\n"
            "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n"
            f'set(CMAKE_C_FLAGS_INIT "{" ".join(riscv.cflags())}")\n',
        }
    )
    made.configure("--toolchain", "riscv.cmake", "-DCMAKE_BUILD_TYPE=MinSizeRel")
    made.build()
    assert "signed" in made.run(*riscv.command(tmp_path / "out" / "app")).stdout


@pytest.mark.parametrize(
    ("compiler", "more"),
    [
        ("gcc", ""),
        ("clang", ""),
        ("gcc", "CORRAL_STORAGE=y\nCORRAL_STORAGE_IN_FILES=y\n"),
    ],
)
def test_objects_that_are_not_optimised_ask_for_nothing_that_is_not_there(
    tmp_path: Path, compiler: str, more: str
) -> None:
    made = project(tmp_path, LIBRARY)
    board = (tmp_path / "boards/mine/board.toml").read_text()
    made.write({"crypto.config": CONFIG + more})
    made.write({"boards/mine/board.toml": board + ("HAS_FILES = true\n" if more else "")})
    made.configure(f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_C_FLAGS=-O0")
    made.build()
    # Before anything was collected.
    undefined = made.done("nm", "-u", "out/corral/crypto/crypto.o.whole").split()
    asked = {name for name in undefined if "corral" in name}
    entries = {name for name in asked if name.startswith("corral_port_entry_")}
    assert bool(entries) == bool(more)
    assert asked - entries == {"corral_port_entropy"}


def test_project_that_hides_its_symbols_and_joins_its_sources_links(tmp_path: Path) -> None:
    made = project(tmp_path, LIBRARY, PROGRAM, WITH_POSIX)
    # By a generator that leaves the kind of build open until then.
    several = ("-G", "Ninja Multi-Config")
    made.configure(*several, "-DCMAKE_C_VISIBILITY_PRESET=hidden", "-DCMAKE_UNITY_BUILD=ON")
    made.build()
    assert made.done("out/Debug/app") == "signed\n"


def test_fetched_content_is_built_by_make_in_a_folder_with_a_blank(tmp_path: Path) -> None:
    made = project(tmp_path / "my project")
    lines = (
        "cmake_minimum_required(VERSION 3.18)",
        "project(mine C)",
        "include(FetchContent)",
        f"FetchContent_Declare(corral SOURCE_DIR {ROOT})",
        "FetchContent_MakeAvailable(corral)",
        *(LIBRARY, PROGRAM, WITH_POSIX),
    )
    made.write({"CMakeLists.txt": "\n".join(lines) + "\n"})
    made.configure("-G", "Unix Makefiles")
    made.build()
    assert made.done("out/app") == "signed\n"


def test_name_of_a_board_is_no_folder_that_happens_to_be_there(tmp_path: Path) -> None:
    made = project(tmp_path, "corral_library(crypto CONFIG crypto.config BOARD native)")
    made.write({"native/notes.txt": "of the project"})
    made.configure()


def _takes(flag: str) -> bool:
    """Whether the compiler of this machine does."""
    command = ["cc", flag, "-E", "-", "-o", os.devnull]
    return subprocess.run(command, check=False, input=b"", capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("processor", "flag", "driver"),
    [
        ("x86_64", "", "monocypher"),
        ("amd64", "", "monocypher"),
        ("x86_64", "-m32", "mbedtls"),
        ("amd64", "-m32", "mbedtls"),
        ("aarch64", "", "mbedtls"),
    ],
)
def test_drivers_of_a_pc_are_chosen_for_what_the_project_compiles_for(
    tmp_path: Path, processor: str, flag: str, driver: str
) -> None:
    """Wherever CMake runs: the fastest driver of one processor may be slower on another."""
    if flag and not _takes(flag):
        pytest.skip(f"the compiler of this machine has no {flag}")
    made = project(tmp_path, LIBRARY)
    made.write(
        {
            "boards/mine/board.toml": f"{BOARD}HAS_PROCESSES = true\n",
            "crypto.config": "PSA_WANT_ALG_ECDH=y\nPSA_WANT_ECC_MONTGOMERY_255=y\n"
            "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE=y\n",
        }
    )
    made.configure(
        "-DCMAKE_SYSTEM_NAME=Linux",
        f"-DCMAKE_SYSTEM_PROCESSOR={processor}",
        f"-DCMAKE_C_FLAGS={flag}",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",  # nothing of 32 bits to link is needed
    )
    (bindings,) = made.folder.glob("out/**/bindings.json")
    found = json.loads(bindings.read_text())["mechanisms"]
    served = {one["mechanism"]: one["driver"] for one in found}
    assert served["ECDH_MONTGOMERY_255"] == driver


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (
            ("corral_library(crypto CONFIG crypto.config BOARD boards/mine DRIVERS acme)",),
            "DRIVERS acme: no driver.json",
        ),
        (("corral_library(crypto CONFIG crypto.config)",), "BOARD folder"),
    ],
)
def test_mistake_of_a_project_is_named(
    tmp_path: Path, lines: tuple[str, ...], complaint: str
) -> None:
    made = project(tmp_path, *lines)
    done = made.run("cmake", "-S", ".", "-B", "out")
    assert done.returncode != 0 and complaint in " ".join(done.stderr.split()), done.stderr


def test_project_without_c_is_told_so(tmp_path: Path) -> None:
    made = project(tmp_path, LIBRARY)
    lists = (
        (tmp_path / "CMakeLists.txt").read_text().replace("project(mine C)", "project(mine CXX)")
    )
    made.write({"CMakeLists.txt": lists})
    done = made.run("cmake", "-S", ".", "-B", "out")
    assert done.returncode != 0 and "the project has no C" in done.stderr


def test_two_libraries_of_one_project_keep_apart(tmp_path: Path) -> None:
    made = project(
        tmp_path,
        LIBRARY,
        "corral_library(hashes CONFIG hashes.config BOARD boards/mine)",
        PROGRAM,
        WITH_POSIX,
        "add_executable(hash hash.c)",
        "target_link_libraries(hash PRIVATE hashes corral::hashes::port::posix)",
        "add_executable(wrong EXCLUDE_FROM_ALL hash.c)",
        "target_include_directories(wrong PRIVATE ${CMAKE_BINARY_DIR}/corral/hashes/gen)",
        "target_link_libraries(wrong PRIVATE crypto corral::port::posix)",
        hash="#include <psa/crypto.h>\nint main(void) { return psa_crypto_init(); }\n",
    )
    made.write({"hashes.config": "PSA_WANT_ALG_SHA_256=y\n"})
    made.configure()
    made.build()
    assert made.done("out/app") == "signed\n"
    made.done("out/hash")
    done = made.run("cmake", "--build", "out", "-t", "wrong")
    assert done.returncode != 0
    assert "undefined reference to `corral_configuration_" in done.stdout


def test_edit_of_the_configuration_or_board_builds_again_and_nothing_else_does(
    tmp_path: Path,
) -> None:
    made = project(tmp_path, LIBRARY, PROGRAM, WITH_POSIX)
    made.configure()
    made.build()
    assert "no work to do" in made.build()
    made.write({"main.c": MAIN.replace('"signed"', '"again"')})
    assert "core" not in made.build()
    header = tmp_path / "out/corral/crypto/gen/corral/config.h"
    made.write({"crypto.config": CONFIG + "CORRAL_SINGLE_KEY_SLOTS=9\n"})
    said = made.build()
    assert "#define CORRAL_SINGLE_KEY_SLOTS 9\n" in header.read_text()
    assert "keys/pool.c" in said
    made.write({"crypto.config": "# The same.\n" + CONFIG + "CORRAL_SINGLE_KEY_SLOTS=9\n"})
    assert ".c.o" not in made.build()
    made.write({"crypto.config": CONFIG + "PSA_WANT_ALG_SHA_1000=y\n"})
    done = made.run("cmake", "--build", "out")
    assert done.returncode != 0
    assert "PSA_WANT_ALG_SHA_1000" in done.stdout + done.stderr
    made.write({"crypto.config": CONFIG, "boards/mine/board.toml": 'title = "No entropy"\n'})
    assert "HAS_ENTROPY" in (done := made.run("cmake", "--build", "out")).stdout + done.stderr


def test_project_that_optimises_at_the_link_sees_into_the_library(tmp_path: Path) -> None:
    made = project(tmp_path, LIBRARY, PROGRAM, WITH_POSIX)
    made.configure("-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON", "-DCMAKE_BUILD_TYPE=Release")
    made.build()
    assert made.done("out/app") == "signed\n"
    members = made.done("ar", "t", "out/libcrypto.a").split()
    assert "sign.c.o" in members
