# SPDX-License-Identifier: Apache-2.0
"""The cost of a handshake of TLS 1.3: in the layer, its library, a secure element and its bus.

Mbed TLS shakes hands with itself, in one image, over this library; the calls of each end
between the first byte and the end of the handshake are counted. handshakes.py shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.errors import fail
from corral.measure.image import Image
from corral.measure.size import image_of
from corral.packages import fetch as packages

from corral_bench import handshakes
from corral_bench.bus import Bus
from corral_bench.cost import chips_of
from corral_bench.emulator import Emulator
from corral_bench.record import Call, Scenario
from corral_bench.scenarios import SCENARIOS as _OTHERS
from corral_bench.scenarios import defines_of

_APP = "../bench/apps/tls"
_CURVES = {s.backend: s.settings for s in _OTHERS if s.application == "curve"}
#: Of all versions of TLS, and of 1.3.
LAYERS = (
    *("asn1parse", "asn1write", "constant_time", "md", "memory_buffer_alloc", "oid", "pk"),
    *("pk_ecc", "pk_wrap", "pkparse", "pkwrite", "platform", "platform_util", "psa_util"),
    *("ssl_ciphersuites", "ssl_client", "ssl_debug_helpers_generated", "ssl_msg", "ssl_tls"),
    *("x509", "x509_create", "x509_crt", "x509write", "x509write_crt"),
)
_LAYERS_13 = ("ssl_tls13_client", "ssl_tls13_generic", "ssl_tls13_keys", "ssl_tls13_server")

#: Their primitives in one image with their layers would have the same names twice.
WITHOUT = {"CORRAL_DRIVER_MBEDTLS": "n"}

#: The study's processors.
_BOARDS = ("mps2-an386", "mps2-an385")

SCENARIOS = (
    *(
        Scenario(f"tls/{name}", _APP, _CURVES[name] | WITHOUT, board)
        for board in _BOARDS
        for name in ("micro_ecc", "p256m")
    ),
    # Ephemeral keys stay in local memory.
    Scenario("tls/atecc608", _APP, _CURVES["p256m"] | WITHOUT),
)


class _Handshake(Emulator):
    """Remembers in whose turn each call was made: that of an end, or of neither."""

    def __init__(self, image: Image, bus: Bus | None) -> None:
        self.turns: list[int] = []
        super().__init__(image, bus)

    def _begin(self, address: int) -> None:
        super()._begin(address)
        (turn,) = self._uc.mem_read(self.image.symbols["bench_turn"][0], 1)
        self.turns.append(turn)


def _sources(theirs: Path, names: Iterable[str]) -> tuple[Path, ...]:
    """Their sources, each behind headers that some use and do not include."""
    folder = ROOT / "build" / "bench" / "tls-sources"
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name in names:
        headers = "#include <mbedtls/ecp.h>\n#include <mbedtls/md.h>\n"
        text = f'{headers}#include "{theirs / "library" / name}.c"\n'
        made.append(folder / f"{name}.c")
        if not made[-1].exists() or made[-1].read_text() != text:
            made[-1].write_text(text)
    return tuple(made)


def layered(names: Iterable[str], configuration: str) -> build.Options:
    """A build with these layers of theirs over this library."""
    theirs = packages.ensure(ROOT, "mbedtls")
    return build.Options(
        sources=_sources(theirs, names),
        # Their psa/crypto.h must not be found.
        includes=(
            ROOT / "include",
            ROOT / "compat" / "mbedtls",
            theirs / "include",
        ),
        defines=(f'MBEDTLS_CONFIG_FILE="{configuration}"', "MBEDTLS_ALLOW_PRIVATE_ACCESS="),
        compile_flags=("-w",),
    )


def _build(scenario: Scenario) -> build.Build:
    layers = layered((*LAYERS, *_LAYERS_13), "tls_config.h")
    options = replace(
        layers,
        settings=scenario.all_settings,
        defines=(*defines_of(scenario), *layers.defines),
        name=f"bench/tls-{scenario.backend}-{scenario.board}",
        lto=scenario.lto,
    )
    return build.build(scenario.app, scenario.board, options)


def measure(scenario: Scenario) -> dict[str, Any]:
    """Build one image, shake hands in the emulator; returns plain data."""
    done = _build(scenario)
    with chips_of(done, scenario.board) as bus:
        emulator = _Handshake(image_of(done), bus)
        emulator.run()
    said = emulator.console.decode(errors="replace")
    sent = re.search(r"^sent (\d+) and (\d+)$", said, re.M)
    if emulator.exit_code != 0 or sent is None:
        raise fail(scenario.name, f"the handshake failed: {said}", "run it on its board")
    calls: list[list[Call]] = [[], []]
    for call, turn in zip(emulator.calls, emulator.turns, strict=True):
        if turn < len(calls):
            calls[turn].append(call)
    return {
        "scenario": scenario.name,
        "board": scenario.board,
        "ends": [
            {"sent": int(count), "calls": len(mine), **{kind: _sum(mine, kind) for kind in KINDS}}
            for count, mine in zip(sent.groups(), calls, strict=True)
        ],
        "operations": {name: _longest(chain(*calls), name) for name in handshakes.OPERATIONS},
    }


KINDS = ("layer", "primitive", "random", "element", "transfers", "bus_bytes", "chip_us")


def _sum(calls: Iterable[Call], kind: str) -> int:
    return sum(int(getattr(call, kind)) for call in calls)


def _longest(calls: Iterable[Call], function: str) -> dict[str, int]:
    """The call of this function that took most: others were refused."""
    works = [
        {"instructions": c.layer + c.primitive + c.random + c.element + c.bus, "chip_us": c.chip_us}
        for c in calls
        if c.function == function
    ]
    return max(works, key=lambda work: (work["chip_us"], work["instructions"]))


def measure_all() -> list[dict[str, Any]]:
    """All places of the keys and all backends."""
    measured = []
    for scenario in SCENARIOS:
        measured.append(measure(scenario))
        print(handshakes.describe(measured[-1]), flush=True)
    return measured
