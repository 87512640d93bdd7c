# SPDX-License-Identifier: Apache-2.0
"""What the layer costs on a Cortex-M4: bytes from the map, instructions from the emulator."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from corral import build
from corral.bench.emulator import Call, Emulator
from corral.bench.image import Image

BOARD = "mps2-an386"

#: The layer is what an application pays for the API: not the library, not the generator's work.
LAYER = ("core", "glue")


@dataclass(frozen=True)
class Scenario:
    """One application with one choice of backends."""

    name: str
    app: str
    settings: dict[str, str]


SCENARIOS = (
    Scenario("hmac/bearssl", "hmac", {"CORRAL_HMAC_SHA_256_BY_BEARSSL": "y"}),
    Scenario("aes-cbc/bearssl", "aes-cbc", {"CORRAL_CBC_NO_PADDING_AES_128_BY_BEARSSL": "y"}),
    Scenario("ecdsa/micro_ecc", "ecdsa", {"CORRAL_SECP_R1_256_BY_MICRO_ECC": "y"}),
    Scenario("ecdsa/p256m", "ecdsa", {"CORRAL_SECP_R1_256_BY_P256M": "y"}),
)


def image_of(done: build.Build) -> Image:
    """The linked image of a build, with its map."""
    return Image(done.image, done.folder / f"{done.image.name}.map", done.board.toolchain.prefix)


def measure(scenario: Scenario) -> dict[str, Any]:
    """Build, measure bytes, run in the emulator; returns plain data."""
    name = f"bench-{scenario.name.replace('/', '-')}"
    options = build.Options(settings=scenario.settings, name=name)
    image = image_of(build.build(scenario.app, BOARD, options))
    emulator = Emulator(image)
    emulator.run()
    rom, ram = image.rom(), image.ram()
    return {
        "scenario": scenario.name,
        "settings": scenario.settings,
        "exit_status": emulator.exit_code,
        "rom": rom,
        "ram": ram,
        "layer_rom": sum(rom[part] for part in LAYER),
        "layer_ram": sum(ram[part] for part in LAYER),
        "calls": [asdict(call) for call in emulator.calls],
    }


def describe(result: dict[str, Any]) -> str:
    """A result as lines for a terminal."""
    lines = [
        f"{result['scenario']}: layer {result['layer_rom']} bytes of flash, "
        f"{result['layer_ram']} of RAM (exit status {result['exit_status']})"
    ]
    for data in result["calls"]:
        call = Call(**data)
        lines.append(
            f"  {call.function:24} layer {call.layer:6}  primitive {call.primitive:9}  "
            f"random {call.random:7}  stack {call.stack:5}"
        )
    return "\n".join(lines)
