# SPDX-License-Identifier: Apache-2.0
"""Instructions of one use by driver, as text: the figures of common mechanisms in
drivers/*/costs.json."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corral.model.costs import FILE, REFERENCE, costs_of

#: Mechanisms of the table, by their names there.
_SHOWN = {
    "SHA-256": "SHA_256",
    "HMAC-SHA-256": "HMAC_SHA_256",
    "AES-128-CTR": "CTR_AES_128",
    "AES-128-CCM": "CCM_AES_128",
    "AES-128-GCM": "GCM_AES_128",
    "ChaCha20-Poly1305": "CHACHA20_POLY1305",
    "ECDSA P-256, signing": "ECDSA_SIGN_SECP_R1_256",
    "the same, deterministic": "DETERMINISTIC_ECDSA_SIGN_SECP_R1_256",
    "ECDSA P-256, verifying": "ECDSA_VERIFY_SECP_R1_256",
    "ECDH P-256": "ECDH_SECP_R1_256",
    "X25519": "ECDH_MONTGOMERY_255",
    "RSA-2048, signing": "PKCS1V15_SIGN_RSA_2048",
    "RSA-2048, verifying": "PKCS1V15_VERIFY_RSA_2048",
    "32 random bytes": "RANDOM",
}

#: Of which a second table is.
COMPUTER = "x86_64-gcc"

#: Of a mechanism: by driver, and the driver below if there is one.
Counts = Mapping[str, Mapping[str, int]]


def counts(root: Path, processor: str = REFERENCE) -> dict[str, Counts]:
    """The counts of the mechanisms in the table."""
    found: dict[str, dict[str, dict[str, int]]] = {name: {} for name in _SHOWN.values()}
    for file in sorted(root.glob(f"drivers/*/{FILE}")):
        costs = costs_of(file.parent).get(processor)
        for name, drivers in found.items():
            if costs is not None and (known := costs.instructions_of(name)):
                drivers[file.parent.name] = known
    return dict(found)


def _cell(known: Mapping[str, int]) -> str:
    if not known:
        return "-"
    over, count = min(known.items(), key=lambda item: item[1])
    return f"{count:,} over {over}" if over else f"{count:,}"


def rows(counted: Mapping[str, Counts]) -> list[list[str]]:
    """A row for each mechanism, a column for each driver; a construction over its fastest."""
    drivers = sorted({driver for known in counted.values() for driver in known})
    made = [["Instructions", *drivers]]
    for title, name in _SHOWN.items():
        known = counted[name]
        made.append([title, *(_cell(known.get(driver, {})) for driver in drivers)])
    return made
