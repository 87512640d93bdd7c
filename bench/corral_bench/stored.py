# SPDX-License-Identifier: Apache-2.0
"""Stored keys, on this computer: what a start and a call take with more and more of them."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corral.build import image as build
from corral.build.image import Build, Options
from corral.common.progress import step
from corral.errors import fail

from corral_bench import charts
from corral_bench.throughput import processor

_APP = "../bench/apps/stored"
_BOARD = "native"
#: Keys, by the storage. A number that the flash of the board does not hold is not shown.
COUNTS: dict[str, tuple[int, ...]] = {
    "files": (10, 100, 1_000, 10_000, 100_000),
    "flash": (10, 25, 50, 100, 150, 200),
}
CALLS = ("start", "import", "use", "destroy")
#: A start is measured so often; the least is kept.
_ROUNDS = 3
_LINE = re.compile(r"^stored (\d+) (\d+) (\d+) (\d+)$", re.M)


@contextmanager
def _storage() -> Iterator[dict[str, str]]:
    """An empty folder, in memory if that is possible: the disk's own time is not ours."""
    memory = Path("/dev/shm")
    where = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        yield {"CORRAL_STORAGE": f"{folder}/entries", "CORRAL_FLASH": f"{folder}/flash"}


def _run(made: Build, arguments: Sequence[str], variables: Mapping[str, str]) -> str:
    command = [str(made.image), *arguments]
    done = subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        what = f"{' '.join(arguments)}: {done.stdout}{done.stderr}"
        raise fail(_APP, what, "see bench/README.md")
    return done.stdout


def _measure(made: Build, counts: Sequence[int]) -> list[dict[str, int]]:
    rows = []
    filled = 0
    with _storage() as variables:
        for count in counts:
            if "full" in _run(made, ("fill", str(filled + 1), str(count)), variables):
                break
            filled = count
            found = []
            for _ in range(_ROUNDS):
                line = _LINE.search(_run(made, ("measure", str(count)), variables))
                assert line
                found.append([int(figure) for figure in line.groups()])
            least = [min(column) for column in zip(*found, strict=True)]
            rows.append({"keys": count, **dict(zip(CALLS, least, strict=True))})
    return rows


def measure_all() -> dict[str, Any]:
    """Rows by the storage: keys that are stored, and nanoseconds of processor time of each call."""
    measured: dict[str, Any] = {"processor": processor()}
    for name, counts in COUNTS.items():
        settings = {f"CORRAL_STORAGE_IN_{name.upper()}": "y"}
        made = build.build(_APP, _BOARD, Options(settings=settings, name=f"bench/stored-{name}"))
        with step(f"storing keys in {name}"):
            measured[name] = _measure(made, counts)
    return measured


def _per_key(row: Mapping[str, int]) -> float:
    return row["start"] / row["keys"] / 1000


def rows(measured: Mapping[str, Any]) -> list[list[str]]:
    """A row for each storage and number of keys."""
    where = measured["processor"]
    made = [[f"Storage ({where})", "keys", "start, ms", "of it a key, us", *_heads()]]
    for name in COUNTS:
        for row in measured[name]:
            calls = [f"{row[call] / 1000:,.0f}" for call in CALLS[1:]]
            start = f"{row['start'] / 1e6:,.2f}"
            made.append([name, f"{row['keys']:,}", start, f"{_per_key(row):.1f}", *calls])
    return made


def _heads() -> list[str]:
    return [f"{call}, us" for call in CALLS[1:]]


def chart(measured: Mapping[str, Any], name: str) -> str:
    """What a start takes for each key."""
    return charts.line(
        f"psa_crypto_init() with keys in {name}: microseconds for each key",
        "keys",
        "us",
        [(f"{row['keys']:,}", round(_per_key(row), 1)) for row in measured[name]],
    )
