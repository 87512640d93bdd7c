# SPDX-License-Identifier: Apache-2.0
"""A driver that calls libraries of the system links in every way to use Corral, from an empty
folder on. No TPM is there, so the program prints the status of a lost connection."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from corral.common import system
from corral.errors import CorralError
from corral.export import library
from corral.generate import api

from .project import ROOT, Project, cmake_lists
from .test_export import one_line

FRONT_DOOR = ROOT / "corral"
COMMUNICATION_FAILURE = "-145\n"
CONFIG = """\
PSA_WANT_ALG_HMAC=y
PSA_WANT_ALG_SHA_256=y
PSA_WANT_KEY_TYPE_HMAC=y
CORRAL_PROTECTED_KEY_SLOTS=1
"""
#: Without use of the TPM.
PLAIN = "PSA_WANT_ALG_SHA_256=y\n"
BOARD = """\
title = "A gateway of mine"
port = "posix"

[capabilities]
HAS_ENTROPY = true
HAS_TPM2 = true

[toolchain]
prefix = ""

[[element]]
name = "TPM"
driver = "tpm2"
location = 0x800001
tcti = "device:/nonexistent"
"""
MAIN = """\
#include <stdio.h>

#include <corral/locations.h>
#include <psa/crypto.h>

int main(void)
{
    static const uint8_t secret[32] = {1};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, PSA_ALG_HMAC(PSA_ALG_SHA_256));
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, CORRAL_LOCATION_TPM));
    if (psa_crypto_init() != PSA_SUCCESS) {
        return 1;
    }
    printf("%d\\n", (int)psa_import_key(&attributes, secret, sizeof secret, &key));
    return 0;
}
"""
FIND = """\
cmake_minimum_required(VERSION 3.18)
project(mine C)
find_package(corral REQUIRED)
add_executable(app main.c)
target_link_libraries(app PRIVATE {})
"""
#: Where no library of the system is described.
BARE = {"PKG_CONFIG_LIBDIR": "/nonexistent"}


def begun(folder: Path) -> Project:
    system.ensure(["host"], {"pkg-config": "pkg-config", **debian_of_tpm2()})
    mine = Project(folder)
    mine.write({"crypto.config": CONFIG, "boards/mine/board.toml": BOARD, "main.c": MAIN})
    return mine


def debian_of_tpm2() -> dict[str, str]:
    (found,) = (driver.debian for driver in api.list_drivers(ROOT) if driver.name == "tpm2")
    return found


@pytest.mark.parametrize("kind", ["static", "shared"])
def test_installed_library_links_by_pkg_config_and_by_find_package(
    kind: str, tmp_path: Path
) -> None:
    mine, is_shared = begun(tmp_path), kind == "shared"
    more = ["--shared"] if is_shared else []
    mine.done(FRONT_DOOR, "library", "crypto.config", "boards/mine", "--prefix", "dist", *more)
    module = tmp_path / "dist/lib/pkgconfig/corral.pc"
    words = mine.done("pkg-config", "--cflags", "--libs", module).split()
    assert ("-ltss2-esys" in words) is not is_shared
    mine.done("cc", "main.c", *words, f"-Wl,-rpath,{tmp_path}/dist/lib", "-o", "app")
    assert mine.done("./app") == COMMUNICATION_FAILURE
    port = "" if is_shared else " corral::port::posix"
    mine.write({"CMakeLists.txt": FIND.format(f"corral::corral{port}")})
    mine.configure(f"-DCMAKE_PREFIX_PATH={tmp_path}/dist")
    mine.build()
    assert mine.done("out/app") == COMMUNICATION_FAILURE
    bare = mine.run(
        *("env", *(f"{name}={value}" for name, value in BARE.items())),
        *("cmake", "-S", ".", "-B", "bare", f"-DCMAKE_PREFIX_PATH={tmp_path}/dist"),
    )
    assert (bare.returncode == 0) is is_shared
    if not is_shared:
        assert "pkg-config does not find all of: tss2-esys" in bare.stderr


def test_target_of_a_cmake_project_links(tmp_path: Path) -> None:
    mine = begun(tmp_path)
    lines = (
        "add_subdirectory(crypto)",
        "add_executable(app main.c)",
        "target_link_libraries(app crypto corral::port::posix)",
    )
    there = "corral_library(crypto CONFIG ../crypto.config BOARD ../boards/mine)\n"
    mine.write({"CMakeLists.txt": cmake_lists(*lines), "crypto/CMakeLists.txt": there})
    words = [f"{name}={value}" for name, value in BARE.items()]
    bare = mine.run("env", *words, "cmake", "-S", ".", "-B", "out")
    assert bare.returncode != 0
    said = " ".join(bare.stderr.split())
    assert "driver tpm2: pkg-config does not find these libraries for the compiler:" in said
    mine.configure()
    mine.build()
    assert mine.done("out/app") == COMMUNICATION_FAILURE


def test_exported_sources_link_by_the_line_and_by_cmake(tmp_path: Path) -> None:
    mine = begun(tmp_path)
    mine.done(FRONT_DOOR, "export", "crypto.config", "boards/mine", "sources")
    sources = Project(tmp_path / "sources")
    shutil.copy(tmp_path / "main.c", sources.folder)
    one_line(sources)
    assert sources.done("./app") == COMMUNICATION_FAILURE
    lines = ("add_executable(app main.c)", "target_link_libraries(app crypto)")
    mine.write({"CMakeLists.txt": cmake_lists(*lines).replace(f"{ROOT} corral", "sources")})
    mine.configure()
    mine.build()
    assert mine.done("out/app") == COMMUNICATION_FAILURE


def test_compiler_for_another_computer_asks_its_own_pkg_config(tmp_path: Path) -> None:
    mine = begun(tmp_path)
    board = BOARD.replace('prefix = ""', 'prefix = "mine-"')
    mine.write({"boards/mine/board.toml": board})
    mine.done(FRONT_DOOR, "export", "crypto.config", "boards/mine", "sources")
    text = (tmp_path / "sources/README.md").read_text(encoding="utf-8")
    assert "$(mine-pkg-config --cflags --libs tss2-esys " in text


@pytest.mark.parametrize(
    ("config", "prefix", "needs"),
    [(CONFIG, "", True), (PLAIN, "", False), (CONFIG, "mine-", False)],
    ids=["selected", "not selected", "for another computer"],
)
def test_packages_are_those_of_selected_drivers(
    config: str, prefix: str, needs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Project(tmp_path)
    board = BOARD.replace('prefix = ""', f'prefix = "{prefix}"')
    mine.write({"crypto.config": config, "boards/mine/board.toml": board})
    place = str(tmp_path / "boards/mine")
    asked: dict[str, str] = {}
    monkeypatch.setattr(system, "ensure", lambda _, more=None: asked.update(more or {}))
    monkeypatch.setattr(library, "builds_of_tree", lambda _: tmp_path / "build")
    monkeypatch.setattr(library.cmake, "Folder", no_compiler)
    with pytest.raises(CorralError):
        library.install(library.Wanted(str(tmp_path / "crypto.config"), place), tmp_path / "dist")
    assert ("libtss2-dev" in asked) is needs
    assert ("pkg-config" in asked) is needs


def no_compiler(*_: object) -> None:
    raise CorralError([])
