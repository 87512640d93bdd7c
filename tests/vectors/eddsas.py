# SPDX-License-Identifier: Apache-2.0
"""Points of mixed order and second encodings: Ed25519 at its edges, where verifiers differ.

Numbers 2 to 9 of the table in Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs"; the fleet
has them, and decides by itself about some. Numbers 0 and 1 have a key of small order, which cannot
be imported (tests/driver/common/keys.c). docs/DECISIONS.md has the reasons.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from .row import CURVES, Row

_CASES = Path(__file__).resolve().parents[1] / "fleet" / "ed25519.json"
_NUMBERS = range(2, 10)
#: 2: R of small order. 3: holds also without the cofactor. 4 and 5: only with it.
_HOLD = (2, 3, 4, 5)


def rows() -> Iterator[Row]:
    curve = CURVES["ed25519"]
    cases = json.loads(_CASES.read_text(encoding="utf-8"))["cases"]
    for number in _NUMBERS:
        key, message, signature = (
            bytes.fromhex(cases[number][name]) for name in ("key", "message", "signature")
        )
        yield Row(f"number {number}", f"PURE_EDDSA_VERIFY_{curve.mechanism}", _CASES.name,
                  "VERIFY_MESSAGE", "PSA_ALG_PURE_EDDSA", curve.public, key, b"", message,
                  signature, "VALID" if number in _HOLD else "INVALID")  # fmt: skip
