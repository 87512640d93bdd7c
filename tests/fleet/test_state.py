# SPDX-License-Identifier: Apache-2.0
"""The state beside the log: it makes a start fast, and the log alone decides."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiocoap.numbers.codes import Code
from client import PACK, Sensor
from corral_server import Server
from harness import waiting
from reference import FULL, Device, Signer

#: What takes the form of the version before the state from a store.
_OLDER = """
    DROP TRIGGER log_added;
    DROP TRIGGER log_removed;
    DROP TRIGGER log_changed;
    DROP TABLE state;
    DROP TABLE log_changes;
    DROP TABLE forgotten;
    PRAGMA user_version = 8;
"""


@pytest.fixture
def sensor(server: Server) -> Iterator[Sensor]:
    """A device that registered, in a store with a state."""
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        for _ in range(3):
            assert sensor.publish().code.is_successful()
        server.grow()
        server.kill()
        server.start()
        assert server.stored_position() == 5005
        yield sensor


def test_start__by_a_stored_state__refuses_what_was_refused_before(
    server: Server, sensor: Sensor
) -> None:
    reading = sensor.device.reading(PACK, sensor.next(), FULL)
    other = sensor.device.reading(PACK, sensor.next(), FULL)
    assert [sensor.put(one).code for one in (reading, other)] == [Code.CHANGED] * 2
    server.kill()
    server.start()
    assert [sensor.put(one).code for one in (reading, other)] == [Code.CONFLICT, Code.CHANGED]
    assert server.rows("doctor") == []
    assert len(server.rows("readings", "--device", sensor.device.name)) == 5
    server.run("revoke", sensor.device.name)
    server.kill()
    server.start()
    assert server.stored_position() == 5005
    assert sensor.publish().code == Code.FORBIDDEN
    assert server.rows("doctor") == []


def test_service__stores_the_state_of_what_others_append(server: Server, sensor: Sensor) -> None:
    before = server.stored_position()
    server.grow()
    server.grow()
    waiting.until(lambda: server.stored_position() > before, "no state is stored")
    assert server.rows("doctor") == []


@pytest.mark.parametrize(
    ("damage", "status"),
    [
        ("body = zeroblob(length(body))", 1),
        ("seal = x''", 1),
        ("position = position - 1", 1),
        ("position = -1", 1),
        ("position = 'x'", 1),
        # Of another version, which is no fault.
        ("form = 0, seal = x''", 0),
    ],
)
def test_damaged_state__is_a_fault_to_doctor_and_built_again(
    binary: Path, tmp_path: Path, damage: str, status: int
) -> None:
    server = Server(binary, tmp_path / "fleet.sqlite", log=tmp_path / "said")
    device = Device(Signer.ed25519())
    server.run("enrol", device.name)
    server.run("revoke", device.name)
    server.grow()
    server.run("enrol", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
    assert server.stored_position() == 5002
    server.alter(f"UPDATE state SET {damage}")
    assert ("the stored state" in server.run("doctor", status=status)) == bool(status)
    revoked = [row for row in server.rows("devices") if row["identity"] == device.name]
    assert revoked[0]["revoked"] is True
    with server.serving(), Sensor(server.port, device) as sensor:
        assert sensor.register().code == Code.FORBIDDEN
        assert server.rows("doctor") == []
    assert server.stored_position() == 5003
    assert server.log is not None
    assert ("the state is damaged" in server.log.read_text()) == bool(status)


def test_damaged_entry__that_the_stored_state_counts__is_found_and_lets_nobody_in(
    server: Server, sensor: Sensor
) -> None:
    name = sensor.device.name
    server.run("revoke", name)
    server.grow()
    server.grow()
    server.kill()
    server.start()
    server.kill()
    assert server.stored_position() == 15006
    with server.opened() as store:
        find = "SELECT sql FROM sqlite_schema WHERE name = 'log_changed'"
        (trigger,) = store.execute(find).fetchone()
        store.execute("DROP TRIGGER log_changed")
        store.execute("UPDATE log SET identity = zeroblob(16) WHERE position = 5006")
        store.execute(trigger)
    assert "differs from the log" in server.run("doctor", status=1)
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN
    server.kill()
    (done,) = server.rows("doctor", "--salvage")
    assert done["revoked"] == [{"entry": 15006, "identity": name}]
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN


def test_store_of_the_version_before__is_opened_and_gets_a_state(
    server: Server, sensor: Sensor
) -> None:
    old = sensor.device.reading(PACK, sensor.next(), FULL)
    assert sensor.put(old).code == Code.CHANGED
    assert sensor.publish().code == Code.CHANGED
    server.kill()
    whole = server.rows("devices")
    with server.opened() as store:
        store.executescript(_OLDER)
    # Commands that only read leave it as it is.
    assert server.rows("devices") == whole
    assert server.rows("doctor") == []
    server.start()
    assert server.stored_position() == 5007
    assert server.rows("devices") == whole
    assert sensor.put(old).code == Code.CONFLICT
    assert server.rows("doctor") == []


def test_old_readings__that_a_stored_state_counts__are_counted_no_more(
    server: Server, sensor: Sensor
) -> None:
    server.alter("UPDATE log SET at = at - 31 * 86400000 WHERE position <= 5")
    server.kill()
    server.start()  # that changed the log, so the state is stored anew
    assert server.stored_position() == 5005
    sensor.publish()
    assert server.rows("forget", "--older-than", "30", "--anyway") == [{"removed": 3}]
    assert server.stored_position() == 5005
    devices = {row["identity"]: row for row in server.rows("devices")}
    assert devices[sensor.device.name]["readings"] == 1
    assert server.rows("doctor") == []
    server.grow()
    server.grow()
    server.kill()
    server.start()
    assert server.stored_position() == 15006
    assert server.rows("doctor") == []
    assert server.rows("verify", str(server.store))[0]["faults"] == []


def test_kill__at_any_moment__leaves_a_state_that_is_the_logs(binary: Path, tmp_path: Path) -> None:
    draw = random.Random(20261129)
    server = Server(binary, tmp_path / "fleet.sqlite")
    revoked = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    server.run("enrol", revoked)
    server.run("revoke", revoked)
    for _ in range(8):
        server.grow()
        server.alter("DELETE FROM state")
        listen = [binary, "--store", server.store, "serve", "--listen", "127.0.0.1:0"]
        with subprocess.Popen(listen, stdout=subprocess.DEVNULL) as process:
            time.sleep(draw.random() / 10)
            process.kill()
        assert server.rows("doctor") == []
        states = {row["identity"]: row["revoked"] for row in server.rows("devices")}
        assert states[revoked] is True
        assert sum(states.values()) == 1
