# SPDX-License-Identifier: Apache-2.0
"""libcoap's client at the server, and libcoap's proxy before it, both as Debian has them."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import test_python
from client import PACK, Sensor
from corral.common import system
from corral_fleet import Identity, Peers, Receiver, follow, read
from corral_server import Server
from harness import waiting
from reference import FULL
from test_python import DEVICE, sensors

__all__ = ["sensors"]  # a fixture


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    system.ensure([], {"libcoap3-bin": "coap-client-notls"})


def ask(server: Server, path: str, *options: str) -> bytes:
    """The bytes that the client writes for a resource."""
    into = server.store.with_name("answer")
    into.write_bytes(b"")
    uri = f"coap://127.0.0.1:{server.port}/{path}"
    done = waiting.run(
        ["coap-client-notls", "-o", str(into), *options, uri],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0 and done.stdout == "", done.stdout
    return into.read_bytes()


def topic(sensors: list[Sensor]) -> str:
    return "/".join(sensors[0].topic)


def test_libcoap__discovers_looks_up_and_reads(server: Server, sensors: list[Sensor]) -> None:
    assert b'</rd-lookup/ep>;rt="core.rd-lookup-ep"' in ask(server, ".well-known/core")
    assert f'ep="{DEVICE.name}"'.encode() in ask(server, f"rd-lookup/ep?ep={DEVICE.name}")
    found = ask(server, f"rd-lookup/res?ep={DEVICE.name}&rt=core.ps.data")
    assert found == f'</{topic(sensors)}>;rt="core.ps.data";ct=18'.encode()
    assert ask(server, topic(sensors)) == DEVICE.reading(PACK, 3, FULL)


@pytest.mark.parametrize("size", ["16", "64", "1024"])
def test_libcoap__puts_answers_together_from_blocks(
    server: Server, sensors: list[Sensor], size: str
) -> None:
    assert ask(server, topic(sensors), "-b", size) == DEVICE.reading(PACK, 3, FULL)
    assert ask(server, "rd-lookup/ep", "-b", size) == ask(server, "rd-lookup/ep")


@pytest.mark.parametrize("size", ["64", "1024"])
def test_libcoap__registers_more_than_a_message_holds(
    server: Server, tmp_path: Path, size: str
) -> None:
    links = tmp_path / "links"
    links.write_text(",".join(f"</{'x' * 40}{number}>;rt=t" for number in range(30)))
    ask(server, "rd?ep=large", "-m", "post", "-t", "40", "-b", size, "-f", str(links))
    assert ask(server, "rd-lookup/res?ep=large").count(b"rt=") == 30


def test_libcoap__publishes_what_a_device_signed(
    server: Server, sensors: list[Sensor], tmp_path: Path
) -> None:
    reading = tmp_path / "reading"
    reading.write_bytes(DEVICE.reading(PACK, 4))
    ask(server, topic(sensors), "-m", "put", "-t", "18", "-f", str(reading))
    assert ask(server, topic(sensors)) == DEVICE.reading(PACK, 4, FULL)


def test_libcoap__observes(server: Server, sensors: list[Sensor]) -> None:
    into = server.store.with_name("observed")
    uri = f"coap://127.0.0.1:{server.port}/{topic(sensors)}"
    command = ["coap-client-notls", "-s", str(waiting.PATIENCE), "-o", str(into), uri]
    with subprocess.Popen(command) as client:
        try:
            for number in (3, 4, 5):
                expected = DEVICE.reading(PACK, number, FULL)
                waiting.until(
                    lambda expected=expected: into.exists()  # type: ignore[misc]
                    and into.read_bytes().endswith(expected),
                    f"reading {number} does not come",
                )
                sensors[0].publish()
        finally:
            client.kill()


def _answers(port: int) -> bool:
    """Whether who listens there resets an empty message."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, contextlib.suppress(OSError):
        asking.settimeout(0.1)
        asking.connect(("127.0.0.1", port))
        asking.send(b"\x40\x00\x12\x34")
        return asking.recv(4) == b"\x70\x00\x12\x34"
    return False


@contextlib.contextmanager
def proxy() -> Iterator[str]:
    """libcoap's server as a proxy; its address."""
    port, process = waiting.until(_listening, "the proxy does not answer")
    with process:
        try:
            yield f"coap://127.0.0.1:{port}"
        finally:
            process.kill()


def _listening() -> tuple[int, subprocess.Popen[bytes]] | None:
    """A proxy at a free port; None if another process took the port first."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["coap-server-notls", "-A", "127.0.0.1", "-p", str(port), "-P", ",proxy.invalid"]
    process = subprocess.Popen(command)
    waiting.until(lambda: process.poll() is not None or _answers(port), "the proxy does nothing")
    return (port, process) if process.poll() is None else None


def test_application__behind_libcoaps_proxy__reads_and_follows(
    server: Server, sensors: list[Sensor]
) -> None:
    async def objects(address: str) -> tuple[bytes, list[object]]:
        async with Peers.open(proxy=address, renewal=0.2) as peers:
            found = await test_python.found_at(peers, test_python.address(server))
            assert found.device.identity == Identity(DEVICE.identity)
            reading = await read(peers, found, Receiver(found.device))
            coming = follow(peers, found.topics[0], Receiver(found.device), every=0.05)
            publish = sensors[0].publish
            return reading.data, list(await test_python.some(coming, [publish] * 2))

    with proxy() as address:
        data, numbers = asyncio.run(objects(address))
    assert data == DEVICE.reading(PACK, 3, FULL)
    assert numbers == [3, 4, 5]
