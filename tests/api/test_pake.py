# SPDX-License-Identifier: Apache-2.0
"""Password-authenticated key exchange through the API, in a build that has nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import areas, programs
from harness.program import EMULATED, NATIVE

CONFIGURATIONS: dict[str, Mapping[str, str]] = {
    "default": {},
    "fields": {
        "PSA_WANT_KEY_TYPE_WPA3_SAE_DH": "y",
        "PSA_WANT_DH_RFC3526_3072": "y",
        **({"PSA_WANT_DH_RFC3526_4096": "y"} if areas.is_long() else {}),
        "CORRAL_LENIENT_JPAKE": "y",
        "CORRAL_LENIENT_DESTROY": "y",
    },
}
#: Numbers of thousands of bits take an emulated processor minutes.
PLACES = [("default", NATIVE), ("default", EMULATED), ("fields", NATIVE)]


@pytest.mark.parametrize(("configuration", "board"), PLACES)
def test_pake(configuration: str, board: str) -> None:
    programs.pake(board, configuration, CONFIGURATIONS[configuration]).run().check(108)
