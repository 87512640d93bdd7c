# SPDX-License-Identifier: Apache-2.0
"""Californium of Java at both ends: a client and an observer at the server, a proxy before it that
passes observations on, and a directory and broker at which our device's own client registers."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import test_python
from client import PACK, Sensor
from corral.build import image as corral_build
from corral.common import system
from corral.packages import fetch as packages
from corral_fleet import Identity, Peers, Receiver, follow, read
from corral_server import ROOT, Server
from harness import waiting
from harness.program import NATIVE, WITHOUT_ELEMENTS
from reference import FULL
from test_python import DEVICE, sensors
from verifier import Verifier

__all__ = ["sensors"]  # a fixture

SOURCE = Path(__file__).with_name("Californium.java")


@dataclass
class Californium:
    """The program in Californium.java: it reads orders, and prints their results."""

    process: subprocess.Popen[str]

    def order(self, *words: object) -> None:
        assert self.process.stdin is not None
        print(*words, file=self.process.stdin, flush=True)

    def hear(self, kind: str) -> list[str]:
        """The words of the next line of this kind; others are passed over."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said, *words = line.rstrip("\n").split(" ")
            if said == kind:
                return words
        raise AssertionError(f"Californium ended before it said: {kind}")

    def answer(self) -> tuple[str, int, bytes]:
        """Code, content format and payload of the next answer."""
        code, form, payload = self.hear("answer")
        return code, int(form), _bytes(payload)

    def get(self, server: Server, path: str, block: int = 1024) -> bytes:
        """The whole resource, read in blocks of this size."""
        self.order("get", f"{test_python.address(server)}/{path}", block)
        code, _, payload = self.answer()
        assert code == "2.05"
        return payload

    def port(self, order: str) -> int:
        """Where a proxy or a server begins to listen."""
        self.order(order)
        return int(self.hear("port")[0])


def _bytes(word: str) -> bytes:
    return b"" if word == "-" else bytes.fromhex(word)


@pytest.fixture(scope="module")
def californium() -> Iterator[Californium]:
    system.ensure([], {"default-jdk-headless": "javac"})
    folders = packages.ensure_all(ROOT, ["californium", "californium_connector", "slf4j"])
    path = os.pathsep.join(str(jar) for each in folders.values() for jar in each.glob("*.jar"))
    command = waiting.limited(["java", "-cp", path, SOURCE])
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # SLF4J says that it writes no log
        text=True,
    ) as process:
        try:
            yield Californium(process)
        finally:
            process.kill()


def topic(sensors: list[Sensor]) -> str:
    return "/".join(sensors[0].topic)


def test_californium__discovers_looks_up_and_reads(
    californium: Californium, server: Server, sensors: list[Sensor]
) -> None:
    assert b'</rd-lookup/ep>;rt="core.rd-lookup-ep"' in californium.get(server, ".well-known/core")
    found = californium.get(server, f"rd-lookup/ep?ep={DEVICE.name}")
    assert f'ep="{DEVICE.name}"'.encode() in found
    found = californium.get(server, f"rd-lookup/res?ep={DEVICE.name}&rt=core.ps.data")
    assert found == f'</{topic(sensors)}>;rt="core.ps.data";ct=18'.encode()
    assert californium.get(server, topic(sensors)) == DEVICE.reading(PACK, 3, FULL)


@pytest.mark.parametrize("block", [16, 64, 512])
def test_californium__puts_answers_together_from_blocks(
    californium: Californium, server: Server, sensors: list[Sensor], block: int
) -> None:
    assert californium.get(server, topic(sensors), block) == DEVICE.reading(PACK, 3, FULL)
    whole = californium.get(server, "rd-lookup/ep")
    assert len(whole) > 128
    assert californium.get(server, "rd-lookup/ep", block) == whole


def test_californium__publishes_what_a_device_signed(
    californium: Californium, server: Server, sensors: list[Sensor]
) -> None:
    uri = f"{test_python.address(server)}/{topic(sensors)}"
    reading, replayed = DEVICE.reading(PACK, 4), DEVICE.reading(PACK, 2, FULL)
    forged = test_python.altered(DEVICE.reading(PACK, 4, FULL), -1)
    for payload, expected in ((forged, "4.03"), (reading, "2.04"), (replayed, "4.09")):
        californium.order("put", uri, 18, payload.hex())
        assert californium.answer()[0] == expected
    assert californium.get(server, topic(sensors)) == DEVICE.reading(PACK, 4, FULL)


def test_californium__observes(
    californium: Californium, server: Server, sensors: list[Sensor]
) -> None:
    californium.order("observe", f"{test_python.address(server)}/{topic(sensors)}")
    assert californium.answer()[0] == "4.01"  # an address is to be proven first
    for number in (3, 4, 5, 6):
        assert californium.answer() == ("2.05", 18, DEVICE.reading(PACK, number, FULL))
        sensors[0].publish()
    californium.order("end")


def test_application__behind_californiums_proxy__reads_and_is_told_what_comes(
    californium: Californium, server: Server, sensors: list[Sensor]
) -> None:
    """The observation is begun once (renewal), and nothing is asked again (every)."""

    async def objects(address: str) -> tuple[bytes, list[object]]:
        never = waiting.PATIENCE
        async with Peers.open(proxy=address, renewal=never) as peers:
            found = await test_python.found_at(peers, test_python.address(server))
            assert found.device.identity == Identity(DEVICE.identity)
            reading = await read(peers, found, Receiver(found.device))
            coming = follow(peers, found.topics[0], Receiver(found.device), every=never)
            publish = sensors[0].publish
            return reading.data, list(await test_python.some(coming, [publish] * 3))

    port = californium.port("proxy")
    data, numbers = asyncio.run(objects(f"coap://127.0.0.1:{port}"))
    assert data == DEVICE.reading(PACK, 3, FULL)
    assert numbers == [3, 4, 5, 6]
    assert [_bytes(californium.hear("passed")[0]) for _ in range(3)] == [
        DEVICE.reading(PACK, number, FULL) for number in (4, 5, 6)
    ]


def test_device__registers_and_publishes_at_californium(
    californium: Californium, tmp_path: Path
) -> None:
    options = corral_build.Options(
        settings=WITHOUT_ELEMENTS, sanitize="address,undefined", name="tests/fleet-sensor"
    )
    image = corral_build.build("sensor", NATIVE, options).image
    there = f"127.0.0.1:{californium.port('serve')}"
    named = {"BROKER": there, "DIRECTORY": there, "INTERVAL": "1", "COUNT": "4"}
    done = waiting.run(
        [image],
        env={
            **os.environ,
            "CORRAL_STORAGE": str(tmp_path / "storage"),
            **{f"FLEET_{name}": value for name, value in named.items()},
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    verifier = Verifier()
    for expected in ("rd", "reg"):
        resource, nonce, registration, query = californium.hear("registered")
        assert resource == expected
        asked = tuple(query.split("&")) if resource == "rd" else None
        verifier.register(_bytes(registration), _bytes(nonce), asked)
    assert verifier.identity.hex() in done.stdout
    confirmable = []
    for _ in range(4):
        is_reading, is_confirmable, reading = californium.hear("published")
        assert is_reading == "true"
        confirmable.append(is_confirmable)
        verifier.read(_bytes(reading))
    assert [reading.sequence for reading in verifier.readings] == [3, 4, 5, 6]
    assert confirmable == ["false", "false", "false", "true"]
