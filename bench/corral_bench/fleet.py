# SPDX-License-Identifier: Apache-2.0
"""The cost of the fleet's server, with devices that corral-fleet load simulates.

Ratios of one run count: a bare verification and the whole way of a reading share the computer's
speed and its load, and the processor time of each is its own. The load generator is not counted.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.common import system
from corral.errors import fail

_SOURCES = ROOT / "fleet" / "server"
_BINARY = ROOT / "build" / "fleet" / "target" / "release" / "corral-fleet"
_DEVICES = 1000
_READINGS = 40_000
_AT_HALF_LOAD = 10_000
_MANY_DEVICES = 100_000
_VERIFICATIONS = 20_000

Row = dict[str, Any]


def _build() -> None:
    system.ensure(["cargo"])
    command = ["cargo", "build", "--release", "--locked"]
    done = subprocess.run(command, cwd=_SOURCES, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise fail("fleet/server", "does not compile", done.stderr[-2000:])


def _rows(store: Path, *arguments: str) -> Iterator[Row]:
    """The JSON output of a command of the server."""
    command = [str(_BINARY), "--store", str(store), "--json", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode != 0:
        raise fail("corral-fleet load", "the server refused or was silent", " ".join(arguments))


class _Server:
    """A server with a store of its own, and the system's figures of its process."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "fleet.sqlite"
        command = [str(_BINARY), "--store", str(self.store), "--json", "serve"]
        self.process = subprocess.Popen(
            [*command, "--listen", "127.0.0.1:0", "--rate", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        listening = json.loads(self.process.stdout.readline())["listening"]
        self.address = str(listening).removeprefix("coap://")
        self._proc = Path("/proc") / str(self.process.pid)

    def seconds(self) -> float:
        """Processor time."""
        tasks = (self._proc / "task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def memory(self) -> int:
        """Bytes that are its own."""
        status = (self._proc / "status").read_text()
        return 1024 * int(status.split("RssAnon:")[1].split()[0])

    def load(self, **options: object) -> dict[str, Row]:
        """Rows of each phase, with the server's processor time in it."""
        words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        found: dict[str, Row] = {}
        before = self.seconds()
        for row in _rows(self.store, "load", f"--server={self.address}", *words):
            now = self.seconds()
            found[row["phase"]] = row | {"server_seconds": now - before}
            before = now
        return found


@contextmanager
def _serving() -> Iterator[_Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = _Server(Path(folder))
        try:
            yield server
        finally:
            server.process.kill()
            server.process.communicate()


def _bare(algorithm: str) -> float:
    """Microseconds of processor time for one verification and nothing else."""
    words = ("load", f"--verify={_VERIFICATIONS}", f"--algorithm={algorithm}")
    (row,) = _rows(Path("unused"), *words)
    return float(row["microseconds"])


def _measure(algorithm: str) -> Row:
    before = _bare(algorithm)
    with _serving() as server:
        whole = server.load(algorithm=algorithm, devices=_DEVICES, readings=_READINGS)
        between = _bare(algorithm)
        rate = whole["published"]["per_second"] / 2
        half = server.load(algorithm=algorithm, devices=_DEVICES, readings=_AT_HALF_LOAD, rate=rate)
    bare = (before + between) / 2
    reading = 1e6 * whole["published"]["server_seconds"] / _READINGS
    return {
        "bare_us": bare,
        "reading_us": reading,
        "ratio": bare / reading,
        "registration_us": 1e6 * whole["registered"]["server_seconds"] / _DEVICES,
        "registrations_per_second": whole["registered"]["per_second"],
        "readings_per_second": whole["published"]["per_second"],
        "half_load_per_second": half["published"]["per_second"],
        "half_load_p50_ms": half["published"]["p50_ms"],
        "half_load_p99_ms": half["published"]["p99_ms"],
    }


def _memory() -> Row:
    """The cost of a device that is registered and has published once."""
    with _serving() as server:
        server.load(devices=100, readings=100)
        before = server.memory()
        server.load(devices=_MANY_DEVICES, readings=_MANY_DEVICES)
        used = server.memory() - before
        file = server.store.stat().st_size
    return {
        "devices": _MANY_DEVICES,
        "bytes_for_each": used / _MANY_DEVICES,
        "file_bytes_for_each": file / _MANY_DEVICES,
    }


def measure_all() -> Row:
    """All of it; a first build of the server takes some minutes."""
    _build()
    found: Row = {name: _measure(name) for name in ("es256", "ed25519")}
    found["memory"] = _memory()
    print(f"\n{describe(found)}\n")
    return found


def describe(found: Row) -> str:
    """The figures as text."""
    lines = []
    for name in ("es256", "ed25519"):
        row = found[name]
        lines += [
            f"{name}: {row['bare_us']:.1f} us bare, {row['reading_us']:.1f} us for a reading "
            f"that is committed: ratio {row['ratio']:.2f}",
            f"  {row['registration_us']:.1f} us for a registration; "
            f"{row['registrations_per_second']:.0f} registrations and "
            f"{row['readings_per_second']:.0f} readings a second; at "
            f"{row['half_load_per_second']:.0f} a second confirmed in "
            f"{row['half_load_p50_ms']:.1f} ms (p50), {row['half_load_p99_ms']:.1f} ms (p99)",
        ]
    memory = found["memory"]
    lines.append(
        f"memory: {memory['bytes_for_each']:.0f} bytes for each of {memory['devices']} devices"
    )
    return "\n".join(lines)
