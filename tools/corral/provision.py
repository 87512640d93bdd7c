# SPDX-License-Identifier: Apache-2.0
"""./corral provision: the plan for a board's elements, and carrying it out.

The work is done by apps/provision on the board itself; this gives it its orders and reads its last
words.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corral import api, build, run
from corral.build import ROOT
from corral.errors import fail
from corral.progress import step

_STATE = "corral-provision "


def _carry_out(done: build.Build, orders: Sequence[str], images: Path | None) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "orders")
        file.write_text("".join(f"{order}\n" for order in orders))
        finished = run.run(done, input_file=file, images=images, capture=True)
    return finished.returncode, finished.stdout


def _states(output: str) -> list[dict[str, Any]]:
    return [json.loads(x[len(_STATE) :]) for x in output.splitlines() if x.startswith(_STATE)]


def provision(board: str, element: str | None, write: bool, lock: str | None) -> int:
    """Show the plan of each element, or carry out one order; returns the exit status."""
    elements = [e.name for e in api.load_board(ROOT, board).elements]
    if not elements:
        raise fail(
            f"boards/{board}/board.toml", "this board has no element", "nothing to provision"
        )
    if element and element not in elements:
        raise fail(f"--element {element}", f"board {board} has {', '.join(elements)}", "name one")
    if lock and not element:
        raise fail("--lock", "locks one chip at a time", "say which with --element NAME")
    orders = [f"{element} lock {lock}"] if lock else []
    if write and not lock:
        orders = [f"{name} write" for name in ([element] if element else elements)]
    done = build.build("provision", board)
    status, output = _carry_out(done, orders, None)
    print("\n".join(x for x in output.splitlines() if not x.startswith(_STATE)))
    open_states = [s for s in _states(output) if not (s["config_locked"] and s["data_locked"])]
    if not orders and open_states:
        print("to carry it out:", file=sys.stderr)
    for state in open_states if not orders else []:
        order = f"  ./corral provision {board} --element {state['element']}"
        print(f"{order} --write", file=sys.stderr)
        print(f"{order} --lock {state['serial']}    (cannot be undone)", file=sys.stderr)
    return status


def prepare_virtual_chips(board: str, images: Path) -> None:
    """Configure and lock virtual chips that are still as from the factory.

    One that was locked for another description of the board is laid aside for a new one.
    """
    if not api.load_board(ROOT, board).elements:
        return
    done = build.build("provision", board)
    with step(f"provisioning the virtual chips of {board}"):
        _, output = _carry_out(done, [], images)
        unfit = [s["element"] for s in _states(output) if s["config_locked"] and not s["fits"]]
        for name in unfit:
            image = images / f"{name.lower()}.nvm"
            image.replace(image.with_suffix(".old"))
        if unfit:
            _, output = _carry_out(done, [], images)
        orders = [
            f"{state['element']} lock {state['serial']}"
            for state in _states(output)
            if not (state["config_locked"] and state["data_locked"])
        ]
        if not orders:
            return
        status, output = _carry_out(done, orders, images)
    if status != 0:
        raise fail(f"provisioning the virtual chips of {board}", output, "see apps/provision")
