# SPDX-License-Identifier: Apache-2.0
"""Areas of tests: everything is in one, and more than an area may take fails."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corral.extend import suites
from harness import areas

#: A test that takes some time, and the area that allows none.
BUSY = "def test_busy():\n    assert sum(range(3_000_000))\n"
STINGY = """\
[area.core]
minutes = 0
always = true
folders = ["busy"]
[long]
tests = []
[quick]
tests = []
"""


def test_each_folder_of_tests_is_in_one_area(root: Path) -> None:
    folders = {
        path.relative_to(root / "tests").parts[0] for path in root.glob("tests/*/**/test_*.py")
    }
    named = [folder for area in areas.load().values() for folder in area.folders]
    assert sorted(named) == sorted(folders)


def test_files_of_tests_are_different_modules(root: Path) -> None:
    """A folder without __init__.py gives its files no name of their own: one would hide another."""
    modules = []
    for path in root.glob("tests/**/test_*.py"):
        is_package = (path.parent / "__init__.py").is_file()
        modules.append(f"{path.parent.name}.{path.stem}" if is_package else path.stem)
    assert sorted(modules) == sorted(set(modules))


def test_all_areas_together_take_fifty_minutes() -> None:
    everything = areas.load().values()
    assert sum(area.minutes for area in everything) <= 50


def test_what_is_quick_is_there(root: Path) -> None:
    for pattern in areas.quick():
        file = pattern.partition("::")[0]
        assert any(root.glob(file)), pattern


def test_tests_run_without_the_plugin_that_spreads_them(root: Path) -> None:
    name = f"{Path(__file__).relative_to(root)}::{test_what_is_quick_is_there.__name__}"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", name]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def _with_one_area(folder: Path, test: str, minutes: str = "5") -> Path:
    """A tree with the harness and one area, which has one test."""
    tests = folder / "tests"
    (tests / "busy").mkdir(parents=True)
    (tests / "busy" / "test_busy.py").write_text(test, encoding="utf-8")
    (tests / "harness").mkdir()
    for name in ("__init__.py", "areas.py", "area_hooks.py"):
        (tests / "harness" / name).write_text((areas.TESTS / "harness" / name).read_text("utf-8"))
    stingy = STINGY.replace("minutes = 0", f"minutes = {minutes}")
    (tests / areas.FILE.name).write_text(stingy, encoding="utf-8")
    (tests / "conftest.py").write_text('pytest_plugins = ["harness.area_hooks"]\n', "utf-8")
    return folder


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "tests"), "CORRAL_ACCEPT_X": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("minutes", "words", "status", "kind"),
    [
        ("0", ["--budget"], 1, "error: "),
        ("0", [], 0, "note: "),
        ("5", ["--budget"], 0, ""),
    ],
)
def test_more_time_than_allowed_fails_if_that_is_asked_for(
    minutes: str, words: list[str], status: int, kind: str, tmp_path: Path
) -> None:
    run = _run(_with_one_area(tmp_path, BUSY, minutes), *words, "tests")
    assert run.returncode == status, run.stdout + run.stderr
    said = f"{kind}core took longer than areas.toml allows"
    assert (said in run.stdout) == bool(kind), run.stdout
    assert "budgets for this machine: " in run.stdout


def test_budget_of_a_machine_half_as_fast_is_twice_as_long() -> None:
    half_as_fast = areas.factor([areas.REFERENCE, 2 * areas.REFERENCE, 9 * areas.REFERENCE])
    assert half_as_fast == 2
    minutes = areas.load()["core"].minutes
    spent = {"core": 1.9 * areas.SLACK * minutes * 60 * areas.PROCESSORS}
    assert areas.exceeded(spent) == ["core"]
    assert areas.exceeded(spent, half_as_fast) == []
    assert f"of {2 * minutes:.1f} minutes" in areas.table(spent, half_as_fast)[0]
    assert areas.calculate() > 0


def test_failure_prints_the_command_that_repeats_it_alone(tmp_path: Path) -> None:
    test = "import pytest\n@pytest.mark.parametrize('x', ['a b'])\ndef test_x(x):\n    assert 0\n"
    run = _run(_with_one_area(tmp_path, test), "tests")
    assert run.returncode == 1
    assert (
        "failed: tests/busy/test_busy.py::test_x[a b]\n"
        "  alone: CORRAL_ACCEPT_X=1 ./corral test 'tests/busy/test_busy.py::test_x[a b]'\n"
    ) in run.stderr
    assert "--long" in _run(tmp_path, "--long", "tests").stderr


def test_tests_that_repeat_others_run_with_long_or_by_name(tmp_path: Path) -> None:
    tree = _with_one_area(tmp_path, "def test_one():\n    pass\ndef test_two():\n    pass\n")
    file = tree / "tests" / areas.FILE.name
    pattern = '[long]\ntests = ["tests/busy/test_busy.py::test_t*"]\n'
    file.write_text(file.read_text().replace("[long]\ntests = []\n", pattern))
    (tree / "pytest.ini").write_text("[pytest]\ntestpaths = tests\n", encoding="utf-8")
    usual = _run(tree)
    assert "1 passed, 1 deselected" in usual.stdout
    assert "left out: tests that repeat others" in usual.stdout
    assert "2 passed" in _run(tree, "--long").stdout
    assert "2 passed" in _run(tree, "tests/busy").stdout


def test_each_pattern_of_repeated_tests_names_some(root: Path) -> None:
    for pattern in areas.repeated():
        name, _, test = pattern.rstrip("*?").partition("::")
        text = (root / name).read_text(encoding="utf-8")
        assert f"def {re.split(r'[?*]', test)[0]}" in text, pattern


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        ("run", [], "test --area all"),
        ("run", ["core", "walls"], "test --area core --area walls"),
        ("nightly", [], "test --long --area all"),
        ("nightly", ["evidence"], "test --long --area evidence"),
    ],
)
def test_ci_runs_the_areas_that_it_is_asked_for(
    script: str, words: list[str], said: str, root: Path, tmp_path: Path
) -> None:
    shutil.copytree(root / ".ci", tmp_path / ".ci")
    (tmp_path / "tools" / "checks").mkdir(parents=True)
    (tmp_path / "tools" / "checks" / "commits.py").write_text("print('messages')\n")
    (tmp_path / "corral").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "corral").chmod(0o755)
    command = [str(tmp_path / ".ci" / script), *words]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"messages\n{said}\n"), done.stderr


def test_progress_says_what_is_left_by_what_tests_took() -> None:
    first, second = "tests/unit/a.py::a", "tests/api/b.py::b@group"
    progress = areas.Progress([first, second], {first: 10.0, "tests/api/b.py::b": 30.0})
    assert progress.line(0) == "0 of 2 tests, 0 min"
    progress.done(first)
    assert progress.line(60) == "1 of 2 tests, 1 min, about 3 left"
    progress.done(second)
    assert progress.line(240) == "2 of 2 tests, 4 min, about 0 left"


def test_area_that_is_called_as_a_folder_of_the_tree__is_the_area() -> None:
    name = next(name for name in areas.load() if (areas.TESTS.parent / name).is_dir())
    words = suites.outside(["--area", name, "--collect-only", "-k", "nothing_has_this_name"])[0]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *words]
    run = subprocess.run(
        command, cwd=areas.TESTS.parent, capture_output=True, text=True, check=False
    )
    assert run.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, run.stderr


def test_progress_of_a_first_run_says_what_the_areas_may_take() -> None:
    progress = areas.Progress(["tests/unit/a.py::a", "tests/clients/b.py::b"], {})
    allowed = areas.load()["core"].minutes + areas.load()["clients"].minutes
    assert progress.line(60) == f"0 of 2 tests, 1 min; these areas may take {allowed:g}"


@pytest.mark.parametrize("text", ["", "{", "\xff"])
def test_damaged_times_are_none(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(areas, "TIMES", tmp_path / "times.json")
    assert areas.known_times() == {}
    areas.TIMES.write_bytes(text.encode("latin-1"))
    assert areas.known_times() == {}
