# SPDX-License-Identifier: Apache-2.0
"""Mistakes that cargo-mutants makes in the Rust sources of the fleet, and that tests must find.

With --long, the environment names files. The pinned cargo-mutants is compiled below build/. It runs
on a copy of the tree:

    CORRAL_MUTANTS=fleet/rust ./corral test tests/tools/test_mutants.py --long -s

prints each mistake and how it ends; -s shows this at once. There is a test for each source file. It
runs the tests of FOLDERS in turn: each only with the mistakes that those before it did not find.

    CORRAL_MUTANTS=TEXT         files whose path contains TEXT; without it, none
    CORRAL_MUTANTS_SHARD=2/8    of each file the second of eight shares, counted from 0
    CORRAL_MUTANTS_SINCE=REV    mistakes in lines that differ from this commit

mutants.tsv lists mistakes that no test can find, each with its reason. A mistake that is listed has
to survive.
"""

from __future__ import annotations

import csv
import functools
import json
import os
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from corral import ROOT
from corral.common import system
from corral.common.progress import alone
from corral.packages import registries
from harness import areas
from test_mistakes import copy, run

VERSION = "27.1.0"
SHA256 = "07072e7bcdeb425d5e5fdbfd9f15a2c749e23cb2edf5ef40aee5876760ae1cf9"
TABLE = Path(__file__).with_name("mutants.tsv")
_TOOLS = ROOT / "build" / "cargo-mutants"
#: Not the copy that test_mistakes uses: here its packages become a workspace.
_COPY = ROOT / "build" / "mutants" / os.environ.get("PYTEST_XDIST_WORKER", "gw0")
_OUT = _COPY / "build" / "mutants"
_FLEET = Path("fleet")
#: The crate itself is compiled for each mistake, and its tests are short.
_PROFILE = {"CARGO_PROFILE_DEV_OPT_LEVEL": "0", "CARGO_INCREMENTAL": "1"}
#: The least seconds after which a test counts as one that does not end.
_LIMIT = 300
#: Arguments of `cargo test` for unit tests, and for those of a package's tests/.
_UNITS, _TESTS = ("--lib",), ("--tests",)


@dataclass(frozen=True)
class Folder:
    """A package's sources, and the tests that have to find mistakes in them."""

    package: str
    features: str
    cargo: tuple[tuple[str, ...], ...]
    pytest: tuple[str, ...] = ()


FOLDERS = {
    "fleet/rust/src": Folder("corral-fleet-verify", "http", (_UNITS, _TESTS)),
    "fleet/server/src/store": Folder(
        "corral-fleet",
        "http",
        (_UNITS, _TESTS),
        (
            "tests/fleet/test_state.py",
            "tests/fleet/test_keeping.py",
            "tests/fleet/test_readings.py",
        ),
    ),
    "fleet/server/src/http": Folder(
        "corral-fleet",
        "http",
        (_UNITS,),
        ("tests/fleet/test_http.py", "tests/fleet/test_command_http.py"),
    ),
}


@dataclass(frozen=True)
class Mutant:
    """A mistake: its file, the words of cargo-mutants for it, and the line that it changes."""

    file: str
    words: str
    line: str

    def __str__(self) -> str:
        return f"{self.file}: {self.words}, in: {self.line}"


def excused() -> dict[Mutant, str]:
    """The listed mistakes with their reasons."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {Mutant(*row[:3]): row[3] for row in rows[1:]}


def sources() -> Iterator[tuple[str, Folder]]:
    for name, folder in FOLDERS.items():
        for path in sorted((ROOT / name).rglob("*.rs")):
            yield path.relative_to(ROOT).as_posix(), folder


def installed() -> Path:
    """The pinned cargo-mutants, compiled with the versions of its own lock file."""
    root = _TOOLS / VERSION
    program = root / "bin" / "cargo-mutants"
    with alone(_TOOLS):
        if program.is_file():
            return program
        system.ensure(["cargo"])
        with tempfile.TemporaryDirectory() as scratch:
            source = registries.Source("cargo", "cargo-mutants", VERSION, SHA256)
            crate = registries.from_cargo(Path(__file__).name, source, Path(scratch))
            with tarfile.open(crate) as archive:
                archive.extractall(scratch, filter="data")
            unpacked = Path(scratch) / f"cargo-mutants-{VERSION}"
            words = ["cargo", "install", "--locked", "--debug", "--path", str(unpacked)]
            subprocess.run([*words, "--root", str(root)], check=True)
    return program


@functools.cache
def make_workspace() -> None:
    """Copy the tree, with a workspace of its packages: cargo-mutants skips members outside of its
    root."""
    copy(_COPY)
    root = _COPY / _FLEET
    server, rust = root / "server" / "Cargo.toml", root / "rust" / "Cargo.toml"
    own, profile, profiles = server.read_text(encoding="utf-8").partition("[profile.")
    rust_own = rust.read_text(encoding="utf-8")
    assert '[workspace]\nmembers = ["../rust"]\n' in own
    assert 'workspace = "../server"\n' in rust_own
    server.write_text(own.replace('members = ["../rust"]\n', "").replace("[workspace]\n", ""))
    rust.write_text(rust_own.replace('workspace = "../server"\n', ""))
    members = '[workspace]\nmembers = ["rust", "server"]\nresolver = "2"\n\n'
    (root / "Cargo.toml").write_text(members + profile + profiles)
    (root / "server" / "Cargo.lock").replace(root / "Cargo.lock")


@dataclass(frozen=True)
class Made:
    """A mistake that cargo-mutants can make, and where."""

    name: str  # by which cargo-mutants selects it
    mutant: Mutant
    span: Mapping[str, Mapping[str, int]]
    replacement: str

    def within(self, text: str) -> str:
        """The source with this mistake."""
        places = [0, *(place.end() for place in re.finditer("\n", text))]
        start, end = (
            places[point["line"] - 1] + point["column"] - 1
            for point in (self.span["start"], self.span["end"])
        )
        return text[:start] + self.replacement + text[end:]


def _made(name: str, row: Mapping[str, Any]) -> Made:
    named = re.fullmatch(r"\S+?:\d+:\d+: (.*)", row["name"])
    assert named is not None
    line = (ROOT / name).read_text(encoding="utf-8").splitlines()[row["span"]["start"]["line"] - 1]
    mutant = Mutant(name, named[1].replace("\t", " "), line.strip())
    return Made(row["name"], mutant, row["span"], row["replacement"])


def _cargo_mutants(words: Sequence[str], **more: Any) -> subprocess.CompletedProcess[str]:
    target = {"CARGO_TARGET_DIR": str(_COPY / "build" / "fleet" / "target")}
    environment = {**os.environ, **_PROFILE, **target}
    command = [str(installed()), "mutants", "--colors", "never", *words]
    return subprocess.run(
        command, cwd=_COPY / _FLEET, env=environment, check=False, text=True, **more
    )


def _selected(name: str, folder: Folder) -> list[str]:
    file = Path(name).relative_to(_FLEET).as_posix()
    return ["--package", folder.package, "--features", folder.features, "--file", file]


def made_in(name: str, folder: Folder) -> list[Made]:
    """All mistakes in a file, or those that the environment selects."""
    words = [*_selected(name, folder), "--list", "--json"]
    shard = os.environ.get("CORRAL_MUTANTS_SHARD")
    since = os.environ.get("CORRAL_MUTANTS_SINCE")
    if shard:
        words += ["--shard", shard]
    if since:
        diff = _COPY / "build" / "mutants.diff"
        changed = ["git", "diff", "--relative=fleet", since, "--", "fleet"]
        diff.write_bytes(subprocess.run(changed, cwd=ROOT, check=True, capture_output=True).stdout)
        words += ["--in-diff", str(diff)]
    done = _cargo_mutants(words, stdout=subprocess.PIPE)
    assert done.returncode == 0
    return [_made(name, row) for row in json.loads(done.stdout or "[]")]


def missed_by_cargo(
    name: str, folder: Folder, tests: Sequence[str], left: Sequence[Made]
) -> dict[str, str]:
    """How each ends that cargo-mutants makes, by its name."""
    words = [*_selected(name, folder), "--in-place", "--no-shuffle", "--output", str(_OUT)]
    words += ["--minimum-test-timeout", str(_LIMIT), "--caught", "--unviable"]
    for one in left:
        words += ["--re", f"^{re.escape(one.name)}$"]
    _OUT.mkdir(parents=True, exist_ok=True)
    done = _cargo_mutants([*words, "--", *tests])
    # 2: some were missed; 3: the tests of some did not end.
    assert done.returncode in (0, 2, 3), f"cargo-mutants ends with {done.returncode}"
    outcomes = json.loads((_OUT / "mutants.out" / "outcomes.json").read_text(encoding="utf-8"))
    return {
        row["scenario"]["Mutant"]["name"]: row["summary"]
        for row in outcomes["outcomes"]
        if isinstance(row["scenario"], dict)
    }


def missed_by_pytest(test: str, left: Sequence[Made]) -> list[Made]:
    """Those that a test with the program does not find."""
    without = run(test, tree=_COPY)
    assert without.status == 0, f"{test} fails without a mistake: {without.end}"
    missed = []
    for number, one in enumerate(left, 1):
        path = _COPY / one.mutant.file
        right = path.read_text(encoding="utf-8")
        path.write_text(one.within(right), encoding="utf-8")
        try:
            done = run(test, 5 * without.seconds + _LIMIT, _COPY)
        finally:
            path.write_text(right, encoding="utf-8")
        print(f"{number} of {len(left)} {'MISSED' if done.status == 0 else 'caught'} {one.mutant}")
        if done.status == 0:
            missed.append(one)
    return missed


def test_table__has_a_reason_for_each_and_names_files_and_lines_that_exist() -> None:
    files = {name for name, _ in sources()}
    for mutant, reason in excused().items():
        assert mutant.file in files, mutant
        lines = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()
        assert mutant.line in [line.strip() for line in lines], mutant
        assert reason.strip(), mutant


def test_mistake__is_made_where_it_is_said() -> None:
    text = "fn a() {\n    \u00fc < 2\n}\n"
    span = {"start": {"line": 2, "column": 7}, "end": {"line": 2, "column": 8}}
    made = Made("", Mutant("", "", ""), span, "<=")
    assert made.within(text) == text.replace("<", "<=")


@pytest.mark.skipif(not areas.is_long(), reason="compiles and runs for each mistake")
@pytest.mark.xdist_group("mistakes")
@pytest.mark.parametrize(
    ("name", "folder"), [pytest.param(*source, id=source[0]) for source in sources()]
)
def test_every_mistake_in_a_file_is_found(name: str, folder: Folder) -> None:
    wanted = os.environ.get("CORRAL_MUTANTS")
    if not wanted or wanted not in name:
        pytest.skip("CORRAL_MUTANTS does not name this file")
    make_workspace()
    made = left = made_in(name, folder)
    unviable = 0
    print(f"\n{name}: {len(made)} mistakes", flush=True)
    for tests in folder.cargo:
        if left:
            ends = missed_by_cargo(name, folder, tests, left)
            unviable += sum(end == "Unviable" for end in ends.values())
            left = [one for one in left if ends[one.name] == "MissedMutant"]
    for test in folder.pytest:
        left = missed_by_pytest(test, left) if left else left
    listed = excused()
    survivors = {one.mutant for one in left}
    found = len(made) - unviable - len(left)
    print(f"{name}: {found} found, {len(left)} survive, {unviable} do not compile", flush=True)
    unexpected = [f"no test finds {one}" for one in survivors - listed.keys()]
    unexpected += [
        f"mutants.tsv lists this, and a test finds it: {one}"
        for one in listed.keys() & {one.mutant for one in made} - survivors
    ]
    assert not unexpected, "\n".join(sorted(unexpected))
