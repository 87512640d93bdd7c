# SPDX-License-Identifier: Apache-2.0
"""What `./corral library` and `./corral install` put below a prefix, as others use it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from .project import BOARD, CONFIG, MAIN, ROOT, Project, project, user

FRONT_DOOR = ROOT / "corral"
FIND = """\
cmake_minimum_required(VERSION 3.18)
project(mine C)
find_package(corral 0.2 REQUIRED)
"""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Project]:
    """By whether the library is a shared one: folders with dist/, and what a user needs."""
    made = {}
    for shared in (False, True):
        mine = Project(tmp_path_factory.mktemp("shared" if shared else "static"))
        mine.write({"crypto.config": CONFIG, "main.c": MAIN})
        options = ["--shared"] if shared else []
        mine.done(FRONT_DOOR, "library", "crypto.config", "native", "--prefix", "dist", *options)
        made[shared] = mine
    return made


@pytest.mark.parametrize("shared", [False, True])
def test_pkg_config_leads_to_a_program_that_signs(
    places: dict[bool, Project], shared: bool
) -> None:
    mine = places[shared]
    module = mine.folder / "dist/lib/pkgconfig/corral.pc"
    words = mine.done("pkg-config", "--cflags", "--libs", module).split()
    mine.done(
        "cc", "-Wall", "-Wextra", "-Werror", "main.c", *words, "-Wl,-rpath,dist/lib", "-o", "a"
    )
    assert mine.done("./a") == "signed\n"


@pytest.mark.parametrize("shared", [False, True])
def test_cmake_package_leads_to_a_program_that_signs(
    places: dict[bool, Project], shared: bool
) -> None:
    mine = places[shared]
    link = "corral::corral" if shared else "corral::corral corral::port::posix"
    link += " corral::compat::mbedtls"
    mine.write({"main.c": f"#include <corral_mbedtls.h>\n{MAIN}"})
    program = f"add_executable(app main.c)\ntarget_link_libraries(app PRIVATE {link})\n"
    mine.write({"CMakeLists.txt": FIND + program})
    mine.configure(f"-DCMAKE_PREFIX_PATH={mine.folder}/dist")
    mine.build()
    assert mine.done("out/app") == "signed\n"


def test_nothing_but_the_interface_is_visible(places: dict[bool, Project]) -> None:
    archive = places[False].done("nm", "--extern-only", "--defined-only", "dist/lib/libcorral.a")
    library = places[True].done("nm", "-D", "--defined-only", "dist/lib/libcorral.so")
    for said in (archive, library):
        names = re.findall(r" [A-Z] (\w+)$", said, re.M)
        assert "psa_sign_message" in names
        assert all(name.startswith(("psa_", "corral_")) for name in names), names
    soname = places[True].done("readelf", "-d", "dist/lib/libcorral.so")
    assert "Library soname: [libcorral.so.0.2]" in soname


def test_library_is_as_fast_as_its_board_says(places: dict[bool, Project]) -> None:
    """native says speed = true. Compiled for size, P-256 took 1.8 times as long."""
    for kind in ("library", "shared"):
        ninja = (ROOT / "build" / kind / "crypto-native/cmake/build.ninja").read_text()
        flags = re.findall(r"^  FLAGS = (.*)$", ninja, re.M)
        assert flags and all("-O2 " in f and "-Os" not in f for f in flags)
    assert places


def test_build_type_replaces_what_the_board_says(tmp_path: Path) -> None:
    mine = Project(tmp_path)
    mine.write({"one.config": "PSA_WANT_ALG_SHA_256=y\n"})
    words = ("one.config", "native", "--prefix", "dist", "--build-type")
    mine.done(FRONT_DOOR, "library", *words, "MinSizeRel")
    ninja = (ROOT / "build/library/one-native/cmake/build.ninja").read_text()
    assert "-Os " in ninja and "-O2 " not in ninja
    done = mine.run(FRONT_DOOR, "library", *words, "fast")
    assert done.returncode != 0 and "MinSizeRel" in done.stderr


def test_library_of_the_other_kind_does_not_stay(
    places: dict[bool, Project], tmp_path: Path
) -> None:
    shutil.copytree(places[True].folder / "dist", tmp_path / "dist", symlinks=True)
    made = ROOT / "build/library/crypto-native/cmake"
    places[False].done("cmake", "--install", made, "--prefix", tmp_path / "dist")
    names = {path.name for path in (tmp_path / "dist/lib").glob("libcorral*")}
    assert names == {"libcorral.a", "libcorral_port_posix.a"}


def test_headers_are_in_folders_of_their_own(places: dict[bool, Project]) -> None:
    include = places[False].folder / "dist" / "include"
    assert sorted(path.name for path in include.iterdir()) == ["corral", "psa"]
    names = {path.name for path in (include / "corral").iterdir() if path.is_file()}
    assert {"config.h", "port.h", "version.h"} <= names
    assert "unchecked.h" not in names
    assert not (include / "corral" / "dispatch").exists()


def test_installed_tools_give_the_function_and_nothing_is_written_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = project(tmp_path)
    mine.done(FRONT_DOOR, "install", "--prefix", "dist")
    for name, value in user(tmp_path).items():
        monkeypatch.setenv(name, value)
    before = sorted((tmp_path / "dist").rglob("*"))
    program = "add_executable(app main.c)\n"
    library = "corral_library(crypto CONFIG crypto.config BOARD boards/mine)\n"
    link = "target_link_libraries(app PRIVATE crypto corral::port::posix)\n"
    mine.write({"CMakeLists.txt": FIND + library + program + link, "boards/mine/board.toml": BOARD})
    mine.configure(f"-DCMAKE_PREFIX_PATH={tmp_path}/dist")
    mine.build()
    assert mine.done("out/app") == "signed\n"
    assert sorted((tmp_path / "dist").rglob("*")) == before


def test_folder_that_was_not_installed_is_not_replaced(tmp_path: Path) -> None:
    mine = Project(tmp_path)
    mine.write({"dist/share/corral/thesis.txt": "years"})
    done = mine.run(FRONT_DOOR, "install", "--prefix", "dist")
    assert done.returncode != 0 and "was not installed by this command" in done.stderr
    assert (tmp_path / "dist/share/corral/thesis.txt").read_text() == "years"


def test_installed_tree_does_not_replace_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Project(tmp_path)
    mine.done(FRONT_DOOR, "install", "--prefix", "dist")
    share = tmp_path / "dist/share/corral"
    for name, value in user(tmp_path).items():
        monkeypatch.setenv(name, value)
    done = mine.run(share / "corral", "install", "--prefix", "dist")
    assert done.returncode != 0 and "is where this tree is" in done.stderr
    assert (share / "corral").is_file()
