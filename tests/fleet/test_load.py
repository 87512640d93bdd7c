# SPDX-License-Identifier: Apache-2.0
"""Simulated devices are devices: the server accepts and stores their messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral_server import Server


@pytest.mark.parametrize("algorithm", ["es256", "ed25519"])
def test_load__is_accepted_stored_and_holds(server: Server, algorithm: str) -> None:
    here = f"127.0.0.1:{server.port}"
    words = ("--devices", "5", "--readings", "40", "--confirm-every", "4")
    rows = server.rows("load", "--server", here, "--algorithm", algorithm, *words)
    assert [row["phase"] for row in rows] == ["enrolled", "registered", "published"]
    registered, published = rows[1:]
    assert (registered["confirmed"], published["count"], published["confirmed"]) == (5, 40, 10)
    assert published["refused"] == published["unanswered"] == 0
    assert 0 < published["p50_ms"] <= published["p99_ms"] <= published["longest_ms"]
    report = server.rows("verify", str(server.store))[0]
    assert (report["registrations"], report["readings"], report["faults"]) == (5, 40, [])


def test_load__keeps_the_rate_that_it_is_told(binary: Path, tmp_path: Path) -> None:
    with Server(binary, tmp_path / "fleet.sqlite", host="[::]").serving() as server:
        _load_at_a_rate(server)


def _load_at_a_rate(server: Server) -> None:
    here = f"localhost:{server.port}"
    words = ("--devices", "2", "--readings", "30", "--rate", "100")
    published = server.rows("load", "--server", here, *words)[-1]
    assert published["seconds"] >= 0.29
    assert published["confirmed"] == 30


def test_bare_verification__takes_time(server: Server) -> None:
    (row,) = server.rows("load", "--verify", "2000")
    assert row["microseconds"] > 1
