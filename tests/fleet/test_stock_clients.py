# SPDX-License-Identifier: Apache-2.0
"""CoAP clients in their authors' versions, with no setting for Echo. Each discovers, looks up,
reads a resource in blocks, and registers if the server permits it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import aiocoap
import pytest
from aiocoap import resource
from aiocoap.numbers.codes import GET
from aiocoap.resourcedirectory.client.register import Registerer
from client import Peer, Sensor
from corral.common import system
from corral_server import Server
from harness import waiting
from reference import FULL, Device, Signer
from test_californium import Californium, californium

__all__ = ["californium"]  # a fixture

LINKS = ",".join(f"</{'x' * 40}{number}>;rt=t" for number in range(4))
#: Returns the resource that a client prints; registers links at a path.
Ask = Callable[[Server, str], bytes]
Register = Callable[[Server, str, str], bool]


def _output(*command: str | Path) -> tuple[int, bytes]:
    done = waiting.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    return done.returncode, done.stdout


def _uri(server: Server, path: str) -> str:
    return f"coap://127.0.0.1:{server.port}/{path}"


class Aiocoap:
    """aiocoap-client, the program."""

    program = Path(sys.executable).with_name("aiocoap-client")

    def ask(self, server: Server, path: str) -> bytes:
        status, printed = _output(self.program, "--no-color", _uri(server, path))
        assert status == 0
        return printed

    def register(self, server: Server, path: str, links: str) -> bool:
        options = ("-m", "POST", "--content-format", "40", "--payload", links)
        return _output(self.program, *options, _uri(server, path))[0] == 0


class Libcoap:
    """libcoap's coap-client, as Debian has it."""

    program = "coap-client-notls"

    def __init__(self) -> None:
        system.ensure([], {"libcoap3-bin": self.program})

    def ask(self, server: Server, path: str) -> bytes:
        into = server.store.with_name("answer")
        into.unlink(missing_ok=True)
        status, said = _output(self.program, "-o", into, _uri(server, path))
        assert (status, said) == (0, b"")
        return into.read_bytes()

    def register(self, server: Server, path: str, links: str) -> bool:
        file = server.store.with_name("links")
        file.write_text(links)
        options = ("-m", "post", "-t", "40", "-f", file)
        status, said = _output(self.program, *options, _uri(server, path))
        return (status, said) == (0, b"")


class GoCoap:
    """go-coap, by a program of a few lines around its client."""

    def __init__(self, folder: Path) -> None:
        system.ensure([], {"golang-go": "go"})
        self.program = folder / "gocoap"
        subprocess.run(
            ["go", "build", "-o", self.program, "."],
            cwd=Path(__file__).with_name("gocoap"),
            env={**os.environ, "GOFLAGS": "-mod=readonly"},
            check=True,
        )

    def _ask(self, server: Server, *words: str) -> tuple[str, bytes]:
        status, printed = _output(self.program, f"127.0.0.1:{server.port}", *words)
        assert status == 0
        code, _, payload = printed.partition(b"\n")
        return code.decode(), payload

    def ask(self, server: Server, path: str) -> bytes:
        code, payload = self._ask(server, "get", f"/{path}")
        assert code == "Content"
        return payload

    def register(self, server: Server, path: str, links: str) -> bool:
        return self._ask(server, "post", f"/{path}", links)[0] == "Created"


class OfJava:
    """Californium's client, without what Californium.java does with an Echo."""

    def __init__(self, program: Californium) -> None:
        self.program = program

    def ask(self, server: Server, path: str) -> bytes:
        self.program.order("stock-get", _uri(server, path))
        code, _, payload = self.program.answer()
        assert code == "2.05"
        return payload

    def register(self, server: Server, path: str, links: str) -> bool:
        self.program.order("stock-post", _uri(server, path), 40, links.encode().hex())
        return self.program.answer()[0] == "2.01"


@pytest.fixture(params=["aiocoap", "libcoap", "go-coap", "californium"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> object:
    if request.param == "aiocoap":
        return Aiocoap()
    if request.param == "libcoap":
        return Libcoap()
    if request.param == "californium":
        return OfJava(request.getfixturevalue("californium"))
    if not request.config.getoption("--long"):
        pytest.skip("go-coap is compiled in long runs")
    return GoCoap(tmp_path)


@pytest.fixture
def sensor(server: Server) -> Iterator[Sensor]:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        sensor.register()
        sensor.publish([{0: "n" * 60, 3: "v" * 700}], FULL)
        yield sensor


def _whole(server: Server, path: str) -> bytes:
    """The resource that a peer with a proven address gets."""
    with Peer(server.port) as peer:
        return bytes(peer.proven(GET, *path.split("/")).payload)


def test_client__discovers_looks_up_and_reads(
    server: Server, sensor: Sensor, client: Aiocoap
) -> None:
    with Peer(server.port) as peer:
        more = {"content_format": 40, "payload": LINKS.encode(), "uri_query": ["ep=other"]}
        assert peer.proven(aiocoap.POST, "rd", **more).code.is_successful()
    topic = "/".join(sensor.topic)
    for path in (".well-known/core", "rd-lookup/res", "rd-lookup/ep", "ps", topic):
        assert client.ask(server, path) == _whole(server, path), path
    found = client.ask(server, "rd-lookup/res?ep=other&rt=t")
    assert found.count(b'rt="t"') == 4


def test_client__registers_where_the_server_asks_for_no_proof(
    binary: Path, tmp_path: Path, client: Aiocoap
) -> None:
    """libcoap's client knows Echo by itself, and the others do not."""
    asking = Server(binary, tmp_path / "asking.sqlite")
    with asking.serving():
        knows_echo = isinstance(client, Libcoap)
        assert client.register(asking, "rd?ep=stock", "</a>;rt=t") is knows_echo
    lenient = Server(binary, tmp_path / "lenient.sqlite", options=("--without-echo",))
    with lenient.serving():
        assert client.register(lenient, "rd?ep=stock", LINKS)
        found = client.ask(lenient, "rd-lookup/res?ep=stock")
        assert found.count(b'rt="t"') == 4


def test_aiocoap__keeps_itself_registered_as_it_does_at_its_own_directory(
    binary: Path, tmp_path: Path
) -> None:
    """aiocoap's own registration: it finds the directory, and enters what its site has."""
    server = Server(binary, tmp_path / "fleet.sqlite", options=("--without-echo",))

    async def live() -> None:
        site = resource.Site()
        links = resource.WKCResource(site.get_resources_as_linkheader)
        site.add_resource([".well-known", "core"], links)
        site.add_resource(["light"], resource.Resource())
        context = await aiocoap.Context.create_client_context()
        context.serversite = site
        parameters = {"ep": "lamp", "base": "coap://127.0.0.1"}
        registerer = Registerer(
            context, rd=_uri(server, "").rstrip("/"), registration_parameters=parameters
        )
        try:
            while registerer.state != "registered":
                assert registerer.state != "failed"
                await asyncio.sleep(0.02)
            assert b"light" in _whole(server, "rd-lookup/res")
        finally:
            await registerer.shutdown()
            await context.shutdown()

    with server.serving():
        asyncio.run(live())
        assert b"lamp" not in _whole(server, "rd-lookup/ep")
