# SPDX-License-Identifier: Apache-2.0
"""Retention of old readings, and the export of readings for spreadsheets."""

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
from reference import FULL, Device, Signer, group_identity

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
    (repaired,) = done["repaired"]
    assert (repaired["entry"], repaired["identity"]) == (position, sensor.device.name)
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
    older = 7
    with server.opened() as store:
        (newest,) = store.execute("PRAGMA user_version").fetchone()
        store.executescript(
            f"""
            DROP TABLE state;
            DROP TABLE log_changes;
            DROP TABLE forgotten;
            CREATE TABLE older (
                position INTEGER PRIMARY KEY, kind INTEGER NOT NULL, identity BLOB NOT NULL,
                sequence INTEGER NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL);
            INSERT INTO older SELECT position, kind, identity, sequence, at, body FROM log;
            UPDATE older SET body = x'80' WHERE position = 1;
            DROP TABLE log;
            ALTER TABLE older RENAME TO log;
            PRAGMA user_version = {older};
            """
        )
        before = store.execute(_ROWS).fetchall()
    (done,) = server.rows("doctor", "--salvage")
    assert [one["entry"] for one in done["set_aside"]] == [1]
    with contextlib.closing(sqlite3.connect(done["before"])) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (older,)
        assert copy.execute(_ROWS).fetchall() == before
        assert "salvaged" not in str(copy.execute("SELECT name FROM sqlite_schema").fetchall())
    with server.opened() as store:
        assert store.execute("PRAGMA user_version").fetchone() == (newest,)


def _damage(name: str, *bytes_: int) -> str:
    """The digits of an identity of which these bytes are wrong."""
    damaged = bytearray.fromhex(name)
    for at in bytes_:
        damaged[at] ^= 0x5A
    return damaged.hex()


def _rename(server: Server, position: int, name: str) -> None:
    server.alter("UPDATE log SET identity = ? WHERE position = ?", bytes.fromhex(name), position)


@pytest.mark.parametrize("wrong", [(0,), (15,), (4, 5), (0, 5, 10, 15)])
def test_damaged_revocation__is_a_fault_to_doctor_and_revokes_after_a_salvage(
    server: Server, sensor: Sensor, wrong: tuple[int, ...]
) -> None:
    name = sensor.device.name
    server.run("revoke", name)
    server.kill()
    _rename(server, 3, _damage(name, *wrong))
    assert f"corral-fleet revoke {name}" in server.run("doctor", status=1)
    (done,) = server.rows("doctor", "--salvage")
    assert done["revoked"] == [{"entry": 3, "identity": name}]
    assert done["unknown"] == []
    assert server.rows("doctor") == []
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN


def test_damaged_revocation__of_a_member_that_registers_later__is_a_fault(
    binary: Path, tmp_path: Path
) -> None:
    pair = [Device(Signer.p256()) for _ in range(2)]
    members = [one.identity for one in pair]
    device = Device(pair[0].signer, group=tuple(members))
    server = Server(binary, tmp_path / "fleet.sqlite", log=tmp_path / "said")
    server.run("enrol", group_identity(members).hex())
    server.run("revoke", "--anyway", device.name)
    assert [*server.rows("doctor")[0]] == ["warning"]
    _rename(server, 2, _damage(device.name, 3))
    with server.serving(), Sensor(server.port, device) as sensor:
        assert "doctor" in (tmp_path / "said").read_text()
        assert sensor.register().code == Code.CREATED
        assert f"corral-fleet revoke {device.name}" in server.run("doctor", status=1)
        server.kill()
        (done,) = server.rows("doctor", "--salvage")
        assert done["revoked"] == [{"entry": 2, "identity": device.name}]
        server.start()
        assert sensor.publish().code == Code.FORBIDDEN


def test_device_that_is_enrolled_again__stays_so_though_its_revocation_is_damaged(
    server: Server, sensor: Sensor
) -> None:
    name = sensor.device.name
    server.run("revoke", name)
    server.run("enrol", "--again", name)
    server.kill()
    _rename(server, 3, _damage(name, 8))
    assert server.rows("doctor") == []
    (done,) = server.rows("doctor", "--salvage")
    assert done["revoked"] == done["unknown"] == []
    server.start()
    assert sensor.publish().code.is_successful()


def test_revocation_of_an_identity_that_was_never_seen__is_no_fault(
    server: Server, sensor: Sensor
) -> None:
    stranger = "00112233445566778899aabbccddeeff"
    server.run("revoke", "--anyway", stranger)
    (warning,) = server.rows("doctor")
    assert stranger in warning["warning"]
    said = server.run("doctor")
    assert stranger in said and "nothing is wrong" not in said
    server.kill()
    (done,) = server.rows("doctor", "--salvage")
    assert done["unknown"] == [{"entry": 3, "identity": stranger}]
    assert done["revoked"] == []
    # Its enrolment explains it.
    server.run("enrol", "--again", stranger)
    server.run("revoke", stranger)
    assert server.rows("doctor") == []


def test_revocation_of_a_damaged_enrolment__is_not_changed_by_a_salvage(
    server: Server, sensor: Sensor
) -> None:
    name = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    server.run("enrol", name)
    server.run("revoke", name)
    server.kill()
    near = _damage(name, 7)
    _rename(server, 3, near)
    (done,) = server.rows("doctor", "--salvage")
    assert done["repaired"] == [] and [one["identity"] for one in done["revoked"]] == [near]
    with server.opened() as store:
        revoked = store.execute("SELECT hex(identity) FROM log WHERE kind = 2").fetchall()
    assert {one.lower() for (one,) in revoked} == {name, near}


#: The row of a revocation after one or two wrong bits.
@pytest.mark.parametrize(
    "damage",
    ["kind = 3", "kind = 0", "kind = 6", "kind = NULL", "sequence = NULL", "sequence = 1",
     "at = NULL", "at = 'never'", "identity = CAST(identity AS TEXT)", "body = 0",
     "body = CAST(body AS TEXT)"],
)  # fmt: skip
def test_revocation__of_which_the_row_is_damaged__is_repaired(
    server: Server, sensor: Sensor, damage: str
) -> None:
    server.run("revoke", sensor.device.name)
    server.kill()
    _alter_anyhow(server, f"UPDATE log SET {damage} WHERE position = 3")
    (done,) = server.rows("doctor", "--salvage")
    is_read = damage == "body = CAST(body AS TEXT)"
    expected = {"entry": 3, "kind": "revocation", "identity": sensor.device.name}
    assert done["repaired"] == ([] if is_read else [expected])
    assert done["set_aside"] == []
    assert server.rows("doctor") == []
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN


def _alter_anyhow(server: Server, statement: str) -> None:
    """Write what the schema forbids, as a damaged page does."""
    with server.opened() as store:
        (schema,) = store.execute("SELECT sql FROM sqlite_schema WHERE name = 'log'").fetchone()
        store.execute("PRAGMA writable_schema = ON")
        change = "UPDATE sqlite_schema SET sql = ? WHERE name = 'log'"
        without = schema.replace(" IS NOT NULL", " OR 1").replace("NOT NULL", "")
        store.execute(change, (without,))
    server.alter(statement)
    with server.opened() as store:
        store.execute("PRAGMA writable_schema = ON")
        store.execute(change, (schema,))


def test_reading__of_which_kind_and_number_are_damaged__is_set_aside(
    server: Server, sensor: Sensor
) -> None:
    sensor.publish()
    sensor.publish()
    server.kill()
    server.alter("UPDATE log SET kind = 3, sequence = sequence + 1 WHERE position = 3")
    (done,) = server.rows("doctor", "--salvage")
    assert done["repaired"] == done["revoked"] == []
    (aside,) = done["set_aside"]
    assert (aside["entry"], aside["identity"]) == (3, sensor.device.name)
    assert _sequences(server) == [3]


@pytest.mark.parametrize("damage", ["kind = 2", "kind = 1", "kind = 7", "sequence = NULL"])
@pytest.mark.parametrize("position", [2, 3])
def test_signed_entry__of_which_kind_or_number_is_damaged__is_repaired_and_revokes_nothing(
    server: Server, sensor: Sensor, damage: str, position: int
) -> None:
    sensor.publish()
    server.kill()
    _alter_anyhow(server, f"UPDATE log SET {damage} WHERE position = {position}")
    assert "doctor --salvage" in server.run("doctor", status=1)
    (done,) = server.rows("doctor", "--salvage")
    kind = {2: "registration", 3: "reading"}[position]
    name = sensor.device.name
    assert done["repaired"] == [{"entry": position, "kind": kind, "identity": name}]
    assert done["set_aside"] == done["revoked"] == []
    assert server.rows("verify", str(server.store))[0]["faults"] == []
    assert server.rows("doctor") == []
    server.start()
    assert sensor.publish().code.is_successful()


def _hand_over(sensor: Sensor) -> Device:
    successor = Device(Signer.ed25519())
    object_ = sensor.device.handover(successor, sensor.next())
    assert sensor.post(object_, sensor.challenge()).code == Code.CHANGED
    return successor


@pytest.mark.parametrize("damage", ["kind = 4", "kind = 1", "kind = 7", "sequence = NULL"])
def test_handover__of_which_the_row_is_damaged__is_repaired(
    server: Server, sensor: Sensor, damage: str
) -> None:
    successor = _hand_over(sensor)
    server.kill()
    _alter_anyhow(server, f"UPDATE log SET {damage} WHERE position = 3")
    assert "doctor --salvage" in server.run("doctor", status=1)
    (done,) = server.rows("doctor", "--salvage")
    name = sensor.device.name
    assert done["repaired"] == [{"entry": 3, "kind": "hand-over", "identity": name}]
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN
    with Sensor(server.port, successor) as new:
        assert new.register().code == Code.CREATED


def test_handover__whose_object_is_lost__still_revokes(server: Server, sensor: Sensor) -> None:
    successor = _hand_over(sensor)
    server.kill()
    server.alter("UPDATE log SET body = x'80' WHERE position = 3")
    (done,) = server.rows("doctor", "--salvage")
    (aside,) = done["set_aside"]
    assert (aside["entry"], aside["kind"], aside["may_be_missed"]) == (3, "hand-over", False)
    assert done["revoked"] == [{"entry": 3, "identity": sensor.device.name}]
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN
    with Sensor(server.port, successor) as new:
        assert new.register().code == Code.FORBIDDEN


def test_revocation__of_which_bytes_of_the_identity_are_lost__revokes_what_begins_so(
    server: Server, sensor: Sensor
) -> None:
    server.run("revoke", sensor.device.name)
    server.kill()
    server.alter("UPDATE log SET identity = substr(identity, 1, 12) WHERE position = 3")
    (done,) = server.rows("doctor", "--salvage")
    assert done["revoked"] == [{"entry": 3, "identity": sensor.device.name}]
    assert [one["may_be_missed"] for one in done["set_aside"]] == [False]
    server.start()
    assert sensor.publish().code == Code.FORBIDDEN


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_revocation__that_nothing_restores__fails_the_salvage(
    server: Server, sensor: Sensor, form: tuple[str, ...]
) -> None:
    server.run("revoke", sensor.device.name)
    server.kill()
    server.alter("UPDATE log SET identity = x'' WHERE position = 3")
    said = server.run("doctor", "--salvage", *form, status=1)
    assert ('"may_be_missed":true' if form else "entry 3 may have revoked a device") in said


def test_first_reading__that_does_not_say_where_the_one_before_is__ends_no_salvage(
    server: Server, sensor: Sensor
) -> None:
    for _ in range(3):
        sensor.publish()
    server.kill()
    _alter_anyhow(server, "UPDATE log SET before = NULL WHERE position = 3")
    assert "entry 3" in server.run("doctor", status=1)
    (done,) = server.rows("doctor", "--salvage")
    assert done["set_aside"] == []
    assert server.rows("doctor") == []
    assert len(server.rows("readings", "--device", sensor.device.name)) == 3


def test_enrolment__of_which_the_kind_is_lost__ends_no_salvage(
    server: Server, sensor: Sensor
) -> None:
    server.kill()
    _alter_anyhow(server, "UPDATE log SET kind = NULL WHERE position = 1")
    (done,) = server.rows("doctor", "--salvage")
    name = sensor.device.name
    assert done["repaired"] == [{"entry": 1, "kind": "enrolment", "identity": name}]
    server.start()
    assert sensor.publish().code.is_successful()


def test_salvage__that_fails__can_be_tried_again(server: Server, sensor: Sensor) -> None:
    """A fault that SQLite itself cannot read ends the salvage."""
    server.kill()
    server.alter("DROP TABLE retention")
    before = Path(f"{server.store}.before-salvage")
    for _ in range(2):
        assert "retention" in server.run("doctor", "--salvage", status=1)
        assert not before.exists()
