# SPDX-License-Identifier: Apache-2.0
"""wolfSSL with its interface to PSA Crypto over this library, against OpenSSL."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path

import pytest
from corral import ROOT
from corral.common import system
from corral.packages import fetch as packages
from corral.run.chips import Channel
from harness import tls
from harness.program import TESTS
from harness.tls import Connection, Row

pytestmark = pytest.mark.xdist_group("wolfssl")

KEYS = ROOT / "build" / "tests" / "client-wolfssl" / "keys"

ROWS = [
    Row(role, protocol, key)
    for role in ("client", "server")
    for protocol in ("tls12", "tls13")
    for key in ("software", "element", "builtin")
]


@cache
def programs() -> Path:
    """The folder with the program, outside of the tree."""
    system.ensure(["host"])
    mine = tls.outside("wolfssl", clients=TESTS / "clients")
    here, project = mine / "clients" / "wolfssl" / "tls", mine / "made"
    tls.run(
        *("cmake", "-G", "Ninja", "-S", here, "-B", project),
        *(f"-DCORRAL={ROOT}", f"-DWOLFSSL={packages.ensure(ROOT, 'wolfcrypt')}"),
    )
    tls.run("ninja", "-C", project)
    return project


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_connection(row: Row, channel: Channel, tmp_path: Path) -> None:
    own, trusted = tmp_path / "own.pem", tls.certificate(KEYS, row.peer)[1]
    environment = {"CORRAL_SIM_SOCKET": str(channel.socket)}
    connection = Connection(programs() / "tls", row, tmp_path, own, trusted, environment)
    output = connection.run(partial(tls.openssl, row, KEYS, own))
    assert output.count(f"{tls.VERSION[row.protocol]} ") == 1, output
    assert output.count("got pong") == 1, output


def test_interface_asks_for_keys_hashes_blocks_and_random_numbers() -> None:
    asked = set(re.findall(r" U (psa_\w+)", tls.run("nm", programs() / "liblayers.a")))
    assert {
        *("psa_generate_key", "psa_raw_key_agreement", "psa_sign_hash", "psa_mac_compute"),
        *("psa_hash_update", "psa_cipher_update", "psa_generate_random", "psa_crypto_init"),
    } <= asked
