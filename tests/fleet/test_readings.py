# SPDX-License-Identifier: Apache-2.0
"""From a key to a stored reading, with the refusals on the way."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import cbor2
import pytest
from aiocoap import NON
from aiocoap.numbers.codes import GET, POST, PUT, Code
from client import COSE, PACK, Sensor, filled
from corral_fleet import Receiver
from corral_server import Server
from harness import waiting
from reference import FULL, LOW, Device, Signer, encode, group_identity, number, sign1
from test_receiver import public

T = 32768


@pytest.fixture(params=["p256", "ed25519"])
def sensor(server: Server, request: pytest.FixtureRequest) -> Iterator[Sensor]:
    """A device that is enrolled and registered."""
    device = Device(getattr(Signer, request.param)())
    server.run("enrol", device.name, "--place", "attic", "--purpose", "climate")
    with Sensor(server.port, device) as sensor:
        assert sensor.register().code == Code.CREATED
        yield sensor


def problem(answer: object) -> str:
    """The reason that an answer gives."""
    return str(cbor2.loads(answer.payload)[-1])  # type: ignore[attr-defined]


def stored(server: Server) -> list[int]:
    return [row["sequence"] for row in server.rows("readings")]


def test_reading__of_an_enrolled_device__is_stored_as_received(
    server: Server, sensor: Sensor
) -> None:
    reading = sensor.device.reading(PACK, sensor.next())
    assert sensor.put(reading).code == Code.CREATED
    assert sensor.publish().code == Code.CHANGED
    rows = server.rows("readings")
    assert rows[0]["identity"] == sensor.device.name
    assert rows[0]["records"] == [{"n": "t", "u": "Cel", "v": 23.5, "t": 1795000000.0}]
    with sqlite3.connect(server.store) as store:
        first = store.execute("SELECT body FROM log WHERE kind = 4 ORDER BY position").fetchone()[0]
    assert first == reading
    report = server.rows("verify", str(server.store))[0]
    assert (report["readings"], report["registrations"], report["faults"]) == (2, 1, [])


def test_reading__served__has_its_number_in_full(sensor: Sensor) -> None:
    sensor.publish()
    answer = sensor.proven(GET, *sensor.topic)
    assert (answer.code, answer.opt.content_format) == (Code.CONTENT, 18)
    assert answer.payload == sensor.device.reading(PACK, sensor.sequence, FULL)


def test_reading__that_nobody_could_read_with_its_number_in_full__is_refused(
    sensor: Sensor,
) -> None:
    for size, code in ((1019, Code.BAD_REQUEST), (1018, Code.CREATED)):
        assert sensor.publish(filled(sensor.device, size, LOW)).code == code
    served = sensor.proven(GET, *sensor.topic).payload
    assert len(served) == 1024
    assert Receiver(public(sensor.device)).accept(served).sequence == sensor.sequence


def test_same_reading_again__is_acknowledged_and_stored_once(
    server: Server, sensor: Sensor
) -> None:
    reading = sensor.device.reading(PACK, sensor.next())
    in_full = sensor.device.reading(PACK, sensor.sequence, FULL)
    codes = [sensor.put(one).code for one in (reading, reading, in_full)]
    assert codes == [Code.CREATED, Code.CHANGED, Code.CHANGED]
    assert stored(server) == [2]


@pytest.mark.parametrize("length", [FULL, 2])
def test_replay__of_an_older_reading__is_refused(
    server: Server, sensor: Sensor, length: int
) -> None:
    old = sensor.device.reading(PACK, sensor.next(), length)
    sensor.put(old)
    sensor.publish()
    answer = sensor.put(old)
    assert answer.code == Code.CONFLICT
    assert problem(answer) == ("replayed" if length == FULL else "beyond threshold")
    assert stored(server) == [2, 3]


def test_replay__after_a_restart__is_refused(server: Server, sensor: Sensor) -> None:
    old = sensor.device.reading(PACK, sensor.next(), FULL)
    sensor.put(old)
    sensor.publish()
    server.kill()
    server.start()
    assert sensor.put(old).code == Code.CONFLICT
    assert sensor.publish().code == Code.CHANGED
    assert stored(server) == [2, 3, 4]


def test_reordered_readings__the_older_is_refused(server: Server, sensor: Sensor) -> None:
    first, second = (sensor.device.reading(PACK, sensor.next()) for _ in range(2))
    assert sensor.put(second).code == Code.CREATED
    assert sensor.put(first).code == Code.CONFLICT
    assert stored(server) == [3]


def test_jump__beyond_the_threshold__needs_the_full_number(sensor: Sensor) -> None:
    sensor.sequence += T - 1
    assert sensor.publish().code == Code.CREATED
    sensor.sequence += T + 1
    answer = sensor.put(sensor.device.reading(PACK, sensor.sequence))
    assert (answer.code, problem(answer)) == (Code.CONFLICT, "beyond threshold")
    assert sensor.put(sensor.device.reading(PACK, sensor.sequence, FULL)).code == Code.CHANGED


def test_low_bits__wrap_around(server: Server, sensor: Sensor) -> None:
    sensor.sequence = 65533
    assert sensor.publish(length=FULL).code == Code.CREATED
    assert [sensor.publish().code for _ in range(4)] == [Code.CHANGED] * 4
    assert stored(server) == [65534, 65535, 65536, 65537, 65538]


def test_jump_of_65536__is_noticed_by_the_signature(sensor: Sensor) -> None:
    sensor.publish()
    sensor.sequence += 65536
    answer = sensor.publish()
    assert (answer.code, problem(answer)) == (Code.CONFLICT, "bad signature of low bits")


def forged(reading: bytes, at: int) -> bytes:
    changed = bytearray(reading)
    changed[at] ^= 1
    return bytes(changed)


@pytest.mark.parametrize("at", [-1, -64, -70], ids=["signature", "start", "payload"])
def test_forgery__is_refused_and_kept_for_inspection(
    server: Server, sensor: Sensor, at: int
) -> None:
    reading = forged(sensor.device.reading(PACK, sensor.next(), FULL), at)
    answer = sensor.put(reading)
    assert (answer.code, problem(answer)) == (Code.FORBIDDEN, "bad signature")
    assert stored(server) == []
    kept = waiting.until(lambda: server.rows("refused"), "nothing is kept")
    assert (kept[0]["reason"], kept[0]["object"]) == ("bad signature", reading.hex())


def test_reading_of_another_enrolled_device__does_not_fit_this_topic(
    server: Server, sensor: Sensor
) -> None:
    other = Device(Signer.p256())
    server.run("enrol", other.name)
    foreign = other.reading(PACK, 7, FULL)
    assert sensor.put(foreign).code == Code.FORBIDDEN
    moved = sensor.device.reading(PACK, sensor.next(), FULL, topic=other.name)
    assert sensor.put(moved).code == Code.FORBIDDEN


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"content_format": 112}, Code.UNSUPPORTED_CONTENT_FORMAT),
        ({"content_format": None}, Code.UNSUPPORTED_CONTENT_FORMAT),
        ({"payload": b""}, Code.BAD_REQUEST),
        ({"payload": b"\x84"}, Code.BAD_REQUEST),
        ({"payload": b"\xff" * 100}, Code.BAD_REQUEST),
        ({"payload": b"\x84\x40\xa0\x40\x58\x40" + bytes(64)}, Code.BAD_REQUEST),
    ],
)
def test_what_is_no_reading__is_refused(
    sensor: Sensor, what: dict[str, object], code: Code
) -> None:
    reading = sensor.device.reading(PACK, sensor.next())
    assert sensor.put(reading, **what).code == code
    assert sensor.put(reading).code == Code.CREATED


@pytest.mark.parametrize(
    "pack",
    [
        [],
        {0: "t", 2: 1},
        [{0: "t"}],
        [{0: "t", 2: 1, 6: -60}],
        [{0: "'; DROP TABLE log; --", 2: 1}],
        [{0: "<script>", 2: 1}],
        [{0: "t", 2: float("nan")}],
        [{0: "t", 2: 1, "must_": 1}],
        [{0: "t", 2: 1}] * 65,
    ],
)
def test_pack_that_is_no_senml__is_refused_though_signed(sensor: Sensor, pack: object) -> None:
    assert sensor.publish(pack, FULL).code == Code.BAD_REQUEST
    assert sensor.publish(length=FULL).code == Code.CREATED


def test_largest_number__is_accepted_and_the_last(sensor: Sensor) -> None:
    sensor.sequence = 2**64 - 2
    assert sensor.publish(length=FULL).code == Code.CREATED
    assert sensor.put(sensor.device.reading(PACK, 0)).code == Code.CONFLICT


def test_unconfirmable_reading__is_answered_only_if_refused(server: Server, sensor: Sensor) -> None:
    reading = sensor.device.reading(PACK, sensor.next())
    quiet = {"kind": NON, "no_response": 2, "content_format": COSE}
    sensor.socket.send(sensor.message(PUT, *sensor.topic, payload=reading, **quiet))
    assert sensor.is_silent()
    bad = forged(sensor.device.reading(PACK, sensor.next(), FULL), -1)
    assert sensor.request(PUT, *sensor.topic, payload=bad, **quiet).code == Code.FORBIDDEN
    assert stored(server) == [2]


def test_stranger__is_refused_until_enrolled(server: Server) -> None:
    with Sensor(server.port, Device(Signer.p256())) as stranger:
        answer = stranger.register()
        assert (answer.code, problem(answer)) == (Code.FORBIDDEN, "not enrolled")
        server.run("enrol", "CF1:" + stranger.device.name.upper())
        assert stranger.register().code == Code.CREATED
        assert stranger.publish().code == Code.CREATED


def test_revoked_device__is_refused(server: Server, sensor: Sensor) -> None:
    sensor.publish()
    server.run("revoke", sensor.device.name)
    assert problem(sensor.publish(length=FULL)) == "revoked"
    assert sensor.register().code == Code.FORBIDDEN


def test_registration__with_another_identity__is_refused(server: Server, sensor: Sensor) -> None:
    """A statement of the enrolled key, signed by another key."""
    thief = Device(Signer.p256())
    nonce = sensor.challenge()
    statement = encode(sensor.device.statement())
    context = ["cf1-registration", sensor.device.identity, nonce, 99]
    stolen = sign1(thief.signer, {1: -7}, number(99, FULL), context, statement)
    answer = sensor.post(stolen, nonce)
    assert (answer.code, problem(answer)) == (Code.FORBIDDEN, "bad signature")
    assert sensor.publish().code == Code.CREATED


def test_old_registration__neither_counts_nor_lowers_the_number(sensor: Sensor) -> None:
    nonce = sensor.challenge()
    old = sensor.device.registration(sensor.next(), nonce)
    assert sensor.post(old, nonce).code == Code.CHANGED
    sensor.publish()
    replayed = sensor.post(old, nonce)
    assert (replayed.code, problem(replayed)) == (Code.CONFLICT, "replayed")
    later = sensor.challenge()
    sensor.sequence += 10
    stale = sensor.device.registration(sensor.next(), nonce)
    assert sensor.post(stale, later).code == Code.FORBIDDEN
    assert sensor.publish().code == Code.CHANGED


def test_registration__again__raises_the_number(server: Server, sensor: Sensor) -> None:
    old = sensor.device.reading(PACK, sensor.next(), FULL)
    assert sensor.register().code == Code.CHANGED
    answer = sensor.put(old)
    assert (answer.code, problem(answer)) == (Code.CONFLICT, "replayed")
    assert sensor.publish().code == Code.CREATED
    assert stored(server) == [sensor.sequence]


def test_registration__retransmitted__gets_the_same_answer(sensor: Sensor) -> None:
    nonce = sensor.challenge()
    payload = sensor.device.registration(sensor.next(), nonce)
    datagram = sensor.message(POST, "reg", content_format=COSE, payload=payload, echo=nonce)
    answers = [sensor.exchange(datagram) for _ in range(2)]
    assert answers[0].code == answers[1].code == Code.CHANGED
    assert answers[0].opt.echo == answers[1].opt.echo


def test_challenge__of_another_address__is_none(server: Server, sensor: Sensor) -> None:
    nonce = sensor.challenge()
    with Sensor(server.port, sensor.device) as other:
        other.sequence = 50
        answer = other.post(sensor.device.registration(51, nonce), nonce)
    assert (answer.code, problem(answer)) == (Code.UNAUTHORIZED, "stale challenge")
    assert answer.opt.echo not in (None, nonce)


def test_group__enrols_its_members_and_nobody_else(server: Server) -> None:
    signers = [Signer.p256(), Signer.ed25519()]
    members = sorted(Device(signer).identity for signer in signers)
    server.run("enrol", group_identity(members).hex())
    member = Device(signers[0], group=tuple(members))
    with Sensor(server.port, member) as sensor:
        assert sensor.register().code == Code.CREATED
        assert sensor.publish().code == Code.CREATED
    intruder = Device(Signer.p256(), group=tuple(members))
    added = Device(intruder.signer, group=(*members, intruder.identity))
    for device in (intruder, added):
        with Sensor(server.port, device) as sensor:
            assert problem(sensor.register()) == "not enrolled"


def test_handover__moves_place_and_revokes_the_old(server: Server, sensor: Sensor) -> None:
    sensor.publish()
    successor = Device(Signer.p256())
    nonce = sensor.challenge()
    assert sensor.post(sensor.device.handover(successor, sensor.next()), nonce).code == Code.CHANGED
    assert problem(sensor.publish(length=FULL)) == "revoked"
    with Sensor(server.port, successor) as next_one:
        assert next_one.register().code == Code.CREATED
        assert next_one.publish().code == Code.CREATED
    places = {row["identity"]: (row["place"], row["revoked"]) for row in server.rows("devices")}
    assert places == {successor.name: ("attic", False), sensor.device.name: ("attic", True)}
    assert server.rows("verify", str(server.store))[0]["handovers"] == 1


def test_handover__lets_in_nobody_about_whom_was_decided(server: Server, sensor: Sensor) -> None:
    revoked, enrolled = Device(Signer.p256()), Device(Signer.p256())
    server.run("enrol", revoked.name, enrolled.name, "--place", "cellar")
    server.run("revoke", revoked.name)
    for successor in (revoked, enrolled, sensor.device):
        nonce = sensor.challenge()
        answer = sensor.post(sensor.device.handover(successor, sensor.next()), nonce)
        assert answer.code == Code.FORBIDDEN
    places = {row["identity"]: (row["place"], row["revoked"]) for row in server.rows("devices")}
    assert places[revoked.name] == ("cellar", True)
    assert places[enrolled.name] == ("cellar", False)
    assert sensor.publish(length=FULL).code == Code.CREATED


def test_group__that_is_revoked__takes_its_members_with_it(server: Server) -> None:
    signers = [Signer.p256() for _ in range(2)]
    members = sorted(Device(signer).identity for signer in signers)
    name = group_identity(members).hex()
    server.run("enrol", name)
    member = Device(signers[0], group=tuple(members))
    with Sensor(server.port, member) as sensor:
        assert sensor.register().code == Code.CREATED
        assert sensor.publish(length=FULL).code == Code.CREATED
        assert sensor.request(POST, "cmd", member.name).code == Code.CHANGED
        server.run("revoke", name)
        assert problem(sensor.request(POST, "cmd", member.name)) == "revoked"
        assert problem(sensor.publish(length=FULL)) == "revoked"
        assert problem(sensor.register()) == "revoked"
        server.run("enrol", name, "--again")
        assert sensor.request(POST, "cmd", member.name).code == Code.CHANGED
        assert sensor.publish(length=FULL).code == Code.CHANGED


def test_handover__by_a_member_of_a_group__is_refused(server: Server) -> None:
    first, second = Device(Signer.p256()), Device(Signer.p256())
    members = sorted([first.identity, second.identity])
    first.group = tuple(members)
    server.run("enrol", group_identity(members).hex())
    with Sensor(server.port, first) as sensor:
        assert sensor.register().code == Code.CREATED
        nonce = sensor.challenge()
        successor = Device(Signer.p256())
        answer = sensor.post(first.handover(successor, sensor.next()), nonce)
        assert problem(answer) == "foreign successor"


def test_list_to_enrol__lifts_no_revocation(server: Server, sensor: Sensor, tmp_path: Path) -> None:
    new = Device(Signer.p256())
    rows = tmp_path / "list"
    rows.write_text(f"{sensor.device.name}, attic\n{new.name}, attic\n", encoding="utf-8")
    server.run("revoke", sensor.device.name)
    said = server.run("enrol", "--from", str(rows), status=1)
    assert "enrolled 1" in said and f"{sensor.device.name} was revoked" in said
    assert problem(sensor.publish(length=FULL)) == "revoked"
    server.run("enrol", "--from", str(rows), "--again")
    assert sensor.publish(length=FULL).code == Code.CREATED


def test_revocation__of_nobody_or_in_no_store__is_no_success(
    server: Server, tmp_path: Path
) -> None:
    nobody = Device(Signer.p256()).name
    assert "--anyway" in server.run("revoke", nobody, status=1)
    assert server.rows("devices") == []
    server.run("revoke", nobody, "--anyway")
    elsewhere = Server(server.binary, tmp_path / "none.sqlite")
    for words in (("revoke", nobody), ("load", "--devices", "1")):
        assert "there is no store" in elsewhere.run(*words, status=1)
        assert not elsewhere.store.exists()


def test_store_that_another_process_locks__ends_no_service(server: Server, sensor: Sensor) -> None:
    with server.held():
        assert sensor.publish(length=FULL).code == Code.SERVICE_UNAVAILABLE
    assert sensor.publish(length=FULL).code == Code.CREATED


def test_altered_store__is_noticed_offline(server: Server, sensor: Sensor) -> None:
    for _ in range(3):
        sensor.publish()
    server.kill()
    with sqlite3.connect(server.store) as store:
        store.execute(
            "UPDATE log SET body = cast(replace(body, x'f94de0', x'f94e00') AS BLOB)"
            " WHERE position = 4"
        )
        store.execute("UPDATE log SET position = 9 WHERE position = 5")
        # Damage around objects is found, too.
        store.execute("UPDATE log SET body = x'80' WHERE position = 1")
        store.execute("UPDATE log SET identity = x'00' WHERE position = 3")
    report = server.rows("verify", str(server.store), status=1)[0]
    assert [(fault["position"], fault["what"]) for fault in report["faults"]] == [
        (1, "damaged, of kind 1"),
        (3, report["faults"][1]["what"]),
        (4, "bad signature"),
        (9, "entries 5 to 8 are missing"),
    ]
    assert report["faults"][1]["what"].startswith("damaged: ")
    assert [fault["identity"] is None for fault in report["faults"]] == [True, True, False, False]
    assert "entry 1 of the store is damaged" in server.run("devices", status=1)


def twin(reading: bytes) -> bytes:
    """The reading with the other signature that holds: n - s in the place of s."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    return reading[:-32] + (order - int.from_bytes(reading[-32:], "big")).to_bytes(32, "big")


@pytest.mark.parametrize("comes_first", ["own", "twin"])
def test_reading_and_its_twin__are_one_reading(server: Server, comes_first: str) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        sensor.register()
        reading = device.reading(PACK, sensor.next(), FULL)
        both = [reading, twin(reading)]
        first, second = both if comes_first == "own" else reversed(both)
        assert sensor.put(first).code == Code.CREATED
        assert sensor.put(second).code == Code.CHANGED
        assert sensor.put(first).code == Code.CHANGED
        altered = first[:-33] + bytes([first[-33] ^ 1]) + first[-32:]
        assert sensor.put(altered).code == Code.CONFLICT
    assert stored(server) == [2]
    receiver = Receiver(public(device))
    assert [receiver.accept(one).is_repeated for one in (first, second, first)] == [
        False,
        True,
        True,
    ]
