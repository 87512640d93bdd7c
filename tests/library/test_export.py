# SPDX-License-Identifier: Apache-2.0
"""What `./corral export` writes: compiled as its README says, by nothing of ours."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from corral import packages

from .project import CONFIG, MAIN, PORT, QEMU, ROOT, Project, user

FRONT_DOOR = ROOT / "corral"
#: Two libraries and constructions over them.
MORE = CONFIG + "PSA_WANT_ALG_HKDF=y\nPSA_WANT_ALG_SHA_512=y\nCORRAL_SHA_512_BY_BEARSSL=y\n"
PORTING = (ROOT / "docs" / "PORTING.md").read_text(encoding="utf-8")
AVR_BOARD = """\
title = "Of the user"
port = "mine"

[capabilities]
HAS_16_BIT_INT = true
HAS_ENTROPY = true

[toolchain]
prefix = "avr-"
cflags = ["-mmcu=atmega2560"]
"""
AVR_PORT = 'title = "Of the user"\n'
#: What the tests put into an export, and what it says of itself.
ADDED = ("app", "main.c")
LIST = "corral-export.json"


def contents(folder: Path) -> dict[str, str]:
    """The hash of each file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """An export for this computer, moved away from where it was made."""
    mine = Project(tmp_path_factory.mktemp("made"))
    mine.write({"crypto.config": MORE})
    mine.done(FRONT_DOOR, "export", "crypto.config", "native", "sources")
    there = Project(tmp_path_factory.mktemp("there"))
    shutil.move(mine.folder / "sources", there.folder / "sources")
    there.write({"sources/main.c": MAIN})
    return Project(there.folder / "sources")


def one_line(mine: Project, *more: str) -> str:
    """The line of the README, by a shell that knows no Python and no tool of ours."""
    line: str
    (line,) = re.findall(
        r"^    (\S+cc .*|cc .*)$", (mine.folder / "README.md").read_text(encoding="utf-8"), re.M
    )
    command = " ".join([line, "-Werror", *more])
    mine.done("env", "-i", "PATH=/usr/bin:/bin", "sh", "-c", command)
    return line


def test_one_line_of_the_compiler_makes_a_program_that_signs(exported: Project) -> None:
    one_line(exported, "-O1")
    assert exported.done("./app") == "signed\n"


def test_board_of_ours_comes_with_port_and_linker_script(tmp_path: Path) -> None:
    mine = Project(tmp_path)
    mine.write({"crypto.config": CONFIG})
    mine.done(FRONT_DOOR, "export", "crypto.config", "mps2-an386", "sources")
    there = Project(tmp_path / "sources")
    there.write({"main.c": MAIN})
    assert one_line(there).startswith("arm-none-eabi-gcc -mcpu=cortex-m4 ")
    assert "signed" in there.run(*QEMU, "app").stdout


def test_driver_and_port_of_ones_own_fit_an_avr(tmp_path: Path) -> None:
    acme = dict(
        re.findall(r"^`(drivers/acme/[\w.]+)`:\n\n```\w*\n(.*?)^```$", PORTING, re.M | re.S)
    )
    mine = Project(tmp_path)
    mine.write({**acme, "boards/mine/board.toml": AVR_BOARD, "ports/mine/port.toml": AVR_PORT})
    mine.write({"ports/mine/entropy.c": PORT, "crypto.config": "PSA_WANT_ALG_SHA_256=y\n"})
    words = ["--path", ".", "--set", "CORRAL_SHA_256_BY_ACME=y"]
    mine.done(FRONT_DOOR, "export", "crypto.config", "mine", "sources", *words)
    there = Project(tmp_path / "sources")
    there.write({"main.c": "#include <psa/crypto.h>\nint main(void) { return psa_crypto_init(); }"})
    one_line(there)
    assert "elf32-avr" in there.done("avr-objdump", "-f", "app")
    assert sorted(path.name for path in (there.folder / "src/drivers").iterdir()) == ["acme"]


def test_cmake_takes_it_as_a_folder(exported: Project, tmp_path: Path) -> None:
    mine = Project(tmp_path)
    lines = (
        "cmake_minimum_required(VERSION 3.18)",
        "project(mine C)",
        f"add_subdirectory({exported.folder} crypto)",
        f"add_executable(app {exported.folder}/main.c)",
        "target_link_libraries(app PRIVATE crypto -pthread)",
    )
    mine.write({"CMakeLists.txt": "\n".join(lines) + "\n"})
    mine.configure()
    mine.build()
    assert mine.done("out/app") == "signed\n"


def test_same_again_is_the_same_byte_by_byte(
    exported: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Project(tmp_path)
    mine.done(FRONT_DOOR, "install", "--prefix", "dist")
    clone = tmp_path / "dist/share/corral"
    for name, value in user(tmp_path).items():
        monkeypatch.setenv(name, value)
    mine.write({"elsewhere/crypto.config": MORE})
    export = ["export", "elsewhere/crypto.config", "native", "a"]
    mine.done(clone / "corral", *export)
    first = contents(tmp_path / "a")
    assert first == {k: v for k, v in contents(exported.folder).items() if k not in ADDED}
    (tmp_path / "a/main.c").write_text("of the user")
    (tmp_path / "a/src/core/init.c").unlink()
    mine.done(clone / "corral", *export)
    assert contents(tmp_path / "a") == {**first, "main.c": contents(tmp_path / "a")["main.c"]}


def test_list_of_an_export_has_the_hash_of_each_file(exported: Project) -> None:
    said = json.loads((exported.folder / "corral-export.json").read_text(encoding="utf-8"))
    found = contents(exported.folder)
    assert said["sha256"] == {k: v for k, v in found.items() if k not in (*ADDED, LIST)}
    assert not any(
        str(ROOT / "build").encode() in (exported.folder / name).read_bytes() for name in found
    )


@pytest.mark.parametrize(
    ("edited", "complaint"),
    [
        ("precious/thesis.txt", "is not empty, and no export"),
        ("precious/src/core/init.c", "was edited, or is not of an export: src/core/init.c"),
    ],
)
def test_what_is_not_of_an_export_is_left_alone(
    exported: Project, tmp_path: Path, edited: str, complaint: str
) -> None:
    mine = Project(tmp_path)
    if "thesis" not in edited:
        shutil.copytree(exported.folder, tmp_path / "precious")
    mine.write({"crypto.config": CONFIG, edited: "years"})
    before = contents(tmp_path / "precious")
    done = mine.run(FRONT_DOOR, "export", "crypto.config", "native", "precious")
    assert done.returncode != 0 and complaint in done.stderr
    assert contents(tmp_path / "precious") == before


def test_bill_of_materials_names_each_library_with_hash_and_licence(exported: Project) -> None:
    bill = json.loads((exported.folder / "sbom.cdx.json").read_text(encoding="utf-8"))
    found = {part["bom-ref"]: part for part in bill["components"]}
    used = {path.name for path in (exported.folder / "libraries").iterdir()}
    assert {"bearssl", "mbedtls"} <= used == {name for name in found if "corral@" not in name}
    for name in used:
        package = packages.load(ROOT, name)
        assert found[name]["name"] == package.source.name
        assert found[name]["version"] == package.source.version
        assert found[name]["hashes"] == [{"alg": "SHA-256", "content": package.source.sha256}]
        (licence,) = found[name]["licenses"]
        said = licence.get("expression") or licence["license"]["id"]
        assert said == package.licence
        assert list((exported.folder / "licences" / name).iterdir())
