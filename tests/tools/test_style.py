# SPDX-License-Identifier: Apache-2.0
"""Formatting, linting and naming, as CONTRIBUTING.md promises them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from corral.build import image as build

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 100
C_FOLDERS = [
    "cmake",
    "include",
    "core",
    "storage",
    "update",
    "wall",
    "drivers",
    "ports",
    "sim",
    "apps",
    "fleet",
    "examples",
    "bench",
    "integrations",
    "tests",
]
PYTHON_FOLDERS = ["tools", "bench", "fleet", "integrations", "tests"]


def tracked(*patterns: str) -> list[str]:
    """Files of the tree, as version control knows them."""
    output = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [name for name in output.split("\0") if name and (ROOT / name).is_file()]


def check(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


def test_c_sources_are_formatted() -> None:
    files = tracked(*(f"{folder}/*.[ch]" for folder in C_FOLDERS))
    assert len(files) > 100
    check(["clang-format", "--dry-run", "-Werror", *files])


def test_lines_fit_the_width_also_in_comments() -> None:
    """The formatter does not reflow comments of C, because that breaks their lists. CMake has no
    formatter."""
    patterns = [f"{folder}/*.[ch]" for folder in C_FOLDERS]
    wide = [
        f"{file}:{number}"
        for file in tracked(*patterns, "*.cmake", "*CMakeLists.txt", "*.sh", "corral")
        for number, line in enumerate((ROOT / file).read_text().splitlines(), 1)
        if len(line) > WIDTH
    ]
    assert wide == []


def test_c_sources_hold_no_known_mistake(driver_builds: dict[tuple[str, ...], build.Build]) -> None:
    """clang-tidy over what the builds compiled, each file once, with that build's headers."""
    seen: set[str] = set()
    for done in driver_builds.values():
        commands = done.folder / "cmake" / "compile_commands.json"
        files = {entry["file"] for entry in json.loads(commands.read_text())}
        ours = {
            name
            for name in files - seen
            if not name.startswith(str(ROOT / "build")) and not name.endswith(".S")
        }
        seen |= ours
        if ours:
            check(["clang-tidy", "--quiet", "-p", str(commands.parent), *sorted(ours)])
    assert len(seen) > 100


def test_python_is_formatted() -> None:
    check([sys.executable, "-m", "ruff", "format", "--check", "--no-cache", *PYTHON_FOLDERS])


def test_python_is_linted() -> None:
    check([sys.executable, "-m", "ruff", "check", "--no-cache", *PYTHON_FOLDERS])


def test_python_is_typed() -> None:
    packages = ["tools/corral", "bench/corral_bench", "fleet/python/corral_fleet"]
    check([sys.executable, "-m", "mypy", "--cache-dir=build/mypy", *packages])


@pytest.mark.parametrize("folder", ["core", "drivers", "ports", "storage", "update", "wall"])
def test_functions_hold_no_conditional_compilation(folder: str) -> None:
    guilty = []
    for name in tracked(f"{folder}/*.c"):
        depth = 0
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            if depth > 0 and re.match(r"\s*#\s*if", line):
                guilty.append(f"{name}:{number}")
            code = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|/\*.*?\*/', "", line)
            depth += code.count("{") - code.count("}")
    assert not guilty


def test_no_file_holds_both_sides_of_a_merge() -> None:
    found = subprocess.run(
        ["git", "grep", "-nE", "^(<{7}|>{7}) "],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stdout) == (1, "")  # 1: nothing matches


def test_every_source_names_its_licence() -> None:
    files = tracked("*.c", "*.h", "*.py", "*.toml", "*.cmake", "CMakeLists.txt")
    lacking = [
        name
        for name in files
        if name != "pyproject.toml"
        and "SPDX-License-Identifier" not in (ROOT / name).read_text()[:200]
    ]
    assert not lacking
