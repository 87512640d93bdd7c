# SPDX-License-Identifier: Apache-2.0
"""The time of a reading and its accuracy, from the device's clock to the reader."""

from __future__ import annotations

import csv
import os
import time
from pathlib import Path

import cbor2
import pytest
import worked
from aiocoap.numbers.codes import POST, Code
from client import COSE, Sensor
from corral.build import image as corral_build
from corral_fleet import Clock, Reason, RefusedError, senml
from corral_server import Server
from harness import waiting
from harness.program import EMULATED
from reference import FULL, Device, Signer, encode
from test_sensor import device_parts
from test_together import identity, image, local, run

__all__ = ["image", "local"]  # fixtures

CBOR = 60


@pytest.mark.parametrize(
    ("pack", "clock", "times"),
    [
        (worked.SYNCHRONISED, Clock("synchronised", 3600.0), (1795000000, 1794999940)),
        (worked.SET, Clock("set", 40000.0), (1795000000, 1794999940)),
        (worked.RUNNING, Clock("running", 20.0), (None, 1794999940)),
    ],
)
def test_clock__of_the_first_record__holds_for_all(
    pack: object, clock: Clock, times: tuple[float | None, ...]
) -> None:
    records = senml.read(encode(pack))
    assert {record.clock for record in records} == {clock}
    assert tuple(record.time for record in records) == times


@pytest.mark.parametrize("said", [{"btrun": -1}, {"btset": "0"}, {"btrun": 0, "btset": 0}])
def test_clock__of_another_form__is_refused(said: dict[str, object], server: Server) -> None:
    pack = [{0: "t", 2: 1, **said}]
    with pytest.raises(RefusedError) as refused:
        senml.read(encode(pack))
    assert refused.value.reason is Reason.MALFORMED
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        sensor.register()
        assert sensor.put(device.reading(pack, sensor.next(), FULL)).code == Code.BAD_REQUEST


def test_registration__that_accepts_it__is_answered_with_the_time(server: Server) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        assert sensor.register().payload == b""
        for _ in range(2):
            nonce = sensor.challenge()
            registration = device.registration(sensor.next(), nonce)
            before = int(time.time())
            answer = sensor.request(
                POST, "reg", content_format=COSE, accept=CBOR, payload=registration, echo=nonce
            )
            assert (answer.code, answer.opt.content_format) == (Code.CHANGED, CBOR)
            assert before <= cbor2.loads(answer.payload) <= time.time()
            assert answer.payload[0] == 0x1A  # as the protocol has it, and a device reads it
        refused = sensor.request(
            POST, "reg", content_format=COSE, accept=CBOR, payload=registration, echo=nonce
        )
        assert (refused.code, refused.opt.content_format) == (Code.CONFLICT, 257)


def test_device__says_how_good_its_time_is__and_everybody_shows_it(
    image: Path, local: Server, tmp_path: Path
) -> None:
    local.run("enrol", identity(run(image, local, 0)[1]))
    touched = tmp_path / "synchronised"
    touched.touch()
    os.utime(touched, (time.time() - 3600,) * 2)
    begun = int(time.time())
    for options in ({}, {"time": "1"}, {"clock": str(touched), "time": "1"}):
        status, output = run(image, local, 2, **options)
        assert status == 0, output
    records = [row["records"][0] for row in local.rows("readings")]
    sources = [record["clock"]["source"] for record in records]
    assert sources == ["running"] * 2 + ["set"] * 2 + ["synchronised"] * 2
    assert ["t" in record for record in records] == [False] * 2 + [True] * 4
    for record in records[2:]:
        # A second of the server's may have ended before that of the device's.
        assert begun - 2 <= record["t"] <= time.time()
    assert all(record["clock"]["seconds"] < waiting.PATIENCE for record in records[:4])
    assert 3600 <= records[-1]["clock"]["seconds"] < 3600 + waiting.PATIENCE
    said = local.run("readings").splitlines()
    assert "  clock synchronised 36" in said[-1]
    assert "  clock running " in said[0]
    report = local.rows("verify", str(local.store))[0]
    assert report["clocks"] == {"running": 2, "set": 2, "synchronised": 2}
    assert "2 readings by a clock that was set" in local.run("verify", str(local.store))
    table = tmp_path / "table.csv"
    local.run("export", str(table))
    rows = list(csv.DictReader(table.open()))
    assert [row["clock"] for row in rows] == sources
    assert [float(row["clock_seconds"]) for row in rows] == [
        record["clock"]["seconds"] for record in records
    ]


def test_time__costs_nothing_where_there_is_no_clock__and_little_where_there_is() -> None:
    """docs/fleet/DEVICE.md has the figures."""
    options = corral_build.Options(name="tests/fleet-sensor-board")
    without = device_parts(corral_build.build("sensor", EMULATED, options))
    options = corral_build.Options(name="tests/fleet-sensor-clock", defines=("FLEET_HAS_CLOCK=1",))
    timed = device_parts(corral_build.build("sensor", EMULATED, options))
    optional = {"clock.c", "jws.c", "senml_json.c"}
    assert optional & set(without.flash) == set()
    flash, ram = sum(timed.flash.values()), timed.ram
    more = flash - sum(without.flash.values()), ram - without.ram
    assert 0 < more[0] <= 640, more
    assert 0 < more[1] <= 32, more
