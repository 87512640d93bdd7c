# SPDX-License-Identifier: Apache-2.0
"""What becomes of old readings, and readings for spreadsheets."""

from __future__ import annotations

import contextlib
import csv
import io
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiocoap.numbers.codes import Code
from client import PACK, Sensor
from corral_server import Server
from harness import waiting
from reference import FULL, Device, Signer

_DAY = 24 * 3600 * 1000


@pytest.fixture
def sensor(server: Server) -> Iterator[Sensor]:
    """A device that registered."""
    device = Device(Signer.p256())
    server.run("enrol", device.name, "--place", "attic, left")
    with Sensor(server.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        yield sensor


def _age(server: Server, days: int, through: int = 1 << 32) -> None:
    """Let what is stored have come so much earlier."""
    server.alter("UPDATE log SET at = at - ? WHERE position <= ?", days * _DAY, through)


def _grow_old(server: Server, through: int) -> None:
    """Let the first entries have come 31 days ago, and the others 16."""
    _age(server, 15, through)
    _age(server, 16)


def _sequences(server: Server) -> list[int]:
    return [row["sequence"] for row in server.rows("readings")]


def test_old_readings__go_and_what_was_refused_still_is(server: Server, sensor: Sensor) -> None:
    old = [sensor.device.reading(PACK, sensor.next(), FULL) for _ in range(3)]
    for reading in old:
        assert sensor.put(reading).code.is_successful()
    _grow_old(server, through=4)
    assert server.rows("forget", "--older-than", "30") == [{"removed": 2}]
    assert _sequences(server) == [4]
    report = server.rows("verify", str(server.store))[0]
    assert (report["readings"], report["forgotten"], report["faults"]) == (1, 2, [])
    assert [sensor.put(reading).code for reading in old] == [
        Code.CONFLICT,
        Code.CONFLICT,
        Code.CHANGED,
    ]
    server.kill()
    server.start()
    assert sensor.put(old[1]).code == Code.CONFLICT
    assert sensor.publish().code == Code.CHANGED
    assert _sequences(server) == [4, 5]
    own = server.rows("readings", "--device", sensor.device.name)
    assert [row["sequence"] for row in own] == [4, 5]
    assert server.rows("doctor") == []
    assert server.rows("devices")[0]["readings"] == 2
    _age(server, 16)
    assert server.rows("forget", "--older-than", "30") == [{"removed": 1}]
    assert server.rows("forget", "--older-than", "30") == [{"removed": 0}]


def test_readings_that_are_not_old__stay(server: Server, sensor: Sensor) -> None:
    for _ in range(3):
        sensor.publish()
    _age(server, 29)
    assert server.rows("forget", "--older-than", "30") == [{"removed": 0}]
    assert _sequences(server) == [2, 3, 4]


@pytest.mark.parametrize("is_newer", [False, True])
def test_clock_that_is_ahead__removes_nothing(
    server: Server, sensor: Sensor, is_newer: bool
) -> None:
    for _ in range(3):
        sensor.publish()
    _age(server, 31)
    if is_newer:
        sensor.publish()
    stored = _sequences(server)
    assert "the clock is ahead" in server.run("forget", "--older-than", "30", status=1)
    assert _sequences(server) == stored
    assert server.rows("forget", "--older-than", "30", "--anyway") == [{"removed": len(stored) - 1}]
    assert _sequences(server) == stored[-1:]


def test_what_is_not_old__cannot_be_forgotten(server: Server) -> None:
    assert "1.." in server.run("forget", "--older-than", "0", status=2)


def test_missing_entries__that_retention_did_not_remove__are_named(
    server: Server, sensor: Sensor
) -> None:
    for _ in range(4):
        sensor.publish()
    _grow_old(server, through=4)  # enrolled, registered, and two readings
    assert server.rows("forget", "--older-than", "30") == [{"removed": 2}]
    server.alter("DELETE FROM log WHERE position = 5")
    report = server.rows("verify", str(server.store), status=1)[0]
    assert report["forgotten"] == 2
    assert [fault["what"] for fault in report["faults"]] == ["entries 5 to 5 are missing"]


def test_serve__removes_what_is_old_while_devices_publish(binary: Path, tmp_path: Path) -> None:
    device = Device(Signer.p256())
    server = Server(binary, tmp_path / "fleet.sqlite", options=("--keep", "30"))
    server.run("enrol", device.name)
    with server.serving(), Sensor(server.port, device) as sensor:
        sensor.register()
        for _ in range(3):
            sensor.publish()
        server.kill()
        _grow_old(server, through=4)
        server.start()
        waiting.until(lambda: len(_sequences(server)) == 1, "old readings stay")
        assert _sequences(server) == [4]
        assert sensor.publish().code == Code.CHANGED


def _table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_export__is_a_line_for_each_record(server: Server, sensor: Sensor, tmp_path: Path) -> None:
    pack = [
        {0: "t", 1: "Cel", 2: -23.5, 6: 1795000000},
        {0: "door", 4: True},
        {0: "said", 3: '=HYPERLINK("http://a,b")\r\n'},
        {0: "raw", 8: b"\x00\xff"},
        {0: "wide", 3: " \uff1d1+1"},
        {0: "hidden", 3: "\u202e=1+1\x1b[2J\u2066"},
    ]
    begun = time.time()
    sensor.publish(pack)
    file = tmp_path / "readings.csv"
    assert server.rows("export", str(file)) == [{"exported": 6, "file": str(file)}]
    with file.open(newline="") as written:
        rows = _table(written.read())
    assert [row["name"] for row in rows] == ["t", "door", "said", "raw", "wide", "hidden"]
    assert {row["identity"] for row in rows} == {sensor.device.name}
    assert {row["place"] for row in rows} == {"attic, left"}
    assert {row["sequence"] for row in rows} == {"2"}
    first = rows[0]
    assert (first["unit"], first["value"], first["time"]) == ("Cel", "-23.5", "1795000000")
    assert begun - 1 < float(first["received"]) < time.time() + 1
    assert rows[1]["truth"] == "true"
    assert rows[2]["text"] == '\'=HYPERLINK("http://a,b")\ufffd\ufffd'
    assert rows[5]["text"] == "'\ufffd=1+1\ufffd[2J\ufffd"
    assert rows[3]["data"] == "00ff"
    assert rows[4]["text"] == "' \uff1d1+1"
    assert "is there already" in server.run("export", str(file), status=1)
    assert [one.name for one in tmp_path.glob("*.part")] == []


def test_export__of_a_device_and_a_time(server: Server, sensor: Sensor) -> None:
    sensor.publish()
    _age(server, 2)
    sensor.publish()
    yesterday = str(int(time.time()) - 24 * 3600)
    every = [row["sequence"] for row in _table(server.run("export"))]
    since = [row["sequence"] for row in _table(server.run("export", "--since", yesterday))]
    until = [row["sequence"] for row in _table(server.run("export", "--until", yesterday))]
    assert (every, since, until) == (["2", "3"], ["3"], ["2"])
    assert _table(server.run("export", "--device", f"{1:032x}")) == []


#: The rows of the log that a test damages: a registration, a reading in the middle, the last one.
@pytest.mark.parametrize("position", [2, 4, 6])
@pytest.mark.parametrize("bit", [0, 77, 127])
def test_store__with_a_flipped_bit_in_an_identity__is_served_again_after_a_salvage(
    server: Server, sensor: Sensor, position: int, bit: int
) -> None:
    for _ in range(4):
        sensor.publish()
    whole = server.rows("readings")
    server.kill()
    with server.opened() as store:
        (identity,) = store.execute(
            "SELECT identity FROM log WHERE position = ?", (position,)
        ).fetchone()
        damaged = bytearray(identity)
        damaged[bit // 8] ^= 1 << bit % 8
        store.execute("UPDATE log SET identity = ? WHERE position = ?", (bytes(damaged), position))
    assert "doctor --salvage" in server.run("doctor", status=1)
    (done,) = server.rows("doctor", "--salvage")
    assert done["repaired"] == [[position, sensor.device.name]]
    assert done["set_aside"] == []
    assert "is there already" in server.run("doctor", "--salvage", status=1)
    assert server.rows("verify", str(server.store))[0]["faults"] == []
    assert server.rows("verify", done["before"], status=1)[0]["faults"] != []
    assert server.rows("readings") == whole
    assert server.rows("readings", "--device", sensor.device.name) == whole
    server.start()
    assert sensor.publish().code == Code.CHANGED
    assert "nothing is wrong" in server.run("doctor")


def test_store__with_entries_that_nothing_proves__is_served_without_them(
    server: Server, sensor: Sensor
) -> None:
    for _ in range(4):
        sensor.publish()
    whole = server.rows("readings")
    server.kill()
    # The enrolment, and a reading.
    server.alter("UPDATE log SET body = x'80' WHERE position IN (1, 4)")
    (done,) = server.rows("doctor", "--salvage")
    aside = [(one["entry"], one["kind"], one["identity"]) for one in done["set_aside"]]
    assert aside == [
        (1, "enrolment", sensor.device.name),
        (4, "reading", sensor.device.name),
    ]
    with server.opened() as store:
        kept = store.execute("SELECT position, body FROM salvaged").fetchall()
    assert kept == [(1, b"\x80"), (4, b"\x80")]
    server.start()
    left = [whole[0], *whole[2:]]
    assert server.rows("readings") == left
    assert server.rows("readings", "--device", sensor.device.name) == left
    assert sensor.publish().code == Code.CHANGED


_ROWS = "SELECT position, kind, identity, sequence, at, body FROM log ORDER BY position"


def test_salvage__copies_the_store_before_it_changes_anything(
    server: Server, sensor: Sensor
) -> None:
    """Opening a store of an older version to write brings it to the form of this version."""
    sensor.publish()
    server.kill()
    with server.opened() as store:
        (newest,) = store.execute("PRAGMA user_version").fetchone()
        store.executescript(
            f"""
            CREATE TABLE older (
                position INTEGER PRIMARY KEY, kind INTEGER NOT NULL, identity BLOB NOT NULL,
                sequence INTEGER NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL);
            INSERT INTO older SELECT position, kind, identity, sequence, at, body FROM log;
            UPDATE older SET body = x'80' WHERE position = 1;
            DROP TABLE log;
            ALTER TABLE older RENAME TO log;
            PRAGMA user_version = {newest - 1};
            """
        )
        before = store.execute(_ROWS).fetchall()
    (done,) = server.rows("doctor", "--salvage")
    assert [one["entry"] for one in done["set_aside"]] == [1]
    with contextlib.closing(sqlite3.connect(done["before"])) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (newest - 1,)
        assert copy.execute(_ROWS).fetchall() == before
        assert "salvaged" not in str(copy.execute("SELECT name FROM sqlite_schema").fetchall())
    with server.opened() as store:
        assert store.execute("PRAGMA user_version").fetchone() == (newest,)


@pytest.mark.parametrize("bit", [0, 77, 127])
def test_revocation__with_a_flipped_bit__still_revokes_after_a_salvage(
    server: Server, sensor: Sensor, bit: int
) -> None:
    server.run("revoke", sensor.device.name)
    server.kill()
    with server.opened() as store:
        position, identity = store.execute(
            "SELECT position, identity FROM log WHERE kind = 2"
        ).fetchone()
        damaged = bytearray(identity)
        damaged[bit // 8] ^= 1 << bit % 8
        store.execute("UPDATE log SET identity = ? WHERE position = ?", (bytes(damaged), position))
    (done,) = server.rows("doctor", "--salvage")
    assert done["revoked"] == [[position, sensor.device.name]]
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN


def test_revocation_of_a_damaged_enrolment__is_not_changed_by_a_salvage(
    server: Server, sensor: Sensor
) -> None:
    name = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    server.run("enrol", name)
    server.run("revoke", name)
    server.kill()
    near = f"{int(name, 16) ^ 1 << 60:032x}"
    server.alter(f"UPDATE log SET identity = x'{near}' WHERE kind = 1 AND identity = x'{name}'")
    (done,) = server.rows("doctor", "--salvage")
    assert done["repaired"] == [] and [one for _, one in done["revoked"]] == [near]
    with server.opened() as store:
        revoked = store.execute("SELECT hex(identity) FROM log WHERE kind = 2").fetchall()
    assert {one.lower() for (one,) in revoked} == {name, near}


def test_salvage__names_the_revocations_that_it_sets_aside(server: Server, sensor: Sensor) -> None:
    server.run("revoke", sensor.device.name)
    server.kill()
    server.alter("UPDATE log SET at = 'never' WHERE kind = 2")
    said = server.run("doctor", "--salvage")
    name = sensor.device.name
    assert f"entry 3 is set aside, revocation of {name}: " in said
    (_, remedy) = said.split(f"{name} is not revoked any more: corral-fleet ")
    server.run(*remedy.splitlines()[0].split())
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN
