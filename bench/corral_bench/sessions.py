# SPDX-License-Identifier: Apache-2.0
"""Readings that a device signs beside readings in a session of DTLS: RFC 8387, section 8.4.

One program says the same readings in four ways, and counts by the clock of QEMU what the device
works (bench/meter/counter.h). objects.py shows it.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.common.progress import step
from corral.errors import fail
from corral.run import program as run

from corral_bench import tls
from corral_bench.objects import describe
from corral_bench.others import M4
from corral_bench.record import BY_RANK
from corral_bench.scenarios import SCENARIOS
from corral_bench.signatures import ENTROPY, INSTRUCTIONS

APP = "../bench/apps/sessions"
#: The sources of a device without those of a transport.
_DEVICE = tuple(
    sorted(
        source
        for source in (ROOT / "fleet" / "device").glob("*.c")
        if source.stem not in ("serial", "slipmux")
    )
)
_LAYERS = (*tls.LAYERS, "ssl_cookie", "ssl_tls12_client", "ssl_tls12_server")
_LINE = re.compile(r"^took (\d+) (\d+) (\d+) (\d+) (\d+)$", re.M)
_BACKEND = "micro_ecc"
_SETTINGS = (
    BY_RANK
    | next(s.settings for s in SCENARIOS if s.name == f"curve/{_BACKEND}")
    | tls.WITHOUT
    | {"CORRAL_DRIVER_ATECC608": "n"}
)
#: A pack of ten, with the time of each, and its signed form.
_ROOM = ("FLEET_PACK_SIZE=256u", "FLEET_MESSAGE_SIZE=480u")

COUNTS = (1, 10, 1000)


@dataclass(frozen=True)
class Way:
    """How readings are said."""

    way: str  # as the application knows it
    pack: int = 1  # readings in a message
    is_anew: bool = False  # a session for each message


WAYS = (
    Way("es256"),
    Way("es256", 10),
    Way("ed25519"),
    Way("ed25519", 10),
    *(Way(way, *how) for way in ("psk", "ecdhe") for how in ((), (10,), (1, True))),
)

#: Fewer readings than a message holds are none of its rows.
ROWS = [(way, readings) for way in WAYS for readings in COUNTS if readings >= way.pack]


def build_program() -> build.Build:
    """All ways in one image."""
    layers = tls.layered(_LAYERS, "dtls_config.h")
    source, wrap = ENTROPY
    options = replace(
        layers,
        settings=_SETTINGS,
        sources=(*layers.sources, *_DEVICE, source),
        includes=(*layers.includes, ROOT),
        defines=(*layers.defines, *_ROOM),
        link_flags=(wrap,),
        name="bench/sessions",
        lto=False,
    )
    return build.build(APP, M4, options)


def measure(program: build.Build, way: Way, readings: int) -> dict[str, Any]:
    """Say so many readings in one way; plain data."""
    said = {"way": way.way, "readings": readings, "pack": way.pack, "anew": int(way.is_anew)}
    done = run.run(program, [f"{name}={value}" for name, value in said.items()], capture=True)
    found = _LINE.search(done.stdout)
    if done.returncode or found is None:
        raise fail(f"{way}", f"the program failed: {done.stdout[-500:]}", "run it by hand")
    sent, datagrams, received, answers, ticks = (int(figure) for figure in found.groups())
    return {
        **said,
        "sent": sent,
        "datagrams_sent": datagrams,
        "received": received,
        "datagrams_received": answers,
        "instructions": ticks * INSTRUCTIONS,
    }


def measure_all() -> list[dict[str, Any]]:
    """All ways, two at a time: counts do not mind company."""
    program = build_program()
    measured = []
    with step("sessions"), ThreadPoolExecutor(max_workers=2) as workers:
        for row in workers.map(lambda row: measure(program, *row), ROWS):
            measured.append(row)
            print(describe(row), flush=True)
    return measured
