# SPDX-License-Identifier: Apache-2.0
"""What `./corral export` writes: compiled as its README says, by nothing of ours."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from corral.common import system
from corral.errors import CorralError
from corral.export.folder import TAG, write
from corral.export.includes import Closure
from corral.export.layout import Layout
from corral.export.licences import expression, licence_files
from corral.export.linker import linker_parts
from corral.packages import fetch as packages
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile
from harness.areas import is_long

from . import pio
from .project import CONFIG, MAIN, PORT, ROOT, Project, qemu, user

FRONT_DOOR = ROOT / "corral"
#: Two libraries and constructions over them.
MORE = CONFIG + "PSA_WANT_ALG_HKDF=y\nPSA_WANT_ALG_SHA_512=y\nCORRAL_SHA_512_BY_BEARSSL=y\n"
DRIVER = (ROOT / "docs" / "porting" / "DRIVER.md").read_text(encoding="utf-8")
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
SDK = """\
title = "Acme SDK"
licence = "Acme's own"

[source]
path = "../../sdk"
version = "1.2"
"""
#: Files that the tests add to an export.
ADDED = ("app", "app-aarch64", "main.c")


def contents(folder: Path) -> dict[str, str]:
    """The hash of each file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def licences(mine: Project) -> list[str]:
    """The licences that an export states for PlatformIO and ESP-IDF."""
    said = json.loads((mine.folder / "library.json").read_text(encoding="utf-8"))
    component = (mine.folder / "idf_component.yml").read_text(encoding="utf-8")
    return [said["license"], *re.findall(r"^license: (.*)$", component, re.M)]


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


def test_platformio_takes_it_as_a_library(exported: Project, tmp_path: Path) -> None:
    mine = Project(tmp_path / "project")
    mine.write({"platformio.ini": f"[env:mine]\nplatform = {pio.PLATFORM}\n"})
    mine.write({"src/main.c": MAIN})
    shutil.copytree(exported.folder, mine.folder / "lib" / "crypto")
    pio.run(mine, pio.install(tmp_path / "installed"))
    assert mine.done(".pio/build/mine/program") == "signed\n"


#: Says "hashed" if a hash begins as it has to.
HASHES = """\
#include <stdio.h>

#include <psa/crypto.h>

int main(void)
{
    uint8_t hash[32] = {0};
    size_t length;

    if (psa_crypto_init() == PSA_SUCCESS &&
        psa_hash_compute(PSA_ALG_SHA_256, (const uint8_t *)"abc", 3, hash, sizeof hash, &length) ==
            PSA_SUCCESS &&
        hash[0] == 0xba && hash[1] == 0x78) {
        puts("hashed");
    }
    return 0;
}
"""


@pytest.mark.parametrize(
    ("board", "cpu", "config", "main", "said"),
    [
        ("mps2-an386", "cortex-m4", CONFIG + "CORRAL_DRIVER_MBEDTLS=n\n", MAIN, "signed"),
        # Its port begins in assembler.
        ("ast2600-evb", "cortex-a7", "PSA_WANT_ALG_SHA_256=y\n", HASHES, "hashed"),
    ],
    ids=["mps2-an386", "ast2600-evb"],
)
def test_board_of_ours_comes_with_port_and_linker_script(
    tmp_path: Path, board: str, cpu: str, config: str, main: str, said: str
) -> None:
    mine = Project(tmp_path)
    mine.write({"crypto.config": config})
    mine.done(FRONT_DOOR, "export", "crypto.config", board, "sources")
    there = Project(tmp_path / "sources")
    there.write({"main.c": main})
    assert one_line(there).startswith(f"arm-none-eabi-gcc -mcpu={cpu} ")
    assert said in there.run(*qemu(board, "app")).stdout
    # Also of a compiler that sees all sources at once, and would put one into the other.
    one_line(there, "-flto", "-g", "-fwrapv")
    assert said in there.run(*qemu(board, "app")).stdout
    assert inlined_libraries(tmp_path / "sources" / "app") == []


def _origin(die: DIE) -> tuple[str, str]:
    """The name of a function, and the source that it is of."""
    while "DW_AT_abstract_origin" in die.attributes:
        die = die.get_DIE_from_attribute("DW_AT_abstract_origin")
    source = die.cu.get_top_DIE().attributes["DW_AT_name"].value.decode()
    name = die.attributes.get("DW_AT_name")
    return (name.value.decode() if name else "", source)


def _inlined(die: DIE, outer: str = "") -> Iterator[tuple[str, str]]:
    """Each function that is in another one, and the source that this is of."""
    for child in die.iter_children():
        if child.tag == "DW_TAG_inlined_subroutine":
            yield _origin(child)[1], outer
        is_function = child.tag == "DW_TAG_subprogram"
        yield from _inlined(child, _origin(child)[1] if is_function else outer)


def inlined_libraries(program: Path) -> list[tuple[str, str]]:
    """Sources of libraries whose functions are in functions of other sources than libraries'."""
    with program.open("rb") as file:
        units = list(ELFFile(file).get_dwarf_info().iter_CUs())
        found = {pair for unit in units for pair in _inlined(unit.get_top_DIE())}
    assert any("src/libraries" in inner and "src/libraries" in outer for inner, outer in found)
    return sorted(p for p in found if "src/libraries" in p[0] and "src/libraries" not in p[1])


def test_linker_script_includes_what_the_linker_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """\
MEMORY { INCLUDE mine/regions.ld }
/* Not
INCLUDE mine/nothing.ld */
INCLUDE "picolibc/sections.ld"
INCLUDE common/of_all.ld
"""
    mine = Project(tmp_path)
    mine.write({"boards/mine/memory.ld": script, "ports/mine/regions.ld": "INCLUDE mine/more.ld"})
    mine.write({"ports/mine/more.ld": "", "ports/common/of_all.ld": ""})
    monkeypatch.setenv("CORRAL_PATH", str(tmp_path))
    ports = {"picolibc/sections.ld": ROOT / "ports"}
    names = ("mine/regions.ld", "mine/more.ld", "picolibc/sections.ld", "common/of_all.ld")
    found = {name: ports.get(name, tmp_path / "ports") / name for name in names}
    assert linker_parts(tmp_path / "boards/mine/memory.ld") == found
    for name in ("mine/no.ld", "../boards/mine/memory.ld", f"{tmp_path}/ports/mine/more.ld"):
        mine.write({"ports/mine/more.ld": f"INCLUDE {name}\n"})
        with pytest.raises(CorralError, match="which is no file of ports/"):
            linker_parts(tmp_path / "boards/mine/memory.ld")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("keys.S", 'keys:\n    .incbin "keys.bin"\n'),
        ("vectors.S", '    .include "vectors.inc"\n'),
        ("keys.c", '__asm__("keys: .incbin \\"keys.bin\\"");\n'),
    ],
    ids=["incbin", "include", "C"],
)
def test_file_that_the_assembler_takes_in_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CorralError, match=f"{name}: the assembler takes in another file"):
        Closure().add([tmp_path / name], [])


def test_assembly_that_other_assembly_includes_is_empty_alone(tmp_path: Path) -> None:
    """A compiler of all sources compiles it, too, and its stack stays not executable."""
    source, included = tmp_path / "gen" / "points.S", tmp_path / "gen" / "parts" / "double.S"
    included.parent.mkdir(parents=True)
    source.write_text("#include <double.S>\n")
    included.write_text(".globl double\ndouble:\n")
    closure = Closure()
    closure.add([source], [included.parent])
    [(name, text)] = Layout(tmp_path / "gen", "", [], [], []).forwards(closure).items()
    assert name == "src/double.S"
    alone = tmp_path / "double.o"
    command = ["gcc", "-x", "assembler-with-cpp", "-c", "-", "-o", str(alone)]
    subprocess.run(command, input=text.encode(), check=True)
    with alone.open("rb") as file:
        elf = ELFFile(file)
        assert elf.get_section_by_name(".note.GNU-stack")
        table = elf.get_section_by_name(".symtab")
        assert not table or not table.get_symbol_by_name("double")


@pytest.fixture(scope="module")
def avr(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """An export for an ATmega2560, with a driver, a port and an SDK of the user's own."""
    acme = dict(re.findall(r"^`(drivers/acme/[\w.]+)`:\n\n```\w*\n(.*?)^```$", DRIVER, re.M | re.S))
    mine = Project(tmp_path_factory.mktemp("avr"))
    mine.write({**acme, "boards/mine/board.toml": AVR_BOARD, "ports/mine/port.toml": AVR_PORT})
    mine.write({"ports/mine/entropy.c": PORT, "crypto.config": "PSA_WANT_ALG_SHA_256=y\n"})
    shutil.copytree(packages.ensure(ROOT, "bearssl"), mine.folder / "sdk")
    mine.write({"packages/bearssl/package.toml": SDK})
    words = ["--path", ".", "--set", "CORRAL_SHA_256_BY_ACME=y"]
    mine.done(FRONT_DOOR, "export", "crypto.config", "mine", "sources", *words)
    return Project(mine.folder / "sources")


def test_driver_port_and_library_of_ones_own_fit_an_avr(avr: Project) -> None:
    there = avr
    there.write({"main.c": "#include <psa/crypto.h>\nint main(void) { return psa_crypto_init(); }"})
    one_line(there)
    assert "elf32-avr" in there.done("avr-objdump", "-f", "app")
    assert sorted(path.name for path in (there.folder / "src/drivers").iterdir()) == ["acme"]
    # It says under which conditions, and not where their owner keeps them.
    assert licences(there) == ["Apache-2.0 AND LicenseRef-Acme-s-own"] * 2
    assert "| Acme SDK | bearssl 1.2 | Acme's own |" in (there.folder / "README.md").read_text()
    names = set(contents(there.folder)) - set(ADDED)
    mine = str(there.folder.parent).encode()
    assert not [n for n in names if mine in (there.folder / n).read_bytes()]


SKETCH = """\
#include <corral-crypto.h>

void setup()
{
    uint8_t hash[32];
    size_t length;

    Serial.begin(115200);
    if (psa_crypto_init() == PSA_SUCCESS &&
        psa_hash_compute(PSA_ALG_SHA_256, (const uint8_t *)"abc", 3, hash, sizeof hash, &length) ==
            PSA_SUCCESS) {
        Serial.println(hash[0], HEX);
    }
}

void loop()
{
}
"""
_ARDUINO = "/usr/share/arduino/hardware"
#: Debian's compiler for AVR is older than Arduino's, which has this name of C99 in C++, too.
_OLDER = "compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__"


def test_arduino_takes_it_as_a_library(avr: Project, tmp_path: Path) -> None:
    """With the builder of its IDE, for a Mega 2560."""
    further = {"arduino-builder": "arduino-builder", "arduino-core-avr": _ARDUINO}
    system.ensure([], {**further, "gcc-avr": "avr-gcc"})
    mine = Project(tmp_path)
    mine.write({"sketch/sketch.ino": SKETCH, "made/nothing": ""})
    shutil.copytree(avr.folder, tmp_path / "libraries" / "crypto")
    mine.done(
        *("arduino-builder", "-compile", "-fqbn", "arduino:avr:mega:cpu=atmega2560"),
        *("-hardware", _ARDUINO, "-hardware", "/usr/share/arduino-builder", "-tools", "/usr/bin"),
        *(f"-prefs=runtime.tools.{tool}.path=/usr" for tool in ("avr-gcc", "avrdude", "ctags")),
        *(f"-prefs={_OLDER}", "-libraries", "libraries", "-build-path", tmp_path / "made"),
        "sketch/sketch.ino",
    )
    assert "psa_crypto_init" in mine.done("avr-nm", "made/sketch.ino.elf")


@pytest.mark.skipif(not is_long(), reason="part of the long run")
def test_program_for_aarch64_links_and_runs(exported: Project) -> None:
    headers = "/usr/aarch64-linux-gnu/include/stdio.h"
    system.ensure(
        [],
        {
            "gcc-aarch64-linux-gnu": "aarch64-linux-gnu-gcc",
            "libc6-dev-arm64-cross": headers,
            "qemu-user-static": "qemu-aarch64-static",
        },
    )
    sources = [str(path) for path in sorted(exported.folder.glob("src/**/*.c"))]
    flags = ["-Os", "-fno-strict-aliasing", "-static", "-Isrc", "-Iinclude"]
    program = ["main.c", "-o", "app-aarch64", "-pthread"]
    exported.done("aarch64-linux-gnu-gcc", *flags, *sources, *program)
    assert exported.done("qemu-aarch64-static", "./app-aarch64") == "signed\n"


def test_cmake_takes_it_as_a_folder(exported: Project, tmp_path: Path) -> None:
    mine = Project(tmp_path)
    lines = (
        "cmake_minimum_required(VERSION 3.18)",
        "project(mine C)",
        # The objects are in an archive, and the linker reads only its table.
        "set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)",
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
    said = json.loads((exported.folder / TAG).read_text(encoding="utf-8"))
    found = contents(exported.folder)
    assert said["sha256"] == {k: v for k, v in found.items() if k not in (*ADDED, TAG)}
    assert not any(
        str(ROOT / "build").encode() in (exported.folder / name).read_bytes() for name in found
    )


FILES = {"README.md": b"read", "src/core/init.c": b"init", "src/drivers/acme/acme.c": b"acme"}


@pytest.mark.parametrize(
    ("edited", "complaint"),
    [
        ("thesis.txt", "is not empty, and no export"),
        ("src/core/init.c", "was edited, or is not of an export: src/core/init.c"),
    ],
)
def test_what_is_not_of_an_export_is_left_alone(
    tmp_path: Path, edited: str, complaint: str
) -> None:
    precious = Project(tmp_path / "precious")
    if "thesis" not in edited:
        write(precious.folder, FILES)
    precious.write({edited: "years"})
    before = contents(tmp_path)
    with pytest.raises(CorralError, match=complaint):
        write(precious.folder, {"README.md": b"other"})
    assert contents(tmp_path) == before


def test_folders_of_others_stay_also_empty_ones(tmp_path: Path) -> None:
    own = (".git/refs/heads", ".git/refs/tags", "own", "src/own")
    write(tmp_path, FILES)
    for name in own:
        (tmp_path / name).mkdir(parents=True)
    write(tmp_path, {"README.md": b"other"})
    folders = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*/")}
    assert folders == {*own, ".git", ".git/refs", "src"}
    assert sorted(contents(tmp_path)) == ["README.md", TAG]


@pytest.mark.parametrize(
    "made",
    [
        {"../victim": True},
        {"src/../../victim": True},
        {"{}/victim": True},
        {"": ""},
        {"a": 1},
        {"a\0b": ""},
        {"\ud800": ""},
        ["a"],
        "a",
        None,
    ],
    ids=str,
)
def test_list_that_no_export_has_written_removes_nothing(tmp_path: Path, made: object) -> None:
    mine = Project(tmp_path)
    mine.write({"victim": "theirs"})
    sha256 = contents(tmp_path)["victim"]
    if isinstance(made, dict):
        made = {k.format(tmp_path): sha256 if v is True else v for k, v in made.items()}
    mine.write({f"sources/{TAG}": json.dumps({"sha256": made})})
    before = contents(tmp_path)
    with pytest.raises(CorralError, match="name a new folder"):
        write(tmp_path / "sources", FILES)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["src", "src/core", "src/core/init.c"])
def test_link_to_somewhere_else_is_not_followed(tmp_path: Path, name: str) -> None:
    write(tmp_path / "sources", FILES)
    shutil.move(tmp_path / "sources" / name, tmp_path / "theirs")
    (tmp_path / "sources" / name).symlink_to(tmp_path / "theirs")
    before = contents(tmp_path)
    with pytest.raises(CorralError, match=f"not of an export: {name}"):
        write(tmp_path / "sources", FILES)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("earlier", [{}, {"src/old.c": b"old"}, FILES], ids=["new", "old", "same"])
def test_interrupted_export_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: dict[str, bytes]
) -> None:
    write(tmp_path / "whole", FILES)
    write_bytes = Path.write_bytes
    for last in range(len(FILES) + 1):
        folder, left = tmp_path / f"{last}", [None] * last
        if earlier:
            write(folder, earlier)

        def half(path: Path, data: bytes, left: list[None] = left) -> int:
            if left:
                left.pop()
                return write_bytes(path, data)
            write_bytes(path, data[: len(data) // 2])
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Path, "write_bytes", half)
            write(folder, FILES)
        write(folder, FILES)
        assert contents(folder) == contents(tmp_path / "whole")


def test_conditions_of_all_that_is_in_it_are_one_expression() -> None:
    used = [packages.load(ROOT, name) for name in ("wolfcrypt", "mbedtls", "bearssl")]
    mbedtls = "(Apache-2.0 OR GPL-2.0-or-later)"
    assert expression(used) == f"Apache-2.0 AND {mbedtls} AND GPL-3.0-or-later AND MIT"
    assert expression([]) == "Apache-2.0"


def test_library_without_the_text_of_its_licence_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Project(tmp_path)
    mine.write({"packages/acme/package.toml": SDK, "sdk/acme.c": ""})
    monkeypatch.setenv("CORRAL_PATH", str(tmp_path))
    acme = packages.load(ROOT, "acme")
    with pytest.raises(CorralError, match="Acme SDK has no file of its licence"):
        licence_files(acme)
    beside = tmp_path / "packages/acme/LICENSE"
    beside.touch()
    assert licence_files(acme) == {"licences/acme/LICENSE": beside}
    (tmp_path / "sdk/LICENSE").touch()
    assert licence_files(acme) == {"licences/acme/LICENSE": tmp_path / "sdk/LICENSE"}


def test_statements_on_advisories_are_of_what_the_bill_of_materials_lists(
    exported: Project,
) -> None:
    bill = json.loads((exported.folder / "sbom.cdx.json").read_text(encoding="utf-8"))
    said = json.loads((exported.folder / "openvex.json").read_text(encoding="utf-8"))
    listed = {each["content"] for part in bill["components"] for each in part.get("hashes", ())}
    of_mbedtls = packages.load(ROOT, "mbedtls").source.sha256
    found: dict[str, set[str]] = {}
    for statement in said["statements"]:
        (product,) = statement["products"]
        (component,) = product["subcomponents"]
        found.setdefault(component["hashes"]["sha-256"], set()).add(statement["status"])
    assert found.keys() <= listed
    assert found[of_mbedtls] == {"fixed", "not_affected"}


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
    (carried,) = found["mbedtls"]["components"]
    header = exported.folder / "libraries/mbedtls/include/mbedtls/build_info.h"
    (version,) = re.findall(r'VERSION_STRING +"(.*)"', header.read_text(encoding="utf-8"))
    assert carried["version"] == version
    assert carried["cpe"] == f"cpe:2.3:a:arm:mbed_tls:{version}:*:*:*:*:*:*:*"
    assert licences(exported) == [expression(packages.load(ROOT, name) for name in used)] * 2
