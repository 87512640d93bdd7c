# SPDX-License-Identifier: Apache-2.0
"""apps/sensor on a process of this computer, on an emulated processor with a network of its own,
and on a simulated one with a serial line, which a gateway joins to the network."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from corral.build.image import Build, Options, build
from corral.errors import fail
from corral.fleet.server import Row
from corral.fleet.wire import Wire
from corral.run import program as run
from corral.run import provision

TIME_LIMIT = 600.0
#: A process with its key in its own storage, as most computers have it.
PROCESS = Options(settings={"CORRAL_DRIVER_ATECC608": "n"}, name="fleet-sensor-native")


@dataclass
class Device:
    """One device, with its state while it is off."""

    name: str  # of its place
    what: str
    key: str  # where it is
    build: Build
    folder: Path  # of its storage
    images: Path | None = None  # of its elements
    identity: str = ""
    gateway: Row = field(default_factory=dict)

    @property
    def is_on_line(self) -> bool:
        """True if it has a serial line instead of a network."""
        return bool(self.build.board.simulator)

    @property
    def is_process(self) -> bool:
        """True if it has this computer's network, and not that of an emulator."""
        return not self.build.board.toolchain.prefix


#: Place, application and board of each device, and its name in the output. A native one has its key
#: in its own storage, the others in an ATECC608.
_DEVICES = (
    ("office", "sensor", "native", "Linux process"),
    ("workshop", "sensor-lwip", "mps2-an386", "Cortex-M4 (QEMU)"),
    ("greenhouse", "sensor", "mega2560", "ATmega2560 (simavr)"),
)
BOARDS = tuple(board for _, _, board, _ in _DEVICES)


def build_all(chips: Path, folder: Path, process: Options) -> list[Device]:
    """The three, with elements that were provisioned before or are now."""
    devices = []
    for place, app, board, what in _DEVICES:
        if board == "native":
            done = build(app, board, process)
            devices.append(Device(place, what, "its storage", done, folder))
            continue
        images = chips / board
        done = build(app, board)
        provision.prepare_virtual_chips(board, images)
        devices.append(Device(place, what, "ATECC608", done, folder, images))
    return devices


def live(
    devices: Sequence[Device], corral_fleet: Path, wire: Wire, **options: int
) -> dict[str, list[str]]:
    """Let devices run at once, to their ends; returns their output by name."""
    with ExitStack() as running:
        lives = [_Life(device, corral_fleet, wire, options) for device in devices]
        for each in lives:
            each.begin(running)
        return {each.device.name: each.end() for each in lives}


class _Life:
    """From switching a device on to its end."""

    def __init__(
        self, device: Device, corral_fleet: Path, wire: Wire, options: dict[str, int]
    ) -> None:
        self.device = device
        self.corral_fleet = corral_fleet
        self.wire = wire
        self.options = {name: str(value) for name, value in options.items()}
        if not device.is_on_line:
            server = wire.address if device.is_process else wire.address_for_guests
            self.options |= {"broker": server, "directory": server}
        self.line = device.folder / f"{device.name}.line"

    @contextmanager
    def _command(self) -> Iterator[tuple[list[str], dict[str, str]]]:
        """Its command line: options, storage and line have the names of each board."""
        device, storage = self.device, self.device.folder / f"{self.device.name}.storage"
        file = device.folder / f"{device.name}.options"
        file.write_text("".join(f"{name}={value}\n" for name, value in self.options.items()))
        words: list[str] = []
        if device.build.board.simulator:
            words = [f"line={self.line}", f"eeprom={storage}"]
        elif not device.is_process:
            words = [f"flash={storage}", *(f"{n}={v}" for n, v in self.options.items())]
        # Not with time that is counted in instructions: a server answers by the computer's clock.
        with run.prepared(device.build, words, file, device.images, repeats=False) as (
            command,
            environment,
        ):
            if device.is_process:
                environment.update({f"FLEET_{n.upper()}": v for n, v in self.options.items()})
                environment["CORRAL_STORAGE"] = str(storage)
            yield command, environment

    def begin(self, running: ExitStack) -> None:
        """Switch it on, until `running` ends."""
        self.line.unlink(missing_ok=True)
        command, environment = running.enter_context(self._command())
        out = subprocess.DEVNULL if self.device.is_on_line else subprocess.PIPE
        self.last = running.enter_context(_started(command, environment, out))
        if not self.device.is_on_line:
            return
        end = time.monotonic() + TIME_LIMIT
        while not self.line.exists():
            if time.monotonic() > end or self.last.poll() is not None:
                raise fail(self.device.what, "did not start", "see ./corral run sensor BOARD")
            time.sleep(0.01)
        words = [str(self.corral_fleet), "--json", "gateway", "--server", self.wire.address]
        gateway = _started([*words, str(self.line)], None, subprocess.PIPE)
        self.last = running.enter_context(gateway)

    def end(self) -> list[str]:
        """Wait for its end; returns its output, line by line."""
        try:
            output, _ = self.last.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired as error:
            raise fail(self.device.what, f"has not ended after {TIME_LIMIT:.0f} s", "") from error
        lines = output.splitlines()
        if self.device.is_on_line:
            rows = [json.loads(line) for line in lines]
            lines = [row["text"] for row in rows if "text" in row]
            for row in rows[-1:]:
                for name, value in row.items():
                    if isinstance(value, int):
                        self.device.gateway[name] = self.device.gateway.get(name, 0) + value
        named = [line.removeprefix("identity: ") for line in lines if "identity: " in line]
        if not named:
            what = f"made no identity: {' '.join(lines) or 'it said nothing'}"
            raise fail(self.device.what, what, "see ./corral run sensor BOARD")
        self.device.identity = named[-1]
        return lines


@contextmanager
def _started(
    command: list[str], environment: dict[str, str] | None, out: int
) -> Iterator[subprocess.Popen[str]]:
    """A process that does not outlive this."""
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(
        command, env=environment, stdin=nothing, stdout=out, stderr=nothing, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
