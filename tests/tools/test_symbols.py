# SPDX-License-Identifier: Apache-2.0
"""The check of exported names: it refuses wrong names, and the tree's own builds pass it."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from corral.build import image as build
from corral.build import symbols
from corral.model import absent


def problems(folder: Path, parts: dict[str, str]) -> list[str]:
    """Compile one line of C for each part, as CMake would lay it out, and check."""
    for part, code in parts.items():
        objects = folder / "cmake" / "CMakeFiles" / f"corral_{part}.dir" / "some" / "where"
        objects.mkdir(parents=True)
        command = ["gcc", "-x", "c", "-c", "-", "-o", str(objects / f"{part}.c.o")]
        subprocess.run(command, input=code.encode(), check=True)
    return [str(problem) for problem in symbols.check(symbols.exports(folder))]


def test_names_of_their_own_parts_pass(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        {
            "core": "int psa_hash_compute(void){return 0;} int corral_wipe; static int helper;",
            "driver_acme": "int acme_sign; static int helper; extern int psa_x; int *p(void);",
            "library_acme": "int AES_encrypt; int sha256_init;",
            "port": "int corral_port_entropy; int reset;",
            "app": "int main(void){return 0;}",
        },
    )
    assert found == []


@pytest.mark.parametrize(
    ("part", "code", "name"),
    [
        ("driver_acme", "int sign;", "sign"),
        ("driver_acme", "int psa_sign_hash;", "psa_sign_hash"),
        ("driver_acme", "__attribute__((weak)) int corral_x;", "corral_x"),
        ("library_acme", "int psa_crypto_init(void){return 0;}", "psa_crypto_init"),
        ("library_acme", "const int psa_table[2] = {1, 2};", "psa_table"),
        ("library_acme", "int corral_wipe;", "corral_wipe"),
        ("core", "int helper;", "helper"),
        ("port", "int psa_hash_setup;", "psa_hash_setup"),
    ],
)
def test_foreign_name_is_refused(tmp_path: Path, part: str, code: str, name: str) -> None:
    found = problems(tmp_path, {part: code})
    assert len(found) == 1
    assert f"{part} defines {name}:" in found[0]


def test_two_backends_with_one_name_are_refused(tmp_path: Path) -> None:
    code = {"library_acme": "int sha256_init;", "library_zenith": "int sha256_init;"}
    found = problems(tmp_path, code)
    assert len(found) == 1
    assert "library_zenith and library_acme both define sha256_init" in found[0]


def test_all_backends_together_export_no_name_twice(
    driver_builds: dict[tuple[str, ...], build.Build],
) -> None:
    together = symbols.merge(symbols.exports(done.folder) for done in driver_builds.values())
    assert symbols.check(together) == []
    glue = {part.removeprefix("driver_") for part in together if part.startswith("driver_")}
    assert glue == {name for names in driver_builds for name in names}
    foreign = [name for part, names in together.items() if part != "core" for name in names]
    assert len(foreign) > 300
    assert not [name for name in foreign if name.startswith("psa_")]


def calls(root: Path) -> ModuleType:
    """tools/checks/calls.py, as a module."""
    specification = importlib.util.spec_from_file_location("calls", root / "tools/checks/calls.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_sources_use_each_others_names_in_no_circle(
    root: Path, driver_builds: dict[tuple[str, ...], build.Build]
) -> None:
    check = calls(root)
    seen: dict[str, int] = {}
    for done in driver_builds.values():
        listed = check.symbols(done.folder)
        assert check.circles(listed) == []
        for part, units in check.graph(listed).items():
            seen[part] = max(seen.get(part, 0), len(units))
    assert seen["core"] > 30
    assert seen["drivers/atecc608"] > 5
    assert len(seen) == 1 + sum(map(len, driver_builds))


def test_wall_and_what_is_behind_it_use_each_others_names_in_no_circle(root: Path) -> None:
    check = calls(root)
    options = build.Options(lto=False, name="tests/symbols/wall")
    done = build.build("sensor", "mps2-an505-trustzone", options)
    listed = check.symbols(done.folder, done.board.toolchain.prefix)
    units = check.graph(listed)["core"]
    assert {unit.partition("/")[0] for unit in units} == {"core", "storage", "wall"}
    assert check.circles(listed) == []


def test_only_mbed_tls_and_aws_lc_ask_for_memory(
    driver_builds: dict[tuple[str, ...], build.Build],
) -> None:
    asking = set()
    for done in driver_builds.values():
        objects = (done.folder / "cmake" / "CMakeFiles").glob("*.dir/**/*.o")
        command = ["nm", "--print-file-name", "--undefined-only", *map(str, objects)]
        names = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        pattern = r"/corral_(?:driver|library)_(\w+)\.dir/\S+ +U (?:free|\w*alloc|\w*Malloc)$"
        asking |= set(re.findall(pattern, names, re.M))
    assert asking == {"awslc", "mbedtls"}


def test_library_defines_the_functions_that_the_documents_list(root: Path) -> None:
    symbols_on = (
        "CORRAL_STORAGE",
        "CORRAL_PROTECTED_STORAGE",
        "CORRAL_ATTESTATION",
        "CORRAL_UPDATE",
    )
    options = build.Options(settings=dict.fromkeys(symbols_on, "y"), name="tests/symbols/functions")
    done = build.build("hmac", "native", options)
    defined = {n for n in symbols.exports(done.folder)["core"] if n.startswith("psa_")}
    present, missing = absent.functions(root)
    assert defined <= set(present)
    assert not defined & set(missing)
    headers = "".join(p.read_text() for p in (root / "include" / "psa").glob("*.h"))
    inline = set(re.findall(r"^static inline [\w\s*]*?\b(psa_\w+)\s*\(", headers, re.M))
    assert set(present) - inline <= defined


def test_board_build_exports_only_its_own_names() -> None:
    done = build.build("zoo", "mps2-an386", build.Options(name="tests/symbols/mps2"))
    found = symbols.exports(done.folder, done.board.toolchain.prefix)
    assert "core" in found
    assert symbols.check(found) == []
