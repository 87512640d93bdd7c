# SPDX-License-Identifier: Apache-2.0
"""`./corral build` of an earlier build: nothing is configured again while nothing has changed.

A stamp has what the configuration read, and when each of that was last changed; it is found by the
command, the folder that it is typed in and the environment. Ninja says what is to be compiled. This
module is read before all others, so it needs few of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from corral import ROOT

#: Of the environment what says nothing about a build, and changes from shell to shell.
_OF_SHELLS = {"_", "SHLVL", "PWD", "OLDPWD", "COLUMNS", "LINES"}
#: How many stamps are kept, the latest.
_KEPT = 32
#: The clock that files have their times by makes steps of some milliseconds.
_STEP = 20_000_000
#: Below a build while it is not known whether its names are right.
_UNCHECKED = "unchecked"
_NOTHING_TO_DO = "ninja: no work to do."

#: When a file and its description were last changed, and its size: a copy may keep the first. Of a
#: folder its names; None if it is not there.
State = list[int] | list[str] | None


@dataclass(frozen=True)
class Stamp:
    """A finished build, and the inputs of its configuration."""

    title: str  # of the step
    label: str  # of the image, as it is printed
    folder: str
    prefix: str  # of the names of its tools
    are_two: bool  # whether the application is in an image of its own
    reads: dict[str, State]
    programs: dict[str, str | None]  # where each is found


def _state(path: str) -> State:
    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            with os.scandir(path) as entries:
                return sorted(entry.name for entry in entries if not _is_of_editor(entry))
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_ctime_ns, found.st_size]


def _is_of_editor(entry: os.DirEntry[str]) -> bool:
    """Whether a file is an editor's, or another that no configuration looks for.

    Vim tries whether it may write by files such as 4913; a folder of that name is a user's.
    """
    name = entry.name
    return name.startswith(".") or name.endswith("~") or (name.isdecimal() and not entry.is_dir())


def _is_changed_since(path: str, time_ns: int) -> bool:
    try:
        found = os.stat(path)
        return max(found.st_mtime_ns, found.st_ctime_ns) > time_ns
    except OSError:
        return False


def _found(program: str) -> str | None:
    """Where a program is, by PATH."""
    for folder in os.get_exec_path():
        path = os.path.join(folder, program)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None


def _builds() -> Path:
    """As corral.model.places has it."""
    root = ROOT
    cache = os.environ.get("CORRAL_CACHE")
    return (Path(cache) if cache and (root / ".installed").is_file() else root) / "build"


@cache
def _file(words: tuple[str, ...]) -> Path:
    """Of the environment as it is at the first call: a command changes its own."""
    environment = sorted(item for item in os.environ.items() if item[0] not in _OF_SHELLS)
    text = repr((os.getcwd(), words, environment))
    name = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]
    return _builds() / "again" / f"{name}.json"


def keep(stamp: Stamp, words: Sequence[str], made: Iterable[Path], began: int) -> None:
    """Keep a stamp for the same words; `made`: files that the build itself has written and reads.

    began: when it was begun, in nanoseconds. A file that changed since then may differ
    from the one that was read.
    """
    if any(_is_changed_since(path, began - _STEP) for path in stamp.reads):
        return
    reads = {**stamp.reads, **{str(path): _state(str(path)) for path in made}}
    file = _file(tuple(words))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({**asdict(stamp), "reads": reads}), encoding="utf-8")
        draft.replace(file)
        stamps = sorted(file.parent.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for old in stamps[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return  # the next build takes longer, and says what is wrong if that matters


def reads_of(paths: Iterable[Path]) -> dict[str, State]:
    """The state of each, for a stamp."""
    return {str(path): _state(str(path)) for path in paths}


def programs_of(names: Iterable[str]) -> dict[str, str | None]:
    """Where each program is, for a stamp; with it, its own state belongs into the reads."""
    return {name: _found(name) for name in names}


def _load(file: Path) -> Stamp | None:
    try:
        return Stamp(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _is_current(stamp: Stamp) -> bool:
    return all(_state(path) == state for path, state in stamp.reads.items()) and all(
        _found(name) == path for name, path in stamp.programs.items()
    )


def build(words: Sequence[str]) -> int | None:
    """Build again; None if it has to be configured, or if anything fails: then the whole command
    says why."""
    from corral.errors import CorralError  # noqa: PLC0415

    try:
        return _build(words)
    except (OSError, CorralError):
        return None


def _build(words: Sequence[str]) -> int | None:
    file = _file(tuple(words))
    stamp = _load(file)
    if stamp is None or not _is_current(stamp):
        return None
    from corral.common.progress import alone, step  # noqa: PLC0415

    with alone(Path(stamp.folder)):
        if not _is_current(stamp):  # another command was here first
            return None
        with step(stamp.title):
            done = _compile(stamp)
    if done is None:
        return None
    os.utime(file)
    print(done, end="", file=sys.stderr)
    print(stamp.label)
    return 0


def _compile(stamp: Stamp) -> str | None:
    """Run Ninja, and look at the names that objects define if anything was compiled; returns what
    the compiler said, or None after a failure."""
    from corral.common.progress import ninja, warnings  # noqa: PLC0415

    unchecked = Path(stamp.folder, _UNCHECKED)
    was_unchecked = unchecked.exists()
    unchecked.touch()
    done = ninja(["-C", os.path.join(stamp.folder, "cmake"), "all"])
    if done.returncode != 0:
        return None
    if was_unchecked or _NOTHING_TO_DO not in done.stdout:
        from corral.build import symbols  # noqa: PLC0415

        if symbols.problems(Path(stamp.folder), stamp.prefix, stamp.are_two):
            return None
    unchecked.unlink()
    return warnings(done.stdout)


def now() -> int:
    """The time, for keep()."""
    return time.time_ns()
