# SPDX-License-Identifier: Apache-2.0
"""drivers/*/costs.json: flash, RAM and instructions of mechanisms (docs/BENCH.md)."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corral.common import rows
from corral.errors import fail
from corral.model.board import Board, can_use
from corral.model.driver import Driver

FILE = "costs.json"
WRITTEN_BY = "./corral bench --only capabilities, --only instructions, with --accept REASON"
#: In the name of a figure, before the driver that a construction was counted over.
_OVER = " over "
#: The processor whose figures are used for unknown ones.
REFERENCE = "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb"
#: The processor for which CMake compiles (cmake/library.cmake).
PROCESSOR = "CORRAL_PROCESSOR"
#: How some systems name a processor that others name so.
_OTHER_NAMES = {"amd64": "x86_64"}
#: Of a compiler's flags, those that say for which processor it compiles.
_PROCESSOR = ("-mcpu=", "-mmcu=", "-march=", "-mthumb", "-m32", "-m64", "-mabi=")


@dataclass(frozen=True)
class Piece:
    """The unit that the linker takes or drops as a whole: bytes of flash and of RAM."""

    name: str
    flash: int
    ram: int


@dataclass(frozen=True)
class Costs:
    """Of one driver on one processor: each mechanism's pieces, by name; none, if not measured."""

    compiler: str
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    mechanisms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Of one use, by figure_of().
    instructions: Mapping[str, int] = field(default_factory=dict)

    def instructions_of(self, mechanism: str) -> dict[str, int]:
        """Those of a use, by the driver below; "" if the driver needs none."""
        beginning = f"{mechanism}{_OVER}"
        over = {
            name.removeprefix(beginning): count
            for name, count in self.instructions.items()
            if name.startswith(beginning)
        }
        if mechanism in self.instructions:
            over[""] = self.instructions[mechanism]
        return over


def figure_of(mechanism: str, over: str = "") -> str:
    """The name of a figure; over: the driver below a construction."""
    return f"{mechanism}{_OVER}{over}" if over else mechanism


def processor_of(board: Board) -> str:
    """By which name the figures for the processor of a board are kept.

    The compiler that a computer has for itself does not name its processor; one that
    compiles another project for another processor does.
    """
    chain = board.toolchain
    flags = [flag for flag in chain.cflags if flag.startswith(_PROCESSOR)]
    is_own = not chain.prefix and board.has(["HAS_PROCESSES"])
    machine = os.environ.get(PROCESSOR) or platform.machine()
    prefix = f"{_OTHER_NAMES.get(machine.lower(), machine)}-" if is_own else chain.prefix
    return " ".join([f"{prefix}gcc", *flags])


def most_like(processor: str, measured: Iterable[str]) -> str:
    """Which figures stand for those of a processor: its own, of the same compiler, or any.

    Sizes differ from one processor to the next, but who is smaller than whom rarely does.
    The compiler of another project is not known here at all. "" if there are none.
    """
    compiler = processor.split(" ", 1)[0]

    def unlikeness(other: str) -> tuple[bool, bool, bool, str]:
        of = other.split(" ", 1)[0]
        return other != processor, of != compiler, other != REFERENCE, other

    return min(measured, key=unlikeness, default="")


def costs_of(folder: Path, place: str = "") -> dict[str, Costs]:
    """The figures of a driver's folder, by processor; none if it was not measured.

    place: the folder, for messages.
    """
    file = folder / FILE
    if not file.is_file():
        return {}
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return {
            processor: Costs(
                str(of["compiler"]),
                {n: Piece(n, int(p[0]), int(p[1])) for n, p in of.get("pieces", {}).items()},
                {name: tuple(text.split()) for name, text in of.get("mechanisms", {}).items()},
                {name: int(count) for name, count in of.get("instructions", {}).items()},
            )
            for processor, of in data["processors"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        remedy = f"write it again: {WRITTEN_BY}"
        raise fail(f"{place or folder}/{FILE}", "is no table of figures", remedy) from None


def _of_board(drivers: Mapping[str, Driver], board: Board) -> dict[str, dict[str, Costs]]:
    return {n: costs_of(d.folder, d.place) for n, d in drivers.items() if can_use(board, d)}


def figures_for(drivers: Mapping[str, Driver], board: Board) -> tuple[str, dict[str, Costs]]:
    """Measured sizes on a board's processor, or on the one most like it, by driver.

    With the name of that processor; "" if nothing was measured.
    """
    every = _of_board(drivers, board)
    measured = {name for of in every.values() for name, costs in of.items() if costs.pieces}
    processor = most_like(processor_of(board), measured)
    return processor, {name: of[processor] for name, of in every.items() if processor in of}


def counts_for(drivers: Mapping[str, Driver], board: Board) -> tuple[str, dict[str, Costs]]:
    """The same of instructions, which say who is faster on a board.

    A computer has instructions and words that a microcontroller lacks: for a system
    with processes only its own figures count.
    """
    every = _of_board(drivers, board)
    measured = {name for of in every.values() for name, costs in of.items() if costs.instructions}
    if board.has(["HAS_PROCESSES"]):
        measured &= {processor_of(board)}
    processor = most_like(processor_of(board), measured)
    found = {name: of[processor] for name, of in every.items() if processor in of}
    return processor, {name: costs for name, costs in found.items() if costs.instructions}


def write_costs(file: Path, every: Mapping[str, Costs]) -> None:
    """A line for each row (rows.py)."""

    def tables(costs: Costs) -> list[tuple[str, dict[str, Any]]]:
        return [
            ("pieces", {name: [p.flash, p.ram] for name, p in sorted(costs.pieces.items())}),
            ("mechanisms", {name: " ".join(of) for name, of in costs.mechanisms.items()}),
            ("instructions", dict(costs.instructions)),
        ]

    data = {
        "_comment": f"Bytes of flash and RAM, instructions of a use: {WRITTEN_BY}; do not edit.",
        "processors": {
            processor: {"compiler": costs.compiler} | {name: of for name, of in tables(costs) if of}
            for processor, costs in sorted(every.items())
        },
    }
    file.write_text(rows.text(data) + "\n", encoding="utf-8")
