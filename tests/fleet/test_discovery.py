# SPDX-License-Identifier: Apache-2.0
"""Finding a directory by multicast: questions to a group, and the answers of its members. The tests
use IPv4 over lo, which needs no network. By IPv6 where an interface has an address of its link."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import select
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import aiocoap
import pytest
from aiocoap import CON, NON, Message, resource
from aiocoap.numbers import ContentFormat
from aiocoap.numbers.codes import CHANGED, CONTENT, CREATED, FORBIDDEN, GET, POST, UNAUTHORIZED
from client import Peer
from corral.build import image as corral_build
from corral.run import provision
from corral_server import Server
from gateway import live_on_line
from harness import waiting
from harness.program import EMULATED
from harness.waiting import PATIENCE
from servers import Registration, Seen
from test_sensor import device_parts
from test_together import identity, image, local, run
from verifier import Verifier

__all__ = ["image", "local"]  # fixtures

NODES, DIRECTORIES = "224.0.1.187", "224.0.1.190"
HERE = "127.0.0.1"
LINKS = ContentFormat.LINKFORMAT
RD = b'</rd>;rt="core.rd";ct="40 18"'
#: Headers of Ethernet, IPv4 and UDP, as RFC 9175 counts.
HEADERS = 42
#: A device listens for two seconds longer than a member may delay its answer. On a machine that is
#: slower than that, the device finds no directory for a minute, or for a life.
LIVES = 3


@pytest.fixture
def found(binary: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that is asked for on lo."""
    store, options = tmp_path / "fleet.sqlite", ("--multicast", "lo")
    with Server(binary, store, "0.0.0.0", options).serving() as running:
        yield running


class Asker(Peer):
    """A socket on lo that asks groups."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        own = socket.inet_aton(HERE)
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
        self.socket.settimeout(PATIENCE)
        self.id = secrets.randbelow(65536)

    def ask(self, group: str, port: int, query: str = "rt=core.rd", **more: object) -> bytes:
        """Ask where a directory is; the request."""
        options = {"kind": NON, "uri_query": [query], **more}
        asked = self.message(GET, ".well-known", "core", **options)
        self.socket.sendto(asked, (group, port))
        return asked


def test_group__is_answered_by_the_server_alone_from_its_own_address(found: Server) -> None:
    for group, query in ((NODES, "rt=core.rd*"), (DIRECTORIES, "rt=core.rd")):
        with Asker() as asker:
            asked = asker.ask(group, found.port, query)
            datagram, peer = asker.socket.recvfrom(2048)
            answer = Message.decode(datagram, None)
            assert peer == (HERE, found.port)
            assert (answer.mtype, answer.code) == (NON, CONTENT)
            assert answer.token == asked[4:8]
            assert answer.opt.content_format == LINKS
            assert answer.payload.startswith(RD)
            assert len(datagram) + HEADERS <= 3 * (len(asked) + HEADERS)


def test_group__hears_nothing_in_answer_to_anything_else(found: Server) -> None:
    """A refusal would come at once; the answer to a correct question takes up to five seconds."""
    to = (DIRECTORIES, found.port)
    with Asker() as asker:
        asker.ask(*to, kind=CON)
        asker.ask(*to, "rt=core.nobody")
        asker.ask(*to, "if=core.rd")
        asker.ask(*to, accept=ContentFormat.CBOR)
        asker.socket.sendto(asker.message(GET, "nothing", kind=NON), to)
        asker.socket.sendto(asker.message(GET, "nothing"), to)
        asker.socket.sendto(asker.message(POST, "reg"), to)
        asker.socket.sendto(bytes.fromhex("40001234"), to)  # a ping
        asker.socket.sendto(bytes.fromhex("4901123405"), to)  # malformed
        asker.socket.sendto(asker.message(GET, ".well-known", "core", kind=NON), to)
        asked = asker.ask(*to)
        assert asker.receive().token == asked[4:8]
        assert asker.is_silent()


def test_flood__of_one_address__is_answered_eight_times_and_others_are_served(
    found: Server,
) -> None:
    with contextlib.ExitStack() as stack:
        flood = [stack.enter_context(Asker()) for _ in range(64)]
        # All ask at once: a client that has its answer leaves its place to the next one.
        with found.halted():
            for asker in flood:
                asker.ask(DIRECTORIES, found.port)
        with Peer(found.port, host=HERE) as peer:
            assert peer.request(GET, "nothing").code.is_successful() is False
        pairs = {asker.socket: asker for asker in flood}
        answered = 0
        while answered < 8:
            ready, _, _ = select.select(pairs, [], [], PATIENCE)
            assert ready
            answered += len([pairs.pop(one).receive() for one in ready])
        assert select.select(pairs, [], [], 0.5)[0] == []


def _join(group: str, port: int) -> socket.socket:
    """A socket in a group on lo, as another program of this computer has it."""
    member = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    member.bind((group, port))
    interface = struct.pack(
        "=4s4si", socket.inet_aton(group), bytes(4), socket.if_nametoindex("lo")
    )
    member.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, interface)
    return member


def test_server_that_is_in_no_group__is_silent_also_if_another_program_is(
    binary: Path, tmp_path: Path
) -> None:
    with (
        Server(binary, tmp_path / "fleet.sqlite", "0.0.0.0").serving() as server,
        _join(NODES, 0),
        Asker() as asker,
    ):
        asker.socket.sendto(asker.message(GET, "nothing"), (NODES, server.port))
        unicast = asker.message(GET, "nothing")
        asker.socket.sendto(unicast, (HERE, server.port))
        assert asker.receive().token == unicast[4:8]
        assert asker.is_silent()


def test_port__is_nobody_elses_after_the_groups_were_joined(found: Server) -> None:
    for address in (HERE, DIRECTORIES):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as thief:
            thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, match="in use"):
                thief.bind((address, found.port))


def test_interface__that_is_not_there__is_said(binary: Path, tmp_path: Path) -> None:
    server = Server(binary, tmp_path / "fleet.sqlite")
    said = server.run("serve", "--listen", f"{HERE}:0", "--multicast", "lo,nowhere0", status=1)
    assert "--multicast lo,nowhere0: nowhere0: No such device" in said


def _link_local() -> tuple[str, str] | None:
    """An interface with its address of IPv6 for its link."""
    known = Path("/proc/net/if_inet6")  # absent from a kernel without IPv6
    for line in known.read_text().splitlines() if known.exists() else ():
        digits, _, _, scope, flags, name = line.split()
        if scope == "20" and not int(flags, 16) & 0x48:  # neither tentative nor a duplicate
            return name, socket.inet_ntop(socket.AF_INET6, bytes.fromhex(digits))
    return None


def test_groups_of_ipv6__are_asked_by_a_device(image: Path, binary: Path, tmp_path: Path) -> None:
    where = _link_local()
    if where is None:
        pytest.skip("no interface has an address of IPv6 for its link")
    name, _ = where
    store = tmp_path / "fleet.sqlite"
    with Server(binary, store, "[::]", ("--multicast", name)).serving() as server:
        server.run("enrol", identity(run(image, server, 0)[1]))
        for group in ("ff02::fe", "ff02::fd"):
            at = f"[{group}%{name}]:{server.port}"
            lives = (run(image, server, 1, directory="multicast", group=at) for _ in range(LIVES))
            status, output = waiting.first(lives, lambda life: _endpoints_of(server, life))
            assert status == 0, output
            assert len(_endpoints(server, identity(output))) == 1


def _endpoints(server: Server, name: str) -> list[str]:
    host = "::1" if ":" in server.host else HERE
    with Peer(server.port, host=host) as peer:
        answer = peer.proven(GET, "rd-lookup", "ep", uri_query=[f"ep={name}"])
    return [one for one in answer.payload.decode().split(",") if one]


def _endpoints_of(server: Server, life: tuple[int, str]) -> list[str]:
    """Those of a device that lived so."""
    return _endpoints(server, identity(life[1]))


def _find(image: Path, server: Server, port: int, group: str = DIRECTORIES) -> tuple[int, str]:
    """A device publishes at the server, and looks for a directory in the group."""
    options = {"directory": "multicast", "group": f"{group}:{port}", "source": HERE}
    return run(image, server, 1, broker=f"localhost:{server.port}", **options)


def test_device__finds_the_servers_directory_and_registers_there(
    image: Path, found: Server
) -> None:
    found.run("enrol", identity(_find(image, found, found.port)[1]))
    lives = (_find(image, found, found.port) for _ in range(LIVES))
    status, output = waiting.first(lives, lambda life: _endpoints_of(found, life))
    assert status == 0, output
    (endpoint,) = _endpoints(found, identity(output))
    assert f'base="coap://{HERE}:' in endpoint


class _Listed(Registration):
    """A directory that the links of its server name."""

    def get_link_description(self) -> dict[str, str]:
        return {"rt": "core.rd", "ct": "40"}


async def _at_aiocoap(image: Path, server: Server) -> tuple[Seen, tuple[int, str]]:
    seen = Seen()
    site = resource.Site()
    site.add_resource(
        [".well-known", "core"], resource.WKCResource(site.get_resources_as_linkheader)
    )
    site.add_resource(["elsewhere", "dir"], _Listed(seen, is_directory=True))
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind(("::", 0))
        port = int(reserved.getsockname()[1])
        context = await aiocoap.Context.create_server_context(
            site, bind=("::", port), multicast=[(NODES, "lo")], transports=["udp6"]
        )
    try:
        lives = (_find(image, server, port, NODES) for _ in range(LIVES))
        return seen, await asyncio.to_thread(waiting.first, lives, lambda _: seen.endpoints)
    finally:
        await context.shutdown()


def test_device__finds_a_directory_of_aiocoap_whatever_its_path(
    image: Path, server: Server
) -> None:
    server.run("enrol", identity(run(image, server, 0, broker=f"{HERE}:{server.port}")[1]))
    seen, (status, output) = asyncio.run(_at_aiocoap(image, server))
    assert status == 0, output
    assert seen.faults == []
    assert seen.endpoints == [f"ep={identity(output)}"]


async def _asked_by_aiocoap(port: int) -> Message:
    context = await aiocoap.Context.create_client_context(transports=["udp6"])
    try:
        uri = f"coap://{DIRECTORIES}:{port}/.well-known/core?rt=core.rd"
        asked = Message(code=GET, uri=uri, transport_tuning=aiocoap.Unreliable)
        (manager,) = context.request_interfaces
        transport = manager.token_interface.message_interface.transport
        own = socket.inet_aton(HERE)
        transport.get_extra_info("socket").setsockopt(
            socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own
        )
        return await asyncio.wait_for(context.request(asked).response, PATIENCE)
    finally:
        await context.shutdown()


def test_aiocoap__that_asks_the_group__is_answered(found: Server) -> None:
    answer = asyncio.run(_asked_by_aiocoap(found.port))
    assert (answer.code, answer.payload) == (CONTENT, RD)
    assert answer.remote.hostinfo == f"{HERE}:{found.port}"


class Member:
    """A member of a group, or an impostor: a socket of its own, and its answer."""

    def __init__(self, links: bytes, **wrong: object) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((HERE, 0))
        self.links = links
        self.wrong = wrong
        self.verifier = Verifier()
        self.faults: list[str] = []
        self.requests = 0
        self._latest = b""
        self._answer = Message()

    def _send(self, to: object, request: Message, answer: Message, kind: object, mid: int) -> None:
        answer.mtype, answer.mid = self.wrong.get("kind", kind), mid
        answer.token = self.wrong.get("token", request.token)
        self.socket.sendto(answer.encode(), to)

    def say(self, request: Message, peer: object) -> None:
        """Answer who asked the group."""
        code = self.wrong.get("code", CONTENT)
        answer = Message(code=code, payload=self.links, content_format=LINKS)
        self._send(peer, request, answer, NON, secrets.randbelow(65536))

    def take(self) -> None:
        """Take a request of a device that believes that this is a directory."""
        datagram, peer = self.socket.recvfrom(2048)
        request = Message.decode(datagram, None)
        if datagram == self._latest:  # a repetition, because the answer was delayed
            self._send(peer, request, self._answer, aiocoap.ACK, request.mid)
            return
        self.requests += 1
        answer = Message(code=UNAUTHORIZED, echo=b"challenge")
        if request.payload:
            try:
                self.verifier.register(request.payload, b"challenge", request.opt.uri_query)
                answer = Message(code=CREATED, location_path=("rd", "1"))
            except Exception as error:  # the test looks at it, whatever it is
                self.faults.append(repr(error))
                answer = Message(code=FORBIDDEN)
        self._latest, self._answer = datagram, answer
        self._send(peer, request, answer, aiocoap.ACK, request.mid)


class Group:
    """A group on lo: its members answer in their order what it is asked."""

    def __init__(self, members: list[Member], junk: int = 0) -> None:
        self.members = members
        self.junk = junk
        self.socket = _join(DIRECTORIES, 0)
        self.port = self.socket.getsockname()[1]
        self._stop, self._stopped = socket.socketpair()

    def _serve(self) -> None:
        sockets = {member.socket: member for member in self.members}
        while True:
            ready, _, _ = select.select([self.socket, self._stopped, *sockets], [], [])
            if self._stopped in ready:
                return
            for one in ready:
                if one is not self.socket:
                    sockets[one].take()
                    continue
                datagram, peer = self.socket.recvfrom(2048)
                for _ in range(self.junk):
                    self.members[0].socket.sendto(secrets.token_bytes(200), peer)
                request = Message.decode(datagram, None)
                for member in self.members:
                    member.say(request, peer)

    @contextlib.contextmanager
    def serving(self) -> Iterator[Group]:
        """Answer for a while."""
        thread = threading.Thread(target=self._serve)
        thread.start()
        try:
            yield self
        finally:
            self._stop.send(b"x")
            thread.join()
            for one in (self.socket, self._stop, self._stopped):
                one.close()
            for member in self.members:
                member.socket.close()


def test_device__passes_over_strangers_and_takes_the_first_directory(
    image: Path, server: Server
) -> None:
    link = b"</rd>;rt=core.rd"
    strangers = [
        Member(link, token=b"none"),
        Member(link, code=CHANGED),
        Member(link, kind=aiocoap.ACK),
        Member(b'</rd>;rt="core.rd'),
        Member(b"<coap://192.0.2.1/rd>;rt=core.rd"),
        Member(b"</a>;rt=core.rd-lookup-ep"),
        Member(b"\xff" * 200),
        Member(b"," * 600),
    ]
    first, second = Member(b'</a>;rt="x",</b/c>;rt="y core.rd"'), Member(link)
    name = identity(run(image, server, 0, broker=f"{HERE}:{server.port}")[1])
    server.run("enrol", name)
    with Group([*strangers, first, second], junk=100).serving() as group:
        status, output = _find(image, server, group.port)
    assert status == 0, output
    assert first.faults == []
    assert (first.verifier.registrations, first.verifier.identity.hex()) == (1, name)
    assert [one.requests for one in (*strangers, second)] == [0] * 9


@pytest.mark.parametrize("members", [[], [Member(b"</rd>;rt=core.rd", code=CHANGED)]])
def test_device_that_finds_no_directory__publishes_all_the_same(
    image: Path, server: Server, members: list[Member]
) -> None:
    name = identity(run(image, server, 0, broker=f"{HERE}:{server.port}")[1])
    server.run("enrol", name)
    with Group(members).serving() as group:
        status, output = _find(image, server, group.port)
    assert status == 0, output
    assert len(server.rows("readings")) == 1


def test_directory_by_name__is_looked_up(image: Path, server: Server) -> None:
    at = f"localhost:{server.port}"
    server.run("enrol", identity(run(image, server, 0, broker=at)[1]))
    status, output = run(image, server, 1, broker=at, directory=at)
    assert status == 0, output
    assert len(_endpoints(server, identity(output))) == 1
    for nowhere in ("nowhere.invalid", "x" * 300, "multicast:5683"):
        status, output = run(image, server, 1, broker=at, directory=nowhere)
        assert (status, "sensor: no transport" in output) == (1, True), output


def _finding() -> corral_build.Build:
    options = corral_build.Options(defines=("FLEET_FINDS=1",), name="tests/fleet-sensor-finding")
    return corral_build.build("sensor", EMULATED, options)


def test_board_on_a_line__finds_the_directory_behind_its_gateway(
    local: Server, tmp_path: Path
) -> None:
    images = tmp_path / "chips"
    provision.prepare_virtual_chips(EMULATED, images)
    words = [f"flash={tmp_path / 'flash'}", "directory=multicast"]

    def live(count: int) -> str:
        more = [*words, f"count={count}"]
        status, line = asyncio.run(live_on_line(_finding(), images, local.port, more, PATIENCE))
        said = line.close()
        assert status == 0, said
        return identity(said)

    local.run("enrol", live(0))
    lives = (_endpoints(local, live(1)) for _ in range(LIVES))
    assert len(waiting.first(lives, len)) == 1


def test_finding__costs_nothing_where_it_is_off__and_little_where_it_is_on() -> None:
    """docs/fleet/DEVICE.md has the figures."""
    options = corral_build.Options(name="tests/fleet-sensor-board")
    without = device_parts(corral_build.build("sensor", EMULATED, options))
    with_it = device_parts(_finding())
    assert {"discovery.c", "links.c"} & set(without.flash) == set()
    more = sum(with_it.flash.values()) - sum(without.flash.values()), with_it.ram - without.ram
    assert 0 < more[0] <= 1280, more
    assert 0 < more[1] <= 64, more
