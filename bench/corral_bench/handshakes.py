# SPDX-License-Identifier: Apache-2.0
"""What is said of handshakes, and beside which figures of others: tls.py measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: What takes most of the time, in the order of the study's columns.
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
#: Clocks of the study's processors, and of the first the power that its energy comes to, in mW.
CLOCKS = (14, 168)
POWER = 11.5 / 1263 * 1000

_LINES = (
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
    """Both ends of a handshake together, a column for each backend."""
    made = [["TLS 1.3, client and server together", *map(_backend, measured)]]
    made.append(["bytes sent", *(f"{sum(row['sent']):,}" for row in measured)])
    for title, kind, unit in _LINES:
        made.append([title, *(f"{row[kind] // unit:,}" for row in measured)])
    made.append(
        [
            "layer's share of all instructions",
            *(f"{row['layer'] / sum(row[k] for k in _WORK):.2%}" for row in measured),
        ]
    )
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
    for backend in measured:
        chip = backend["operations"]["psa_sign_hash"]["chip_us"]
        if chip:
            made.append([f"estimate: Corral, {_backend(backend)}", f"{chip / 1000:,.0f}", *"----"])
            continue
        for clock in CLOCKS:
            times = [backend["operations"][n]["instructions"] / clock / 1000 for n in OPERATIONS]
            energies = ", ".join(f"{value * POWER / 1000:.1f}" for value in times)
            made.append(
                [
                    f"estimate: Corral, {_backend(backend)}, at {clock} MHz",
                    *(f"{value:,.0f}" for value in times),
                    energies if clock == CLOCKS[0] else "-",
                ]
            )
    return made


def describe(row: Mapping[str, Any]) -> str:
    """A handshake as a line for a terminal."""
    chip = (
        f", {row['transfers']} transfers of {row['bus_bytes']} bytes, chip {row['chip_us']} us"
        if row["transfers"]
        else ""
    )
    return (
        f"{row['scenario']}: {sum(row['sent'])} bytes, {row['calls']} calls, instructions: "
        f"layer {row['layer']:,}, library {row['primitive']:,}, random {row['random']:,}{chip}"
    )
