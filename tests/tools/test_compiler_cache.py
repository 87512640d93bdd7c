# SPDX-License-Identifier: Apache-2.0
"""The tests' builds take from the compiler cache what another clone has compiled, and no more."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from corral import ROOT
from harness import compiler_cache

#: As an application that a user begins with; the board's own program of this computer.
COMMAND = ("./corral", "build", "hmac", "native")


def _clone(folder: Path) -> Path:
    """The tree as it is now, at another place, with the packages of this one."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "fleet/", ".venv")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / "build").mkdir()
    (folder / "build" / "packages").symlink_to(ROOT / "build" / "packages")
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


def _built(clone: Path, log: Path) -> Path:
    environment = {
        **os.environ,
        "CCACHE_BASEDIR": str(clone),
        "CCACHE_STATSLOG": str(log),
    }
    done = subprocess.run(
        COMMAND, cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return clone / "build" / "hmac-native"


def _counted(log: Path) -> Counter[str]:
    """ccache's log of its calls, each with the name of its source."""
    return Counter(line for line in log.read_text().splitlines() if not line.startswith("#"))


def _frames(build: Path) -> set[str]:
    return {path.name for path in build.rglob("*.su") if path.stat().st_size}


def test_another_clone_compiles_nothing_again(tmp_path: Path) -> None:
    if shutil.which("ccache") is None:
        pytest.skip("no ccache")
    _built(_clone(tmp_path / "one"), tmp_path / "log-of-one")
    other = _built(_clone(tmp_path / "another"), tmp_path / "log")
    counted = _counted(tmp_path / "log")
    hits = counted["direct_cache_hit"] + counted["preprocessed_cache_hit"]
    assert hits > 20
    assert counted["cache_miss"] <= 2, counted  # of sources that name the clone
    # A cached object has its stack frames, and belongs to the headers of this clone.
    assert _frames(other) == _frames(tmp_path / "one" / "build" / "hmac-native")
    assert len(_frames(other)) > 20
    depends = subprocess.run(
        ["ninja", "-C", str(other / "cmake"), "-t", "deps"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "gen/corral/config.h" in depends
    assert str(tmp_path / "one") not in depends
    header = other / "gen" / "corral" / "config.h"
    header.write_text(header.read_text() + "#error changed\n")
    again = subprocess.run(["ninja", "-C", str(other / "cmake")], capture_output=True, check=False)
    assert again.returncode != 0
    assert b"#error changed" in again.stdout


def test_without_ccache_the_compiler_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CMAKE_C_COMPILER_LAUNCHER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    compiler_cache.use()
    assert "CMAKE_C_COMPILER_LAUNCHER" not in os.environ


def test_cache_is_the_user_s__or_in_the_tree_if_that_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert compiler_cache.folder() == tmp_path / "cache" / "corral" / "ccache"
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert compiler_cache.folder() == ROOT / "build" / "tests" / "ccache"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # which the standard has ignored
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert compiler_cache.folder() == tmp_path / "home" / ".cache" / "corral" / "ccache"
