# SPDX-License-Identifier: Apache-2.0
"""The stack of a whole call, library included, beside that of others."""

from __future__ import annotations

from collections.abc import Mapping

from corral_bench.others import M4
from corral_bench.record import LEAST

#: Behind the name of a call in the baseline.
WHOLE = ", whole stack"
#: Application, function, and the bytes of RIOT and of TF-PSA-Crypto; None: not measured.
_ROWS: tuple[tuple[str, str, int | None, int | None], ...] = (
    ("hash", "psa_hash_compute", 560, 544),
    ("hmac", "psa_mac_compute", 928, 832),
    ("cbc", "psa_crypto_init", 16, 1240),
    ("cbc", "psa_cipher_encrypt", 728, 688),
    ("ecdsa", "psa_crypto_init", None, None),
    ("ecdsa", "psa_generate_key", 824, 768),
    ("ecdsa", "psa_sign_hash", 928, 976),
    ("ecdsa", "psa_verify_hash", 944, 896),
)


def _cell(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def rows(figures: Mapping[str, int]) -> list[list[str]]:
    """A row for each function of an application with the smallest drivers."""
    made = [["Function", "Application", "Corral", "RIOT", "TF-PSA-Crypto"]]
    for application, function, riot, tfpsa in _ROWS:
        ours = figures[f"{application}/{LEAST} on {M4}: {function}{WHOLE}"]
        made.append([f"`{function}`", application, f"{ours:,}", _cell(riot), _cell(tfpsa)])
    return made
