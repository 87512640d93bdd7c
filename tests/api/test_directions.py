# SPDX-License-Identifier: Apache-2.0
"""Messages in parts in one direction: the other is refused, and its code is not in the image."""

from __future__ import annotations

import subprocess

import pytest
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS, Program

DIRECTIONS = ("ENCRYPT", "DECRYPT")
#: Of a driver that keeps the directions apart.
DECRYPTION = "br_aes_ct_cbcdec_run"


#: Keys of the trusted side, where the same messages are served.
REMOTE = "mps2-an505-trustzone-remote"


def without(direction: str, board: str, app: str = "one_direction") -> Program:
    settings = {
        **WITHOUT_ELEMENTS,
        "CORRAL_DEFAULT_BY_BEARSSL": "y",
        f"CORRAL_{direction}_IN_PARTS": "n",
    }
    return Program(f"api/{app}", board, f"{app}-no-{direction.lower()}", settings)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_direction_that_is_absent_is_refused(direction: str) -> None:
    without(direction, NATIVE).run().check(3)


@pytest.mark.parametrize("board", [NATIVE, REMOTE])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_whole_messages_are_not_concerned(direction: str, board: str) -> None:
    without(direction, board, "whole_messages").run().check(2)


def test_decryption_that_is_absent_is_not_linked() -> None:
    """CCM encrypts in both directions, so that encryption is there anyway."""
    names = {}
    for direction in DIRECTIONS:
        image = without(direction, EMULATED).build().image
        done = subprocess.run(
            ["arm-none-eabi-nm", image], capture_output=True, text=True, check=True
        )
        names[direction] = set(done.stdout.split())
    assert DECRYPTION in names["ENCRYPT"]
    assert DECRYPTION not in names["DECRYPT"]
