# SPDX-License-Identifier: Apache-2.0
"""The scripts of tools/checks find what they look for."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def script(name: str) -> ModuleType:
    """One of the scripts, as a module."""
    specification = importlib.util.spec_from_file_location(name, ROOT / f"tools/checks/{name}.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_duplicates_counts_runs_and_not_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duplicates = script("duplicates")
    monkeypatch.setattr(duplicates, "ROOT", tmp_path)
    run = [f"line({number});" for number in range(9)]
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "one.c").write_text("\n".join(["first();", *run]))
    (tmp_path / "core" / "two.c").write_text("\n\n".join(f"    {line}" for line in run))
    (tmp_path / "core" / "three.c").write_text("\n".join(run[:5]))
    found = duplicates.pairs(duplicates.sources(["core"]))
    assert found == [(9, "core/one.c:2", "core/two.c:1")]


def test_includes_finds_a_circle_and_only_that(tmp_path: Path) -> None:
    includes = script("includes")
    for name, text in {
        "core/a.c": '#include "a.h"\n#include "../storage/b.h"\n',
        "core/a.h": "",
        "storage/b.h": "",
        "storage/b.c": '#include "b.h"\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert includes.circle(includes.graph(tmp_path)) == []
    (tmp_path / "storage/b.c").write_text('#include "b.h"\n#include "../core/a.h"\n')
    assert set(includes.circle(includes.graph(tmp_path))) == {"core/a", "storage/b"}


@pytest.mark.parametrize(
    ("message", "files", "expected"),
    [
        ("Say why\n\nBecause.\n", ["core/operations/mac.c"], []),
        ("Say nothing\n", ["docs/API.md"], []),
        ("Say nothing\n", ["core/operations/mac.c"], ["no body: say why, and what it costs"]),
        ("End with a stop.\n", [], ["subject ends with a full stop"]),
        ("x" * 73, [], ["subject of 73 characters: at most 72"]),
        ("Subject\nat once more", [], ["no empty line behind the subject"]),
    ],
)
def test_commits_are_held_to_their_rules(
    message: str, files: list[str], expected: list[str]
) -> None:
    assert script("commits").problems(message, files) == expected
