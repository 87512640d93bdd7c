# SPDX-License-Identifier: Apache-2.0
"""Readings of several devices in one object: which an application accepts, and a server."""

from __future__ import annotations

import contextlib
import json
import secrets
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import IO, Any

import cbor2
import drawn_packs
import pytest
from aiocoap import Message
from aiocoap.numbers import ContentFormat
from aiocoap.numbers.codes import GET, POST, PUT, Code
from client import PACK, Peer, Sensor, filled
from corral_fleet import Bundle, Identity, Reason, Receiver, RefusedError, open_bundle
from corral_fleet.bundle import BUNDLE_MAX, OBJECTS_MAX
from corral_server import Server, compiled
from harness import areas, waiting
from reference import FULL, KID, LOW, PARTIAL_IV, Device, Signer, encode
from test_directory import enter
from test_receiver import THERMOMETER, public, vector

SEQUENCE = ContentFormat(63)
DEVICE, OTHER = Device(Signer.p256()), Device(Signer.ed25519(), "valve")
STRANGER = Device(Signer.p256())
JSON_PACK = [{"n": "t", "u": "Cel", "v": 23.5}]
NOT_TRUSTED = Reason.NOT_TRUSTED
COUNT = areas.campaign(1500, 100_000)


def item(device: Device, number: int, **more: Any) -> bytes:
    return device.original(PACK, number, **more)


def jws(device: Device, number: int) -> bytes:
    return encode(device.jws(JSON_PACK, number).decode())


def changed(data: bytes, part: int, value: object) -> bytes:
    """A reading with another header, payload or signature."""
    parts = cbor2.loads(data)
    parts[part] = value
    return encode(parts)


def opened(*items: bytes, receivers: list[Receiver] | None = None) -> Bundle:
    known = [Receiver(public(one)) for one in (DEVICE, OTHER)] if receivers is None else receivers
    return open_bundle(b"".join(items), known)


def said(bundle: Bundle) -> list[Any]:
    """Of each object its number, "again", or why it is refused."""
    found: list[Any] = []
    for one in bundle.originals:
        if one.reading is None:
            found.append(one.reason)
        else:
            found.append("again" if one.reading.is_repeated else one.reading.sequence)
    return found


def test_bundle__gives_each_reading_as_its_device_signed_it() -> None:
    bundle = opened(item(DEVICE, 5), item(OTHER, 9), jws(DEVICE, 6))
    assert said(bundle) == [5, 9, 6]
    assert [str(one.identity) for one in bundle.readings] == [DEVICE.name, OTHER.name, DEVICE.name]
    assert bundle.readings[0].records[0].value == 23.5
    assert bundle.missing == ()


def test_bundle_of_the_vectors__holds_a_reading_of_each_form() -> None:
    bundle = opened(vector("bundle"), receivers=[Receiver(public(THERMOMETER))])
    assert said(bundle) == [65537, 65544]
    assert bundle.readings[1].data == vector("jws")


def test_bundle__tells_apart_what_its_maker_may_have_done() -> None:
    right = item(DEVICE, 5)
    _, header, _, signature = cbor2.loads(right)
    twice = opened(right, item(OTHER, 7), item(OTHER, 7), right)
    assert said(twice) == [5, 7, "again", "again"] and len(twice.readings) == 2
    rows = [
        (item(DEVICE, 4), Reason.REPLAYED),
        (item(STRANGER, 1), NOT_TRUSTED),
        (item(DEVICE, 6, topic=OTHER.name), Reason.BAD_SIGNATURE),
        (item(DEVICE, 6, topic="attic"), Reason.BAD_SIGNATURE),
        (changed(item(DEVICE, 6), 2, b""), Reason.BAD_SIGNATURE),
        (changed(item(DEVICE, 6), 2, encode([{**PACK[0], 6: 1796000000}])), Reason.BAD_SIGNATURE),
        (changed(item(DEVICE, 6), 3, signature), Reason.BAD_SIGNATURE),
        (
            changed(item(DEVICE, 6), 1, {KID: OTHER.identity, PARTIAL_IV: b"\0" * 7 + b"\6"}),
            Reason.BAD_SIGNATURE,
        ),
        (changed(right, 1, {**header, PARTIAL_IV: b"\0" * 7 + b"\x09"}), Reason.BAD_SIGNATURE),
        (DEVICE.reading(PACK, 6, FULL), Reason.MALFORMED),
        (changed(right, 1, {KID: DEVICE.identity, PARTIAL_IV: b"\0\6"}), Reason.MALFORMED),
        (DEVICE.registration(6, b"nonce"), Reason.MALFORMED),
        (encode([]), Reason.MALFORMED),
        (encode([cbor2.loads(item(DEVICE, 6))]), Reason.MALFORMED),
        (encode("e.e.e"), Reason.MALFORMED),
    ]
    for lie, reason in rows:
        receivers = [Receiver(public(one)) for one in (DEVICE, OTHER)]
        bundle = opened(right, lie, item(OTHER, 7), receivers=receivers)
        assert said(bundle) == [5, reason, 7], lie.hex()
        assert [one.highest for one in receivers] == [5, 7]


@pytest.mark.parametrize(
    "bundle",
    [
        item(DEVICE, 5)[:-1],
        item(DEVICE, 5) + b"\x9f\xff",
        encode(item(DEVICE, 5)),
        b"\xd2" + item(DEVICE, 5),
        encode(DEVICE.reading(PACK, 5, FULL).hex()[:8].replace("e", "f")),
        b"\x9b" + b"\xff" * 8,
        b"\x81" * 9 + b"\0",
        item(DEVICE, 5) + b"\x80" * BUNDLE_MAX,
        encode({1: item(DEVICE, 5)}),
        item(DEVICE, 5) + b"\x80" * OBJECTS_MAX,
    ],
    ids=["cut", "indefinite", "string", "tag", "text", "count", "depth", "long", "map", "many"],
)
def test_bundle__of_another_form__is_refused_whole(bundle: bytes) -> None:
    receivers = [Receiver(public(DEVICE))]
    with pytest.raises(RefusedError) as refused:
        open_bundle(bundle, receivers)
    assert refused.value.reason is Reason.MALFORMED
    assert receivers[0].highest is None


def test_bundle__has_room_for_fewer_readings_than_it_may_have_objects() -> None:
    shortest = DEVICE.original([{0: "t", 2: 0}], 1)
    assert said(opened(shortest)) == [1]
    assert len(shortest) * OBJECTS_MAX > BUNDLE_MAX
    assert said(opened(b"\x80" * OBJECTS_MAX)) == [Reason.MALFORMED] * OBJECTS_MAX


def test_device__that_was_left_out_or_misrepresented__is_missing() -> None:
    assert opened().missing == (Identity(DEVICE.identity), Identity(OTHER.identity))
    assert opened(item(DEVICE, 5)).missing == (Identity(OTHER.identity),)
    lie = item(OTHER, 5, topic=DEVICE.name)
    assert opened(item(DEVICE, 5), lie).missing == (Identity(OTHER.identity),)


@pytest.fixture(scope="session")
def crate() -> Path:
    """The crate's example, compiled."""
    return compiled() / "examples" / "bundles"


#: The readings to draw from: genuine, of other devices, and in another format.
STOCK = [item(one, number) for one in (DEVICE, OTHER) for number in range(1, 9)]
STOCK += [jws(one, number) for one in (DEVICE, OTHER) for number in (11, 12)]
OTHERS = [
    item(STRANGER, 1),
    item(DEVICE, 4, topic=OTHER.name),
    DEVICE.original([{0: "t", 2: 99}], 4),
    DEVICE.reading(PACK, 9, LOW),
    encode("e"),
    b"\x80",
    b"\x81\x80",
]


def drawn(chance: Random) -> bytes:
    """A bundle, mostly of genuine readings; seldom spoilt as a whole."""
    found = []
    for _ in range(chance.choice((0, 1, 2, 3, 5))):
        one = chance.choice(OTHERS if drawn_packs.is_one_in(chance, 4) else STOCK)
        if drawn_packs.is_one_in(chance, 6):
            at = chance.randrange(len(one))
            one = one[:at] + chance.randbytes(1) + one[at + 1 :]
        found.append(one)
    bundle = b"".join(found)
    return bundle[: chance.randrange(len(bundle))] if bundle and chance.random() < 0.05 else bundle


def by_package(bundle: bytes) -> list[Any] | None:
    try:
        found = said(opened(bundle))
    except RefusedError as error:
        assert error.reason is Reason.MALFORMED
        return None
    return [one.value if isinstance(one, Reason) else one for one in found]


#: Names of the same: an application trusts whom a server enrols.
SAME = {"not trusted": "not enrolled"}


def alike(verdicts: list[Any] | None) -> list[Any] | None:
    return verdicts and [SAME.get(one, one) for one in verdicts]


def test_drawn_bundles__are_the_same_to_crate_and_package(
    crate: Path, record_property: Callable[[str, object], None]
) -> None:
    seed = secrets.randbits(32) if areas.is_long() else 1
    record_property("tells", f"bundles: seed {seed}")
    chance = Random(seed)
    known = [
        f"{one.name} {encode(one.signer.cose_key()).hex()} {one.kind}" for one in (DEVICE, OTHER)
    ]
    bundles = [drawn(chance) for _ in range(COUNT)]
    bundles += [b"\x80" * count for count in (OBJECTS_MAX, OBJECTS_MAX + 1)]
    asked = "\n".join([*known, *(one.hex() for one in bundles), ""])
    theirs = subprocess.run([crate], input=asked, stdout=subprocess.PIPE, text=True, check=True)
    taken = 0
    for bundle, line in zip(bundles, theirs.stdout.splitlines(), strict=True):
        ours = by_package(bundle)
        assert alike(ours) == alike(json.loads(line)), f"seed {seed}: {bundle.hex()}"
        taken += ours is not None
    assert COUNT // 2 < taken < COUNT
    assert ours is None and theirs.stdout.splitlines()[-2] != "null"


@pytest.fixture
def sensors(server: Server) -> Iterator[list[Sensor]]:
    """Two devices that are enrolled, and registered at broker and directory."""
    server.run("enrol", DEVICE.name, OTHER.name)
    with Sensor(server.port, DEVICE) as one, Sensor(server.port, OTHER) as other:
        for sensor in (one, other):
            enter(sensor, sensor.device.name)
            sensor.register()
        yield [one, other]


def bring(server: Server, bundle: bytes, **more: Any) -> Message:
    with Peer(server.port) as peer:
        return peer.proven(
            POST, "bundle", **{"content_format": SEQUENCE, "payload": bundle, **more}
        )


def verdicts(server: Server, *items: bytes) -> list[str | None]:
    answer = bring(server, b"".join(items))
    assert (answer.code, answer.opt.content_format) == (Code.CHANGED, 60)
    return list(cbor2.loads(answer.payload))


def test_server__takes_each_original_as_if_its_device_had_sent_it(
    server: Server, sensors: list[Sensor]
) -> None:
    altered = changed(item(OTHER, 4), 3, bytes(64))
    brought = (item(DEVICE, 3), altered, item(OTHER, 5), item(STRANGER, 1), item(OTHER, 4), b"\x80")
    expected = [None, "bad signature", None, "not enrolled", "replayed", "malformed"]
    assert verdicts(server, *brought) == expected
    assert verdicts(server, *brought[:3]) == [None, "replayed", None]
    rows = server.rows("readings")
    assert [(row["identity"], row["sequence"]) for row in rows] == [
        (DEVICE.name, 3),
        (OTHER.name, 5),
    ]
    # A reading that was sent by itself is not accepted again in a bundle, nor the reverse.
    sensors[0].sequence = 9
    own = sensors[0].publish(length=FULL)
    assert own.code.is_successful()
    assert verdicts(server, item(DEVICE, 9)) == ["replayed"]
    assert verdicts(server, item(DEVICE, 11)) == [None]
    late = sensors[0].put(DEVICE.reading(PACK, 11, FULL))
    assert late.code == Code.CHANGED and len(server.rows("readings")) == 4


def test_server__has_what_a_bundle_brought_after_it_was_killed(
    server: Server, sensors: list[Sensor]
) -> None:
    assert verdicts(server, item(DEVICE, 3), jws(OTHER, 4)) == [None, None]
    server.kill()
    server.start()
    assert [row["sequence"] for row in server.rows("readings")] == [3, 4]
    assert verdicts(server, item(DEVICE, 2), jws(OTHER, 3)) == ["replayed", "replayed"]


def test_server__takes_no_bundle_of_a_revoked_device(server: Server, sensors: list[Sensor]) -> None:
    server.run("revoke", DEVICE.name)
    assert verdicts(server, item(DEVICE, 3), item(OTHER, 3)) == ["revoked", None]


def test_server__takes_a_bundle_in_blocks_and_none_that_is_longer(
    server: Server, sensors: list[Sensor]
) -> None:
    many = b"".join(item(DEVICE, number) for number in range(3, 33))
    assert 1024 < len(many) <= BUNDLE_MAX
    with Peer(server.port) as peer:
        echo = peer.request(POST, "bundle", content_format=SEQUENCE).opt.echo
        for at in range(0, len(many), 1024):
            answer = peer.request(
                POST,
                "bundle",
                content_format=SEQUENCE,
                payload=many[at : at + 1024],
                echo=echo,
                block1=(at // 1024, at + 1024 < len(many), 6),
            )
    assert answer.code == Code.CHANGED and cbor2.loads(answer.payload) == [None] * 30


def test_server__says_of_as_many_objects_as_there_may_be_what_each_is(
    server: Server, sensors: list[Sensor]
) -> None:
    assert verdicts(server, *[b"\x80"] * OBJECTS_MAX) == ["malformed"] * OBJECTS_MAX
    more = bring(server, item(DEVICE, 3) + b"\x80" * OBJECTS_MAX)
    assert (more.code, server.rows("readings")) == (Code.BAD_REQUEST, [])


def test_server__loses_what_is_older_than_what_came_the_other_way(
    server: Server, sensors: list[Sensor]
) -> None:
    sensors[0].sequence = 9
    assert sensors[0].publish(length=FULL).code.is_successful()
    older_and_newer = [item(DEVICE, number) for number in (8, 9, 11)]
    assert verdicts(server, *older_and_newer) == ["replayed", "replayed", None]
    assert [row["sequence"] for row in server.rows("readings")] == [10, 11]


def test_server__counts_what_a_bundle_brings_again_and_keeps_what_nobody_signed(
    server: Server, sensors: list[Sensor]
) -> None:
    assert verdicts(server, item(DEVICE, 5)) == [None]
    lie = changed(item(DEVICE, 6), 3, bytes(64))
    assert verdicts(server, item(DEVICE, 4), lie) == ["replayed", "bad signature"]
    kept = waiting.until(lambda: server.rows("refused"), "nothing is kept")
    assert [row["reason"] for row in kept] == ["bad signature"]


def test_server__refuses_what_is_no_bundle(server: Server, sensors: list[Sensor]) -> None:
    with Peer(server.port) as peer:
        unproven = peer.request(POST, "bundle", content_format=SEQUENCE, payload=item(DEVICE, 3))
        assert unproven.code == Code.UNAUTHORIZED
        assert peer.request(GET, "bundle").code == Code.METHOD_NOT_ALLOWED
        assert peer.request(PUT, "bundle").code == Code.METHOD_NOT_ALLOWED
    assert server.rows("readings") == []
    assert bring(server, encode(item(DEVICE, 3))).code == Code.BAD_REQUEST
    other = bring(server, item(DEVICE, 3), content_format=ContentFormat(18))
    assert other.code == Code.UNSUPPORTED_CONTENT_FORMAT
    assert verdicts(server) == []


@dataclass
class Aggregator:
    """A running aggregator, and its messages of errors after its end."""

    process: subprocess.Popen[str]
    complaints: str = ""

    def errors(self) -> IO[str]:
        """Where it says what goes wrong."""
        assert self.process.stderr is not None
        return self.process.stderr

    def row(self) -> dict[str, Any]:
        """The next bundle that was published."""
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def rows(self, count: int) -> list[dict[str, Any]]:
        """The rows published until they hold this many readings."""
        rows: list[dict[str, Any]] = []
        while sum(row["readings"] for row in rows) < count:
            rows.append(self.row())
        return rows


@contextlib.contextmanager
def aggregating(
    server: Server, *words: str, form: Sequence[str] = ("--json",)
) -> Iterator[Aggregator]:
    at = f"127.0.0.1:{server.port}"
    command = [server.binary, *form, "aggregate", "--from", at, *words, "--every", "1"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, DEVICE.name, OTHER.name], stdout=pipe, stderr=pipe, text=True
    ) as process:
        running = Aggregator(process)
        # A reader that waits for a missing line then reads the end of the output.
        guard = threading.Timer(waiting.PATIENCE, process.kill)
        guard.start()
        try:
            yield running
        finally:
            guard.cancel()
            process.kill()
            _, running.complaints = process.communicate()


def to_topic(server: Server, name: str = "attic") -> list[str]:
    return ["--to", f"127.0.0.1:{server.port}", "--topic", name]


@pytest.fixture
def far(server: Server, sensors: list[Sensor], tmp_path: Path) -> Iterator[Server]:
    """Another server, where the same devices are registered."""
    other = Server(server.binary, tmp_path / "far.sqlite")
    other.run("enrol", DEVICE.name, OTHER.name)
    with other.serving():
        for sensor in sensors:
            with Sensor(other.port, sensor.device) as there:
                there.sequence = sensor.sequence
                there.register()
            sensor.sequence += 10
        yield other


def numbers(server: Server) -> set[tuple[str, int]]:
    """Whose readings the server has, and which."""
    return {(row["identity"], row["sequence"]) for row in server.rows("readings")}


def test_aggregator__has_another_server_know_the_readings_of_its_devices(
    server: Server, sensors: list[Sensor], far: Server
) -> None:
    for sensor in sensors:
        sensor.publish(length=FULL)
    with aggregating(server, "--to", f"127.0.0.1:{far.port}") as aggregator:
        assert all(row["refused"] == [] for row in aggregator.rows(2))
    assert numbers(server) == numbers(far) and len(numbers(far)) == 2


def test_aggregator__leaves_out_what_is_too_long_and_goes_on(
    server: Server, sensors: list[Sensor], far: Server
) -> None:
    assert sensors[0].publish(filled(sensors[0].device, 1024), FULL).code.is_successful()
    with aggregating(server, "--to", f"127.0.0.1:{far.port}") as aggregator:
        said = iter(aggregator.errors().readline, "")
        assert any(DEVICE.name in line and "too long for a bundle" in line for line in said)
        assert sensors[0].publish(filled(sensors[0].device, 1006), FULL).code.is_successful()
        (row,) = aggregator.rows(1)
    assert (row["bytes"], row["refused"]) == (1024, [])
    assert numbers(far) == {(DEVICE.name, sensors[0].sequence)}


def held(server: Server) -> list[tuple[str, int]]:
    """Whose readings the topic of bundles holds, and which; nothing while there is none."""
    with Peer(server.port) as peer:
        found = peer.proven(GET, "ps", uri_query=("rt=core.ps.data",)).payload.decode()
        paths = [link[2:].split(">")[0] for link in found.split(",") if "ct=63" in link]
        answers = [peer.proven(GET, *path.split("/")) for path in paths]
    bundles = [opened(one.payload) for one in answers if one.code == Code.CONTENT]
    assert all(one.reason is None for bundle in bundles for one in bundle.originals)
    return [(str(one.identity), one.sequence) for bundle in bundles for one in bundle.readings]


def newest(sensors: list[Sensor]) -> list[tuple[str, int]]:
    return sorted((one.device.name, one.sequence) for one in sensors)


def test_aggregators_topic__holds_the_newest_of_each_device_however_much_came(
    server: Server, sensors: list[Sensor]
) -> None:
    for sensor in sensors:
        sensor.publish(length=FULL)
    with aggregating(server, *to_topic(server)) as aggregator:
        waiting.until(lambda: sorted(held(server)) == newest(sensors), lambda: held(server))
        # So many of the second that a bundle of each in its turn would have none of the first.
        for sensor in (sensors[0], *[sensors[1]] * 20):
            assert sensor.publish(length=FULL).code.is_successful()
        waiting.until(lambda: sorted(held(server)) == newest(sensors), lambda: held(server))
    assert "was there already" not in aggregator.complaints


def test_aggregators_topic__gets_in_turn_what_does_not_fit_and_says_what_is_left(
    server: Server, sensors: list[Sensor]
) -> None:
    def both_wait(aggregator: Aggregator) -> list[dict[str, Any]]:
        for sensor in sensors:
            assert sensor.publish(filled(sensor.device, 900), FULL).code.is_successful()
        return aggregator.rows(2)

    with aggregating(server, *to_topic(server)) as aggregator:
        # The first may be published before the second is heard.
        first, second = waiting.until(
            lambda: [row for row in [both_wait(aggregator)] if row[0]["left"]], "none is left"
        )[0]
        assert (first["left"], second["left"]) == (1, 0)
        assert held(server) == newest(sensors)[:1] or held(server) == newest(sensors)[1:]


def test_aggregators_topic__that_is_there_is_taken_and_said_to_be_somebody_elses(
    server: Server, sensors: list[Sensor]
) -> None:
    sensors[0].publish(length=FULL)
    complaints = []
    for _ in range(2):  # the second finds the topic that the first made
        with aggregating(server, *to_topic(server)) as aggregator:
            aggregator.rows(1)
        complaints.append("attic was there already" in aggregator.complaints)
        assert held(server) == newest(sensors[:1])
    assert complaints == [False, True]


def test_aggregator__that_could_do_nothing__says_why_and_does_not_begin(server: Server) -> None:
    at = f"127.0.0.1:{server.port}"
    both = ["--from", at, "--to", at]
    said = server.run("aggregate", DEVICE.name, *both, status=1)
    assert f"{at}: has these readings already" in said
    assert "has these readings already" in server.run("aggregate", DEVICE.name, status=1)
    for name, why in [
        ("", "has 1 to 64 bytes"),
        ("t" * 65, "has 1 to 64 bytes"),
        ("a\tb", "no control characters"),
        (OTHER.name, "a device could have this name"),
    ]:
        assert why in server.run("aggregate", DEVICE.name, *both, "--topic", name, status=2)
    said = server.run("aggregate", DEVICE.name, "--from", at, "--to", "nowhere", status=1)
    assert "--to nowhere: " in said
