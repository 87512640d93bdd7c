# SPDX-License-Identifier: Apache-2.0
"""./corral provision: the plan for a board's elements, and carrying it out.

The application in the driver's folder, drivers/<name>/provision, does the work on the board. This
command sends it orders and reads its last lines (docs/porting/ELEMENT.md). If a driver has no such
folder, its elements are used as they are.

A chip is written and locked in one step, and only if a person types --lock and its serial number.
The exception are simulated chips that this tool made. The application must have found the serial
number on the board that is in the memory image in our folder.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.common.progress import alone, step
from corral.errors import fail
from corral.generate import api
from corral.model.board import Element
from corral.model.places import KINDS, Places
from corral.run import program as run
from corral.run.chips import Memories, serial_of

_STATE = "corral-provision "
#: A word of an order, which is a line.
_SERIAL = re.compile(r"[!-~]+")
#: The states of a chip for an application: to be provisioned, done, or done
#: irreversibly for another one.
_OPEN, _READY, _UNFIT = "open", "ready", "unfit"

State = Mapping[str, Any]


def has_application(driver: str) -> bool:
    """Whether a driver's elements have to be provisioned."""
    return (_folder(driver) / "provision" / "app.config").is_file()


def application_of(driver: str) -> str:
    """The application that provisions a driver's elements."""
    return str(_folder(driver) / "provision")


def _folder(driver: str) -> Path:
    places = Places.of(ROOT)
    folder = places.find("drivers", driver)
    if folder is None:
        raise places.missing("drivers", driver, "no such driver")
    return folder


def refuse(app: str) -> None:
    """Refuse to run an application that provisions in another way than by orders typed here."""
    folder = Places.of(ROOT).find("apps", app)
    if folder is None:
        return  # as the build will say
    folder = folder.resolve()
    if folder.name == "provision" and (folder.parent / KINDS["drivers"]).is_file():
        raise fail(app, "writes and locks chips", "use ./corral provision BOARD")


def _build(driver: str, board: str) -> build.Build:
    name = f"provision/{driver}-{run.images_of(board).name}"
    return build.build(application_of(driver), board, build.Options(name=name))


def _carry_out(done: build.Build, orders: Sequence[str], images: Path) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "orders")
        file.write_text("".join(f"{order}\n" for order in orders))
        finished = run.run(done, input_file=file, images=images, capture=True, repeats=False)
    return finished.returncode, finished.stdout


def _state(line: str) -> State:
    """The message about a chip in a line of the application. It has come from a board,
    by way of a wire."""
    try:
        state = json.loads(line.removeprefix(_STATE))
    except ValueError:
        state = None
    if isinstance(state, dict):
        words = [state.get(key) for key in ("element", "serial", "state")]
        if all(isinstance(word, str) for word in words):
            return state
    what = f"the board says something else than how a chip is: {line!a}"
    raise fail("provisioning", what, "look at the plan again, without an order")


def _states(output: str) -> dict[str, State]:
    found = [_state(line) for line in output.splitlines() if line.startswith(_STATE)]
    return {state["element"]: state for state in found}


def _drivers_of(elements: Sequence[Element]) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {}
    for element in elements:
        found.setdefault(element.driver, []).append(element)
    return found


def _check_order(name: str | None, serial: str) -> None:
    if not _SERIAL.fullmatch(serial):
        what = "a serial number is one word of visible characters"
        raise fail(f"--lock {serial!a}", what, "type it as the plan shows it")
    if name is None:
        raise fail("--lock", "locks one chip at a time", "say which with --element NAME")


def provision(board: str, name: str | None, serial: str | None) -> int:
    """Show the plan of each element, or lock one; returns the exit status.

    serial: of the chip of the element that is named, which is written and locked for good.
    """
    elements = api.load_board(ROOT, board).elements
    names = [element.name for element in elements]
    if not elements:
        raise fail(
            f"boards/{board}/board.toml", "this board has no element", "nothing to provision"
        )
    if name is not None and name not in names:
        raise fail(f"--element {name}", f"board {board} has {', '.join(names)}", "name one")
    if serial is not None:
        _check_order(name, serial)
    status = 0
    for driver, mine in _drivers_of([e for e in elements if name in (None, e.name)]).items():
        if not has_application(driver):
            for element in mine:
                print(f"{element.name}: nothing to do, {driver} uses its elements as they are")
            if serial:
                raise fail("--lock", f"{driver} has no provisioning", "leave it out")
            continue
        orders = [f"{name} lock {serial}"] if serial else []
        done = _build(driver, board)
        images = run.images_of(board)
        ended, output = _carry_out(done, orders, images)
        status = status or ended
        states = _states(output)
        if serial and name in states and states[name]["serial"] != serial:
            what = f"the chip of {name} is {states[name]['serial']}; nothing was written"
            raise fail(f"--lock {serial}", what, "look at the plan again, without an order")
        print("\n".join(x for x in output.splitlines() if not x.startswith(_STATE)))
        Memories(images).note_serials({e: state["serial"] for e, state in states.items()})
        if not orders:
            _print_choices(board, [states[e.name] for e in mine if e.name in states])
    return status


def _print_choices(board: str, states: Sequence[State]) -> None:
    waiting = [state for state in states if state["state"] == _OPEN]
    if waiting:
        print("to write and lock it, which cannot be undone:", file=sys.stderr)
    for state in waiting:
        order = f"--element {state['element']} --lock {state['serial']}"
        print(f"  ./corral provision {board} {order}", file=sys.stderr)


def prepare_virtual_chips(board: str, images: Path) -> None:
    """Provision the simulated chips that this tool made, or will make, in this folder.

    One that was locked for another description of its element is laid aside for a new one.
    Real chips, and memory images from elsewhere, are not changed.
    """
    # Another command would lay aside what is provisioned here meanwhile.
    with alone(images):
        _prepare_all(board, Memories(images))


def _prepare_all(board: str, memories: Memories) -> None:
    waiting = [
        element
        for element in api.load_board(ROOT, board).elements
        if element.simulator and memories.is_unprovisioned(element)
    ]
    for driver, mine in _drivers_of(waiting).items():
        if has_application(driver):
            done = _build(driver, board)
            names = ", ".join(element.name for element in mine)
            for element in mine:
                if memories.is_for_another_description(element):
                    memories.lay_aside(element)
            with step(f"provisioning the simulated chips of {board}: {names}"):
                _prepare(done, mine, memories)
            memories.set_provisioned(mine)


def _prepare(done: build.Build, elements: Sequence[Element], memories: Memories) -> None:
    states = _states_of_ours(done, elements, [], memories)
    unfit = [element for element in elements if states[element.name]["state"] == _UNFIT]
    for element in unfit:
        memories.lay_aside(element)
    if unfit:
        states = _states_of_ours(done, elements, [], memories)
    orders = [
        f"{element.name} lock {states[element.name]['serial']}"
        for element in elements
        if states[element.name]["state"] == _OPEN
    ]
    if orders:
        states = _states_of_ours(done, elements, orders, memories)
    for name in (element.name for element in elements):
        if states[name]["state"] != _READY:
            what = f"{name} is still not provisioned"
            raise fail(done.board.label, what, f"see {Places.of(ROOT).label(Path(done.app))}")


def _states_of_ours(
    done: build.Build, elements: Sequence[Element], orders: Sequence[str], memories: Memories
) -> dict[str, State]:
    """Run the application; an error unless every chip that it finds is the one that we simulate.

    A board.toml may be wrong about which of its elements are simulated, and a run command may lead
    to other chips than those started here. Serial numbers are not mistaken.
    """
    _, output = _carry_out(done, orders, memories.folder)
    states = _states(output)
    for element in elements:
        where = f"{element.where} ({element.name})"
        if element.name not in states:
            raise fail(where, f"its simulated chip does not answer:\n{output}", "see its simulator")
        serial = serial_of(element, memories.folder)
        if states[element.name]["serial"] != serial:
            raise fail(
                where,
                f"the chip that answers, {states[element.name]['serial']}, is not the simulated "
                f"one, {serial}; nothing was written",
                "leave out simulator where the chip is real",
            )
    memories.note_serials({element.name: states[element.name]["serial"] for element in elements})
    return states
