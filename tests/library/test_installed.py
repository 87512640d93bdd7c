# SPDX-License-Identifier: Apache-2.0
"""What `./corral library` and `./corral install` put below a prefix, as others use it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from .project import BOARD, CONFIG, MAIN, ROOT, Project, project, user

FRONT_DOOR = ROOT / "corral"
#: Names the folder below build/ that the tests read. No other test makes a library of this name,
#: perhaps at the same time, for another build type.
NAME = "installed"
FIND = """\
cmake_minimum_required(VERSION 3.18)
project(mine C)
find_package(corral 0.2 REQUIRED)
"""

#: Names of the API before 1.0 and of programs of Mbed TLS, used as they use them.
OLD_NAMES = """\
#include <psa/crypto_values.h>

#include <stdio.h>
#include <string.h>

/* A derivation whose key is destroyed once it was given. */
static psa_status_t derive(const unsigned char *secret, size_t size, unsigned char output[32])
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    const psa_algorithm_t alg = PSA_ALG_HKDF(PSA_ALG_SHA_256);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    mbedtls_svc_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&attributes, alg);
    if (psa_import_key(&attributes, secret, size, &key) != PSA_SUCCESS ||
        psa_key_derivation_setup(&operation, alg) != PSA_SUCCESS ||
        psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key) !=
            PSA_SUCCESS ||
        psa_destroy_key(key) != PSA_SUCCESS ||
        psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0) !=
            PSA_SUCCESS) {
        return PSA_ERROR_GENERIC_ERROR;
    }
    const psa_status_t status = psa_key_derivation_output_bytes(&operation, output, 32);
    return psa_key_derivation_abort(&operation) == PSA_SUCCESS ? status : PSA_ERROR_GENERIC_ERROR;
}

int main(void)
{
    /* HKDF-SHA-256 of 32 zero bytes without salt and information, as OpenSSL computes it. */
    static const unsigned char derived[4] = {0xdf, 0x72, 0x04, 0x54};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    unsigned char random[32] = {0};
    unsigned char output[32];
    unsigned char other[32] = {0};
    psa_key_handle_t handle;
    mbedtls_svc_key_id_t key;
    mbedtls_psa_stats_t before;
    mbedtls_psa_stats_t stats;
    int unlike = 0;

    mbedtls_psa_get_stats(&before);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    if (mbedtls_psa_get_random(MBEDTLS_PSA_RANDOM_STATE, random, sizeof random) != -0x34 ||
        psa_crypto_init() != PSA_SUCCESS ||
        psa_import_key(&attributes, random, sizeof random, &key) != PSA_SUCCESS) {
        return 1;
    }
    mbedtls_psa_get_stats(&stats);
    if (before.volatile_slots != 0 || before.empty_slots < 2 || stats.volatile_slots != 1 ||
        stats.empty_slots != before.empty_slots - 1 || stats.locked_slots != 0) {
        return 5;
    }
    if (psa_open_key(key, &handle) != PSA_SUCCESS || handle != key ||
        psa_key_handle_is_null(handle) || psa_close_key(handle) != PSA_SUCCESS ||
        psa_close_key(handle) != PSA_ERROR_INVALID_HANDLE ||
        psa_open_key(key, &handle) != PSA_ERROR_DOES_NOT_EXIST ||
        !psa_key_handle_is_null(handle) || psa_close_key(handle) != PSA_SUCCESS) {
        return 2;
    }
    if (derive(other, sizeof other, output) != PSA_SUCCESS ||
        memcmp(output, derived, sizeof derived) != 0) {
        return 3;
    }
    if (mbedtls_psa_get_random(MBEDTLS_PSA_RANDOM_STATE, random, sizeof random) != 0) {
        return 4;
    }
    for (size_t i = 0; i < sizeof random; i++) {
        unlike += random[i] != other[i];
    }
    mbedtls_psa_crypto_free();
    mbedtls_psa_get_stats(&stats);
    if (memcmp(&stats, &before, sizeof stats) != 0) {
        return 6;
    }
    puts(unlike > 16 ? "as in Mbed TLS" : "otherwise");
    return 0;
}
"""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Project]:
    """Static (False) and shared (True): folders with dist/ and a user's files."""
    made = {}
    for shared in (False, True):
        mine = Project(tmp_path_factory.mktemp("shared" if shared else "static"))
        mine.write({f"{NAME}.config": CONFIG, "main.c": MAIN})
        options = ["--shared"] if shared else []
        mine.done(FRONT_DOOR, "library", f"{NAME}.config", "native", "--prefix", "dist", *options)
        made[shared] = mine
    return made


@pytest.mark.parametrize("shared", [False, True])
def test_pkg_config_leads_to_a_program_that_signs(
    places: dict[bool, Project], shared: bool
) -> None:
    mine = places[shared]
    module = mine.folder / "dist/lib/pkgconfig/corral.pc"
    words = mine.done("pkg-config", "--cflags", "--libs", module).split()
    strict = ("-Wall", "-Wextra", "-Werror", "-Wl,--fatal-warnings")
    mine.done("cc", *strict, "main.c", *words, "-Wl,-rpath,dist/lib", "-o", "a")
    done = mine.run("./a")
    assert (done.stdout, done.stderr) == ("signed\n", "")


def test_program_with_psa_functions_of_mbedtls_is_warned_at_its_start(
    places: dict[bool, Project],
) -> None:
    mine = places[True]
    theirs = "void mbedtls_psa_crypto_free(void);\nvoid mbedtls_psa_crypto_free(void) {}\n"
    theirs += "int psa_crypto_init(void);\nint psa_crypto_init(void) { return -1; }\n"
    mine.write({"theirs.c": theirs})
    mine.done("cc", "-shared", "-fPIC", "theirs.c", "-o", "libmbedcrypto.so.7")
    found = ("-Idist/include", "-Ldist/lib", "-Wl,-rpath,dist/lib:.", "-Wl,--no-as-needed")
    mine.done("cc", "main.c", *found, "-lcorral", "./libmbedcrypto.so.7", "-o", "both")
    done = mine.run("./both")
    assert done.stdout == "signed\n"
    assert "libmbedcrypto.so.7 has psa_ functions, too" in done.stderr


def test_prefix_says_which_advisories_concern_the_library(places: dict[bool, Project]) -> None:
    said = json.loads((places[False].folder / "dist/share/doc/corral/openvex.json").read_text())
    assert said["@context"] == "https://openvex.dev/ns/v0.2.0"
    assert all(statement["status"] for statement in said["statements"])


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
        ninja = (ROOT / "build" / kind / f"{NAME}-native/cmake/build.ninja").read_text()
        flags = re.findall(r"^  FLAGS = (.*)$", ninja, re.M)
        assert flags and all("-O2 " in f and "-Os" not in f for f in flags)
    assert places


def test_build_type_and_names_of_mbedtls_are_a_users_choice(tmp_path: Path) -> None:
    mine = Project(tmp_path)
    wants = "PSA_WANT_GENERATE_RANDOM=y\nPSA_WANT_KEY_TYPE_RAW_DATA=y\n"
    wants += "PSA_WANT_ALG_HKDF=y\nPSA_WANT_ALG_SHA_256=y\nPSA_WANT_KEY_TYPE_DERIVE=y\n"
    wants += "CORRAL_LENIENT_DESTROY=y\n"
    mine.write({"one.config": wants, "old.c": OLD_NAMES})
    words = ("one.config", "native", "--prefix", "dist", "--build-type")
    mine.done(FRONT_DOOR, "library", *words, "MinSizeRel")
    ninja = (ROOT / "build/library/one-native/cmake/build.ninja").read_text()
    assert "-Os " in ninja and "-O2 " not in ninja
    include = ("-Idist/include", "-Idist/include/corral/compat/mbedtls")
    link = ("-Ldist/lib", "-lcorral", "-lcorral_port_posix", "-pthread", "-o", "old")
    mine.done("cc", "-Wall", "-Wextra", "-Werror", *include, "old.c", *link)
    assert mine.done("./old") == "as in Mbed TLS\n"
    done = mine.run(FRONT_DOOR, "library", *words, "fast")
    assert done.returncode != 0 and "MinSizeRel" in done.stderr


def test_library_of_the_other_kind_does_not_stay(
    places: dict[bool, Project], tmp_path: Path
) -> None:
    shutil.copytree(places[True].folder / "dist", tmp_path / "dist", symlinks=True)
    made = ROOT / f"build/library/{NAME}-native/cmake"
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
