# SPDX-License-Identifier: Apache-2.0
"""A clock with which a port counts delays wrongly does not compile."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from corral import ROOT

ARM = ("arm-none-eabi-gcc", "--specs=/usr/lib/picolibc/arm-none-eabi/picolibc.specs", "-mthumb")
AVR = ("avr-gcc", "-mmcu=atmega2560", "-std=gnu11")
MPS2 = (*ARM, "-mcpu=cortex-m3", "-DMPS2_COUNTER=0x40028018", "ports/mps2/virtual_chips.c")


@pytest.mark.parametrize(
    ("command", "clock", "is_fit"),
    [
        *((MPS2, f"MPS2_COUNTER_MHZ={n}", 0 < n < 4295) for n in (0, 1, 25, 4294, 4295)),
        *(
            ((*AVR, "ports/avr/delay.c"), f"F_CPU={n}000000UL", n in (4, 16, 24))
            for n in (1, 4, 6, 16, 24, 28)
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "=" in value else "",
)
def test_clock_is_one_that_delays_can_be_counted_with(
    command: tuple[str, ...], clock: str, is_fit: bool, tmp_path: Path
) -> None:
    generated = tmp_path / "corral" / "bindings.h"
    generated.parent.mkdir()
    generated.write_text("#define CORRAL_ELEMENT_COUNT 0\n", encoding="utf-8")
    words = [*command, f"-D{clock}", "-Iinclude", f"-I{tmp_path}", "-Iports", "-fsyntax-only"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == is_fit, done.stderr
    assert is_fit or "of board.toml: " in done.stderr
