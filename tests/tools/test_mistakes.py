# SPDX-License-Identifier: Apache-2.0
"""Mistakes that tests must find: mistakes.tsv has one a line, and the test that fails with it.

Each run of the tests checks that every mistake can still be made. --long makes each in a copy of
the tree, one after the other, and runs its test there.
"""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from corral import ROOT
from harness import areas

TABLE = Path(__file__).with_name("mistakes.tsv")
COPY = ROOT / "build" / "mistakes"
#: What a copy shares with this tree.
_SHARED = (".venv", "build/packages", "build/downloads")


@dataclass(frozen=True)
class Mistake:
    """`text`, once in `file`, becomes `mistaken`, and `test` has to fail."""

    file: str
    text: str
    mistaken: str
    test: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text}"

    def is_possible(self, tree: Path) -> bool:
        path = tree / self.file
        return path.is_file() and path.read_text(encoding="utf-8").count(self.text) == 1


def mistakes() -> list[Mistake]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    made = [[cell.replace("\\n", "\n") for cell in row] for row in rows[1:]]
    return [Mistake(*row) for row in made]


def copy() -> Path:
    """The tree as it is, beside its own builds of an earlier run."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    names = set(filter(None, os.fsdecode(listed.stdout).split("\0")))
    for path in COPY.glob("*/**/*"):
        name = path.relative_to(COPY).as_posix()
        is_ours = name.partition("/")[0] not in ("build", ".venv")
        if is_ours and path.is_file() and name not in names:
            path.unlink()
    for name in names:
        source, target = ROOT / name, COPY / name
        if source.is_file() and (
            not target.is_file() or source.read_bytes() != target.read_bytes()
        ):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for shared in _SHARED:
        link = COPY / shared
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink() and (ROOT / shared).exists():
            link.symlink_to(ROOT / shared)
    return COPY


def run(tree: Path, test: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, cwd=tree, env=own, check=False, capture_output=True, text=True)


@pytest.mark.parametrize("mistake", mistakes(), ids=str)
def test_mistake_can_still_be_made(mistake: Mistake) -> None:
    assert mistake.text != mistake.mistaken
    assert mistake.is_possible(ROOT), f"{mistake.file} does not have it once: {mistake.text}"
    assert (ROOT / mistake.test.partition("::")[0]).is_file()


@pytest.mark.skipif(not areas.is_long(), reason="compiles and runs for each mistake")
@pytest.mark.xdist_group("mistakes")
def test_every_mistake_is_found() -> None:
    tree = copy()
    survivors = []
    for test in sorted({mistake.test for mistake in mistakes()}):
        done = run(tree, test)
        assert done.returncode == 0, f"{test} fails without a mistake: {done.stdout[-2000:]}"
    for mistake in mistakes():
        path = tree / mistake.file
        right = path.read_text(encoding="utf-8")
        path.write_text(right.replace(mistake.text, mistake.mistaken), encoding="utf-8")
        try:
            done = run(tree, mistake.test)
        finally:
            path.write_text(right, encoding="utf-8")
        if done.returncode != pytest.ExitCode.TESTS_FAILED:
            survivors.append(f"{mistake}: {done.stdout[-500:]}{done.stderr[-500:]}")
    assert not survivors, "\n".join(survivors)
