# SPDX-License-Identifier: Apache-2.0
"""The library in a CMake project of one's own, also with link-time optimisation."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corral import api, build, packages

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ("native", "mps2-an386")
#: What a project for another processor says itself.
CROSS = """
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_COMPILER {prefix}gcc)
set(CMAKE_C_FLAGS "{flags}")
set(CMAKE_EXE_LINKER_FLAGS "{link_flags} -Wl,-e,main -Wl,--gc-sections")
"""
#: The second program is compiled with the headers of another configuration.
PROJECT = """
cmake_minimum_required(VERSION 3.18)
{toolchain}
project(own C)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION {lto})
set(CORRAL_BUILD {right})
add_subdirectory({root} corral)
add_executable(own main.c)
target_link_libraries(own PRIVATE corral)
add_executable(wrong EXCLUDE_FROM_ALL main.c)
target_include_directories(wrong BEFORE PRIVATE {wrong}/gen)
target_link_libraries(wrong PRIVATE corral)
"""
MAIN = """
#include <psa/crypto.h>
int main(void)
{
    static const uint8_t abc[3] = {'a', 'b', 'c'};
    uint8_t hash[32];
    size_t length;

    if (psa_crypto_init() != PSA_SUCCESS ||
        psa_hash_compute(PSA_ALG_SHA_256, abc, 3, hash, sizeof hash, &length) != PSA_SUCCESS) {
        return 2;
    }
    return length == 32 && hash[0] == 0xba && hash[31] == 0xad ? 0 : 1;
}
"""


def toolchain(board: str) -> str:
    chain = api.load_board(ROOT, board).toolchain
    flags, link_flags = " ".join(chain.cflags), " ".join(chain.ldflags)
    return CROSS.format(prefix=chain.prefix, flags=flags, link_flags=link_flags)


def configured(board: str, name: str, settings: dict[str, str]) -> Path:
    folder = f"tests/own-{name}-{board}"
    bindings = build.prepare("hmac", board, build.Options(settings=settings, name=folder))
    for package in bindings.packages:
        packages.ensure(ROOT, package)
    return build.folder_of("hmac", board, folder)


@pytest.mark.parametrize("lto", ["OFF", "ON"])
@pytest.mark.parametrize("board", BOARDS)
def test_own_project_links_what_was_configured_and_nothing_else(
    tmp_path: Path, board: str, lto: str
) -> None:
    right = configured(board, "right", {})
    wrong = configured(board, "wrong", {"CORRAL_SINGLE_KEY_SLOTS": "9"})
    (tmp_path / "main.c").write_text(MAIN)
    cross = "" if board == "native" else toolchain(board)
    (tmp_path / "CMakeLists.txt").write_text(
        PROJECT.format(toolchain=cross, lto=lto, right=right, wrong=wrong, root=ROOT)
    )

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run("cmake", "-G", "Ninja", "-S", ".", "-B", "out")
    assert done.returncode == 0, done.stderr
    done = run("cmake", "--build", "out", "--target", "own")
    assert done.returncode == 0, done.stdout[-3000:]
    if board == "native":
        assert run("out/own").returncode == 0
    commands = (tmp_path / "out" / "build.ninja").read_text()
    assert ("-flto" in commands) == (lto == "ON")
    done = run("cmake", "--build", "out", "--target", "wrong")
    assert done.returncode != 0
    assert "undefined reference to `corral_configuration_" in done.stdout
