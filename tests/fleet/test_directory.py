# SPDX-License-Identifier: Apache-2.0
"""The resource directory: registrations, lookups, and permissions to change entries."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiocoap
import cbor2
import pytest
from aiocoap import ACK, CON, NON, Message, resource
from aiocoap.numbers.codes import CONTENT, DELETE, GET, POST, Code
from client import COSE, PACK, Peer, Sensor
from corral.common import loopback
from corral_server import Server
from reference import Device, Signer, encode, identity
from servers import listen

LINKS = 40
FORGED = (Code.FORBIDDEN, "bad signature")


def register(peer: Peer, query: str, links: str = "", **more: Any) -> Message:
    payload = links.encode()
    return peer.proven(
        POST, "rd", uri_query=query.split("&"), payload=payload, content_format=LINKS, **more
    )


def look_up(peer: Peer, what: str, query: str = "") -> list[str]:
    asked: dict[str, Any] = {"uri_query": query.split("&") if query else []}
    whole, number, more = b"", 0, True
    while more:
        answer = peer.proven(GET, "rd-lookup", what, **asked)
        assert (answer.code, answer.opt.content_format) == (Code.CONTENT, LINKS)
        whole += answer.payload
        more = answer.opt.block2 is not None and answer.opt.block2.more
        number += 1
        asked["block2"] = (number, False, 6)
    return [link for link in re.split(r",(?=<)", whole.decode()) if link]


def names(peer: Peer, query: str = "") -> list[str]:
    return [re.findall('ep="([^"]*)"', link)[0] for link in look_up(peer, "ep", query)]


def test_directory__is_found_and_holds_what_was_registered(server: Server) -> None:
    with Peer(server.port) as peer:
        found = peer.proven(GET, ".well-known", "core", uri_query=["rt=core.rd*"])
        assert '</rd>;rt="core.rd"' in found.payload.decode()
        answer = register(peer, "ep=node1&d=house&et=oic", '</t>;rt="temperature";if=sensor')
        assert (answer.code, answer.opt.location_path) == (Code.CREATED, ("rd", "1"))
        own = f"coap://127.0.0.1:{peer.socket.getsockname()[1]}"
        assert look_up(peer, "ep") == [
            f'</rd/1>;ep="node1";d="house";base="{own}";rt="core.rd-ep";et="oic"'
        ]
        assert look_up(peer, "res") == [f'<{own}/t>;rt="temperature";if="sensor"']


def test_same_name__keeps_its_location_and_replaces(server: Server) -> None:
    with Peer(server.port) as peer:
        paths = [
            register(peer, query, links).opt.location_path
            for query, links in (("ep=a", "</x>"), ("ep=a", "</y>"), ("ep=a&d=other", "</z>"))
        ]
        assert paths == [("rd", "1"), ("rd", "1"), ("rd", "2")]
        assert [link.rpartition("/")[2] for link in look_up(peer, "res")] == ["y>", "z>"]


@pytest.mark.parametrize(
    "query",
    ["", "d=x", "ep=", "ep=" + "n" * 64, "ep=a&ep=b", "ep=a&lt=0", "ep=a&lt=x",
     "ep=a&lt=4294967296", "ep=a&base=/x", "ep=a&page=1", "ep=a\n", 'ep=a&"=x', "ep=a&x=\x1b[2J",
     "ep=a&lt=604801", "ep=a&pk=x", "ep=a&ak=x", "ep=a&kd=x", "ep=a&x;pk=y",
     "ep=x&a,</rd/9>;ep=ae31580c8def1fbf0dd5ed28b72fb79b&x;base=coap://evil"],
)  # fmt: skip
def test_registration__with_a_wrong_query__is_refused(server: Server, query: str) -> None:
    with Peer(server.port) as peer:
        assert register(peer, query, "</x>").code == Code.BAD_REQUEST
        assert names(peer) == []


@pytest.mark.parametrize(
    "links", ["x", "</x", "</x>;", "</x>,", '</x>;a="', "<//x>", "</x>;a=\x07"]
)
def test_registration__of_what_is_no_link__is_refused(server: Server, links: str) -> None:
    with Peer(server.port) as peer:
        assert register(peer, "ep=a", links).code == Code.BAD_REQUEST


def test_registration__without_proof_of_the_address__takes_no_memory(server: Server) -> None:
    with Peer(server.port) as peer:
        for echo in (None, b"x" * 12):
            answer = peer.request(POST, "rd", uri_query=["ep=a"], payload=b"</x>", echo=echo)
            assert answer.code == Code.UNAUTHORIZED and answer.opt.echo is not None
        assert names(peer) == []


def test_links__lend_no_endpoint_a_name(server: Server) -> None:
    with Peer(server.port) as peer:
        forged = ";".join(f'{name}="wanted"' for name in ("ep", "d", "base", "pk", "ak", "kd"))
        assert register(peer, "ep=other", f"</x>;{forged};title=wanted").code == Code.CREATED
        for name in ("ep", "d", "base", "pk", "ak", "kd"):
            assert names(peer, f"{name}=wanted") == []
            assert look_up(peer, "res", f"{name}=wanted") == []
        assert names(peer, "title=wanted") == ["other"]


def test_markup_in_names__stays_within_its_quotes(server: Server) -> None:
    with Peer(server.port) as peer:
        evil = 'a",<coap://evil>;ep="b'
        assert register(peer, f"ep={evil}").code == Code.CREATED
        escaped = evil.replace('"', '\\"')
        answer = peer.proven(GET, "rd-lookup", "ep").payload.decode()
        assert answer.startswith(f'</rd/1>;ep="{escaped}";base=')


def test_lookup__ands_its_criteria_also_across_links_and_endpoints(server: Server) -> None:
    with Peer(server.port) as peer:
        register(peer, "ep=one&et=a", '</t>;rt="temp x",</h>;rt=humidity')
        register(peer, "ep=two&et=b", "</t>;rt=temp")
        register(peer, "ep=three&base=coap://[2001:db8::3]:61616", "</t>;rt=light;obs")
        assert names(peer, "rt=temp") == ["one", "two"]
        assert names(peer, "rt=temp&et=b") == ["two"]
        assert names(peer, "ep=t*") == ["two", "three"]
        assert names(peer, "href=/rd/2") == ["two"]
        assert names(peer, "rt=nothing") == []
        assert look_up(peer, "res", "ep=three") == ['<coap://[2001:db8::3]:61616/t>;rt="light";obs']
        assert len(look_up(peer, "res", "rt=temp&et=a")) == 1
        assert names(peer, "href=coap://[2001:db8::3]:61616/t") == ["three"]
        assert [names(peer, f"count=2&page={page}") for page in range(3)] == [
            ["one", "two"],
            ["three"],
            [],
        ]
        for wrong in ("page=1", "count=0", "count=x", "count=+1", "count=1&page=+0"):
            answer = peer.proven(GET, "rd-lookup", "ep", uri_query=wrong.split("&"))
            assert answer.code == Code.BAD_REQUEST


def test_update_and_removal__belong_to_the_registered_address(server: Server) -> None:
    with Peer(server.port) as peer:
        path = register(peer, "ep=a", "</x>").opt.location_path
        assert peer.request(POST, *path, uri_query=["lt=500"]).code == Code.UNAUTHORIZED
        assert peer.proven(POST, *path, uri_query=["lt=500"]).code == Code.CHANGED
        assert peer.proven(POST, *path, uri_query=["base=coap://h"]).code == Code.CHANGED
        assert look_up(peer, "res") == ["<coap://h/x>"]
        assert peer.proven(POST, "rd", "77").code == Code.NOT_FOUND
        assert peer.proven(DELETE, *path).code == Code.DELETED
        assert names(peer) == []
        assert peer.proven(POST, *path).code == Code.NOT_FOUND


def enter(
    sensor: Sensor, name: str, links: str | None = None, signed: list[str] | None = None
) -> Message:
    """A signed registration at the directory; the query is signed unless `signed` is given."""
    query = [f"ep={name}", "lt=3600"]
    nonce = sensor.request(POST, "rd", uri_query=query, content_format=COSE).opt.echo
    payload = sensor.device.registration(sensor.next(), nonce, links, signed or query)
    return sensor.request(
        POST, "rd", uri_query=query, content_format=COSE, payload=payload, echo=nonce
    )


def test_signed_registration__is_for_the_directory_with_its_query_and_nothing_else(
    server: Server,
) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    name = f"ep={device.name}"
    with Sensor(server.port, device) as sensor:
        for signed in ([name], [f"{name}&lt=3600"], ["lt=3600", name], [name, "lt=60"]):
            answer = enter(sensor, device.name, signed=signed)
            assert (answer.code, cbor2.loads(answer.payload)[-1]) == FORGED
        nonce = sensor.challenge()
        payload = sensor.device.registration(sensor.next(), nonce, None, [name])
        answer = sensor.post(payload, nonce)
        assert (answer.code, cbor2.loads(answer.payload)[-1]) == FORGED
        payload = sensor.device.registration(sensor.next(), nonce)
        answer = sensor.request(
            POST, "rd", uri_query=[name], content_format=COSE, payload=payload, echo=nonce
        )
        assert (answer.code, cbor2.loads(answer.payload)[-1]) == FORGED
        assert names(sensor) == []
        assert enter(sensor, device.name).code == Code.CREATED
    report = server.rows("verify", str(server.store))[0]
    assert (report["registrations"], report["faults"]) == (1, [])


def test_signed_entry__is_renewed_as_it_is_and_changed_by_a_signature_alone(
    server: Server,
) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        path = enter(sensor, device.name).opt.location_path
        before = look_up(sensor, "ep")
        for query in (["base=coap://evil"], ["lt=1"], ["lt=4294967295"]):
            assert sensor.proven(POST, *path, uri_query=query).code == Code.FORBIDDEN
        assert sensor.proven(DELETE, *path).code == Code.FORBIDDEN
        with Peer(server.port) as neighbour:  # of the same address, at another port
            assert neighbour.proven(POST, *path).code == Code.CHANGED
        assert look_up(sensor, "ep") == before
        # After a renewal, too: lookups find neither a revoked device nor its links.
        server.run("revoke", device.name)
        assert look_up(sensor, "ep") == look_up(sensor, "res") == []
        server.run("enrol", device.name, "--again")
        assert look_up(sensor, "ep") == before


@pytest.mark.parametrize("is_stored", [False, True])
def test_signed_entry__outlives_a_restart_at_its_place(server: Server, is_stored: bool) -> None:
    first, second = (Device(Signer.p256()) for _ in range(2))
    server.run("enrol", first.name, second.name)
    with Sensor(server.port, first) as one, Sensor(server.port, second) as other:
        register(one, "ep=plain", "</x>")
        paths = [
            enter(sensor, sensor.device.name, links).opt.location_path
            for sensor, links in ((other, "</h>;rt=humidity"), (one, "</t>;rt=temp"))
        ]
        assert paths == [("rd", "s0"), ("rd", "s1")]
        before = look_up(one, "ep", "kd=*"), look_up(one, "res", "rt=*")
        assert len(before[0]) == 2
        if is_stored:
            server.grow()
        server.kill()
        server.start()
        assert (server.stored_position() > 0) == is_stored
        assert (look_up(one, "ep", "kd=*"), look_up(one, "res", "rt=*")) == before
        assert "plain" not in names(one)
        assert one.proven(POST, *paths[1]).code == Code.CHANGED
        server.run("revoke", second.name)
        server.kill()
        server.start()
        assert names(one) == [first.name]
    assert server.rows("verify", str(server.store))[0]["faults"] == []


def test_application__finds_key_and_topic_by_the_identity_alone(server: Server) -> None:
    agreement = {1: 1, -1: 4, -2: bytes(range(32))}
    device = Device(Signer.p256(), "hygrometer", agreement)
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        answer = enter(sensor, device.name, '</h>;rt="humidity"')
        assert answer.code == Code.CREATED and answer.opt.echo is not None
        sensor.register()
        sensor.publish()
    with Peer(server.port) as application:
        found = dict(
            re.findall(r';(\w+)="([^"]*)"', look_up(application, "ep", f"ep={device.name}")[0])
        )
        key, also = (
            cbor2.loads(base64.urlsafe_b64decode(found[name] + "==")) for name in ("pk", "ak")
        )
        assert identity(key, found["kd"], also).hex() == device.name
        links = look_up(application, "res", f"ep={device.name}&rt=core.ps.data")
        segment = f"0-{device.name[-4:]}"
        assert links == [f'</d/{segment}>;rt="core.ps.data";ct=18']
        reading = application.proven(GET, "d", segment).payload
        assert cbor2.loads(reading)[2] == encode(PACK)


def test_name_of_a_device__is_given_to_nobody_else(server: Server) -> None:
    device, thief = Device(Signer.p256()), Device(Signer.p256())
    server.run("enrol", device.name, thief.name)
    with Peer(server.port) as peer:
        assert register(peer, f"ep={device.name}", "</x>").code == Code.FORBIDDEN
        assert register(peer, f"ep={device.name.upper()}", "</x>").code == Code.FORBIDDEN
        # As on a label, with a check digit: one of these is the right one.
        for digit in "0123456789abcdef":
            assert register(peer, f"ep={device.name};{digit}", "</x>").code == Code.FORBIDDEN
    with Sensor(server.port, thief) as sensor:
        answer = enter(sensor, device.name)
        assert cbor2.loads(answer.payload)[-1] == "foreign key"
        assert names(sensor) == []


def test_device_that_is_not_enrolled_or_whose_links_are_none__is_refused(server: Server) -> None:
    device = Device(Signer.p256())
    with Sensor(server.port, device) as sensor:
        assert cbor2.loads(enter(sensor, device.name).payload)[-1] == "not enrolled"
        server.run("enrol", device.name)
        assert enter(sensor, device.name, "nonsense").code == Code.BAD_REQUEST
        assert enter(sensor, device.name).code == Code.CREATED
        assert names(sensor) == [device.name]


def simply(peer: Peer, query: str, **more: Any) -> Message:
    return peer.proven(POST, ".well-known", "rd", uri_query=query.split("&"), **more)


def reply(peer: Peer, asked: Message, kind: Any, code: Code, **more: Any) -> None:
    answer = Message(code=code, **more)
    answer.mtype, answer.mid, answer.token = kind, asked.mid, asked.token
    peer.socket.send(answer.encode())


@pytest.mark.parametrize("count", [2, 30])
def test_simple_registration__of_aiocoap__enters_what_it_serves(
    binary: Path, tmp_path: Path, count: int
) -> None:
    async def register(server: Server) -> Code:
        site = resource.Site()
        known = resource.WKCResource(site.get_resources_as_linkheader, impl_info=None)
        site.add_resource([".well-known", "core"], known)
        for number in range(count):
            site.add_resource([f"resource-with-a-long-name-{number:020}"], resource.Resource())
        context, _ = await listen(site)
        try:
            uri = f"coap://{loopback.at(server.port)}/.well-known/rd?ep=node&lt=6000&et=oic"
            challenge = await context.request(Message(code=POST, uri=uri)).response
            assert challenge.code == Code.UNAUTHORIZED
            again = Message(code=POST, uri=uri, echo=challenge.opt.echo)
            return (await context.request(again).response).code
        finally:
            await context.shutdown()

    alone = Server(binary, tmp_path / "fleet.sqlite", host=loopback.in_uri())
    with alone.serving() as server, Peer(server.port, host=loopback.host()) as peer:
        assert asyncio.run(register(server)) == Code.CHANGED
        assert names(peer, "et=oic") == ["node"]
        found = look_up(peer, "res", "ep=node")
        assert len(found) == count + 1
        assert all(link.startswith(f"<coap://{loopback.in_uri()}:") for link in found)


def test_simple_registration__that_cannot_be__asks_nobody(server: Server) -> None:
    device = Device(Signer.p256())
    with Peer(server.port) as peer:
        path = (".well-known", "rd")
        assert peer.request(POST, *path, uri_query=["ep=a"]).code == Code.UNAUTHORIZED
        for query, payload, code in (
            ("ep=a&base=coap://h", b"", Code.BAD_REQUEST),
            ("lt=60", b"", Code.BAD_REQUEST),
            ("ep=a&pk=x", b"", Code.BAD_REQUEST),
            ("ep=a", b"</x>", Code.BAD_REQUEST),
            (f"ep={device.name}", b"", Code.FORBIDDEN),
        ):
            assert simply(peer, query, payload=payload).code == code
        assert peer.is_silent()
        assert peer.request(GET, *path).code == Code.METHOD_NOT_ALLOWED
        assert names(peer) == []


def test_simple_registration__is_answered_by_what_became_of_it(server: Server) -> None:
    with Peer(server.port) as peer:
        for text, code in ((b"nonsense", Code.BAD_GATEWAY), (b"</x>;rt=a", Code.CHANGED)):
            promise = simply(peer, "ep=a")
            assert (promise.mtype, promise.code) == (ACK, Code.EMPTY)
            asked = peer.receive()
            assert (asked.code, asked.opt.uri_path) == (GET, (".well-known", "core"))
            reply(peer, asked, ACK, CONTENT, payload=text, content_format=LINKS)
            answer = peer.receive()
            assert (answer.mtype, answer.code) == (CON, code)
            assert answer.token != asked.token
            reply(peer, answer, ACK, Code.EMPTY)
        assert look_up(peer, "res", "rt=a") != []


def test_response__that_nobody_asked_for__is_reset(server: Server) -> None:
    with Peer(server.port) as peer:
        answer = peer.exchange(b"\x44\x45\x12\x34abcd\xff</x>")
        assert (answer.mtype, answer.mid) == (aiocoap.RST, 0x1234)


def test_observed_lookup__says_who_came_changed_and_went(server: Server) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with (
        Peer(server.port) as owner,
        Sensor(server.port, device) as sensor,
        Peer(server.port) as watcher,
    ):
        query = ["rt=t*"]
        first = watcher.request(GET, "rd-lookup", "res", uri_query=query, observe=0)
        assert first.code == Code.UNAUTHORIZED and first.opt.observe is None
        first = watcher.proven(GET, "rd-lookup", "res", uri_query=query, observe=0)
        assert (first.code, first.payload) == (CONTENT, b"")
        numbers = [first.opt.observe]

        def told() -> str:
            seen = watcher.receive()
            assert (seen.mtype, seen.code, seen.token) == (NON, CONTENT, first.token)
            numbers.append(seen.opt.observe)
            return str(seen.payload.decode())

        path = register(owner, "ep=a&base=coap://one", "</t>;rt=temp").opt.location_path
        assert told() == '<coap://one/t>;rt="temp"'
        register(owner, "ep=b", "</h>;rt=humidity")  # which is not what is looked for
        owner.proven(POST, *path, uri_query=["base=coap://two"])
        assert told() == '<coap://two/t>;rt="temp"'
        owner.proven(DELETE, *path)
        assert told() == ""
        # A signed entry disappears together with its signer.
        assert enter(sensor, device.name, "</t>;rt=temp").code == Code.CREATED
        assert "/t>" in told()
        server.run("revoke", device.name)
        owner.request(GET, ".well-known", "core")
        assert told() == ""
        assert numbers == sorted(set(numbers))
        end = Message(code=GET, uri_path=("rd-lookup", "res"), uri_query=query, observe=1)
        end.opt.echo = watcher.prove_address()
        end.mtype, end.mid, end.token = CON, (watcher.id + 1) % 65536, first.token
        assert watcher.exchange(end.encode()).opt.observe is None
        register(owner, "ep=c", "</t>;rt=temp")
        assert watcher.is_silent(0.5)


def test_blocks_of_a_lookup__are_of_one_state(server: Server) -> None:
    with Peer(server.port) as peer:
        for number in range(40):
            register(peer, f"ep=node{number}", "</t>;rt=temp")
        whole = b""
        number, more = 0, True
        while more:
            block = peer.proven(GET, "rd-lookup", "ep", block2=(number, False, 6))
            whole += block.payload
            # The entries change between any two blocks.
            register(peer, f"ep=node{39 - number}&base=coap://elsewhere")
            number, more = number + 1, block.opt.block2.more
        assert whole.count(b"ep=") == 40 and b"elsewhere" not in whole
        # The further blocks of a notification behave in the same way.
        first = peer.proven(GET, "rd-lookup", "ep", observe=0)
        with Peer(server.port) as other:
            register(other, "ep=last&base=coap://elsewhere")
            told = peer.receive()
            assert (told.token, told.opt.block2.more) == (first.token, True)
            register(other, "ep=node0&base=coap://another")
        last = peer.proven(GET, "rd-lookup", "ep", block2=(told.opt.size2 >> 10, False, 6))
        assert last.payload.endswith(b'ep="last";base="coap://elsewhere";rt="core.rd-ep"')
        assert (last.opt.etag, last.opt.block2.more) == (told.opt.etag, False)
        assert names(peer, "base=coap://elsewhere") != []


def test_devices_of_one_address__are_as_many_as_the_operator_says(
    binary: Path, tmp_path: Path
) -> None:
    server = Server(binary, tmp_path / "fleet.sqlite", options=("--per-address", "2"))
    devices = [Device(Signer.p256()) for _ in range(3)]
    for device in devices:
        server.run("enrol", device.name)
    with server.serving():
        codes = []
        for device in devices:
            with Sensor(server.port, device) as sensor:
                codes.append(enter(sensor, device.name).code)
        assert codes == [Code.CREATED, Code.CREATED, Code.SERVICE_UNAVAILABLE]
        with Sensor(server.port, devices[0]) as again, Peer(server.port) as peer:
            again.sequence = 5
            assert enter(again, devices[0].name).code.is_successful()
            assert sorted(names(peer)) == sorted(device.name for device in devices[:2])
            assert register(peer, "ep=plain").code == Code.CREATED


@pytest.fixture
def lenient(binary: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that registers plain endpoints without Echo, however many requests come."""
    options = ("--without-echo", "--rate", "0")
    with Server(binary, tmp_path / "lenient.sqlite", options=options).serving() as running:
        yield running


def test_signed_entry__where_none_needs_a_proof__is_renewed_by_a_proof_only(
    lenient: Server,
) -> None:
    device = Device(Signer.p256())
    lenient.run("enrol", device.name)
    with Sensor(lenient.port, device) as sensor:
        path = enter(sensor, device.name).opt.location_path
        assert sensor.request(POST, *path).code == Code.UNAUTHORIZED
        assert sensor.proven(POST, *path).code == Code.CHANGED


def test_plain_entry__that_a_proof_made__is_changed_by_a_proof_only(lenient: Server) -> None:
    with Peer(lenient.port) as peer:
        echo = peer.prove_address()
        made = peer.request(POST, "rd", uri_query=["ep=a"], echo=echo)
        path = made.opt.location_path
        assert peer.request(POST, "rd", uri_query=["ep=a"]).code == Code.UNAUTHORIZED
        for method in (POST, DELETE):
            assert peer.request(method, *path).code == Code.UNAUTHORIZED
        assert names(peer) == ["a"]
        assert peer.request(DELETE, *path, echo=echo).code == Code.DELETED
        # An entry that was made without a proof may be changed by any client.
        long = ["ep=b", "lt=90001"]
        assert peer.request(POST, "rd", uri_query=long).code == Code.BAD_REQUEST
        path = peer.request(POST, "rd", uri_query=["ep=b", "lt=90000"]).opt.location_path
        assert peer.request(POST, *path).code == Code.CHANGED
        assert peer.request(DELETE, *path).code == Code.DELETED


def _forge(server: Server, sources: int, count: int, *path: str, query: str = "") -> list[Code]:
    """Requests without a proof, in the name of several addresses; the last answer to each."""
    last = []
    for source in range(sources):
        with Peer(server.port, source=f"127.0.1.{source + 1}") as peer:
            for number in range(count):
                asked = [f"{query}{source}-{number}"] if query else []
                answer = peer.request(POST, *path, uri_query=asked)
            last.append(answer.code)
    return last


def test_plain_names__of_peers_without_a_proof__leave_room_for_others(lenient: Server) -> None:
    assert _forge(lenient, 2, 2000, "rd", query="ep=") == [Code.CREATED] * 2
    assert _forge(lenient, 1, 1000, "rd", query="ep=more") == [Code.SERVICE_UNAVAILABLE]
    # Not even those that were sent in its own name keep a peer out.
    with Peer(lenient.port, source="127.0.1.2") as peer:
        (other,) = _forge(lenient, 1, 1, "rd", query="ep=other")
        assert other == Code.SERVICE_UNAVAILABLE
        answer = peer.request(POST, "rd", uri_query=["ep=mine"], echo=peer.prove_address())
        assert answer.code == Code.CREATED
        # The name of an entry that was forged in its name is its own.
        forged = ["ep=1-7"]
        answer = peer.request(POST, "rd", uri_query=forged, echo=peer.prove_address())
        assert answer.code == Code.CREATED


def test_kept_answer__of_a_proven_peer__outlives_forged_requests(lenient: Server) -> None:
    with Peer(lenient.port) as peer:
        properties = cbor2.dumps({0: "mine", 2: "core.ps.data"})
        asked = {"payload": properties, "content_format": 606, "echo": peer.prove_address()}
        datagram = peer.message(POST, "ps", **asked)
        created = peer.exchange(datagram)
        assert created.code == Code.CREATED
        _forge(lenient, 1, 4200, "ps")
        again = peer.exchange(datagram)
        assert (again.code, again.opt.location_path) == (Code.CREATED, created.opt.location_path)
