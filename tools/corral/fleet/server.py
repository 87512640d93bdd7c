# SPDX-License-Identifier: Apache-2.0
"""corral-fleet: compiled, and run over a store."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from corral import ROOT
from corral.common import loopback, system
from corral.common.progress import run_quietly, step
from corral.errors import fail

Row = dict[str, Any]


def binary(profile: Literal["dev", "release"] = "dev") -> Path:
    """The program; the first time takes minutes."""
    system.ensure(["host", "cargo"])
    # The rest is in its own .cargo/config.toml.
    command = ["cargo", "build", "--locked", f"--profile={profile}"]
    with step("building corral-fleet"):
        run_quietly(
            command,
            "corral-fleet",
            "check the network connection, then run the same command again",
            cwd=ROOT / "fleet" / "server",
        )
    folder = "debug" if profile == "dev" else profile
    return ROOT / "build" / "fleet" / "target" / folder / "corral-fleet"


@dataclass
class Server:
    """A store, and the server process on it."""

    binary: Path
    store: Path
    address: str = ""

    def run(self, *words: str) -> tuple[int, list[Row]]:
        """Another command on the store: its status, and its JSON output."""
        command = [str(self.binary), "--store", str(self.store), "--json", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        rows = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
        if done.returncode != 0 and not rows:
            remedy = "see docs/fleet/OPERATING.md"
            raise fail(f"corral-fleet {words[0]}", done.stderr.strip(), remedy)
        return done.returncode, rows

    def rows(self, *words: str) -> list[Row]:
        """The output of a command."""
        return self.run(*words)[1]

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serve at a port of this computer that is free."""
        command = [str(self.binary), "--store", str(self.store), "--json", "serve"]
        command += ["--listen", loopback.at(0)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if not line:
                raise fail("corral-fleet serve", "ended at once", "see what it said above")
            self.address = json.loads(line)["listening"].removeprefix("coap://")
            yield
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
