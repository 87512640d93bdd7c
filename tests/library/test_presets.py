# SPDX-License-Identifier: Apache-2.0
"""Presets are used as they are meant: each program has all keys at once that its protocol has.

That the wants of each are served tests/config/test_presets.py says; in a long run all compile for a
Cortex-M4, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from corral.build import image as build
from corral.model.places import Places
from corral.run import program as run
from harness.areas import is_long

from .project import ROOT, Project

PRESETS = Places(ROOT).presets()
PROGRAMS = sorted(path.parent.name for path in (ROOT / "tests/library/presets").glob("*/main.c"))
#: tests/clients shakes hands with examples/tls, which begins with this one.
IN_CLIENTS = {"tls-server"}
#: tests/bench verifies an image with each of these.
IN_BENCH = {name for name in PRESETS if name.startswith("boot-")}
#: To try out, and for no protocol.
ALL = "everything"
CASES = [
    (name, board)
    for name in PRESETS
    for board in ("native", "mps2-an386")
    # A microcontroller has no use for all that there is.
    if (name, board) != (ALL, "mps2-an386")
]
#: Compiled in each run: a boot loader, whose image is the smallest and must stay so.
SHORT = [("boot", "mps2-an386")]


def test_each_preset_has_a_use() -> None:
    assert {*PROGRAMS, *IN_CLIENTS, *IN_BENCH, ALL} == set(PRESETS)
    assert "include tls-server\n" in (ROOT / "examples/tls/crypto.config").read_text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_slots_suffice_for_the_protocol(name: str) -> None:
    options = build.Options(sanitize="address,undefined", name=f"tests/preset-{name}")
    done = build.build(f"../tests/library/presets/{name}", "native", options)
    result = run.run(done, capture=True, repeats=False)
    assert (result.returncode, result.stdout) == (0, "done\n")


@pytest.mark.parametrize(("name", "board"), CASES if is_long() else SHORT)
def test_preset_compiles(name: str, board: str, tmp_path: Path) -> None:
    made = Project(tmp_path)
    made.done(ROOT / "corral", "library", str(PRESETS[name]), board, "--prefix", "dist")
    assert (tmp_path / "dist" / "lib" / "libcorral.a").is_file()
