# SPDX-License-Identifier: Apache-2.0
"""Readings of several devices in one object: what an application believes of it, and a server."""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import cbor2
import drawn_packs
import pytest
from aiocoap import Message
from aiocoap.numbers import ContentFormat
from aiocoap.numbers.codes import GET, POST, PUT, Code
from client import PACK, Peer, Sensor
from corral_fleet import Bundle, Identity, Peers, Reason, Receiver, RefusedError, open_bundle
from corral_fleet.bundle import BUNDLE_MAX
from corral_server import TARGET, Server, cargo
from harness import areas
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
    ],
    ids=["cut", "indefinite", "string", "tag", "text", "count", "depth", "long", "map"],
)
def test_bundle__of_another_form__is_refused_whole(bundle: bytes) -> None:
    receivers = [Receiver(public(DEVICE))]
    with pytest.raises(RefusedError) as refused:
        open_bundle(bundle, receivers)
    assert refused.value.reason is Reason.MALFORMED
    assert receivers[0].highest is None


def test_device__that_was_left_out_or_misrepresented__is_missing() -> None:
    assert opened().missing == (Identity(DEVICE.identity), Identity(OTHER.identity))
    assert opened(item(DEVICE, 5)).missing == (Identity(OTHER.identity),)
    lie = item(OTHER, 5, topic=DEVICE.name)
    assert opened(item(DEVICE, 5), lie).missing == (Identity(OTHER.identity),)


@pytest.fixture(scope="session")
def crate() -> Path:
    """The crate's example, compiled."""
    cargo("build", "--locked", "-p", "corral-fleet-verify", "--example", "bundles")
    return TARGET / "debug" / "examples" / "bundles"


#: What is drawn from: genuine, of others, and of another form.
STOCK = [item(one, number) for one in (DEVICE, OTHER) for number in range(1, 9)]
STOCK += [jws(one, number) for one in (DEVICE, OTHER) for number in (11, 12)]
OTHERS = [
    item(STRANGER, 1),
    item(DEVICE, 4, topic=OTHER.name),
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


#: Names of the same: an application trusts whom a server enrols. What is altered and has the newest
#: number once more is both of the others.
SAME = {"not trusted": "not enrolled", "replayed": "bad signature"}


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
    asked = "\n".join([*known, *(one.hex() for one in bundles), ""])
    theirs = subprocess.run([crate], input=asked, stdout=subprocess.PIPE, text=True, check=True)
    taken = 0
    for bundle, line in zip(bundles, theirs.stdout.splitlines(), strict=True):
        ours = by_package(bundle)
        assert alike(ours) == alike(json.loads(line)), f"seed {seed}: {bundle.hex()}"
        taken += ours is not None
    assert COUNT // 2 < taken < COUNT


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
    # What was sent by itself is not accepted once more in a bundle, nor the other way round.
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


def aggregating(server: Server, *words: str) -> subprocess.Popen[str]:
    at = f"127.0.0.1:{server.port}"
    command = [str(server.binary), "--json", "aggregate", "--from", at, *words, "--every", "1"]
    return subprocess.Popen([*command, DEVICE.name, OTHER.name], stdout=subprocess.PIPE, text=True)


def gathered(process: subprocess.Popen[str], count: int) -> list[dict[str, Any]]:
    """What was published until it were so many readings."""
    assert process.stdout is not None
    rows: list[dict[str, Any]] = []
    while sum(row["readings"] for row in rows) < count:
        rows.append(json.loads(process.stdout.readline()))
    return rows


def ended(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def test_aggregator__has_another_server_know_the_readings_of_its_devices(
    server: Server, sensors: list[Sensor], tmp_path: Path
) -> None:
    far = Server(server.binary, tmp_path / "far.sqlite")
    far.run("enrol", DEVICE.name, OTHER.name)
    with far.serving():
        for sensor in sensors:
            with Sensor(far.port, sensor.device) as there:
                there.sequence = sensor.sequence
                there.register()
            sensor.sequence += 10
            sensor.publish(length=FULL)
        process = aggregating(server, "--to", f"127.0.0.1:{far.port}")
        try:
            assert all(row["refused"] == [] for row in gathered(process, 2))
        finally:
            ended(process)
        here, there_too = (
            {(row["identity"], row["sequence"]) for row in one.rows("readings")}
            for one in (server, far)
        )
    assert here == there_too and len(here) == 2


def test_aggregators_topic__shows_an_application_what_the_devices_signed(
    server: Server, sensors: list[Sensor]
) -> None:
    async def content() -> bytes:
        async with Peers.open() as peers:
            links = await peers.get(f"coap://127.0.0.1:{server.port}/ps", ["rt=core.ps.data"])
            path = next(
                link.partition(">")[0][1:]
                for link in links.payload.decode().split(",")
                if "ct=63" in link
            )
            return (await peers.get(f"coap://127.0.0.1:{server.port}{path}")).payload

    for sensor in sensors:
        sensor.publish(length=FULL)
    at = f"127.0.0.1:{server.port}"
    for _ in range(2):  # the second finds the topic that the first made
        process = aggregating(server, "--to", at, "--topic", "attic")
        try:
            gathered(process, 2)
        finally:
            ended(process)
        bundle = opened(asyncio.run(content()))
        assert {one.identity.octets for one in bundle.readings} <= {
            DEVICE.identity,
            OTHER.identity,
        }
        assert bundle.readings and all(one.reason is None for one in bundle.originals)
