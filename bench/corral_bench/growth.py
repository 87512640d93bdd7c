# SPDX-License-Identifier: Apache-2.0
"""How cost grows: with keys held, message size, drivers in a build, and devices on a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corral import ROOT
from corral.build import image as building
from corral.common.progress import alone
from corral.measure.size import image_of
from corral.run import chips, provision

from corral_bench.bus import Bus
from corral_bench.cost import build_scenario, measure
from corral_bench.emulator import Emulator
from corral_bench.record import BY_RANK, Scenario

BOARD = "mps2-an386"
SLOTS = (1, 4, 16, 64)
SIZES = (16, 64, 256, 1024, 4096, 16384, 65536)
DEVICES = (1, 2, 4, 8)
_FIRST_LOCATION = 0x800001
_SHA, _HMAC = "CORRAL_SHA_256_BY_", "CORRAL_HMAC_SHA_256_BY_"
_CBC, _SHA_512 = "CORRAL_CBC_NO_PADDING_AES_128_BY_", "CORRAL_SHA_512_BY_"

#: One driver more each time, in place of Mbed TLS.
_DRIVERS: tuple[tuple[str, dict[str, str]], ...] = (
    ("mbedtls", {}),
    ("bearssl", {_SHA + "BEARSSL": "y", _HMAC + "BEARSSL": "y"}),
    ("compose", {_CBC + "COMPOSE": "y"}),
    ("monocypher", {_SHA_512 + "MONOCYPHER": "y"}),
)

Line = list[tuple[int, int]]


def _app(name: str) -> str:
    return f"../bench/apps/{name}"


def _keys() -> dict[str, Any]:
    whole = measure(Scenario("keys/64", _app("keys"), {_HMAC + "BEARSSL": "y"}))
    calls = [c["layer"] for c in whole["calls"] if c["function"] != "psa_crypto_init"]
    held = range(1, len(calls) // 3 + 1)
    ram = []
    for count in SLOTS:
        settings = {_HMAC + "BEARSSL": "y", "CORRAL_SINGLE_KEY_SLOTS": str(count)}
        image = image_of(build_scenario(Scenario(f"keys/{count} slots", _app("keys"), settings)))
        ram.append((count, sum(image.ram()[part] for part in ("core", "dispatch", "glue"))))
    return {
        "psa_import_key": [(n, calls[3 * n - 3]) for n in held],
        "psa_mac_compute, first key": [(n, calls[3 * n - 2]) for n in held],
        "psa_mac_compute, last key": [(n, calls[3 * n - 1]) for n in held],
        "RAM": ram,
    }


def _messages() -> dict[str, Any]:
    settings = {_HMAC + "MBEDTLS": "y", _SHA + "MBEDTLS": "y", _CBC + "MBEDTLS": "y"}
    result = measure(Scenario("messages/mbedtls", _app("messages"), settings))
    lines: dict[str, Line] = {}
    for function in ("psa_hash_compute", "psa_mac_compute", "psa_cipher_encrypt"):
        calls = [c for c in result["calls"] if c["function"] == function]
        pairs = list(zip(SIZES, calls, strict=True))
        lines[f"{function}: layer"] = [(size, call["layer"]) for size, call in pairs]
        lines[f"{function}: library"] = [(size, call["primitive"]) for size, call in pairs]
    return lines


def _drivers() -> dict[str, Any]:
    lines: dict[str, Line] = {"ROM of the layer": []}
    settings: dict[str, str] = {}
    for count, (name, further) in enumerate(_DRIVERS, 1):
        settings = settings | further
        result = measure(Scenario(f"drivers/{name}", _app("drivers"), settings))
        lines["ROM of the layer"].append((count, result["layer_rom"]))
        seen: dict[str, int] = {}
        for call in result["calls"]:
            seen[call["function"]] = seen.get(call["function"], 0) + 1
            hashed = ("SHA-256", "SHA-512")[seen[call["function"]] - 1]
            what = f"hash_compute {hashed}" if "hash" in call["function"] else call["function"]
            if "init" not in what and "import" not in what:
                lines.setdefault(what, []).append((count, call["layer"]))
    return lines


def _board_with(count: int) -> str:
    """A board like BOARD with so many elements, two on each bus; its name, seen from boards/."""
    source = ROOT / "boards" / BOARD
    folder = ROOT / "build" / "bench" / "boards" / f"{BOARD}-{count}"
    folder.mkdir(parents=True, exist_ok=True)
    text = (source / "board.toml").read_text().partition("[[element]]")[0]
    for index in range(count):
        text += (
            f'[[element]]\nname = "SE{index}"\ndriver = "atecc608"\n'
            'simulator = "atecc608"\n'
            f"location = {_FIRST_LOCATION + index:#x}\nbus = {index // 2}\n"
            f"address = {0x60 + index % 2:#x}\n"
            'slots = ["p256", "p256", "p256", "p256", "aes128", "aes128", "hmac", "hmac"]\n\n'
        )
    (folder / "board.toml").write_text(text)
    (folder / "memory.ld").write_bytes((source / "memory.ld").read_bytes())
    return f"../build/bench/boards/{folder.name}"


def _devices() -> dict[str, Any]:
    """Signing with a key in the last element of a board with 1 to 8."""
    lines: dict[str, Line] = {"ROM": [], "RAM": [], "sign_hash: layer": [], "sign_hash: driver": []}
    curve = {
        **BY_RANK,
        "CORRAL_SECP_R1_256_BY_P256M": "y",
        "CORRAL_SINGLE_KEY_SLOTS": "0",
        "CORRAL_KEY_PAIR_SLOTS": "0",
        "CORRAL_PROTECTED_KEY_SLOTS": "2",
    }
    for count in DEVICES:
        last = _FIRST_LOCATION + count - 1
        options = building.Options(
            settings=curve,
            defines=(f"BENCH_LOCATION={last:#x}",),
            name=f"bench/devices-{count}",
        )
        done = building.build(_app("ecdsa"), _board_with(count), options)
        image = image_of(done)
        call = next(c for c in _run_with_copies(done) if c.function == "psa_sign_hash")
        rom, ram = image.rom(), image.ram()
        parts = ("core", "dispatch", "glue", "element")
        lines["ROM"].append((count, sum(rom[part] for part in parts)))
        lines["RAM"].append((count, sum(ram[part] for part in parts)))
        lines["sign_hash: layer"].append((count, call.layer))
        lines["sign_hash: driver"].append((count, call.element))
    return lines


def _run_with_copies(done: building.Build) -> Sequence[Any]:
    """Run with chips that are copies of two provisioned ones, which other runs use, too."""
    images = ROOT / "build" / "bench" / "chips"
    with alone(images):
        provision.prepare_virtual_chips(BOARD, images)
    for index in range(2, len(done.board.elements)):
        (images / f"se{index}.nvm").write_bytes((images / f"se{index % 2}.nvm").read_bytes())
    with chips.running(done.board.elements, images, fifos=False) as channel:
        assert channel.socket is not None
        bus = Bus(channel.socket)
        emulator = Emulator(image_of(done), bus)
        emulator.run()
        bus.close()
    return emulator.calls


def slope(line: Sequence[tuple[int, int]]) -> float:
    """How much more for one more, from the first point to the last."""
    (x0, y0), (x1, y1) = line[0], line[-1]
    return (y1 - y0) / (x1 - x0) if x1 != x0 else 0.0


def measure_all() -> dict[str, Any]:
    """All four, as plain data: lines of (x, y)."""
    return {
        "keys": _keys(),
        "messages": _messages(),
        "drivers": _drivers(),
        "devices": _devices(),
    }
