# SPDX-License-Identifier: Apache-2.0
"""The energy of an operation: an estimate, from counts and documented currents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Supply:
    """A processor's documented current at one clock and voltage."""

    chip: str
    board: str  # whose counts it is multiplied with
    milliampere: float
    volt: float
    megahertz: float
    source: str

    @property
    def nanojoule(self) -> float:
        """For one cycle."""
        return self.milliampere * self.volt / self.megahertz


SUPPLIES = (
    Supply(
        "nRF52840",
        "mps2-an386",
        3.3,
        3.0,
        64,
        "Nordic Semiconductor, nRF52840 Product Specification: CPU from flash, DC/DC, 52 uA/MHz",
    ),
    Supply(
        "ATmega2560",
        "mega2560",
        10,
        5.0,
        8,
        "Microchip, ATmega640/1280/2560 data sheet, DC characteristics: active, typical",
    ),
)
#: Microchip, ATECC608A data sheet summary DS40001977B, table 2-5: the largest current, of ECC
#: commands at the fastest clock; hashes and AES take 3 mA at most.
#: They are taken for the whole time that the driver waits.
ELEMENT_ECC_MILLIAMPERE, ELEMENT_OTHER_MILLIAMPERE, ELEMENT_VOLT = 14.0, 3.0, 3.0


def estimate(results: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Microjoules of each call: of the layer, of all that the processor does, of the element."""
    supplies = {supply.board: supply for supply in SUPPLIES}
    rows = []
    for result in results:
        if result["board"] not in supplies or result["lto"]:
            continue
        each = supplies[result["board"]].nanojoule / 1000
        is_curve = result["application"] in ("ecdsa", "curve")
        current = ELEMENT_ECC_MILLIAMPERE if is_curve else ELEMENT_OTHER_MILLIAMPERE
        for call in result["calls"]:
            work = call["layer"] + call["primitive"] + call["random"] + call["element"]
            rows.append(
                {
                    "scenario": result["scenario"],
                    "chip": supplies[result["board"]].chip,
                    "function": call["function"],
                    "layer_uj": round(each * call["layer"], 4),
                    "processor_uj": round(each * (work + call["bus"]), 4),
                    "element_uj": round(current * ELEMENT_VOLT * call["chip_us"] / 1000, 1),
                }
            )
    return rows
