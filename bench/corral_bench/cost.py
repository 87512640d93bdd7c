# SPDX-License-Identifier: Apache-2.0
"""The cost of the layer: bytes from the map; instructions from the emulator of a Cortex-M4."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.common.progress import alone
from corral.errors import fail
from corral.measure.size import image_of
from corral.run import chips, provision

from corral_bench import avr
from corral_bench.bus import Bus
from corral_bench.emulator import Emulator
from corral_bench.record import Call, Scenario, result
from corral_bench.scenarios import BYTES_ONLY, defines_of


def build_scenario(scenario: Scenario) -> build.Build:
    """Build a scenario's application."""
    suffix = "-lto" if scenario.lto else ""
    name = f"bench/{scenario.name.replace('/', '-').replace(' ', '-')}-{scenario.board}{suffix}"
    options = build.Options(
        settings=scenario.all_settings, defines=defines_of(scenario), name=name, lto=scenario.lto
    )
    return build.build(scenario.app, scenario.board, options)


@contextmanager
def chips_of(done: build.Build, board: str) -> Iterator[Bus | None]:
    """The simulated chips of a build that talks to some, on a bus."""
    if not done.uses_elements:
        yield None
        return
    images = ROOT / "build" / "bench" / "chips"
    with alone(images):
        provision.prepare_virtual_chips(board, images)
        with chips.running(done.board.elements, images, fifos=False) as channel:
            if channel.socket is None:
                raise fail(done.board.label, "no element is simulated", "measure another board")
            bus = Bus(channel.socket)
            try:
                yield bus
            finally:
                bus.close()


def measure(scenario: Scenario) -> dict[str, Any]:
    """Build, measure bytes, run in the board's emulator; returns plain data."""
    if scenario.board == avr.BOARD:
        return avr.measure(scenario)
    done = build_scenario(scenario)
    plain = image_of(build_scenario(replace(scenario, lto=False))) if scenario.lto else None
    image = image_of(done, plain)
    calls: list[Call] = []
    exit_status: int | None = None
    # Link-time optimisation leaves no call between whose ends one could count.
    if scenario.backend != BYTES_ONLY and not scenario.lto:
        with chips_of(done, scenario.board) as bus:
            emulator = Emulator(image, bus)
            emulator.run()
        calls, exit_status = emulator.calls, emulator.exit_code
    return result(scenario, "instructions", exit_status, image.rom(), image.ram(), calls)


def describe(measured: dict[str, Any]) -> str:
    """A result as lines for a terminal."""
    lto = " with LTO" if measured["lto"] else ""
    lines = [
        f"{measured['scenario']}{lto}: layer {measured['layer_rom']} bytes of flash, "
        f"{measured['layer_ram']} of RAM"
    ]
    for call in measured["calls"]:
        extra = ""
        if call["transfers"]:
            extra = (
                f"  element {call['element']}, {call['transfers']} transfers of "
                f"{call['bus_bytes']} bytes, chip {call['chip_us']} us"
            )
        lines.append(
            f"  {call['function']:24} layer {call['layer']:6}  primitive {call['primitive']:9}  "
            f"random {call['random']:7}  stack {call['stack']:5}{extra}"
        )
    return "\n".join(lines)
