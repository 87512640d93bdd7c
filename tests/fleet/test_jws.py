# SPDX-License-Identifier: Apache-2.0
"""Readings as JWS: PyJWT verifies ours, and crate, package and server verify what PyJWT signs."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator

import jwt
import pytest
import reference
import worked
from aiocoap.numbers import ContentFormat
from aiocoap.numbers.codes import GET, Code
from client import COSE, PACK, Peer, Sensor
from corral.build import image as corral_build
from corral.common import loopback
from corral_fleet import (
    Clock,
    Directory,
    Found,
    Identity,
    Peers,
    Reading,
    Reason,
    Receiver,
    Record,
    RefusedError,
    read,
)
from corral_fleet import Device as Known
from corral_server import Server
from cryptography.hazmat.primitives.asymmetric import ec
from harness import waiting
from harness.program import NATIVE, WITHOUT_ELEMENTS
from reference import FULL, Device, Signer, as_json, base64url
from test_receiver import THERMOMETER, VALVE, vector
from test_together import identity, local, run

__all__ = ["local"]  # a fixture

JWS = ContentFormat(65000)
JSON = worked.JSON_PACK
RECORD = Record("t", "Cel", 23.5, None, 1795000000.0)
LIBRARY = jwt.PyJWS()


def by_library(device: Device, pack: object, sequence: int) -> bytes:
    """A pack signed by PyJWT, with the protocol's header."""
    header = {"cty": "senml+json", "kid": device.name, "sn": f"{sequence:016x}"}
    algorithm = "EdDSA" if device.signer.algorithm == reference.EDDSA else "ES256"
    made = LIBRARY.encode(
        as_json(pack),
        device.signer.key,
        algorithm,
        {**header, "typ": "cf1-reading"},
        sort_headers=True,
    )
    return made.encode()


def verified_by_library(device: Device, data: bytes) -> dict[str, object]:
    """Verify with PyJWT; an exception fails the test."""
    key = device.signer.key.public_key()
    found: dict[str, object] = LIBRARY.decode_complete(data, key, algorithms=["ES256", "EdDSA"])
    return found


def receiver(device: Device, highest: int | None = None) -> Receiver:
    return Receiver(Known.read(device.signer.cose_key(), device.kind, device.agreement), highest)


@pytest.mark.parametrize(
    ("name", "device", "sequence"), [("jws", THERMOMETER, 65544), ("jws_ed25519", VALVE, 2)]
)
def test_library__verifies_the_vector_and_nothing_else(
    name: str, device: Device, sequence: int
) -> None:
    data = vector(name)
    found = verified_by_library(device, data)
    assert found["payload"] == vector(f"{name}_pack")
    assert found["header"] == {
        "alg": "ES256" if device is THERMOMETER else "EdDSA",
        "cty": "senml+json",
        "kid": device.name,
        "sn": f"{sequence:016x}",
        "typ": "cf1-reading",
    }
    with pytest.raises(jwt.InvalidSignatureError):
        verified_by_library(device, _altered(data, 200))
    if device is VALVE:  # whose signatures repeat
        assert by_library(device, JSON, sequence) == data


def test_package__reads_what_the_device_and_the_library_sign() -> None:
    taker = receiver(THERMOMETER)
    reading = taker.accept(vector("jws"))
    clock = Clock("synchronised", 3600.0)
    assert reading.records == (
        Record("t", "Cel", 23.5, None, 1795000000.0, clock),
        Record("t", "Cel", 23.4, None, 1794999940.0, clock),
    )
    assert (reading.sequence, reading.data) == (65544, vector("jws"))
    assert taker.accept(vector("jws")).is_repeated
    assert taker.accept(by_library(THERMOMETER, JSON, 65545)).records == (RECORD,)
    # One sequence, whatever the form.
    assert taker.accept(THERMOMETER.reading(PACK, 65546)).sequence == 65546
    with pytest.raises(RefusedError) as refused:
        taker.accept(by_library(THERMOMETER, JSON, 65546))
    assert refused.value.reason is Reason.REPLAYED
    assert receiver(VALVE).accept(by_library(VALVE, JSON, 1)).records == (RECORD,)


def _altered(data: bytes, at: int) -> bytes:
    return data[:at] + (b"A" if data[at : at + 1] != b"A" else b"B") + data[at + 1 :]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: VALVE.jws(JSON, 2), Reason.FOREIGN_KEY),
        (lambda: VALVE.jws(JSON, 2, kid=THERMOMETER.name), Reason.BAD_SIGNATURE),
        (lambda: VALVE.jws(JSON, 2, kid=THERMOMETER.name, alg="ES256"), Reason.BAD_SIGNATURE),
        (lambda: _altered(THERMOMETER.jws(JSON, 2), 170), Reason.BAD_SIGNATURE),
        (lambda: _altered(THERMOMETER.jws(JSON, 2), -20), Reason.BAD_SIGNATURE),
        (lambda: THERMOMETER.jws(JSON, 2, alg="none"), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2, alg="HS256"), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2, typ="JWT"), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2, sn="1"), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2, b64="x"), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2) + b"=", Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2) + b"\n", Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2).replace(b".", b"..", 1), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2).rpartition(b".")[0] + b".", Reason.MALFORMED),
        (lambda: THERMOMETER.jws(JSON, 2) + b".eyJ", Reason.MALFORMED),
        (lambda: THERMOMETER.jws(b'[{"n":"t","v":1,"v":1}]', 2), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(b'[{"n":"t","v":NaN}]', 2), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(b'[{"n":"t","v":1e999}]', 2), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(b"[" * 300, 2), Reason.MALFORMED),
        (lambda: THERMOMETER.jws(b'[{"n":"t","v":1}] ' + b" " * 600, 2), Reason.MALFORMED),
    ],
)
def test_what_is_no_reading_of_the_device__is_refused_by_package_and_server(
    make: Callable[[], bytes], reason: Reason, sensor: Sensor
) -> None:
    taker = receiver(THERMOMETER)
    with pytest.raises(RefusedError) as refused:
        taker.accept(make())
    assert refused.value.reason is reason
    assert taker.highest is None
    answer = sensor.put(make(), content_format=JWS)
    is_malformed = reason is Reason.MALFORMED
    assert answer.code == (Code.BAD_REQUEST if is_malformed else Code.FORBIDDEN)


@pytest.fixture
def sensor(server: Server) -> Iterator[Sensor]:
    """The published device, enrolled and registered before it has signed readings."""
    server.run("enrol", THERMOMETER.name)
    with Sensor(server.port, THERMOMETER) as sensor:
        registered = sensor.register()
        assert registered.code == Code.CREATED
        yield sensor


@pytest.mark.parametrize("signer", [Signer.p256(), Signer.ed25519()])
def test_server__stores_serves_and_verifies_what_the_library_signs(
    server: Server, signer: Signer
) -> None:
    device = Device(signer)
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        sensor.register()
        first = by_library(device, JSON, sensor.next())
        assert sensor.put(first).code == Code.BAD_REQUEST  # as COSE
        assert sensor.put(device.reading(PACK, 2), content_format=JWS).code == Code.BAD_REQUEST
        assert sensor.put(first, content_format=50).code == Code.UNSUPPORTED_CONTENT_FORMAT
        assert sensor.put(first, content_format=JWS).code == Code.CREATED
        assert sensor.put(first, content_format=JWS).code == Code.CHANGED  # once more
        served = sensor.proven(GET, *sensor.topic)
        assert (served.payload, served.opt.content_format) == (first, JWS)
        assert sensor.put(device.reading(PACK, sensor.next())).code == Code.CHANGED
        assert sensor.put(first, content_format=JWS).code == Code.CONFLICT
        with Peer(server.port) as reader:
            observed = reader.proven(GET, *sensor.topic, observe=0)
            assert (observed.opt.content_format, observed.opt.observe is None) == (COSE, False)
            last = by_library(device, JSON, sensor.next())
            assert sensor.put(last, content_format=JWS).code == Code.CHANGED
            assert reader.receive().code == Code.NOT_ACCEPTABLE
            assert reader.is_silent()
    rows = server.rows("readings")
    assert [row["sequence"] for row in rows] == [2, 3, 4]
    assert {json.dumps(row["records"]) for row in rows} == {
        json.dumps([{"n": "t", "t": 1795000000.0, "u": "Cel", "v": 23.5}])
    }
    with sqlite3.connect(server.store) as store:
        bodies = store.execute("SELECT body FROM log WHERE kind = 4 ORDER BY position").fetchall()
    assert [bodies[0][0], bodies[2][0]] == [first, last]
    assert server.rows("verify", str(server.store))[0]["faults"] == []
    server.alter("UPDATE log SET body = ? WHERE body = ?", _altered(last, 180), last)
    (fault,) = server.rows("verify", str(server.store), status=1)[0]["faults"]
    assert fault["what"] == "bad signature"


def twin(reading: bytes) -> bytes:
    """The JWS with the other signature that holds: n - s in the place of s."""
    signed, _, last = reading.decode().rpartition(".")
    signature = jwt.utils.base64url_decode(last)
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    other = order - int.from_bytes(signature[32:], "big")
    return f"{signed}.{base64url(signature[:32] + other.to_bytes(32, 'big'))}".encode()


@pytest.mark.parametrize("comes_first", ["own", "twin"])
def test_jws_and_its_twin__are_one_reading(
    server: Server, sensor: Sensor, comes_first: str
) -> None:
    own = by_library(THERMOMETER, JSON, sensor.next())
    both = [own, twin(own)]
    first, second = both if comes_first == "own" else reversed(both)
    assert verified_by_library(THERMOMETER, twin(own))["payload"] == as_json(JSON)
    codes = [sensor.put(one, content_format=JWS).code for one in (first, second, first)]
    assert codes == [Code.CREATED, Code.CHANGED, Code.CHANGED]
    assert [row["sequence"] for row in server.rows("readings")] == [2]
    taker = receiver(THERMOMETER)
    found = [taker.accept(one).is_repeated for one in (first, second, first)]
    assert found == [False, True, True]


@pytest.mark.parametrize("is_jws_first", [True, False])
def test_one_number__in_the_other_form__is_a_replay(
    server: Server, sensor: Sensor, is_jws_first: bool
) -> None:
    sequence = sensor.next()
    forms = [
        (by_library(THERMOMETER, JSON, sequence), JWS),
        (THERMOMETER.reading(PACK, sequence, FULL), COSE),
    ]
    first, second = forms if is_jws_first else reversed(forms)
    assert sensor.put(first[0], content_format=first[1]).code == Code.CREATED
    assert sensor.put(second[0], content_format=second[1]).code == Code.CONFLICT
    assert sensor.put(first[0], content_format=first[1]).code == Code.CHANGED
    assert [row["sequence"] for row in server.rows("readings")] == [sequence]


def test_device__that_signs_jws__is_verified_by_the_library(local: Server) -> None:
    options = corral_build.Options(
        settings=WITHOUT_ELEMENTS,
        sanitize="address,undefined",
        defines=("FLEET_JWS=1",),
        name="tests/fleet-sensor-jws",
    )
    image = corral_build.build("sensor", NATIVE, options).image
    name = identity(run(image, local, 0)[1])
    local.run("enrol", name)
    status, output = run(image, local, 5, time="1", directory=loopback.at(local.port))
    assert status == 0, output
    rows = local.rows("readings")
    assert [row["records"][0]["v"] for row in rows] == [21.5, 21.6, 21.7, 21.8, 21.9]
    assert {row["records"][0]["clock"]["source"] for row in rows} == {"set"}
    assert local.rows("verify", str(local.store))[0]["faults"] == []
    found, reading = asyncio.run(_read(local, name))
    assert (reading.sequence, len(reading.records)) == (rows[-1]["sequence"], 1)
    point = found.device.key.cose
    key = ec.EllipticCurvePublicKey.from_encoded_point(
        ec.SECP256R1(), b"\x04" + point[-2] + point[-3]
    )
    with sqlite3.connect(local.store) as store:
        bodies = store.execute("SELECT body FROM log WHERE kind = 4 ORDER BY position").fetchall()
    for (body,), row in zip(bodies, rows, strict=True):
        opened = LIBRARY.decode_complete(body, key, algorithms=["ES256"])
        assert (opened["header"]["kid"], opened["header"]["typ"]) == (name, "cf1-reading")
        assert int(opened["header"]["sn"], 16) == row["sequence"]
        assert json.loads(opened["payload"])[0]["v"] == row["records"][0]["v"]


async def _read(server: Server, name: str) -> tuple[Found, Reading]:
    """By the package, from directory and broker."""
    async with Peers.open(patience=waiting.PATIENCE) as peers:
        found = await Directory(peers, f"coap://{loopback.at(server.port)}").find(
            Identity.parse(name)
        )
        assert found is not None
        return found, await read(peers, found, Receiver(found.device))
