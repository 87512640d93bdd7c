# SPDX-License-Identifier: Apache-2.0
"""Null pointers: each pointer of each function that the specifications' table lists."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as corral_build
from harness.program import EMULATED, NATIVE, TESTS, WITHOUT_ELEMENTS, Program

HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
/* Made by tests/api/test_pointers.py; do not edit. */
#include <psa/crypto.h>
#include <psa/initial_attestation.h>
#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>
#include <psa/update.h>

#include "{rows}"
"""
#: Buffers: their pointer may be null where their length is 0.
BYTES = re.compile(r"(const )?(uint8_t|void) \*\w+")
ON = {"CORRAL_CHECK_POINTERS": "y"}
#: Optional functions, for boards that have them: mps2-an386 has no key for tokens.
OPTIONAL = {
    NATIVE: {"CORRAL_ATTESTATION": "y", "CORRAL_UPDATE": "y"},
    EMULATED: {"CORRAL_UPDATE": "y"},
}


@cache
def prototypes(board: str) -> dict[str, list[str]]:
    """Functions of this board that return a status and have a pointer among their parameters."""
    with (TESTS / "headers" / "api.tsv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = {}
    for row in table:
        declaration = row["declaration"]
        if (
            row["kind"] == "function"
            and declaration.startswith("psa_status_t ")
            and "*" in declaration
            and (board == NATIVE or row["header"] != "psa/initial_attestation.h")
        ):
            inside = declaration[declaration.index("(") + 1 : declaration.rindex(")")]
            found[row["identifier"]] = inside.split(", ")
    return found


def length_of(parameters: list[str], index: int) -> int:
    """The parameter that is the length of a buffer: behind it, in storage before it."""
    behind = parameters[index + 1 : index + 2]
    return (
        index + 1
        if behind and behind[0].startswith("size_t ") and "*" not in behind[0]
        else index - 1
    )


def arguments(parameters: list[str], null: int | None, length: int) -> str:
    """All pointers point to the room, but one; its length is as wanted."""
    values = ["(void *)room" if "*" in parameter else "0" for parameter in parameters]
    for index, parameter in enumerate(parameters):
        if BYTES.fullmatch(parameter):
            values[length_of(parameters, index)] = "16"
    if null is not None:
        values[null] = "NULL"
        if BYTES.fullmatch(parameters[null]):
            values[length_of(parameters, null)] = str(length)
    return ", ".join(values)


def calls(board: str) -> Iterator[tuple[str, str, bool]]:
    """Title, call, and whether it is refused."""
    for name, parameters in prototypes(board).items():
        yield f"{name}, whole", f"{name}({arguments(parameters, None, 0)})", False
        for index, parameter in enumerate(parameters):
            if "*" in parameter:
                title = f"{name}, {parameter.split('*')[-1]}"
                yield title, f"{name}({arguments(parameters, index, 1)})", True
            if BYTES.fullmatch(parameter):
                title = f"{name}, no {parameter.split('*')[-1]}"
                yield title, f"{name}({arguments(parameters, index, 0)})", False


def source(board: str) -> str:
    lines = [HEAD.format(rows=TESTS / "api" / "pointers" / "rows.h")]
    for name, parameters in prototypes(board).items():
        behind = f"__wrap_{unchecked(name)}({', '.join(parameters)})"
        unused = "".join(f"    (void){re.findall(r'[a-z_]+$', p)[0]};\n" for p in parameters)
        lines.append(
            f"psa_status_t {behind};\npsa_status_t {behind}\n{{\n{unused}    return BEHIND;\n}}\n"
        )
    rows = list(calls(board))
    for number, (_, call, _) in enumerate(rows):
        lines.append(f"static psa_status_t call_{number}(void)\n{{\n    return {call};\n}}\n")
    lines.append("const struct row rows[] = {")
    for number, (title, _, is_refused) in enumerate(rows):
        lines.append(f'    {{"{title}", call_{number}, {str(is_refused).lower()}}},')
    lines.append(f"}};\nconst size_t row_count = {len(rows)};\n")
    return "\n".join(lines)


def unchecked(name: str) -> str:
    return f"corral_unchecked_{name.removeprefix('psa_')}"


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_null_pointers(board: str) -> None:
    settings = {**WITHOUT_ELEMENTS, **ON, **OPTIONAL[board]}
    program = Program("api/pointers", board, "api-pointers", settings)
    folder = corral_build.folder_of(program.path, board, program.folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rows.c").write_text(source(board))
    flags = tuple(f"-Wl,--wrap={unchecked(name)}" for name in prototypes(board))
    sources = (folder / "rows.c",)
    Program("api/pointers", board, "api-pointers", settings, sources, link_flags=flags).run().check(
        2
    )


def test_checks_cost_nothing_where_they_are_off(tmp_path: Path) -> None:
    options = corral_build.Options(settings=WITHOUT_ELEMENTS, name=str(tmp_path))
    corral_build.prepare("../tests/api/pointers", EMULATED, options)
    assert not (tmp_path / "gen" / "pointers").exists()
    assert "unchecked" not in (tmp_path / "sources.cmake").read_text()
