# SPDX-License-Identifier: Apache-2.0
"""Memory that a library uses as its own structure has that structure's size and alignment."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from corral.build.image import TOGETHER
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program

ROOT = Path(__file__).resolve().parents[2]
DRIVERS = sorted({path.parent for path in (ROOT / "drivers").glob("*/*_contexts.h")})

#: A pointer to one of our objects, converted to one to another type.
_CONVERSION = re.compile(
    r"\((?:const )?((?:struct )?\w+) \**\*(?: ?const)?\)\s*(?:\(void \*\))?"
    r"\s*&?[a-z_]+(?:->\w+)?[;,)]"
)
#: Bytes as bytes; our own structures behind a void pointer of a callback, or in a key's bytes.
_BYTES = {"uint8_t", "char", "void"}
#: Other conversions: constness, and the table at the start of a structure, which is asserted.
_OTHERS = {"mbedtls_ecp_point", "br_block_ctr_class", "br_block_ctrcbc_class"}


def conversions(folder: Path) -> set[str]:
    """The types of the library that objects of the driver are taken for."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.[ch]")):
        for match in _CONVERSION.finditer(path.read_text(encoding="utf-8")):
            if match[1] not in _BYTES | _OTHERS and not match[1].startswith("struct "):
                found.add(match[1])
    return found


def proved(folder: Path) -> set[str]:
    """The types whose size and alignment the driver's sources prove."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.[ch]")))
    return set(re.findall(r"^CORRAL_REPEATS\(\w+,\s+(\w+)\);", text, re.M))


@pytest.mark.parametrize("folder", DRIVERS, ids=lambda folder: folder.name)
def test_each_repeated_structure_is_proved(folder: Path) -> None:
    assert conversions(folder) - proved(folder) == set()


@pytest.mark.parametrize("folder", DRIVERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("language", ["c -std=c99", "c++ -std=c++11"])
def test_contexts_are_for_all_languages_of_applications(folder: Path, language: str) -> None:
    """psa/crypto.h includes them where the driver is used."""
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{ROOT / 'include'}"]
    for header in folder.glob("*_contexts.h"):
        subprocess.run(["g++", *flags, "-x", *language.split(), str(header)], check=True)


def test_conversions_are_found() -> None:
    found = set().union(*(conversions(folder) for folder in DRIVERS))
    assert {"br_hmac_context", "mbedtls_gcm_context", "crypto_poly1305_ctx", "Blake2s"} <= found


@pytest.mark.parametrize(
    ("structure", "is_fit"),
    [("char a[16]", True), ("long long a[2]", True), ("_Alignas(16) char a[16]", False)],
)
def test_room_without_alignment_is_refused(structure: str, is_fit: bool, tmp_path: Path) -> None:
    source = tmp_path / "glue.c"
    source.write_text(
        "#include <corral/driver.h>\ntypedef struct { long long a[2]; } context;\n"
        f"typedef struct {{ {structure}; }} of_library;\nCORRAL_REPEATS(context, of_library);\n"
    )
    command = ["gcc", "-std=c11", f"-I{ROOT / 'include'}", "-fsyntax-only", str(source)]
    assert (subprocess.run(command, capture_output=True, check=False).returncode == 0) == is_fit


@pytest.mark.parametrize("has_others", [False, True])
def test_applications_see_no_folder_of_a_driver_or_a_library(
    has_others: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names such as ecc.h, random.h and status.h are theirs to use.

    The machine may have libraries of the same names in folders of its own.
    """
    folder = Program("unit", NATIVE, "unit", WITHOUT_ELEMENTS).build().folder
    commands = json.loads((folder / "cmake" / "compile_commands.json").read_text())
    (main,) = (c for c in commands if c["file"].endswith("tests/unit/main.c"))
    headers = {path.name for path in (ROOT / "drivers").glob("*/*.h")}
    assert {"ecc.h", "random.h", "status.h", "rsa.h", "sae.h"} <= headers
    libraries = {"bearssl.h", "mbedtls/aes.h", "uECC.h", "monocypher.h", "wolfssl/options.h"}
    if has_others:
        for name in headers | libraries:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
        monkeypatch.setenv("C_INCLUDE_PATH", str(tmp_path))

    def finds(header: str) -> bool:
        flags = [word for word in shlex.split(main["command"]) if word.startswith(("-I", "-D"))]
        done = subprocess.run(
            ["gcc", *flags, "-fsyntax-only", "-H", "-xc", "-"],
            input=f"#include <{header}>\n",
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
        # The compiler lists the files that it reads, each after one dot for every including file.
        found = re.search(r"^\. (.*)$", done.stderr, re.M)
        return found is not None and Path(found[1]).is_relative_to(ROOT)

    assert {name for name in headers | libraries if finds(name)} == set()
    assert finds("psa/crypto.h") and finds("corral/contexts/hash.h")


def _compiled(file: str) -> list[Path]:
    """The sources in a file, which may be one that includes several."""
    if Path(file).parent.name != TOGETHER:
        return [Path(file)]
    names = re.findall(r'^#include "(.*)"$', Path(file).read_text(), re.M)
    return [(Path(file).parent / name).resolve() for name in names]


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_core_and_glue_are_compiled_strictly_and_without_assumptions_on_types(board: str) -> None:
    folder = Program("unit", board, "unit", WITHOUT_ELEMENTS).build().folder
    commands = json.loads((folder / "cmake" / "compile_commands.json").read_text())
    ours = [
        (path, c)
        for c in commands
        for path in _compiled(c["file"])
        if path.is_relative_to(ROOT / "core") or path.is_relative_to(ROOT / "drivers")
    ]
    assert len(ours) > 50
    for flag in ("-fno-strict-aliasing", "-Wmissing-prototypes", "-Werror"):
        assert [path for path, c in ours if flag not in c["command"]] == []
