# SPDX-License-Identifier: Apache-2.0
"""docs/BOARDS.md says what a board's description may say: no key is missing, none is invented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corral.model import board

from outside.repository import ROOT, output

TEXT = (ROOT / "docs" / "BOARDS.md").read_text()


@pytest.mark.parametrize(
    ("heading", "keys"),
    [
        ("## board.toml", board.BOARD_KEYS),
        ("### toolchain", board.TOOLCHAIN_KEYS),
        ("### run", board.RUN_KEYS),
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
    script = (ROOT / "ports" / "cortex_m" / "sections.ld").read_text()
    startup = (ROOT / "ports" / "cortex_m" / "startup.c").read_text()
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


def test_commands_of_the_document_run(tmp_path: Path) -> None:
    new, run, test = re.findall(r"(?m)^    \./corral (.*)$", TEXT)
    mine = str(tmp_path)
    output(*new.replace("~/mine", mine).split())
    assert output(*run.replace("~/mine", mine).split()) == "hmac: pass\n"
    output(*test.replace("~/mine", mine).split(), "-n", "0")
