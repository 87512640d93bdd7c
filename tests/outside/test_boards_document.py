# SPDX-License-Identifier: Apache-2.0
"""docs/porting/BOARD.md lists the keys of board.toml: none is missing, none is invented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corral.model import board

from outside.repository import ROOT, Repository, output

TEXT = (ROOT / "docs" / "porting" / "BOARD.md").read_text()


@pytest.mark.parametrize(
    ("heading", "keys"),
    [
        ("## board.toml", board.BOARD_KEYS),
        ("### toolchain", board.TOOLCHAIN_KEYS),
        ("### run", board.RUN_KEYS),
        ("### wall", board.WALL_KEYS),
        ("### element", board.ELEMENT_KEYS),
        ("### element.key", board.BUILTIN_KEY_KEYS),
    ],
)
def test_table_has_the_keys_of_the_model(heading: str, keys: tuple[str, ...]) -> None:
    section = re.split(r"(?m)^#", TEXT.partition(f"\n{heading}\n")[2])[0]
    assert sorted(re.findall(r"(?m)^\| `(\w+)` \|", section)) == sorted(keys)


def test_names_of_the_linker_script_are_those_of_the_port() -> None:
    section = TEXT.partition("\n## The linker script\n")[2]
    named = {n for row in re.findall(r"(?m)^\| (`.*?) \|", section) for n in row.split("`")[1::2]}
    script = (ROOT / "ports" / "picolibc" / "sections.ld").read_text()
    startup = "".join(
        (ROOT / "ports" / source).read_text()
        for source in ("cortex_m/startup.c", "picolibc/start.c")
    )
    assert [name for name in named if name not in script] == []
    asked = set(
        re.findall(
            r"\b(\w+)(?:\[\])?\)?(?:\(void\))?[,;]",
            "".join(
                line for line in startup.splitlines(keepends=True) if line.startswith("extern")
            ),
        )
    )
    assert asked and asked <= named, asked - named


def test_board_of_the_document_is_ours(tmp_path: Path) -> None:
    """The suite of tests/boards runs for ours; so it need not run again for the document's."""
    mine = Repository(tmp_path)
    mine.take("boards/sensor", text=TEXT)
    (new,) = re.findall(r"`\./corral (new board .*?)`", TEXT)
    output(*new.replace("sensor", "copy").replace("~/mine", str(tmp_path)).split())
    for name in ("board.toml", "memory.ld"):
        written, copied = (
            (tmp_path / "boards" / board / name).read_text().replace("copy", "Sensor")
            for board in ("sensor", "copy")
        )
        assert written == copied


def test_board_of_the_document_runs_and_keeps_its_promises(tmp_path: Path) -> None:
    Repository(tmp_path).take("boards/sensor", text=TEXT)
    run, test = re.findall(r"(?m)^    \./corral (.*)$", TEXT)
    mine = str(tmp_path)
    assert output(*run.replace("~/mine", mine).split()) == "hmac: pass\n"
    words = ("-n", "0", "-k", "promise or status or delay")
    said = output(*test.replace("~/mine", mine).split(), *words)
    assert re.search(r"8 passed", said), said
