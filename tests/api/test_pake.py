# SPDX-License-Identifier: Apache-2.0
"""Password-authenticated key exchange through the API, in a build that has nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from corral import packages
from harness.program import EMULATED, NATIVE, TESTS, WITHOUT_ELEMENTS, Program
from vectors import jpake, spake2p

ROOT = TESTS.parent
CONFIGURATIONS: dict[str, Mapping[str, str]] = {"default": {}}


def generated(name: str, text: str) -> Path:
    """A C file with vectors, below build/tests."""
    path = ROOT / "build" / "tests" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


@cache
def rows() -> tuple[Path, ...]:
    return (
        generated("jpake_published.c", jpake.source(packages.ensure(ROOT, "mbedtls"))),
        generated("spake2p_rows.c", spake2p.source()),
    )


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_pake(configuration: str, board: str) -> None:
    settings = {**WITHOUT_ELEMENTS, **CONFIGURATIONS[configuration]}
    program = Program(
        "api/pake",
        board,
        f"api-pake-{configuration}",
        settings,
        sources=rows(),
        link_flags=("-Wl,--wrap=corral_random",),
    )
    program.run().check(62)
