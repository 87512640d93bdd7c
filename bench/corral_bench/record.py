# SPDX-License-Identifier: Apache-2.0
"""The result of a measurement, on any processor: the records of results/."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from corral.measure.image import LAYER


def is_wiping(function: str) -> bool:
    """Whether a function overwrites secrets, in a buffer or on the stack (include/corral)."""
    return function == "corral_wipe" or "_wipe_stack" in function or "_wipe_frames" in function


#: The backend of a scenario whose drivers are those that add the least flash together.
LEAST = "least flash"
#: Else the drivers that a scenario does not name go by rank, and stay when costs change.
BY_RANK = {"CORRAL_PREFER_RANK": "y"}


@dataclass(frozen=True)
class Scenario:
    """One application with one choice of backends, on one board."""

    name: str  # "<application>/<backend>", as in reports
    app: str  # a folder, seen from apps/
    settings: dict[str, str]
    board: str = "mps2-an386"
    lto: bool = False

    @property
    def application(self) -> str:
        return self.name.partition("/")[0]

    @property
    def backend(self) -> str:
        return self.name.partition("/")[2]

    @property
    def all_settings(self) -> dict[str, str]:
        return self.settings if self.backend == LEAST else BY_RANK | self.settings


@dataclass
class Call:
    """One call of the API: the instructions between its entry and its return.

    In the unit of the measurement: instructions, or cycles.
    """

    function: str
    layer: int = 0
    primitive: int = 0
    random: int = 0
    wiping: int = 0  # of the layer: overwriting secrets that are no longer needed
    stack: int = 0  # bytes below the stack pointer at entry, by the layer itself
    deepest: int = 0  # the same, by any code
    element: int = 0  # the driver of a secure element
    bus: int = 0  # the port's bus functions, without the time that the bus takes
    transfers: int = 0  # on the bus
    bus_bytes: int = 0  # on the bus, address bytes included
    chip_us: int = 0  # time for which the driver let the chip work
    commands: list[int] = field(default_factory=list)  # to the chip: operation codes
    parts: dict[str, int] = field(default_factory=dict)  # the layer, split
    profile: dict[str, int] = field(default_factory=dict)  # the layer, by function


def result(
    scenario: Scenario,
    unit: str,
    exit_status: int | None,
    rom: Mapping[str, int],
    ram: Mapping[str, int],
    calls: Iterable[Call],
) -> dict[str, Any]:
    """A measurement as the plain data that results/ and the baseline keep."""
    return {
        "scenario": scenario.name,
        "application": scenario.application,
        "backend": scenario.backend,
        "board": scenario.board,
        "unit": unit,
        "lto": scenario.lto,
        "settings": dict(scenario.settings),
        "exit_status": exit_status,
        "rom": dict(rom),
        "ram": dict(ram),
        "layer_rom": sum(rom.get(part, 0) for part in LAYER),
        "layer_ram": sum(ram.get(part, 0) for part in LAYER),
        "calls": [asdict(call) for call in calls],
    }
