# SPDX-License-Identifier: Apache-2.0
"""Areas of tests: everything is in one, and more than an area may take fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from corral import suites
from harness import areas

#: A test that takes some time, and the area that allows none.
BUSY = "def test_busy():\n    assert sum(range(3_000_000))\n"
STINGY = '[area.core]\nminutes = 0\nalways = true\nfolders = ["busy"]\n[quick]\ntests = []\n'


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


@pytest.mark.parametrize(("minutes", "status"), [("0", 1), ("5", 0)])
def test_more_time_than_allowed_fails(minutes: str, status: int, tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "busy"
    folder.mkdir(parents=True)
    (folder / "test_busy.py").write_text(BUSY, encoding="utf-8")
    harness = tmp_path / "tests" / "harness"
    harness.mkdir()
    for name in ("__init__.py", "areas.py", "area_hooks.py"):
        (harness / name).write_text((areas.TESTS / "harness" / name).read_text("utf-8"), "utf-8")
    stingy = STINGY.replace("minutes = 0", f"minutes = {minutes}")
    (tmp_path / "tests" / areas.FILE.name).write_text(stingy, encoding="utf-8")
    (tmp_path / "tests" / "conftest.py").write_text(
        'pytest_plugins = ["harness.area_hooks"]\n', "utf-8"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == status, run.stdout + run.stderr
    assert ("core took longer than areas.toml allows" in run.stdout) == (status == 1)


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
