# SPDX-License-Identifier: Apache-2.0
"""Areas of tests with their budgets (tests/areas.toml), and how long tests took the last time."""

from __future__ import annotations

import fnmatch
import functools
import json
import os
import shlex
import statistics
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
FILE = TESTS / "areas.toml"
#: Seconds of processor time by test, kept between runs to say how much is left.
TIMES = TESTS.parent / "build" / "tests" / "times.json"
#: In the environment of tests that may take hours.
LONG = "CORRAL_LONG_TESTS"
#: Budgets are minutes of a machine with so many processors,
PROCESSORS = 2
#: and another one of the same kind may take so much longer.
SLACK = 1.5
#: Seconds of processor time that calculate() takes on the machine that budgets are for, while two
#: processes test.
REFERENCE = 0.0105


@dataclass(frozen=True)
class Area:
    """Some folders of tests, and the minutes that they may take."""

    name: str
    minutes: float
    folders: tuple[str, ...]
    always: bool


@functools.cache
def _rows() -> dict[str, Any]:
    with FILE.open("rb") as file:
        return tomllib.load(file)


def load() -> dict[str, Area]:
    return {
        name: Area(name, row["minutes"], tuple(row["folders"]), row["always"])
        for name, row in _rows()["area"].items()
    }


def is_quick(nodeid: str) -> bool:
    """Whether --quick runs a test."""
    return any(fnmatch.fnmatchcase(nodeid, pattern) for pattern in quick())


def quick() -> tuple[str, ...]:
    """The patterns of the tests that --quick runs."""
    return tuple(_rows()["quick"]["tests"])


def is_for_long_runs(nodeid: str) -> bool:
    """Whether a test repeats what others show, and runs with --long."""
    return any(fnmatch.fnmatchcase(plain(nodeid), pattern) for pattern in repeated())


def repeated() -> tuple[str, ...]:
    """The patterns of the tests that --long runs."""
    return tuple(_rows()["long"]["tests"])


def area_of(nodeid: str) -> Area:
    """The area of a test, by its folder."""
    folder = nodeid.split("/")[1]
    for area in load().values():
        if folder in area.folders:
            return area
    raise KeyError(f"tests/{folder} is in no area of {FILE.name}")


def is_long() -> bool:
    """Whether campaigns run at full length."""
    return bool(os.environ.get(LONG))


def campaign(short: int, long: int) -> int:
    """How much a campaign does: in each run of the tests, and with --long."""
    return long if is_long() else short


def plain(test: str) -> str:
    """The name of a test without the group that runs together."""
    return test.rpartition("@")[0] or test


def minutes(seconds: float) -> float:
    """Processor time as minutes of the machine that budgets are for."""
    return seconds / 60 / PROCESSORS


def calculate() -> float:
    """The processor time of a small calculation, in seconds: how fast this machine is now."""
    before = time.thread_time()
    value = 0
    for number in range(200_000):
        value = (value * 31 + number) % 1_000_003
    return time.thread_time() - before


def factor(samples: Sequence[float]) -> float:
    """How much longer this machine takes than that of the budgets."""
    return statistics.median(samples) / REFERENCE if samples else 1.0


def table(spent: Mapping[str, float], slower: float = 1.0) -> list[str]:
    """A line for each area in which something ran."""
    lines = [
        f"{name:10} {minutes(spent[name]):5.1f} of {area.minutes * slower:.1f} minutes"
        for name, area in load().items()
        if name in spent
    ]
    return [*lines, f"budgets for this machine: {slower:.2f} times those of {FILE.name}"]


def exceeded(spent: Mapping[str, float], slower: float = 1.0) -> list[str]:
    """The areas that took longer than they may, on a machine that is so much slower."""
    return [
        name
        for name, area in load().items()
        if minutes(spent.get(name, 0)) > SLACK * area.minutes * slower
    ]


def repeat(test: str) -> str:
    """The command that runs only this test, with the same options."""
    consents = sorted(
        f"{name}={value}" for name, value in os.environ.items() if name.startswith("CORRAL_ACCEPT_")
    )
    words = ["./corral", "test", *(["--long"] if is_long() else []), plain(test)]
    return " ".join([*consents, shlex.join(words)])


def known_times() -> dict[str, float]:
    """The last time of each test; nothing if that is not known."""
    try:
        times: dict[str, float] = json.loads(TIMES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return times


def keep_times(times: Mapping[str, float]) -> None:
    TIMES.parent.mkdir(parents=True, exist_ok=True)
    merged = known_times() | dict(times)
    TIMES.write_text(json.dumps(merged, indent=0, sort_keys=True), encoding="utf-8")


class Progress:
    """The progress of a run, by the last times of its tests."""

    def __init__(self, tests: Iterable[str], times: Mapping[str, float]) -> None:
        self._left = {test: max(times.get(plain(test), 0.0), 0.01) for test in tests}
        self._all = sum(self._left.values())
        self.count = len(self._left)
        self._are_known = sum(plain(test) in times for test in self._left) > 0.9 * self.count
        areas = {area_of(test) for test in self._left}
        self._allowed = sum(area.minutes for area in areas)

    def done(self, test: str) -> None:
        self._left.pop(test, None)

    def line(self, seconds: float) -> str:
        """The message after so many seconds."""
        said = f"{self.count - len(self._left)} of {self.count} tests, {seconds / 60:.0f} min"
        if not self._are_known:
            return f"{said}; these areas may take {self._allowed:g}"
        share = 1 - sum(self._left.values()) / self._all
        if share > 0.02:
            said += f", about {seconds / 60 * (1 - share) / share:.0f} left"
        return said
