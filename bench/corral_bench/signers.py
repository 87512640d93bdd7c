# SPDX-License-Identifier: Apache-2.0
"""One signature on small processors, shown beside the figures of RFC 8387."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corral_bench.others import AVR, M4

#: The ATmega2560's, as the RFC's: cycles of a microsecond.
_CYCLES = 16
#: The counted calls, by function, in a row's words.
CALLS = {
    "psa_generate_key": "generate",
    "psa_sign_message": "sign",
    "psa_verify_message": "verify",
}


@dataclass(frozen=True)
class Published:
    """A figure of RFC 8387, section 6: making one signature."""

    key: str
    how: str
    milliseconds: tuple[float, ...]  # one, or the least and the most of those in brackets
    ram: str = "-"
    flash: str = "-"


_TINY, _TINY_C = "TinyECC, assembly", "TinyECC, C"
_SMALL_M0, _FAST_M0 = "Mbed TLS, window 2", "Mbed TLS, window 7, NIST reduction"
_RELIC_S, _RELIC_M = "relic, low memory", "relic, fast"
_RELIC_ASSEMBLY = "relic, assembly"


def _of(how: str, ram: str, flash: str, times: Mapping[str, float]) -> list[Published]:
    return [Published(key, how, (ms,), ram, flash) for key, ms in times.items()]


#: ATmega at 16 MHz.
ON_AVR = (
    Published("RSA-2048", "AVRCryptoLib", (1_587_567,), "1,280", "3.6 KB"),
    *_of(_TINY, "892", "18 KB", {"secp160k1": 2228, "secp160r1": 2250, "secp160r2": 2467}),
    *_of(_TINY, "1,008", "18 KB", {"secp192k1": 3425, "secp192r1": 3578}),
    *_of(_TINY_C, "892", "18 KB", {"secp160k1": 3795, "secp160r1": 3841, "secp160r2": 4118}),
    *_of(_TINY_C, "1,008", "18 KB", {"secp192k1": 6091, "secp192r1": 6217}),
    Published("160 bits", "Wiselib", (10_957, 10_972), "842", "under 16 KB"),
    Published("192 bits", "Wiselib", (18_814, 18_825), "952", "under 16 KB"),
    Published("sect163k1", _RELIC_ASSEMBLY, (261,), "2,804", "29 KB"),
    *_of(
        _RELIC_M,
        "-",
        "29 KB",
        {"sect163k1": 932, "sect163r2": 2243, "sect233k1": 1736, "sect233r1": 4471},
    ),
    Published("sect163k1", f"{_RELIC_ASSEMBLY}, low memory", (592,), "2,087", "29 KB"),
    *_of(
        _RELIC_S,
        "-",
        "29 KB",
        {"sect163k1": 2950, "sect163r2": 3213, "sect233k1": 6450, "sect233r1": 6100},
    ),
    Published("Ed25519", "NaCl", (1451,), "-", "17 to 29 KB"),
)
#: Cortex-M0 and -M0+ at 48 MHz.
ON_CORTEX_M0 = (
    *_of(_SMALL_M0, "-", "-", {"secp192r1": 2165, "secp224r1": 3014, "secp256r1": 3649}),
    *_of(
        _FAST_M0,
        "-",
        "-",
        {
            "secp192k1": 291,
            "secp192r1": 225,
            "secp224k1": 375,
            "secp224r1": 307,
            "secp256k1": 486,
            "secp256r1": 459,
            "secp384r1": 811,
            "secp521r1": 1602,
        },
    ),
)


def _ms(value: float) -> str:
    return f"{value:,.0f}"


def _range(times: Iterable[float]) -> str:
    return " to ".join(f"{ms:,.0f}" for ms in times)


def _theirs(rows: Iterable[Published], key: str) -> str:
    """The RFC's figures of a key, all in one cell."""
    found = [f"{_range(row.milliseconds)} ({row.how})" for row in rows if row.key == key]
    return "; ".join(found) or "-"


def _ram(row: Mapping[str, Any]) -> str:
    """The memory of a signature: variables, the deepest stack, and the largest heap."""
    call = row["calls"]["sign"]
    return f"{row['static'] + call['stack'] + call['heap']:,}"


def _count(row: Mapping[str, Any], call: str) -> str:
    """An RSA pair is not generated."""
    return f"{row['calls'][call]['count']:,}" if call in row["calls"] else "-"


def on_avr(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The ATmega2560's rows: cycles, and milliseconds at 16 MHz with those of a chip beside it."""
    made = [
        [
            "ATmega2560",
            "signing: cycles",
            "ms at 16 MHz",
            "verifying: ms",
            "new key: ms",
            "RAM",
            "flash of the library",
            "of all libraries",
            "RFC 8387, signing: ms",
        ]
    ]
    for row in measured:
        if row["board"] != AVR:
            continue
        calls = row["calls"]
        times = [
            _ms(_microseconds(calls[call]) / 1000) if call in calls else "-"
            for call in ("sign", "verify", "generate")
        ]
        made.append(
            [
                f"{row['key']}, {row['library']}",
                _count(row, "sign"),
                *times,
                _ram(row),
                f"{row['flash']:,}",
                f"{row['libraries']:,}",
                _theirs(ON_AVR, row["key"]),
            ]
        )
    return made


def _microseconds(call: Mapping[str, Any]) -> float:
    """Of the processor, and of a chip as its data sheet has it."""
    return float(call["count"]) / _CYCLES + int(call.get("chip_us", 0))


def on_cortex_m4(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The Cortex-M4's rows: instructions."""
    made = [
        [
            "Cortex-M4, instructions",
            "signing",
            "verifying",
            "new key",
            "RAM",
            "flash of the library",
            "of all libraries",
            "RFC 8387, Cortex-M0 at 48 MHz, signing: ms",
        ]
    ]
    for row in measured:
        if row["board"] == M4:
            counts = [_count(row, call) for call in ("sign", "verify", "generate")]
            flash = (f"{row['flash']:,}", f"{row['libraries']:,}")
            theirs = _theirs(ON_CORTEX_M0, row["key"])
            made.append([f"{row['key']}, {row['library']}", *counts, _ram(row), *flash, theirs])
    return made


def of_element(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The commands to an element, and the time that its data sheet allows for them."""
    made = [["Element", "commands", "chip: ms, at most", "bus: bytes", "processor"]]
    units = {M4: "instructions", AVR: "cycles"}
    for row in measured:
        for name in CALLS.values():
            call = row["calls"].get(name, {})
            if "chip_us" in call:
                commands = ", ".join(call["commands"]) or "-"
                work = f"{call['count']:,} {units[row['board']]}"
                chip = f"{call['chip_us'] / 1000:,.0f}"
                bus = f"{call['bus_bytes']:,}"
                made.append([f"{row['board']}, {name}", commands, chip, bus, work])
    return made


def published_alone(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Rows of the RFC whose keys nothing above has on a processor of that kind."""
    made = [["Only in RFC 8387", "with", "signing: ms", "RAM", "flash"]]
    for where, board, rows in (
        ("ATmega, 16 MHz", AVR, ON_AVR),
        ("Cortex-M0, 48 MHz", M4, ON_CORTEX_M0),
    ):
        keys = {row["key"] for row in measured if row["board"] == board}
        for row in rows:
            if row.key not in keys:
                times = _range(row.milliseconds)
                made.append([f"{row.key}, {where}", row.how, times, row.ram, row.flash])
    return made


def describe(row: Mapping[str, Any]) -> str:
    """A row as a line for a terminal."""
    unit = "cycles" if row["board"] == AVR else "instructions"
    calls = ", ".join(f"{name} {call['count']:,}" for name, call in row["calls"].items())
    return (
        f"{row['key']}, {row['library']} on {row['board']}: {unit}: {calls}; "
        f"{_ram(row)} bytes of RAM, {row['flash']:,} of flash"
    )
