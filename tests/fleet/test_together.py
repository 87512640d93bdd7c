# SPDX-License-Identifier: Apache-2.0
"""The device in C at the server in Rust: enrolled by its label, verified, and found."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiocoap.numbers.codes import GET
from client import Peer
from corral.build import image as corral_build
from corral.common import loopback
from corral.run import provision
from corral_server import Server
from gateway import live_on_line
from harness import waiting
from harness.program import EMULATED, NATIVE, WITHOUT_ELEMENTS


@pytest.fixture(scope="module")
def image() -> Path:
    options = corral_build.Options(
        settings=WITHOUT_ELEMENTS, sanitize="address,undefined", name="tests/fleet-sensor"
    )
    return corral_build.build("sensor", NATIVE, options).image


@pytest.fixture
def local(binary: Path, tmp_path: Path) -> Iterator[Server]:
    """A server where the device looks for one."""
    with Server(binary, tmp_path / "fleet.sqlite", loopback.in_uri()).serving() as running:
        yield running


def run(image: Path, server: Server, count: int, **options: str) -> tuple[int, str]:
    """Let the device publish, in the storage that it keeps between runs."""
    named = {f"FLEET_{name.upper()}": value for name, value in options.items()}
    done = waiting.run(
        [image],
        env={
            **os.environ,
            "CORRAL_STORAGE": str(server.store.with_name("device")),
            "FLEET_BROKER": loopback.at(server.port),
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
    status, output = run(image, local, 5, directory=loopback.at(local.port))
    assert status == 0, output
    local.kill()
    local.start()
    status, output = run(image, local, 2)
    assert status == 0, output
    rows = local.rows("readings")
    assert [row["records"][0]["v"] for row in rows] == [21.5, 21.6, 21.7, 21.8, 21.9, 21.5, 21.6]
    assert {row["identity"] for row in rows} == {identity(output)}
    assert local.rows("verify", str(local.store))[0]["faults"] == []


def test_device_whose_folder_others_may_write__says_why_once(image: Path, local: Server) -> None:
    folder = local.store.with_name("device")
    folder.mkdir()
    folder.chmod(0o1777)
    status, output = run(image, local, 1)
    assert (status, "no identity" in output) == (1, True), output
    assert output.count("corral: the storage in ") == 1, output
    assert f"{folder} is not used: other users may write there; run chmod go-w." in output


def test_device_after_its_reset__is_a_stranger_again(image: Path, local: Server) -> None:
    first = identity(run(image, local, 0)[1])
    local.run("enrol", first)
    assert run(image, local, 1)[0] == 0
    status, output = run(image, local, 1, reset="1")
    assert (status, identity(output) != first) == (1, True), output
    local.run("enrol", identity(output))
    assert run(image, local, 1)[0] == 0
    assert [row["readings"] for row in local.rows("devices")] == [1, 1]


def _places(server: Server) -> dict[str, tuple[str, bool]]:
    return {row["identity"]: (row["place"], row["revoked"]) for row in server.rows("devices")}


def test_device_that_hands_over__keeps_its_place_under_its_new_identity(
    image: Path, local: Server
) -> None:
    first = identity(run(image, local, 0)[1])
    local.run("enrol", first, "--place", "attic")
    assert run(image, local, 2)[0] == 0
    status, output = run(image, local, 3, handover="1")
    assert (status, identity(output) != first) == (0, True), output
    second = identity(output)
    assert _places(local) == {first: ("attic", True), second: ("attic", False)}
    status, output = run(image, local, 1)
    assert (status, identity(output)) == (0, second), output
    assert [row["identity"] for row in local.rows("readings")] == [first] * 2 + [second] * 4
    verified = local.rows("verify", str(local.store))[0]
    assert (verified["handovers"], verified["faults"]) == (1, [])


def test_device_that_handed_over_alone__is_let_in_when_it_meets_the_server(
    image: Path, local: Server
) -> None:
    """It keeps its old key's statement from one life to the next while no server answers."""
    first = identity(run(image, local, 0)[1])
    local.run("enrol", first, "--place", "attic")
    assert run(image, local, 1)[0] == 0
    local.kill()
    second = identity(run(image, local, 0, handover="1")[1])
    assert identity(run(image, local, 0)[1]) == second
    status, output = run(image, local, 0, handover="1")  # the first did not arrive yet
    assert (status, identity(output)) == (0, second), output
    assert "the earlier handover has not arrived" in output
    local.start()
    status, output = run(image, local, 1, handover="1")
    assert (status, identity(output)) == (0, second), output
    assert _places(local) == {first: ("attic", True), second: ("attic", False)}
    local.run("revoke", second)
    assert run(image, local, 1, handover="1")[0] == 1  # a revoked device cannot admit a successor
    assert len(_places(local)) == 2


def test_board_with_its_keys_in_an_element__hands_over(local: Server, tmp_path: Path) -> None:
    images = tmp_path / "chips"
    provision.prepare_virtual_chips(EMULATED, images)
    handing_over = corral_build.Options(
        defines=("FLEET_HANDS_OVER=1",), name="tests/fleet-sensor-handing-over"
    )
    built = corral_build.build("sensor", EMULATED, handing_over)
    words = [f"flash={local.store.with_name('flash')}", "interval=1"]

    def live(*more: str) -> str:
        """The board's output of one life with its flash."""
        life = live_on_line(built, images, local.port, [*words, *more], waiting.PATIENCE)
        status, line = asyncio.run(life)
        said = line.close()
        assert status == 0, said
        return said

    first = identity(live("count=0"))
    local.run("enrol", first, "--place", "attic")
    live("count=1")
    second = identity(live("count=0", "handover=1"))
    assert identity(live("count=1")) == second
    assert _places(local) == {first: ("attic", True), second: ("attic", False)}


def test_device_at_the_directory__is_found_with_its_key(image: Path, local: Server) -> None:
    name = identity(run(image, local, 0)[1])
    local.run("enrol", name)
    status, output = run(image, local, 1, directory=loopback.at(local.port))
    assert status == 0, output
    with Peer(local.port, host=loopback.host()) as application:
        found = application.proven(GET, "rd-lookup", "ep", uri_query=[f"ep={name}"])
    assert b'pk="' in found.payload and b'kd="thermometer"' in found.payload
