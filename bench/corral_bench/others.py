# SPDX-License-Identifier: Apache-2.0
"""The cost of other layers, and our figure beside each.

Measured on unmodified sources with one compiler (arm-none-eabi-gcc 12.2 for Cortex-M4, avr-gcc 5.4
for ATmega2560; -Os, sections, no link-time optimisation) unless the source is a publication.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

RIOT = "RIOT, August 2026, measured"
TFPSA = "TF-PSA-Crypto 1.0.0, measured, smallest configuration"
TFPSA_DEFAULT = "TF-PSA-Crypto 1.0.0, measured, default configuration"
PAPER = "Boeckmann et al., Usable Security for an IoT OS, EWSN 2022"
POSTER = "the poster of the same authors on ATmega2560 and nRF52840"

M4, AVR = "mps2-an386", "mega2560"


@dataclass(frozen=True)
class Figure:
    """A published or measured figure of another layer."""

    value: int
    source: str


@dataclass(frozen=True)
class Row:
    """One comparison: the place of our figure, its goal, and the figures of others.

    Wiping counts, here and in the goal. Others do none.
    """

    kind: str  # "ROM", "RAM", "instructions", "cycles", "stack"
    label: str
    board: str
    scenario: str
    function: str  # empty for bytes
    goal: int | None
    others: tuple[Figure, ...]
    note: str = ""


def _riot(value: int) -> tuple[Figure, ...]:
    return (Figure(value, RIOT),)


def _three(riot: int, smallest: int, default: int) -> tuple[Figure, ...]:
    return (Figure(riot, RIOT), Figure(smallest, TFPSA), Figure(default, TFPSA_DEFAULT))


def _tfpsa(smallest: int, default: int) -> tuple[Figure, ...]:
    return (Figure(smallest, TFPSA), Figure(default, TFPSA_DEFAULT))


def _m4_bytes(
    label: str,
    app: str,
    backends: tuple[str, ...],
    goals: tuple[int, int],
    rom: tuple[Figure, ...],
    riot_ram: int,
) -> Iterator[Row]:
    """ROM and RAM of one application on the Cortex-M4, a pair of rows for each backend."""
    for backend in backends:
        name, scenario = f"{label}, {backend}", f"{app}/{backend}"
        yield Row("ROM", name, M4, scenario, "", goals[0], rom)
        yield Row("RAM", name, M4, scenario, "", goals[1], _riot(riot_ram))


_ONE_SLOT = "RIOT's figure is with one slot of each pool; so is ours in this row"

_BYTES = (
    *_m4_bytes("one hash only", "hash", ("mbedtls", "bearssl"), (250, 4), _riot(598), 1),
    *_m4_bytes("HMAC", "hmac", ("mbedtls", "bearssl"), (1100, 100), _three(2648, 4044, 4990), 109),
    *_m4_bytes("CBC", "cbc", ("mbedtls", "bearssl"), (900, 60), _three(2832, 5006, 5886), 61),
    *_m4_bytes(
        "ECDSA", "ecdsa", ("p256m", "micro_ecc"), (1800, 250), _three(3812, 5108, 6818), 253
    ),
    Row("ROM", "all three", M4, "all/bearssl+p256m", "", 2700, _riot(5582)),
    Row("RAM", "all three", M4, "all/one slot", "", 280, _riot(285), _ONE_SLOT),
    Row(
        "ROM",
        "all three with two elements",
        M4,
        "elements/bearssl+p256m",
        "",
        3800,
        (Figure(8000, f"{PAPER}: under this"),),
        "without the chips' driver, which elsewhere is a vendor's library",
    ),
    Row("ROM", "HMAC", AVR, "hmac/bearssl", "", 2600, _riot(5932)),
    Row("RAM", "HMAC", AVR, "hmac/bearssl", "", None, _riot(99)),
    Row("ROM", "CBC", AVR, "cbc/bearssl", "", 2800, _riot(5822)),
    Row("RAM", "CBC", AVR, "cbc/bearssl", "", None, _riot(51)),
    Row("ROM", "ECDSA", AVR, "ecdsa/micro_ecc", "", 3800, _riot(8166)),
    Row("RAM", "ECDSA", AVR, "ecdsa/micro_ecc", "", None, _riot(227)),
    Row("ROM", "all three", AVR, "all/bearssl+micro_ecc", "", 5300, _riot(11764)),
    Row("RAM", "all three", AVR, "all/one slot", "", None, _riot(259), _ONE_SLOT),
    Row(
        "ROM",
        "all three with two elements",
        AVR,
        "elements/bearssl+micro_ecc",
        "",
        7000,
        (Figure(10026, f"{POSTER}: one element"),),
    ),
    Row(
        "RAM",
        "all three with two elements",
        AVR,
        "elements/bearssl+micro_ecc",
        "",
        500,
        (Figure(689, f"{POSTER}: one element"),),
    ),
    Row("ROM", "one hash only", AVR, "hash/bearssl", "", 500, ()),
)

_BOTH = ("mbedtls", "bearssl")
_CURVES = ("p256m", "micro_ecc")
#: Label, application, the two backends, function, the goal with each, the figures of others.
_CALLS = (
    (
        "hash_compute SHA-256, 32 B",
        "hash",
        _BOTH,
        "psa_hash_compute",
        (70, 70),
        _three(413, 525, 1061),
    ),
    ("import_key AES-128", "cbc", _BOTH, "psa_import_key", (140, 140), _three(316, 220, 596)),
    (
        "mac_compute HMAC-SHA-256, 32 B",
        "hmac",
        _BOTH,
        "psa_mac_compute",
        (250, 250),
        (Figure(353, RIOT), Figure(2471, TFPSA), Figure(4772, TFPSA_DEFAULT)),
    ),
    (
        "cipher_encrypt AES-128-CBC, 32 B, without the generator",
        "cbc",
        _BOTH,
        "psa_cipher_encrypt",
        (190, 300),
        _three(352, 1717, 2543),
    ),
    (
        "aead_encrypt AES-CCM, 32 B",
        "ccm",
        _BOTH,
        "psa_aead_encrypt",
        (200, 200),
        _tfpsa(700, 1622),
    ),
    ("generate_key P-256", "ecdsa", _CURVES, "psa_generate_key", (200, 200), _riot(311)),
    ("sign_hash P-256", "ecdsa", _CURVES, "psa_sign_hash", (180, 200), _three(182, 273, 879)),
    ("verify_hash P-256", "ecdsa", _CURVES, "psa_verify_hash", (120, 120), _riot(181)),
)

_INSTRUCTIONS = tuple(
    Row("instructions", f"{label}, {backend}", M4, f"{app}/{backend}", function, goal, others)
    for label, app, backends, function, goals, others in _CALLS
    for backend, goal in zip(backends, goals, strict=True)
)

#: No more than RIOT takes.
_STACK = tuple(
    Row("stack", label, M4, scenario, function, riot, _riot(riot))
    for label, scenario, function, riot in (
        ("import_key", "cbc/bearssl", "psa_import_key", 136),
        ("mac_compute", "hmac/bearssl", "psa_mac_compute", 136),
        ("cipher_encrypt", "cbc/bearssl", "psa_cipher_encrypt", 272),
        ("hash_compute", "hash/bearssl", "psa_hash_compute", 300),
        ("sign_hash", "ecdsa/p256m", "psa_sign_hash", 144),
    )
)

_CYCLES = tuple(
    Row("cycles", label, AVR, scenario, function, None, others)
    for label, scenario, function, others in (
        ("import_key AES-128", "cbc/bearssl", "psa_import_key", _riot(1559)),
        ("mac_compute", "hmac/bearssl", "psa_mac_compute", _riot(1460)),
        ("cipher_encrypt", "cbc/bearssl", "psa_cipher_encrypt", _riot(1743)),
        ("generate_key P-256", "ecdsa/micro_ecc", "psa_generate_key", _riot(1375)),
        ("sign_hash P-256", "ecdsa/micro_ecc", "psa_sign_hash", _riot(1010)),
        ("verify_hash P-256", "ecdsa/micro_ecc", "psa_verify_hash", _riot(983)),
        (
            "generate_key in an element",
            "ecdsa/atecc608",
            "psa_generate_key",
            (Figure(2128, f"{POSTER}: 133 us"),),
        ),
        (
            "sign_hash in an element",
            "ecdsa/atecc608",
            "psa_sign_hash",
            (Figure(1520, f"{POSTER}: 95 us"),),
        ),
        (
            "verify_hash in an element",
            "ecdsa/atecc608",
            "psa_verify_hash",
            (Figure(1520, f"{POSTER}: 95 us"),),
        ),
    )
)

#: On the nRF52840's Cortex-M4 the publications give cycles; ours are instructions.
_ELEMENT = tuple(
    Row(
        "instructions",
        label,
        M4,
        "ecdsa/atecc608",
        function,
        None,
        (Figure(value, f"{POSTER}: nRF52840, {text}, in cycles"),),
        "theirs in cycles, ours in instructions: not the same unit",
    )
    for label, function, value, text in (
        ("generate_key in an element", "psa_generate_key", 896, "14 us"),
        ("sign_hash in an element", "psa_sign_hash", 576, "9 us"),
        ("verify_hash in an element", "psa_verify_hash", 576, "9 us"),
    )
)

ROWS = (*_BYTES, *_INSTRUCTIONS, *_ELEMENT, *_STACK, *_CYCLES)

#: Layer and library of RIOT in flash, without any generator of random numbers.
RIOT_IMAGES = {"hmac": 3968, "cbc": 8586, "ecdsa": 10368}


def ours(row: Row, measured: Sequence[dict[str, Any]]) -> tuple[int | None, int | None]:
    """Our figure for a row and how much of it is wiping; None: not measured, or bytes."""
    for result in measured:
        if (result["scenario"], result["board"]) != (row.scenario, row.board) or result["lto"]:
            continue
        if row.kind in ("ROM", "RAM"):
            return int(result[f"layer_{row.kind.lower()}"]), None
        for call in result["calls"]:
            if call["function"] != row.function:
                continue
            if row.kind == "stack":
                return int(call["stack"]), None
            return int(call["layer"]), int(call["wiping"])
    return None, None


def comparison(measured: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """All rows with ours beside them, as plain data."""
    rows = []
    for row in ROWS:
        value, wiping = ours(row, measured)
        rows.append(
            {
                "kind": row.kind,
                "label": row.label,
                "board": row.board,
                "scenario": row.scenario,
                "function": row.function,
                "ours": value,
                "wiping": wiping,
                "goal": row.goal,
                "note": row.note,
                "others": [
                    {
                        "value": figure.value,
                        "source": figure.source,
                        "ratio": None if value is None else round(value / figure.value, 3),
                    }
                    for figure in row.others
                ],
            }
        )
    return rows
