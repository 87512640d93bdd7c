# SPDX-License-Identifier: Apache-2.0
"""The document about signed readings beside sessions: sessions.py measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_WAYS = {
    "es256": "signed, ES256",
    "ed25519": "signed, Ed25519",
    "psk": "DTLS, PSK",
    "ecdhe": "DTLS, ECDHE-ECDSA",
}


def name(row: Mapping[str, Any]) -> str:
    """A row's way in words."""
    pack = f", {row['pack']} in a message" if row["pack"] > 1 else ""
    anew = ", anew for each" if row["anew"] else ""
    return f"{_WAYS[row['way']]}{pack}{anew}"


def rows(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A line for each way and number of readings."""
    made = [["Way", "readings", "bytes sent", "bytes received", "datagrams", "instructions"]]
    for row in measured:
        datagrams = row["datagrams_sent"] + row["datagrams_received"]
        figures = (row["readings"], row["sent"], row["received"], datagrams, row["instructions"])
        made.append([name(row), *(f"{figure:,}" for figure in figures)])
    return made


def describe(row: Mapping[str, Any]) -> str:
    """A row for a terminal."""
    return (
        f"{name(row)}, {row['readings']:,} readings: {row['sent']:,} bytes in "
        f"{row['datagrams_sent']:,} datagrams sent, {row['received']:,} in "
        f"{row['datagrams_received']:,} received, {row['instructions']:,} instructions"
    )
