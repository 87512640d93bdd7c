# SPDX-License-Identifier: Apache-2.0
"""The simulated secure elements of a board: built, started, stopped.

An element is simulated if its board.toml names a simulator, a folder of sim/. Nothing here knows
which there are: sim/<name>/sim.toml describes each (sim/README.md).
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from corral import ROOT
from corral.common import cmake, system
from corral.common.progress import alone, run_quietly, step
from corral.errors import fail
from corral.model.board import Board, Element
from corral.model.places import Places
from corral.model.simulator import load_simulator
from corral.run import virtual_bus

#: Far more than a simulator takes where others are at work, too: only one that hangs is ended.
_READY_SECONDS = 120.0
_END_SECONDS = 60.0
_RECORD = "made.json"
#: A folder that no emulator, simulator or bus takes apart, and that leaves room in a socket's name.
_PLAIN = re.compile(r"[\w./+-]{1,60}", re.ASCII)


@dataclass(frozen=True)
class Channel:
    """How a program reaches the chips: a socket (native) or two FIFOs (emulated boards).

    `folder` is a short path without spaces that lives as long as the run.
    """

    folder: Path
    socket: Path | None = None
    requests: Path | None = None
    responses: Path | None = None
    # What the program finds the chips by.
    environment: dict[str, str] = field(default_factory=dict)


@cache
def build_simulator(name: str) -> Path:
    """Build sim/<name>; returns its program."""
    simulator = load_simulator(ROOT, name)
    places = Places.of(ROOT)
    folder = places.builds_in(places.owner(simulator.folder)) / f"sim-{name}"
    label = str(Path(simulator.label).parent)
    remedy = f"see {label}/README.md"
    system.ensure(["host"], simulator.debian)
    with alone(folder), step(f"building {simulator.title}"):
        cmake.Folder(simulator.folder, folder).build(label, remedy)
    return folder / simulator.program


class Memories:
    """A folder with the memory images of a board's simulated chips.

    A record beside them says which images were made for a run of this tool, of which chips they
    are, and for which description of its element it has provisioned each. They distinguish
    them from images of another origin, which may be written only on request.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def image(self, element: Element) -> Path:
        return self.folder / f"{element.name.lower()}.nvm"

    def _made(self) -> dict[str, dict[str, str]]:
        record = self.folder / _RECORD
        if not record.is_file():
            return {}
        try:
            made: dict[str, dict[str, str]] = json.loads(record.read_text(encoding="utf-8"))
            return {name: dict(chip) for name, chip in made.items()}
        except (ValueError, TypeError, AttributeError) as error:
            what = f"is no record of simulated chips ({error})"
            raise fail(str(record), what, "remove the folder: its chips are made anew") from error

    def _note(self, made: Mapping[str, Mapping[str, str]]) -> None:
        if not made:
            return
        folder = self.folder.resolve()  # which a run has under a short name of its own
        folder.mkdir(parents=True, exist_ok=True)
        with alone(folder):
            new = folder / f"{_RECORD}.new"
            new.write_text(f"{json.dumps(self._made() | dict(made), indent=1, sort_keys=True)}\n")
            new.replace(folder / _RECORD)

    def expect(self, elements: Sequence[Element]) -> None:
        """A simulator is about to run: images that are not there yet will be of its making."""
        self._note({e.name: {} for e in elements if not self.image(e).exists()})

    def is_unprovisioned(self, element: Element) -> bool:
        """Whether this tool made the chip, or will, and has not provisioned it as described."""
        if not self.image(element).exists():
            return True
        made = self._made().get(element.name)
        if made is None or made.get("provisioned") == _description(element):
            return False
        return "serial" not in made or made["serial"] == serial_of(element, self.folder)

    def is_for_another_description(self, element: Element) -> bool:
        """Of an unprovisioned one: it has been provisioned before its description changed."""
        return self.image(element).exists() and "provisioned" in self._made()[element.name]

    def note_serials(self, serials: Mapping[str, str]) -> None:
        """Of the chips of these elements, so that no image can take the place of one."""
        made = self._made()
        self._note({n: {"serial": s} | made[n] for n, s in serials.items() if n in made})

    def set_provisioned(self, elements: Sequence[Element]) -> None:
        made = self._made()
        self._note({e.name: made[e.name] | {"provisioned": _description(e)} for e in elements})

    def lay_aside(self, element: Element) -> None:
        """The next run makes a new chip."""
        self.image(element).replace(self.image(element).with_suffix(".old"))


def _description(element: Element) -> str:
    values = {name: node.value for name, node in element.fields.items()}
    return json.dumps([element.driver, element.simulator, values], sort_keys=True)


def _settings(element: Element) -> list[str]:
    """The data about it for the element's simulator, beside its memory."""
    simulator = load_simulator(ROOT, element.simulator)
    if simulator.fields is None:
        raise fail(f"{element.where}.simulator", f"{simulator.label} has no chips", "name another")
    values = {name: node.value for name, node in element.fields.items()}
    values["location"] = element.location
    missing = [name for name in simulator.fields if name not in values]
    if missing:
        raise fail(element.where, f'the key "{missing[0]}" is missing', f"{simulator.label} asks")
    return [f"{name}={values[name]}" for name in simulator.fields]


def chip_specs(elements: Sequence[Element], images: Path, faults: Mapping[str, str]) -> list[str]:
    """These elements as the simulators' command lines describe chips, with their memory images."""
    memories = Memories(images)
    memories.expect(elements)
    specs = []
    for element in elements:
        settings = [*_settings(element), f"nvm={memories.image(element)}"]
        settings += [f"fault={faults[element.name]}"] if element.name in faults else []
        specs.append(",".join(settings))
    return specs


def inside_specs(board: Board, images: Path, faults: Mapping[str, str]) -> list[str]:
    """The specifications of the chips that a board's own simulator has inside."""
    simulator = load_simulator(ROOT, board.simulator)
    elements = [element for element in board.elements if element.simulator]
    for element in elements:
        if element.simulator not in simulator.inside:
            known = ", ".join(simulator.inside) or "none"
            what = f"{simulator.title} has no such chips inside"
            raise fail(f"{element.where}.simulator", what, f"it has those of: {known}")
    return chip_specs(elements, images, faults)


def in_short(folder: Path, images: Path) -> Path:
    """A name for `images` in the run's own folder: specifications are taken apart at commas."""
    link = folder / "memories"
    if not link.is_symlink():
        images.mkdir(parents=True, exist_ok=True)
        link.symlink_to(images.resolve())
    return link


def serial_of(element: Element, images: Path) -> str:
    """The serial number of a simulated chip, as its simulator reads it from the memory image."""
    program = str(build_simulator(element.simulator))
    image = str(Memories(images).image(element))
    remedy = f"see sim/{element.simulator}/README.md"
    return run_quietly([program, "--serial", image], f"sim/{element.simulator}", remedy).strip()


def scratch_folder() -> Path:
    """Parent of the runs' own folders: that of the environment, if names there are plain."""
    usual = tempfile.gettempdir()
    return Path(usual if _PLAIN.fullmatch(usual) else "/tmp")


def _made(elements: Sequence[Element], images: Path, folder: Path) -> dict[str, str]:
    """Make the chips that are files; returns the variables by which a program finds them."""
    environment: dict[str, str] = {}
    for name in sorted({element.simulator for element in elements}):
        mine = [element for element in elements if element.simulator == name]
        simulator = load_simulator(ROOT, name)
        memories = in_short(folder, images)
        command = [str(build_simulator(name)), "--make"]
        command += [word for spec in chip_specs(mine, memories, {}) for word in ("--chip", spec)]
        with alone(memories.resolve()):
            run_quietly(command, f"sim/{name}", f"see sim/{name}/README.md")
        for variable, value in simulator.environment.items():
            environment[variable] = value.replace("{memories}", str(memories.resolve()))
    return environment


def _by_way(
    elements: Sequence[Element],
) -> tuple[list[Element], list[Element], list[Element]]:
    """Chips on the board's buses, those with sockets of their own, and those that are files."""
    ways: tuple[list[Element], list[Element], list[Element]] = ([], [], [])
    for element in elements:
        simulator = load_simulator(ROOT, element.simulator)
        ways[1 if simulator.has_sockets else 2 if simulator.environment else 0].append(element)
    return ways


def _served_apart(
    name: str, elements: Sequence[Element], images: Path, folder: Path, servers: ExitStack
) -> dict[str, str]:
    """Start a server of chips that are on no bus; returns the variables by which programs find
    it."""
    simulator = load_simulator(ROOT, name)
    socket = folder / name
    command = [str(build_simulator(name)), "--listen", str(socket)]
    for spec in chip_specs(elements, in_short(folder, images), {}):
        command += ["--chip", spec]
    servers.enter_context(_server(command, simulator.program, images / f"{name}.log"))
    environment: dict[str, str] = {}
    for element in elements:
        for variable, value in simulator.environment.items():
            location = f"{element.location:x}"
            where = value.replace("{socket}", str(socket)).replace("{location}", location)
            environment[variable.replace("{location}", location)] = where
    return environment


@contextmanager
def running(
    elements: Sequence[Element],
    images: Path,
    fifos: bool,
    faults: Mapping[str, str] | None = None,
) -> Iterator[Channel]:
    """Run the simulated ones of these elements; their memories stay in `images`.

    faults: by name of the element, as the README of its simulator describes them.
    """
    # A Unix socket's name has to be short, whatever folder the tree is in.
    place = tempfile.TemporaryDirectory(prefix="corral-", dir=scratch_folder())
    with place as scratch, ExitStack() as servers:
        folder = Path(scratch)
        simulated = [element for element in elements if element.simulator]
        on_buses, apart, files = _by_way(simulated)
        environment = _made(files, images, folder)
        for name in sorted({element.simulator for element in apart}):
            mine = [element for element in apart if element.simulator == name]
            environment |= _served_apart(name, mine, images, folder, servers)
        names = sorted({element.simulator for element in on_buses})
        if not names:
            yield Channel(folder, environment=environment)
            return
        if fifos:
            channel = Channel(folder, requests=folder / "requests", responses=folder / "responses")
            where = ["--fifo", str(channel.requests), str(channel.responses)]
        else:
            environment["CORRAL_SIM_SOCKET"] = str(folder / "chips")
            channel = Channel(folder, socket=folder / "chips", environment=environment)
            where = ["--listen", str(channel.socket)]
        sockets = [folder / f"chips-{name}" for name in names]
        for name, socket in zip(names, sockets, strict=True):
            mine = [element for element in elements if element.simulator == name]
            chips = chip_specs(mine, in_short(folder, images), faults or {})
            command = [str(build_simulator(name))]
            command += where if len(names) == 1 else ["--listen", str(socket)]
            command += [word for spec in chips for word in ("--chip", spec)]
            simulator = load_simulator(ROOT, name)
            servers.enter_context(_server(command, simulator.program, images / f"{name}.log"))
        if len(names) > 1:
            joined = virtual_bus.command(where, sockets)
            log = images / f"{virtual_bus.PROGRAM}.log"
            servers.enter_context(_server(joined, virtual_bus.PROGRAM, log))
        yield channel


@contextmanager
def _server(command: Sequence[str], program: str, log: Path) -> Iterator[None]:
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        _wait_until_ready(process, program, log)
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], program: str, log: Path) -> None:
    """Wait for the line that a server prints when it can be reached."""
    ready = re.compile(rf"^{re.escape(program)}: (?:listening on|serving) ", re.M)
    end = time.monotonic() + _READY_SECONDS
    while time.monotonic() < end:
        has_ended = process.poll() is not None
        if ready.search(log.read_text()):
            return
        if has_ended:
            break
        time.sleep(0.02)
    raise fail(program, f"the simulated chips did not start:\n{log.read_text()}", f"see {log}")
