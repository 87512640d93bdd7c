# SPDX-License-Identifier: Apache-2.0
"""The document about handshakes, with figures of others: tls.py measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: The most expensive operations, in the order of the study's columns.
OPERATIONS = {
    "psa_sign_hash": "sign",
    "psa_verify_hash": "verify",
    "psa_generate_key": "key pair",
    "psa_raw_key_agreement": "secret",
}


@dataclass(frozen=True)
class Published:
    """A row of the study, in milliseconds; None where it says nothing."""

    what: str
    milliseconds: tuple[float | None, float | None, float | None, float | None]
    millijoules: tuple[float, ...] = ()


#: A published study of crypto for embedded TLS; ECDSA and ECDH on P-256 unless it says RSA.
STUDY = (
    Published("Cortex-M3 at 14 MHz, micro-ecc", (1263, 1373, 1076, 1078), (11.5, 12.0)),
    Published("Cortex-M4 at 168 MHz, micro-ecc", (114, 128, 97, 99)),
    Published("ATECC508A", (120, 77, 215, 203), (1.0, 0.8, 2.0, 2.0)),
    Published("an HSM chip", (309, 428, None, None)),
    Published("an HSM chip, RSA", (74, 2.8, None, None)),
    Published("a core in an FPGA, RSA-1024", (33, 1.7, None, None)),
)
#: The study's processors: on which board ours has such a one, and the clock in MHz.
CLOCKS = {"mps2-an385": 14, "mps2-an386": 168}
#: The board of the other table.
BOARD = "mps2-an386"
#: The power of the study's Cortex-M3, in mW.
MEASURED = "mps2-an385"
POWER = 11.5 / 1263 * 1000

ENDS = ("client", "server")
_LINES = (
    ("bytes sent", "sent", 1),
    ("calls of the API", "calls", 1),
    ("layer: instructions", "layer", 1),
    ("library: instructions", "primitive", 1),
    ("random numbers: instructions", "random", 1),
    ("driver of the element: instructions", "element", 1),
    ("bus: transfers", "transfers", 1),
    ("bus: bytes", "bus_bytes", 1),
    ("chip: ms, at most", "chip_us", 1000),
)


def _backend(row: Mapping[str, Any]) -> str:
    return str(row["scenario"]).partition("/")[2]


def rows(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A column for each end with each backend, on one board."""
    made = [["TLS 1.3"], *([title] for title, _kind, _unit in _LINES)]
    made.append(["layer's share of all instructions"])
    for row in measured:
        if row["board"] != BOARD:
            continue
        for name, end in zip(ENDS, row["ends"], strict=True):
            share = end["layer"] / sum(end[kind] for kind in _WORK)
            figures = (f"{end[kind] // unit:,}" for _title, kind, unit in _LINES)
            column = [f"{_backend(row)}, {name}", *figures, f"{share:.2%}"]
            for line, cell in zip(made, column, strict=True):
                line.append(cell)
    return made


_WORK = ("layer", "primitive", "random", "element")


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:,g}"


def study(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The study's rows, and below them ours: estimates.

    An instruction is taken for a cycle, and an element for as slow as its data sheet allows.
    """
    made = [["P-256, ms", *OPERATIONS.values(), "mJ"]]
    for row in STUDY:
        energy = ", ".join(f"{value:g}" for value in row.millijoules) or "-"
        made.append([row.what, *map(_milliseconds, row.milliseconds), energy])
    for board, clock in CLOCKS.items():
        for backend in measured:
            if backend["board"] == board and not _chip(backend):
                made.append(_estimate(backend, clock))
    for backend in measured:
        if chip := _chip(backend):
            made.append([f"estimate: Corral, {_backend(backend)}", f"{chip / 1000:,.0f}", *"----"])
    return made


def _chip(backend: Mapping[str, Any]) -> int:
    """Microseconds of an element for a signature; 0: no element makes it."""
    return int(backend["operations"]["psa_sign_hash"]["chip_us"])


def _estimate(backend: Mapping[str, Any], clock: int) -> list[str]:
    times = [backend["operations"][name]["instructions"] / clock / 1000 for name in OPERATIONS]
    energies = ", ".join(f"{value * POWER / 1000:.1f}" for value in times)
    return [
        f"estimate: Corral, {_backend(backend)}, at {clock} MHz",
        *(f"{value:,.0f}" for value in times),
        energies if backend["board"] == MEASURED else "-",
    ]


def describe(row: Mapping[str, Any]) -> str:
    """A handshake as lines for a terminal, one for each end."""
    lines = []
    for name, end in zip(ENDS, row["ends"], strict=True):
        chip = (
            f", {end['transfers']} transfers of {end['bus_bytes']} bytes, chip {end['chip_us']} us"
            if end["transfers"]
            else ""
        )
        lines.append(
            f"{row['scenario']} on {row['board']}, {name}: {end['sent']} bytes, {end['calls']} "
            f"calls, instructions: layer {end['layer']:,}, library {end['primitive']:,}, "
            f"random {end['random']:,}{chip}"
        )
    return "\n".join(lines)
