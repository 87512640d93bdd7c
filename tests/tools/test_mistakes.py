# SPDX-License-Identifier: Apache-2.0
"""Mistakes that tests must find: mistakes.tsv has one a line, and the test that fails with it.

Each run of the tests checks that every mistake can still be made. --long makes them one after the
other in copies of the tree, a copy for each processor, and runs their tests there:

    ./corral test tests/tools/test_mistakes.py --long -s

prints the result of each and the time that is left. Mistakes of one test, and those of one file of
tests, follow each other, so that one build serves them. A run that was interrupted goes on where it
ended, unless the tree has changed. These settings of the environment narrow a run and repeat it:

    CORRAL_MISTAKES=TEXT    mistakes whose file, text or test contains TEXT
    CORRAL_MISTAKES_ANEW=1  also mistakes that an earlier run on the same tree found

A test is a path for pytest, or `cargo` and the arguments of `cargo test` in fleet/server. The last
column is empty, or the reason for which no test finds the mistake: it has to survive its test then.
"""

from __future__ import annotations

import csv
import functools
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
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from corral import ROOT
from harness import areas

TABLE = Path(__file__).with_name("mistakes.tsv")
RESULTS = ROOT / "build" / "mistakes" / "results"
#: Each process that tests has a copy of its own, because a copy has one mistake at a time.
COPY = ROOT / "build" / "mistakes" / os.environ.get("PYTEST_XDIST_WORKER", "gw0")
PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
#: So much of the table must be found.
SHARE = 0.95
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
    """The mistakes of each test; those of tests with a common build are together."""
    found = mistakes()
    size = Counter(build_of(mistake.test) for mistake in found)

    def place(mistake: Mistake) -> tuple[int, str, str]:
        build = build_of(mistake.test)
        return -size[build], build, mistake.test

    found.sort(key=place)
    return {test: list(own) for test, own in itertools.groupby(found, lambda each: each.test)}


def build_of(test: str) -> str:
    """What a test compiles: all of cargo together, else the file of the test or its program."""
    if test.startswith("cargo "):
        return "cargo"
    path, _, name = test.partition("::")
    return path + name.partition("[")[2].strip("]")


def parameters() -> list[ParameterSet]:
    return [
        pytest.param(test, marks=pytest.mark.xdist_group(f"mistakes-{build_of(test)}"))
        for test in by_test()
    ]


@functools.cache
def copy(tree: Path = COPY) -> str:
    """Make the tree as it is, beside the builds of an earlier run; return a digest of it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    names = set(filter(None, os.fsdecode(listed.stdout).split("\0")))
    for folder, folders, files in os.walk(tree):
        if Path(folder) == tree:
            folders[:] = [name for name in folders if name not in ("build", ".venv")]
        for path in (Path(folder, name) for name in files):
            if path.relative_to(tree).as_posix() not in names:
                path.unlink()
    digest = hashlib.sha256()
    for name in sorted(names):
        source, target = ROOT / name, tree / name
        if not source.is_file():
            continue
        content = source.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
        if not target.is_file() or content != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    for shared in _SHARED:
        link = tree / shared
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


def run(test: str, limit: float | None = None, tree: Path = COPY) -> Done:
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
        cwd=tree / "fleet" / "server" if program == "cargo" else tree,
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


def say(line: str) -> None:
    """Print to the error stream, which processes that test share with the user's terminal."""
    print(line, file=sys.stderr, flush=True)


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
    """Results of earlier runs: a file for each mistake, with the tree that it was made in."""

    def __init__(self, digest: str) -> None:
        self._digest = digest

    def _path(self, mistake: Mistake) -> Path:
        name = hashlib.sha256(repr(astuple(mistake)).encode()).hexdigest()
        return RESULTS / f"{name}.json"

    def _read(self, mistake: Mistake) -> dict[str, Any]:
        try:
            return dict(json.loads(self._path(mistake).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def result(self, mistake: Mistake) -> str:
        """Of the same tree, or nothing; of this run only, where it is wanted anew."""
        known = self._read(mistake)
        is_of_now = known.get("run") == os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
        is_wanted_anew = bool(os.environ.get("CORRAL_MISTAKES_ANEW")) and not is_of_now
        return "" if known.get("tree") != self._digest or is_wanted_anew else known["result"]

    def note(self, mistake: Mistake, result: str, seconds: float) -> None:
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
        known = {"tree": self._digest, "run": run, "result": result, "seconds": seconds}
        RESULTS.mkdir(parents=True, exist_ok=True)
        part = self._path(mistake).with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(known), encoding="utf-8")
        part.replace(self._path(mistake))

    def progress(self) -> str:
        """How many have a result, and what the others take if they take as long as before."""
        wanted = [mistake for mistake in mistakes() if mistake.is_wanted]
        left = [mistake for mistake in wanted if not self.result(mistake)]
        times = [self._read(mistake).get("seconds") for mistake in wanted]
        known = [seconds for seconds in times if seconds is not None]
        mean = sum(known) / len(known) if known else 0.0
        rest = sum(self._read(mistake).get("seconds", mean) for mistake in left)
        minutes = rest / 60 / min(PROCESSES, max(1, len({build_of(one.test) for one in left})))
        return f"{len(wanted) - len(left)} of {len(wanted)}, about {minutes:.0f} minutes left"


def test_every_mistake_can_still_be_made() -> None:
    faults = [mistake.fault(ROOT) for mistake in mistakes()]
    tests = (test.partition("::")[0] for test in by_test() if not test.startswith("cargo "))
    faults += [f"{path}: this test does not exist" for path in tests if not (ROOT / path).is_file()]
    assert not any(faults), "\n".join(filter(None, faults))


def test_most_mistakes_are_found_and_the_others_have_a_reason() -> None:
    survivors = [mistake for mistake in mistakes() if mistake.survives]
    assert len(survivors) <= (1 - SHARE) * len(mistakes()), "\n".join(map(str, survivors))


@pytest.mark.skipif(not areas.is_long(), reason="compiles and runs for each mistake")
@pytest.mark.parametrize("test", parameters())
def test_every_mistake_is_found(test: str) -> None:
    wanted = [mistake for mistake in by_test()[test] if mistake.is_wanted]
    if not wanted:
        pytest.skip("CORRAL_MISTAKES names none of these")
    known = Known(copy())
    left = [mistake for mistake in wanted if not known.result(mistake)]
    limit = 0.0
    if left:
        say(f"\n{test}: {len(left)} mistakes")
        done = run(test)
        assert done.status == 0, f"{test} fails without a mistake: {done.end}"
        limit = _TIMES * done.seconds + _MORE
    results = {mistake: known.result(mistake) for mistake in wanted}
    for mistake in left:
        begun = time.monotonic()
        results[mistake] = result = judge(mistake, limit)
        if result in ("found", "survives"):
            known.note(mistake, result, time.monotonic() - begun)
        say(f"{known.progress()}. {result.partition(':')[0]}: {mistake}")
    unexpected = [
        f"{mistake}: {result}"
        for mistake, result in results.items()
        if result != ("survives" if mistake.survives else "found")
    ]
    assert not unexpected, "\n".join(unexpected)
