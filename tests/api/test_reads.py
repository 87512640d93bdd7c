# SPDX-License-Identifier: Apache-2.0
"""Inputs are read once and outputs are not read, in each function of the API.

The drivers' own suites watch each driver (tests/driver/common); here each input and each output is
watched in one program at least.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from harness import programs, reads, statuses
from harness.program import HARNESS, NATIVE, TESTS, Program, Result

#: Test programs that others build and run, too. Their results are computed when they are run.
PROGRAMS: dict[str, Callable[[], Program]] = {
    "whole": lambda: programs.whole(NATIVE, "default", {}),
    "aead": lambda: programs.aead(NATIVE, "default", {}),
    "asymmetric": lambda: programs.asymmetric(NATIVE, "mbedtls", {}),
    "pake": lambda: programs.pake(NATIVE, "default", {}),
    "storage": lambda: programs.storage(NATIVE),
    "update": lambda: programs.update(NATIVE),
    "attestation": programs.attestation,
}


@cache
def watched(name: str) -> Result:
    """The output of a program that watches its calls."""
    return PROGRAMS[name]().run()


@pytest.mark.parametrize("name", PROGRAMS)
def test_inputs_are_read_once_and_outputs_not_at_all(name: str) -> None:
    result = watched(name)
    result.check(1)
    reads.check(result.output)


def test_every_input_and_output_is_watched() -> None:
    outputs = [watched(name).output for name in PROGRAMS]
    assert reads.parameters() - reads.watched(outputs) == set()


@pytest.mark.parametrize(("words", "is_found"), [("10", False), ("11", True), ("10 later", True)])
def test_what_is_beside_an_input_is_not_to_be_read(
    words: str, is_found: bool, tmp_path: Path
) -> None:
    """Inputs are not read after the call either: AddressSanitizer finds that as without
    watching."""
    sources = [HARNESS / "reads.c", TESTS / "api" / "reads" / "main.c"]
    flags = ["-std=gnu11", "-fsanitize=address", *statuses.copying_link_flags()]
    subprocess.run(["gcc", *flags, *sources, "-o", tmp_path / "program"], check=True)
    done = subprocess.run(
        [tmp_path / "program", *words.split()],
        env={**os.environ, reads.VARIABLE: "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode != 0) == is_found, done.stderr
    assert ("use-after-poison" in done.stderr) == is_found, done.stderr
