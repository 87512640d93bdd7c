# SPDX-License-Identifier: Apache-2.0
"""The device in C at the server in Rust: enrolled by its label, verified, and found."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiocoap.numbers.codes import GET
from client import Peer
from corral import build as corral_build
from corral_server import Server
from harness import waiting
from harness.program import NATIVE, WITHOUT_ELEMENTS


@pytest.fixture(scope="module")
def image() -> Path:
    options = corral_build.Options(
        settings=WITHOUT_ELEMENTS, sanitize="address,undefined", name="tests/fleet-sensor"
    )
    return corral_build.build("sensor", NATIVE, options).image


@pytest.fixture
def local(binary: Path, tmp_path: Path) -> Iterator[Server]:
    """A server where the device looks for one."""
    with Server(binary, tmp_path / "fleet.sqlite", "[::1]").serving() as running:
        yield running


def run(image: Path, server: Server, count: int, **options: str) -> tuple[int, str]:
    """Let the device publish, in the storage that it keeps between runs."""
    named = {f"FLEET_{name.upper()}": value for name, value in options.items()}
    done = waiting.run(
        [image],
        env={
            **os.environ,
            "CORRAL_STORAGE": str(server.store.with_name("device")),
            "FLEET_BROKER": f"[::1]:{server.port}",
            "FLEET_INTERVAL": "1",
            "FLEET_COUNT": str(count),
            **named,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def identity(output: str) -> str:
    return output.split("identity: ")[1][:32]


def test_device__is_a_stranger_until_enrolled_and_then_verified(image: Path, local: Server) -> None:
    status, output = run(image, local, 1)
    assert (status, "refused" in output) == (1, True), output
    local.run("enrol", identity(output), "--place", "attic")
    status, output = run(image, local, 5, directory=f"[::1]:{local.port}")
    assert status == 0, output
    local.kill()
    local.start()
    status, output = run(image, local, 2)
    assert status == 0, output
    rows = local.rows("readings")
    assert [row["records"][0]["v"] for row in rows] == [21.5, 21.6, 21.7, 21.8, 21.9, 21.5, 21.6]
    assert {row["identity"] for row in rows} == {identity(output)}
    assert local.rows("verify", str(local.store))[0]["faults"] == []


def test_device_after_its_reset__is_a_stranger_again(image: Path, local: Server) -> None:
    first = identity(run(image, local, 0)[1])
    local.run("enrol", first)
    assert run(image, local, 1)[0] == 0
    status, output = run(image, local, 1, reset="1")
    assert (status, identity(output) != first) == (1, True), output
    local.run("enrol", identity(output))
    assert run(image, local, 1)[0] == 0
    assert [row["readings"] for row in local.rows("devices")] == [1, 1]


def test_device_at_the_directory__is_found_with_its_key(image: Path, local: Server) -> None:
    name = identity(run(image, local, 0)[1])
    local.run("enrol", name)
    status, output = run(image, local, 1, directory=f"[::1]:{local.port}")
    assert status == 0, output
    with Peer(local.port, host="::1") as application:
        found = application.proven(GET, "rd-lookup", "ep", uri_query=[f"ep={name}"])
    assert b'pk="' in found.payload and b'kd="thermometer"' in found.payload
