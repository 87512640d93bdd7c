# SPDX-License-Identifier: Apache-2.0
"""The program corral-fleet: compiling it, and running it over a store."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from corral.common import system
from harness import waiting

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "fleet" / "server"
#: Apart from the demo's, whose program must not be replaced while it runs.
TARGET = ROOT / "build" / "tests" / "fleet-target"
#: Arguments of cargo: all packages, with all features.
EVERYTHING = ("--locked", "--workspace", "--all-features")


def cargo(*arguments: str) -> str:
    """Run cargo on the server, with the versions that Cargo.lock names."""
    system.ensure(["cargo"])
    done = subprocess.run(
        ["cargo", *arguments],
        cwd=SOURCES,
        env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


@cache
def compiled() -> Path:
    """The folder with the server. The crate's examples are in examples/ there.

    Everything at once and with all features, because other features of a library compile it again.
    """
    cargo("build", *EVERYTHING, "--bins", "--examples", "--tests")
    return TARGET / "debug"


@dataclass
class Server:
    """A store, and the server process that has it open."""

    binary: Path
    store: Path
    host: str = "127.0.0.1"
    options: tuple[str, ...] = ()
    process: subprocess.Popen[str] | None = None
    port: int = 0
    http: str = ""
    log: Path | None = None  # where it says what went wrong, in place of the test's own output

    def run(self, *arguments: str, status: int = 0) -> str:
        """A command beside the service."""
        done = subprocess.run(
            [self.binary, "--store", self.store, *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def rows(self, *arguments: str, status: int = 0) -> list[dict[str, Any]]:
        """The rows that a command prints with --json."""
        return [
            json.loads(line) for line in self.run(*arguments, "--json", status=status).splitlines()
        ]

    @contextlib.contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """The store, opened beside the server; each statement waits until no other process
        writes."""
        patience = waiting.PATIENCE
        with contextlib.closing(
            sqlite3.connect(self.store, timeout=patience, isolation_level=None)
        ) as store:
            yield store

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the store's write lock for a while, and change nothing."""
        with self.opened() as store:
            store.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                store.execute("ROLLBACK")

    def alter(self, statement: str, *values: object) -> None:
        """Change the store beside the server, as soon as no other process writes."""
        with self.opened() as store:
            store.execute(statement, values)

    def grow(self) -> None:
        """Let the log be so long that the next process that may write stores its state."""
        enrolled = self.store.with_name("enrolled")
        enrolled.write_text("".join(f"{secrets.token_hex(16)}, cellar\n" for _ in range(5000)))
        self.run("enrol", "--from", str(enrolled))

    def stored_position(self) -> int:
        """The position of the log up to which the state is stored, 0 if it is not."""
        with self.opened() as store:
            found: tuple[int] | None = store.execute("SELECT position FROM state").fetchone()
        return found[0] if found else 0

    def start(self) -> None:
        """Start the server at a free port; a second start uses the same port."""
        if self.port:
            # Another process may hold a free port for a moment.
            waiting.until(self._is_free, f"port {self.port} is taken")
        listen = f"{self.host}:{self.port}"
        command = [self.binary, "--store", self.store, "--json", "serve", "--listen", listen]
        with open(self.log or os.devnull, "a") as log:
            self.process = subprocess.Popen(
                [*command, *self.options],
                stdout=subprocess.PIPE,
                stderr=log if self.log else None,
                text=True,
            )
        assert self.process.stdout is not None
        said = json.loads(self.process.stdout.readline())
        self.port = int(said["listening"].rpartition(":")[2])
        self.http = said.get("http", "")

    def _is_free(self) -> bool:
        host = self.host.strip("[]")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
            probe.bind((host, self.port))
            return True
        return False

    def kill(self) -> None:
        """End it as a loss of power would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    @contextlib.contextmanager
    def halted(self) -> Iterator[None]:
        """Let it do nothing for a while."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        try:
            stat = Path(f"/proc/{self.process.pid}/stat")
            waiting.until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T", "it runs")
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def serving(self) -> Iterator[Server]:
        """Serve for a while."""
        self.start()
        try:
            yield self
        finally:
            self.kill()
