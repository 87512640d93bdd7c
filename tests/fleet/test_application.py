# SPDX-License-Identifier: Apache-2.0
"""An application in Rust (fleet/rust) at the real server, which it need not trust."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
from pathlib import Path

import pytest
from aiocoap.numbers.codes import Code
from client import COSE, PACK, Sensor
from corral_server import Server, compiled
from harness.waiting import PATIENCE
from reference import Device, Signer


@pytest.fixture(scope="session")
def watch() -> Path:
    """The crate's example, compiled."""
    return compiled() / "examples" / "watch"


def directory_entry(sensor: Sensor) -> None:
    """Enter the device in the directory, too."""
    name = f"ep={sensor.device.name}"
    asked = sensor.request(Code.POST, "rd", content_format=COSE, uri_query=[name])
    nonce = bytes(asked.opt.echo)
    made = sensor.device.registration(sensor.next(), nonce, query=[name])
    answer = sensor.request(
        Code.POST, "rd", content_format=COSE, uri_query=[name], echo=nonce, payload=made
    )
    assert answer.code == Code.CREATED


def watching(watch: Path, server: Server, device: Device, count: int) -> subprocess.Popen[str]:
    words = [watch, f"127.0.0.1:{server.port}", device.name, str(count)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("kind", ["p256", "ed25519"])
def test_watch__finds_the_device_and_shows_what_it_measures(
    watch: Path, server: Server, kind: str
) -> None:
    device = Device(getattr(Signer, kind)())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        directory_entry(sensor)
        sensor.publish()
        with watching(watch, server, device, 2) as process:
            assert process.stdout is not None
            first = process.stdout.readline()
            assert first == f'{sensor.sequence}  "t" Number(23.5) "Cel"\n'
            sensor.publish([{**PACK[0], 2: 24.5}])
            said, complained = process.communicate(timeout=PATIENCE)
        assert said == f'{sensor.sequence}  "t" Number(24.5) "Cel"\n'
        assert (process.returncode, complained) == (0, "")


def test_watch__notices_what_was_changed_in_the_brokers_file(watch: Path, server: Server) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        directory_entry(sensor)
        sensor.publish()
        server.kill()
        with contextlib.closing(sqlite3.connect(server.store)) as store:
            (body,) = store.execute("SELECT body FROM log WHERE kind = 4").fetchone()
        warmer = body.replace(b"\xf9\x4d\xe0", b"\xf9\x4e\x20")
        assert warmer != body
        server.alter("UPDATE log SET body = ? WHERE kind = 4", warmer)
        server.start()
    with Sensor(server.port, device) as sensor:
        sensor.sequence = 100
        directory_entry(sensor)
    with watching(watch, server, device, 1) as process:
        said, complained = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (1, "")
    assert complained == "watch: refused: bad signature\n"


def test_watch__of_a_device_that_is_not_there__says_so(watch: Path, server: Server) -> None:
    with watching(watch, server, Device(Signer.p256()), 1) as process:
        said, complained = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (1, "")
    assert complained == "watch: the directory does not have it\n"
