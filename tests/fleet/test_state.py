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


def _lose_end(server: Server, through: int) -> None:
    """Let the log lose its end, as on a disk that fails: no trigger notices."""
    with server.opened() as store:
        find = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = store.execute(find).fetchall()
        assert len(triggers) == 3
        for name, _ in triggers:
            store.execute(f"DROP TRIGGER {name}")
        store.execute("DELETE FROM log WHERE position > ?", (through,))
        for _, trigger in triggers:
            store.execute(trigger)


def _is_revoked(server: Server, name: str) -> bool:
    (row,) = [row for row in server.rows("devices") if row["identity"] == name]
    return bool(row["revoked"])


def test_revocations__that_only_the_stored_state_has__stay_in_force_and_are_named(
    binary: Path, tmp_path: Path
) -> None:
    said = tmp_path / "said"
    server = Server(binary, tmp_path / "fleet.sqlite", log=said)
    device, successor = Device(Signer.p256()), Device(Signer.ed25519())
    server.run("enrol", device.name)
    with server.serving(), Sensor(server.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        server.grow()
        for one in (successor.name, device.name):
            server.run("enrol", one, "--again")
            server.run("revoke", one)
        server.kill()
        server.alter("DELETE FROM state")
        server.run("enrol", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
        assert server.stored_position() == 5006
        # The enrolment and the registration of the device are left, and those of others.
        _lose_end(server, through=5002)
        said.write_text("")
        server.start()
        for output in (said.read_text(), server.run("doctor", status=1)):
            assert "doctor --salvage" in output
            assert device.name in output and successor.name in output
        assert sensor.publish().code == Code.FORBIDDEN
        assert sensor.register().code == Code.FORBIDDEN
        assert _is_revoked(server, device.name) and _is_revoked(server, successor.name)
        output = server.run("enrol", device.name, status=1)
        assert f"{device.name} was revoked; --again" in output and "lost revocations" in output
        for command in (["revoke", device.name], ["forget", "--older-than", "30"]):
            assert "lost revocations" in server.run(*command)
        server.run("enrol", device.name, "--again")
        assert sensor.publish().code.is_successful()
        # No hand-over lifts a revocation.
        handover = sensor.device.handover(successor, sensor.next())
        assert sensor.post(handover, sensor.challenge()).code == Code.FORBIDDEN
        output = server.run("doctor", status=1)
        assert successor.name in output and device.name not in output
        server.kill()
        (done,) = server.rows("doctor", "--salvage")
        assert [one["identity"] for one in done["revoked"]] == [successor.name]
        said.write_text("")
        server.start()
        assert "lost revocations" not in said.read_text()
        assert not _is_revoked(server, device.name) and _is_revoked(server, successor.name)
        # Nothing else names it, because its enrolment is lost.
        assert [*server.rows("doctor")[0]] == ["warning"]


def test_service__stores_the_state_again_after_a_command_ends_the_doubt(
    server: Server, sensor: Sensor
) -> None:
    name = sensor.device.name
    server.run("revoke", name)
    server.grow()
    server.grow()
    server.kill()
    server.start()
    assert server.stored_position() == 15006
    server.kill()
    _lose_end(server, through=5000)
    server.start()
    # The service finds the doubt at once, and only later that it has ended.
    server.run("revoke", name)
    server.grow()
    waiting.until(lambda: server.stored_position() > 5000, "no state is stored")
    assert server.rows("doctor") == []
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
