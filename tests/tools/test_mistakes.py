# SPDX-License-Identifier: Apache-2.0
"""Mistakes that tests must find: mistakes.tsv has one a line, and the test that fails with it.

Each run of the tests checks that every mistake can still be made. --long makes each in a copy of
the tree, one after the other, and runs its test there:

    ./corral test tests/tools/test_mistakes.py --long -s

prints the result of each. These settings of the environment narrow it, and repeat it:

    CORRAL_MISTAKES=TEXT    mistakes whose file, text or test contains TEXT
    CORRAL_MISTAKES_ANEW=1  also mistakes that an earlier run on the same tree found

A test is a path for pytest, or `cargo` and the arguments of `cargo test` in fleet/server. The last
column is empty, or the reason for which no test finds the mistake: it has to survive its test then.
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import astuple, dataclass
from pathlib import Path

import pytest
from corral import ROOT
from harness import areas

TABLE = Path(__file__).with_name("mistakes.tsv")
COPY = ROOT / "build" / "mistakes"
#: Folders that the copy shares with this tree.
_SHARED = (".venv", "build/packages", "build/downloads")
#: A test with a mistake may take so many times as long as without it, and so many seconds more.
_TIMES, _MORE = 5, 120


@dataclass(frozen=True)
class Mistake:
    """`text`, once in `file`, becomes `mistaken`, and `test` has to fail unless it `survives`."""

    file: str
    text: str
    mistaken: str
    test: str
    survives: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text!r} becomes {self.mistaken!r}"

    @property
    def is_wanted(self) -> bool:
        wanted = os.environ.get("CORRAL_MISTAKES", "")
        return wanted in f"{self.file}\t{self.text}\t{self.test}"

    def fault(self, tree: Path) -> str:
        """Why it cannot be made, or nothing."""
        path = tree / self.file
        if not path.is_file():
            return f"{self.file}: this file does not exist"
        count = path.read_text(encoding="utf-8").count(self.text)
        if count != 1:
            return f"{self.file} has this {count} times instead of once: {self.text!r}"
        return f"{self}: no change" if self.text == self.mistaken else ""

    def does_not_compile(self, output: str) -> bool:
        """Whether a compiler rejects the mistake, so that no test has run."""
        name = re.escape(Path(self.file).name)
        of_c = rf"{name}:\d+:\d+: (fatal )?error:"
        return re.search(rf"{of_c}|^error: could not compile", output, re.M) is not None


def mistakes() -> list[Mistake]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Mistake(*(cell.replace("\\n", "\n") for cell in row)) for row in rows[1:]]


def by_test() -> dict[str, list[Mistake]]:
    found = sorted((mistake for mistake in mistakes()), key=lambda mistake: mistake.test)
    return {test: list(own) for test, own in itertools.groupby(found, lambda each: each.test)}


def copy() -> str:
    """Make the tree as it is, beside the builds of an earlier run; return a digest of it."""
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
    digest = hashlib.sha256()
    for name in sorted(names):
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            continue
        content = source.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
        if not target.is_file() or content != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    for shared in _SHARED:
        link = COPY / shared
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink() and (ROOT / shared).exists():
            link.symlink_to(ROOT / shared)
    return digest.hexdigest()


@dataclass(frozen=True)
class Done:
    """How a test ended."""

    status: int
    output: str
    seconds: float
    hangs: bool = False

    @property
    def end(self) -> str:
        return self.output[-1500:]


def run(test: str, limit: float | None = None) -> Done:
    """Run a test in the copy, for at most `limit` seconds."""
    program, *arguments = test.split()
    if program == "cargo":
        command = ["cargo", "test", "--locked", *arguments]
    else:
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    begun = time.monotonic()
    with subprocess.Popen(
        command,
        cwd=COPY / "fleet" / "server" if program == "cargo" else COPY,
        env=own,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return Done(1, output, time.monotonic() - begun, hangs=True)
    return Done(process.returncode, output, time.monotonic() - begun)


def _fails(done: Done, test: str) -> bool:
    failed = 101 if test.startswith("cargo ") else pytest.ExitCode.TESTS_FAILED
    return done.status == failed


def judge(mistake: Mistake, limit: float) -> str:
    """Make a mistake, run its test, and undo it: `found`, `survives` or the reason of neither."""
    path = COPY / mistake.file
    right = path.read_text(encoding="utf-8")
    path.write_text(right.replace(mistake.text, mistake.mistaken), encoding="utf-8")
    try:
        done = run(mistake.test, limit)
    finally:
        path.write_text(right, encoding="utf-8")
    if done.hangs:
        # It is the mistake that hangs, and not the machine, if the test ends without it.
        return "found" if not run(mistake.test, limit).hangs else "takes too long here"
    if mistake.does_not_compile(done.output):
        return f"does not compile: {done.end}"
    if _fails(done, mistake.test):
        return "found"
    return "survives" if done.status == 0 else f"cannot run: {done.end}"


class Known:
    """Results of earlier runs on the same tree."""

    def __init__(self, digest: str) -> None:
        self._path = COPY / "build" / "results.json"
        self._digest = digest
        self._results: dict[str, str] = {}
        if self._path.is_file() and not os.environ.get("CORRAL_MISTAKES_ANEW"):
            read = json.loads(self._path.read_text(encoding="utf-8"))
            self._results = read["results"] if read["tree"] == digest else {}

    def result(self, mistake: Mistake) -> str:
        return self._results.get(repr(astuple(mistake)), "")

    def note(self, mistake: Mistake, result: str) -> None:
        self._results[repr(astuple(mistake))] = result
        text = json.dumps({"tree": self._digest, "results": self._results})
        self._path.write_text(text, encoding="utf-8")


def test_every_mistake_can_still_be_made() -> None:
    faults = [mistake.fault(ROOT) for mistake in mistakes()]
    tests = (test.partition("::")[0] for test in by_test() if not test.startswith("cargo "))
    faults += [f"{path}: this test does not exist" for path in tests if not (ROOT / path).is_file()]
    assert not any(faults), "\n".join(filter(None, faults))


@pytest.mark.skipif(not areas.is_long(), reason="compiles and runs for each mistake")
@pytest.mark.xdist_group("mistakes")
@pytest.mark.parametrize("test", by_test())
def test_every_mistake_is_found(test: str) -> None:
    wanted = [mistake for mistake in by_test()[test] if mistake.is_wanted]
    if not wanted:
        pytest.skip("CORRAL_MISTAKES names none of these")
    known = Known(copy())
    left = [mistake for mistake in wanted if not known.result(mistake)]
    limit = 0.0
    if left:
        print(f"\n{test}: {len(wanted)} mistakes", flush=True)
        done = run(test)
        assert done.status == 0, f"{test} fails without a mistake: {done.end}"
        limit = _TIMES * done.seconds + _MORE
    unexpected = []
    for number, mistake in enumerate(left, 1):
        result = judge(mistake, limit)
        is_expected = result == ("survives" if mistake.survives else "found")
        print(f"{number} of {len(left)} {result.partition(':')[0]}: {mistake}", flush=True)
        if is_expected:
            known.note(mistake, result)
        else:
            unexpected.append(f"{mistake}: {result}")
    assert not unexpected, "\n".join(unexpected)
