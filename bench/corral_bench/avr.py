# SPDX-License-Identifier: Apache-2.0
"""The cost of the layer on an ATmega2560: bytes from the map, cycles from sim/mega2560.

Cycles are attributed as instructions are on the Cortex-M4 (emulator.py). The simulator
counts while the linked image runs; it gets the memory map, and the counts repeat exactly.
"""

from __future__ import annotations

import bisect
import random
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.common.progress import alone
from corral.errors import fail
from corral.measure.image import AVR_RAM, Image
from corral.measure.size import image_of
from corral.run import provision
from corral.run.chips import build_simulator, inside_specs

from corral_bench.record import Call, Scenario, is_wiping, result
from corral_bench.scenarios import BYTES_ONLY, defines_of
from corral_bench.scenarios import SCENARIOS as ON_CORTEX_M4

BOARD = "mega2560"
CYCLES_PER_US = 16
_RANDOM = ("corral_random", "corral_random_seed", "corral_port_entropy")
_WAIT = "corral_port_delay_us"
_KINDS = {"backend": "primitive", "element": "element", "port": "bus"}
_ENTROPY_SIZE = 1 << 16

#: Those of the Cortex-M4 that suit 8 bits: Mbed TLS does not; BearSSL's curves (signatures.py) are
#: slower than both others.
_MEASURED = (
    "hash/bearssl",
    "hmac/bearssl",
    "hmac/compose+bearssl",
    "cbc/bearssl",
    "cbc/compose+bearssl",
    "ecdsa/micro_ecc",
    "ecdsa/p256m",
    "all/bearssl+micro_ecc",
    "all/one slot",
    "hmac/atecc608",
    "cbc/atecc608",
    "ecdsa/atecc608",
)
_LOCAL = next(s.settings for s in ON_CORTEX_M4 if s.name == "all/bearssl+micro_ecc")
SCENARIOS = (
    *(
        Scenario(s.name, s.app, s.settings, board=BOARD)
        for s in ON_CORTEX_M4
        if s.name in _MEASURED
    ),
    Scenario("elements/bearssl+micro_ecc", "../bench/apps/elements", _LOCAL, board=BOARD),
)


def measure_avr(app: str, backend: str) -> dict[str, Any]:
    """Measure the scenario "<app>/<backend>": the record that cost.measure() gives too."""
    name = f"{app}/{backend}"
    found = [scenario for scenario in SCENARIOS if scenario.name == name]
    if not found:
        known = ", ".join(scenario.name for scenario in SCENARIOS)
        raise fail(name, f"not measured on {BOARD}", f"choose of {known}")
    return measure(found[0])


def measure(scenario: Scenario) -> dict[str, Any]:
    """Build, measure bytes, run in the simulator; returns plain data."""
    options = build.Options(
        settings=scenario.all_settings,
        defines=defines_of(scenario),
        name=f"bench/{scenario.name.replace('/', '-').replace(' ', '-')}-{scenario.board}",
        lto=False,
    )
    done = build.build(scenario.app, scenario.board, options)
    image = image_of(done)
    status: int | None = None
    calls: list[Call] = []
    if done.uses_elements or scenario.backend != BYTES_ONLY:
        with chips_of(done) as words:
            status, calls = run(image, words)
    return result(scenario, "cycles", status, image.rom(), image.ram(), calls)


@contextmanager
def chips_of(done: build.Build) -> Iterator[list[str]]:
    """Words for the simulator: the chips inside of it, of a build that talks to some."""
    if not done.uses_elements:
        yield []
        return
    folder = ROOT / "build" / "bench" / f"chips-{BOARD}"
    with alone(folder):
        provision.prepare_virtual_chips(BOARD, folder)
        yield [f"chip={spec}" for spec in inside_specs(done.board, folder, {})]


def run(image: Image, words: Iterable[str] = ()) -> tuple[int, list[Call]]:
    """Run an image to its end; exit status and calls. `words`: more for the simulator."""
    simulator = str(build_simulator(BOARD))
    with tempfile.TemporaryDirectory(prefix="corral-") as scratch:
        folder = Path(scratch)
        (folder / "table").write_text("".join(f"{line}\n" for line in table(image)))
        (folder / "entropy").write_bytes(random.Random(0).randbytes(_ENTROPY_SIZE))
        options = [f"{name}={folder / name}" for name in ("table", "entropy", "counts")]
        command = [simulator, str(image.elf), *options, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        counts = folder / "counts"
        if not counts.is_file():
            raise fail(str(image.elf), f"the simulator failed: {done.stderr.strip()}")
        return done.returncode, list(_calls(image, counts.read_text()))


def table(image: Image) -> Iterator[str]:
    """Lines that tell the simulator what lies where (sim/mega2560/counts.h)."""
    for r in image.ranges:
        if r.section.startswith(".text") and r.part in _KINDS:
            yield f"{r.address:x} {r.address + r.size:x} {_KINDS[r.part]} -"
    for name, (address, size) in image.symbols.items():
        if address >= AVR_RAM or size == 0:
            continue
        kind = "random" if name in _RANDOM else "wait" if name == _WAIT else ""
        if name.startswith("psa_"):
            kind = "api"
        elif is_wiping(name):
            kind = "wipe"
        if kind:
            yield f"{address:x} {address + size:x} {kind} {name}"


def _calls(image: Image, text: str) -> Iterator[Call]:
    functions = sorted(
        (address, name)
        for name, (address, size) in image.symbols.items()
        if size > 0 and address < AVR_RAM
    )
    starts = [address for address, _name in functions]
    call: Call | None = None
    for line in text.splitlines():
        word, *rest = line.split()
        if word == "call":
            if call:
                yield call
            call = _call_of(rest)
        elif call:
            address, cycles = int(rest[0], 16), int(rest[1])
            index = bisect.bisect_right(starts, address) - 1
            name = functions[index][1] if index >= 0 else hex(address)
            part = image.source_part_at(address)
            call.profile[name] = call.profile.get(name, 0) + cycles
            call.parts[part] = call.parts.get(part, 0) + cycles
    if call:
        yield call


def _call_of(words: list[str]) -> Call:
    values = {name: int(value) for name, _, value in (word.partition("=") for word in words[1:])}
    return Call(
        function=words[0],
        layer=values["layer"] + values["wipe"],
        wiping=values["wipe"],
        primitive=values["primitive"],
        random=values["random"],
        element=values["element"],
        bus=max(values["bus"] - values["line"], 0),
        stack=values["stack"],
        deepest=values["deepest"],
        transfers=values["transfers"],
        bus_bytes=values["bytes"],
        chip_us=values["wait"] // CYCLES_PER_US,
    )
