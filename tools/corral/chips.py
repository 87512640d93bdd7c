# SPDX-License-Identifier: Apache-2.0
"""The virtual secure elements of a board: built, started, stopped."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corral import system
from corral.build import ROOT
from corral.errors import fail
from corral.model.board import Element
from corral.progress import alone, run_quietly, step

_READY_SECONDS = 10.0


@dataclass(frozen=True)
class Channel:
    """How a program reaches the chips: a socket (native) or two FIFOs (emulated boards).

    `folder` is a short path without spaces that lives as long as the run.
    """

    folder: Path
    socket: Path | None = None
    requests: Path | None = None
    responses: Path | None = None


#: What each folder of sim/ simulates, where it is built, and what of Debian it needs.
_SIMULATORS = {
    "atecc608": ("the virtual ATECC608", "sim", ("host",)),
    "mega2560": ("the simulated ATmega2560", "sim-mega2560", ("host", "avr")),
}


@cache
def build_simulator(name: str = "atecc608") -> Path:
    """Build sim/<name>; returns its program."""
    if name not in _SIMULATORS:
        raise fail(f"sim/{name}", "no simulator of that name", f"known: {', '.join(_SIMULATORS)}")
    what, where, purposes = _SIMULATORS[name]
    folder = ROOT / "build" / where
    label = f"sim/{name}"
    remedy = f"see {label}/README.md"
    system.ensure(purposes)
    with alone(folder), step(f"building {what}"):
        source = str(ROOT / "sim" / name)
        run_quietly(["cmake", "-G", "Ninja", "-S", source, "-B", str(folder)], label, remedy)
        run_quietly(["ninja", "-C", str(folder)], label, remedy)
    return folder / f"{name}-sim"


def chip_specs(elements: Sequence[Element], images: Path, faults: Mapping[str, str]) -> list[str]:
    """These elements as the simulators' command lines describe chips, with their memory images."""
    images.mkdir(parents=True, exist_ok=True)
    specs = []
    for element in elements:
        bus = element.fields["bus"].value
        address = element.fields["address"].value
        image = images / f"{element.name.lower()}.nvm"
        fault = f",fault={faults[element.name]}" if element.name in faults else ""
        specs.append(f"bus={bus},address={address:#x},nvm={image}{fault}")
    return specs


@contextmanager
def running(
    elements: Sequence[Element],
    images: Path,
    fifos: bool,
    faults: Mapping[str, str] | None = None,
) -> Iterator[Channel]:
    """Run the chips of these elements; their memories stay in `images`. None: nothing runs.

    faults: by name of the element, as sim/atecc608/README.md describes them.
    """
    # A Unix socket's name has to be short, whatever folder the tree is in.
    with tempfile.TemporaryDirectory(prefix="corral-") as scratch:
        folder = Path(scratch)
        if not elements:
            yield Channel(folder)
            return
        program = build_simulator()
        chips = [w for spec in chip_specs(elements, images, faults or {}) for w in ("--chip", spec)]
        if fifos:
            channel = Channel(folder, requests=folder / "requests", responses=folder / "responses")
            where = ["--fifo", str(channel.requests), str(channel.responses)]
        else:
            channel = Channel(folder, socket=folder / "chips")
            where = ["--listen", str(channel.socket)]
        log = images / "chips.log"
        with log.open("w") as output:
            process = subprocess.Popen(
                [str(program), *where, *chips],
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_until_ready(process, log)
            yield channel
        finally:
            process.terminate()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the line that the server prints when it listens."""
    end = time.monotonic() + _READY_SECONDS
    while process.poll() is None and time.monotonic() < end:
        if log.read_text().startswith("atecc608-sim: "):
            return
        time.sleep(0.02)
    raise fail("atecc608-sim", f"the virtual chips did not start:\n{log.read_text()}", f"see {log}")
