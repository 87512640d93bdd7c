# SPDX-License-Identifier: Apache-2.0
"""Topics that any client may create (draft-ietf-core-coap-pubsub), and their permissions."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiocoap
import cbor2
import pytest
from aiocoap import Message
from aiocoap.numbers import ContentFormat
from aiocoap.numbers.codes import DELETE, FETCH, GET, POST, PUT, Code, iPATCH
from client import Peer, Sensor
from corral_server import Server
from harness import waiting
from reference import Device, Signer

LINKS = 40
CBOR = ContentFormat(60)
PUBSUB = ContentFormat(606)
NAME, DATA, TYPE, FORMAT, KIND, EXPIRES, MOST, CHECK, FIRST = range(9)
NEIGHBOUR = "127.0.0.2"


@pytest.fixture
def peer(server: Server) -> Iterator[Peer]:
    with Peer(server.port) as peer:
        yield peer


def create(peer: Peer, name: str = "attic", **more: Any) -> Message:
    """Create a topic with these properties, of which a name begins with `k` and the key."""
    properties = {NAME: name, TYPE: "core.ps.data"}
    properties |= {int(key[1:]): value for key, value in more.items()}
    return configure(peer, POST, "ps", properties=properties)


def configure(peer: Peer, code: Code, *path: str, properties: object) -> Message:
    return peer.proven(code, *path, content_format=PUBSUB, payload=cbor2.dumps(properties))


def made(peer: Peer, name: str = "attic", **more: Any) -> tuple[str, str]:
    """The path of the configuration of a new topic."""
    answer = create(peer, name, **more)
    assert answer.code == Code.CREATED
    return tuple(answer.opt.location_path)


def data(path: tuple[str, str]) -> tuple[str, str]:
    return "d", path[1]


def publish(peer: Peer, path: tuple[str, str], payload: bytes = b"21", form: Any = 0) -> Code:
    return peer.proven(PUT, *data(path), content_format=form, payload=payload).code


def shown(peer: Peer, path: tuple[str, str]) -> dict[int, Any]:
    answer = peer.proven(GET, *path)
    assert (answer.code, answer.opt.content_format) == (Code.CONTENT, PUBSUB)
    return dict(cbor2.loads(answer.payload))


def links(peer: Peer, code: Code = GET, *path: str, **more: Any) -> list[str]:
    answer = peer.proven(code, *(path or ("ps",)), **more)
    assert (answer.code, answer.opt.content_format) == (Code.CONTENT, LINKS)
    return [link for link in answer.payload.decode().split(",") if link]


def observe(peer: Peer, path: tuple[str, str], **more: Any) -> Message:
    return peer.proven(GET, *data(path), observe=0, **more)


def test_broker__is_discovered_by_each_resource_type(peer: Peer) -> None:
    core = (".well-known", "core")
    for of_type in ("core.ps", "core.ps.coll"):
        found = links(peer, GET, *core, uri_query=[f"rt={of_type}"])
        assert found == ['</ps>;rt="core.ps core.ps.coll";ct=40']
    path = made(peer, k3=0)
    for where in (core, ("ps",)):
        conf = links(peer, GET, *where, uri_query=["rt=core.ps.conf"])
        assert conf == [f'</ps/{path[1]}>;rt="core.ps.conf";ct=606']
        held = links(peer, GET, *where, uri_query=["rt=core.ps.data"])
        assert held == [f'</d/{path[1]}>;rt="core.ps.data";ct=0']
    assert configure(peer, iPATCH, *path, properties={FORMAT: 60}).code == Code.CHANGED
    held = links(peer, uri_query=["rt=core.ps.data"])
    assert held == [f'</d/{path[1]}>;rt="core.ps.data";ct=60']


def test_topic__lives_as_the_draft_says(peer: Peer) -> None:
    answer = create(peer)
    path = tuple(answer.opt.location_path)
    named = {NAME: "attic", DATA: f"/d/{path[1]}", TYPE: "core.ps.data"}
    assert (answer.opt.content_format, cbor2.loads(answer.payload)) == (PUBSUB, named)
    # half created
    assert peer.request(GET, *data(path)).code == Code.NOT_FOUND
    assert observe(peer, path).code == Code.NOT_FOUND
    assert [publish(peer, path), publish(peer, path, b"22")] == [Code.CREATED, Code.CHANGED]
    read = peer.request(GET, *data(path))
    assert (read.code, read.opt.content_format, read.payload) == (Code.CONTENT, 0, b"22")
    assert peer.proven(DELETE, *data(path)).code == Code.DELETED
    assert peer.proven(DELETE, *data(path)).code == Code.NOT_FOUND
    assert peer.request(GET, *data(path)).code == Code.NOT_FOUND
    assert publish(peer, path) == Code.CREATED
    assert peer.proven(DELETE, *path).code == Code.DELETED
    assert [peer.request(GET, *where).code for where in (path, data(path))] == [Code.NOT_FOUND] * 2
    assert publish(peer, path) == Code.NOT_FOUND
    assert made(peer) != path


def test_topic_with_a_first_content__is_as_if_once_published(peer: Peer) -> None:
    path = made(peer, k3=0, k8=b"20")
    assert peer.request(GET, *data(path)).payload == b"20"
    assert publish(peer, path) == Code.CHANGED
    assert peer.proven(DELETE, *data(path)).code == Code.DELETED
    again = configure(peer, iPATCH, *path, properties={FIRST: b"20", KIND: "t"})
    assert again.code == Code.CHANGED
    assert peer.request(GET, *data(path)).code == Code.NOT_FOUND


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ({TYPE: "core.ps.data"}, Code.BAD_REQUEST),
        ({NAME: "a"}, Code.BAD_REQUEST),
        ({NAME: "taken", TYPE: "core.ps.data"}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.conf"}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.data", 9: 1}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.data", FIRST: b"x"}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.data", DATA: "/d/0-b79b"}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.data", DATA: 'coap://h/">;rt="x'}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: 'x";ep="y'}, Code.BAD_REQUEST),
        ({NAME: "a\x1b[2J", TYPE: "core.ps.data"}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.data", EXPIRES: 1}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.data", EXPIRES: cbor2.CBORTag(1, 1)}, Code.BAD_REQUEST),
        ({NAME: "a" * 65, TYPE: "core.ps.data"}, Code.BAD_REQUEST),
        ({NAME: "a", TYPE: "core.ps.data", FORMAT: 0, FIRST: b"x" * 1025}, Code.BAD_REQUEST),
        ({NAME: "ae31580c8def1fbf0dd5ed28b72fb79b", TYPE: "core.ps.data"}, Code.FORBIDDEN),
        ({NAME: "AE31580C8DEF1FBF0DD5ED28B72FB79B", TYPE: "core.ps.data"}, Code.FORBIDDEN),
        ([NAME, "a"], Code.BAD_REQUEST),
    ],
)
def test_topic__that_makes_no_sense_or_takes_anothers_place__is_refused(
    peer: Peer, properties: object, code: Code
) -> None:
    made(peer, "taken")
    assert configure(peer, POST, "ps", properties=properties).code == code
    assert len(links(peer)) == 1


def test_creation__without_proof_of_the_address_or_as_another_format__makes_nothing(
    peer: Peer,
) -> None:
    payload = cbor2.dumps({NAME: "a", TYPE: "core.ps.data"})
    for echo in (None, b"x" * 12):
        answer = peer.request(POST, "ps", content_format=PUBSUB, payload=payload, echo=echo)
        assert answer.code == Code.UNAUTHORIZED and answer.opt.echo is not None
    for form in (CBOR, None):
        answer = peer.proven(POST, "ps", content_format=form, payload=payload)
        assert answer.code == Code.UNSUPPORTED_CONTENT_FORMAT
    answer = peer.proven(POST, "ps", content_format=PUBSUB, payload=payload, accept=CBOR)
    assert answer.code == Code.NOT_ACCEPTABLE
    assert links(peer) == []


def test_creation__retransmitted__is_one_topic(peer: Peer) -> None:
    payload = cbor2.dumps({NAME: "a", TYPE: "core.ps.data"})
    echo = peer.request(POST, "ps", content_format=PUBSUB, payload=payload).opt.echo
    datagram = peer.message(POST, "ps", content_format=PUBSUB, payload=payload, echo=echo)
    first, second = (peer.exchange(datagram) for _ in range(2))
    assert first.code == second.code == Code.CREATED
    assert first.opt.location_path == second.opt.location_path


def test_properties__are_read_replaced_and_merged_and_some_are_fixed(peer: Peer) -> None:
    expires = cbor2.CBORTag(1, 4_000_000_000)
    path = made(peer, k3=0, k4="temperature", k5=expires, k6=7, k7=60)
    whole = shown(peer, path)
    assert whole | {EXPIRES: expires} == {
        NAME: "attic", DATA: f"/d/{path[1]}", TYPE: "core.ps.data", FORMAT: 0,
        KIND: "temperature", EXPIRES: expires, MOST: 7, CHECK: 60,
    }  # fmt: skip
    keys = cbor2.dumps([NAME, MOST, FIRST])
    part = peer.proven(FETCH, *path, content_format=CBOR, payload=keys)
    assert (part.code, part.opt.content_format) == (Code.CONTENT, PUBSUB)
    assert cbor2.loads(part.payload) == {NAME: "attic", MOST: 7}
    for wrong, form in ((cbor2.dumps([9]), CBOR), (cbor2.dumps({}), CBOR), (keys, PUBSUB)):
        answer = peer.proven(FETCH, *path, content_format=form, payload=wrong)
        assert answer.code in (Code.BAD_REQUEST, Code.UNSUPPORTED_CONTENT_FORMAT)
    merged = configure(peer, iPATCH, *path, properties={KIND: "humidity"})
    assert merged.code == Code.CHANGED and cbor2.loads(merged.payload) == shown(peer, path)
    assert shown(peer, path) == whole | {KIND: "humidity"}
    same = {key: whole[key] for key in (NAME, DATA, TYPE)}
    replaced = configure(peer, POST, *path, properties=same | {CHECK: 5})
    assert replaced.code == Code.CHANGED
    assert cbor2.loads(replaced.payload) == shown(peer, path) == same | {CHECK: 5}
    for key, value in ((NAME, "b"), (DATA, "coap://h/x"), (TYPE, "x"), (FIRST, b""), (CHECK, 0)):
        for code in (POST, iPATCH):
            changed = configure(peer, code, *path, properties={KIND: "x", key: value})
            assert changed.code == Code.BAD_REQUEST
    assert shown(peer, path) == same | {CHECK: 5}


def test_topic__is_changed_and_deleted_by_the_address_that_created_it_alone(
    server: Server, peer: Peer
) -> None:
    path = made(peer)
    with Peer(server.port, source=NEIGHBOUR) as neighbour:
        for code in (POST, iPATCH):
            answer = configure(neighbour, code, *path, properties={KIND: "stolen"})
            assert answer.code == Code.FORBIDDEN
        for where in (path, data(path)):
            assert peer.request(DELETE, *where).code == Code.UNAUTHORIZED
            assert neighbour.proven(DELETE, *where).code == Code.FORBIDDEN
        assert publish(neighbour, path) == Code.CREATED
        assert create(neighbour).code == Code.BAD_REQUEST
    assert KIND not in shown(peer, path)
    with Peer(server.port) as same_address:
        assert same_address.proven(DELETE, *path).code == Code.DELETED


def test_publication__needs_a_proven_address_a_right_format_and_few_bytes(peer: Peer) -> None:
    path = made(peer, k3=60)
    answer = peer.request(PUT, *data(path), content_format=CBOR, payload=b"\x01")
    assert answer.code == Code.UNAUTHORIZED
    for form in (0, None, 112):
        assert publish(peer, path, b"\x01", form) == Code.UNSUPPORTED_CONTENT_FORMAT
    assert publish(peer, path, b"x" * 1025, 60) == Code.REQUEST_ENTITY_TOO_LARGE
    assert peer.request(GET, *data(path)).code == Code.NOT_FOUND
    assert publish(peer, path, b"x" * 1024, 60) == Code.CREATED
    # A publisher needs no second exchange if it goes on within a minute.
    first = peer.proven(PUT, *data(path), content_format=CBOR, payload=b"\x01")
    more = {"content_format": CBOR, "payload": b"\x02", "echo": first.opt.echo}
    assert peer.request(PUT, *data(path), **more).code == Code.CHANGED


def test_observation__without_proof_of_the_address__is_challenged(peer: Peer) -> None:
    path = made(peer)
    publish(peer, path)
    assert peer.request(GET, *data(path), observe=0).code == Code.UNAUTHORIZED
    search = {"content_format": PUBSUB, "payload": cbor2.dumps({})}
    found = peer.request(FETCH, "ps", **search)
    assert found.payload == peer.proven(FETCH, "ps", **search).payload
    publish(peer, path, b"22")
    assert peer.is_silent()


def test_what_is_not_accepted__is_not_sent_nor_observed(server: Server, peer: Peer) -> None:
    path = made(peer, k3=0)
    publish(peer, path)
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        sensor.register()
        sensor.publish()
        for where, sound in (
            (data(path), 0), (sensor.topic, 18), (path, 606), (("ps",), 40),
            ((".well-known", "core"), 40), (("rd-lookup", "ep"), 40),
        ):  # fmt: skip
            for observing in (None, 0):
                more = {"accept": ContentFormat(50), "observe": observing}
                assert peer.proven(GET, *where, **more).code == Code.NOT_ACCEPTABLE
            assert peer.proven(GET, *where, accept=ContentFormat(sound)).code == Code.CONTENT
        sensor.publish()
        publish(peer, path)
        assert peer.is_silent()


def test_subscribers__are_no_more_than_there_may_be(server: Server, peer: Peer) -> None:
    path = made(peer, k6=2)
    publish(peer, path)
    with Peer(server.port) as second, Peer(server.port) as third:
        answers = [observe(one, path) for one in (peer, second, third)]
        assert [answer.code for answer in answers] == [Code.CONTENT] * 3
        assert [answer.opt.observe is not None for answer in answers] == [True, True, False]
        assert configure(peer, iPATCH, *path, properties={MOST: 1}).code == Code.CHANGED
        ended = second.receive()
        assert (ended.code, ended.token) == (Code.NOT_FOUND, answers[1].token)
        assert third.is_silent(0.1)
        with Peer(server.port) as publisher:
            publish(publisher, path, b"23")
        assert peer.receive().payload == b"23"
        assert second.is_silent(0.1)


@pytest.mark.parametrize("where", [0, 1])
def test_subscriber__is_told_once_that_a_topic_or_its_data_is_gone(
    server: Server, peer: Peer, where: int
) -> None:
    path = made(peer)
    publish(peer, path)
    with Peer(server.port) as subscriber:
        token = observe(subscriber, path).token
        assert peer.proven(DELETE, *(path, data(path))[where]).code == Code.DELETED
        ended = subscriber.receive()
        assert (ended.code, ended.token) == (Code.NOT_FOUND, token)
        subscriber.socket.send(bytes([0x60, 0, ended.mid >> 8, ended.mid & 255]))
        publish(peer, path)
        assert subscriber.is_silent()


def test_observation__ends_when_what_is_observed_gets_another_format(
    server: Server, peer: Peer
) -> None:
    path = made(peer)
    publish(peer, path)
    with Peer(server.port) as subscriber:
        assert observe(subscriber, path).opt.observe is not None
        assert publish(peer, path, b"\x01", 60) == Code.CHANGED
        assert subscriber.receive().code == Code.NOT_ACCEPTABLE


def test_topic__that_expires__is_gone_and_its_subscribers_know(server: Server, peer: Peer) -> None:
    names = map(str, itertools.count())
    with contextlib.ExitStack() as stack:

        @waiting.within(1.5)
        def observed() -> tuple[str, tuple[str, str], Peer]:
            name, subscriber = next(names), stack.enter_context(Peer(server.port))
            path = made(peer, name, k5=cbor2.CBORTag(1, time.time() + 1.5))
            publish(peer, path)
            assert observe(subscriber, path).opt.observe is not None
            return name, path, subscriber

        name, path, subscriber = observed()
        assert subscriber.receive().code == Code.NOT_FOUND
    assert peer.request(GET, *path).code == Code.NOT_FOUND
    assert links(peer) == []
    made(peer, name)


def test_subscriber__is_asked_whether_it_is_there_as_often_as_was_said(
    server: Server, peer: Peer
) -> None:
    path = made(peer, k7=1)
    publish(peer, path)
    with Peer(server.port) as subscriber:
        observe(subscriber, path)
        asked = subscriber.receive()
        assert (asked.mtype, asked.payload) == (aiocoap.CON, b"21")


def test_topic__that_is_elsewhere__is_linked_to_and_takes_nothing(peer: Peer) -> None:
    path = made(peer, k1="coap://other.example/x")
    held = links(peer, uri_query=["rt=core.ps.data"])
    assert held == ['<coap://other.example/x>;rt="core.ps.data"']
    assert publish(peer, path) == peer.request(GET, *data(path)).code == Code.NOT_FOUND


def test_collection__finds_by_properties_among_topics_and_devices(
    server: Server, peer: Peer
) -> None:
    device = Device(Signer.p256(), "hygrometer")
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        sensor.register()
        segment = sensor.topic[1]
    paths = [made(peer, "one", k4="hygrometer", k3=0), made(peer, "two", k6=3)]
    all_of_them = [segment, *(path[1] for path in paths)]

    def found(wanted: dict[int, Any]) -> list[str]:
        payload = cbor2.dumps(wanted)
        found = links(peer, FETCH, content_format=PUBSUB, payload=payload)
        assert all(link.endswith('>;rt="core.ps.conf";ct=606') for link in found)
        return [link.partition(">")[0].removeprefix("</ps/") for link in found]

    assert found({}) == all_of_them
    assert found({KIND: "hygrometer"}) == all_of_them[:2]
    assert found({KIND: "hygrometer", FORMAT: 0}) == [all_of_them[1]]
    assert found({NAME: device.name}) == [segment]
    assert found({NAME: device.name.upper()}) == []
    assert found({NAME: device.name, FORMAT: 0}) == []
    assert found({MOST: 3, NAME: "two"}) == [all_of_them[2]]
    assert found({KIND: "'; DROP TABLE log; --"}) == []
    listed = [link.partition(">")[0] for link in links(peer)]
    assert listed == [f"</ps/{one}" for one in all_of_them]
    keys = cbor2.dumps([NAME, KIND])
    part = peer.proven(FETCH, "ps", segment, content_format=CBOR, payload=keys)
    assert cbor2.loads(part.payload) == {NAME: device.name, KIND: "hygrometer"}
    for wrong in ({9: 1}, [1], {KIND: 1}):
        answer = configure(peer, FETCH, "ps", properties=wrong)
        assert answer.code == Code.BAD_REQUEST


def test_topic_of_a_device__is_changed_by_nobody(server: Server, peer: Peer) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        sensor.register()
        sensor.publish()
        path = ("ps", sensor.topic[1])
        for code in (POST, iPATCH):
            answer = configure(sensor, code, *path, properties={KIND: "x"})
            assert answer.code == Code.METHOD_NOT_ALLOWED
        for where in (path, sensor.topic):
            assert sensor.proven(DELETE, *where).code == Code.METHOD_NOT_ALLOWED
        assert publish(peer, path) == Code.UNSUPPORTED_CONTENT_FORMAT
        assert peer.request(GET, *sensor.topic).code == Code.CONTENT


def test_markup_in_a_name__is_text_in_a_configuration_and_nowhere_else(peer: Peer) -> None:
    evil = '</d/0-b79b>;rt="core.ps.data",<script>\'; --'
    path = made(peer, evil, k4=evil)
    assert shown(peer, path)[NAME] == shown(peer, path)[KIND] == evil
    assert links(peer) == [f'</ps/{path[1]}>;rt="core.ps.conf";ct=606']


def test_one_address__has_64_topics_and_others_have_theirs(server: Server, peer: Peer) -> None:
    for number in range(64):
        made(peer, str(number))
    assert create(peer, "more").code == Code.FORBIDDEN
    with Peer(server.port, source=NEIGHBOUR) as neighbour:
        assert create(neighbour, "more").code == Code.CREATED


def test_topics__are_as_many_as_the_operator_allows(binary: Path, tmp_path: Path) -> None:
    store = tmp_path / "fleet.sqlite"
    for most, codes in ((0, [Code.FORBIDDEN]), (1, [Code.CREATED, Code.SERVICE_UNAVAILABLE])):
        served = Server(binary, store, options=("--topics", str(most)))
        with served.serving(), Peer(served.port) as peer:
            assert [create(peer, str(number)).code for number in range(len(codes))] == codes


def test_restart__forgets_topics_and_gives_none_of_their_paths_again(
    server: Server, peer: Peer
) -> None:
    path = made(peer)
    server.kill()
    server.start()
    assert publish(peer, path) == peer.request(GET, *path).code == Code.NOT_FOUND
    assert made(peer) != path


def test_configuration__larger_than_the_request_allows__comes_in_blocks_or_to_a_proven_address(
    peer: Peer,
) -> None:
    path = made(peer, k3=0, k8=b"x" * 800)
    first = peer.request(GET, *path)
    assert (first.code, first.opt.block2.more) == (Code.CONTENT, True)
    assert shown(peer, path)[FIRST] == b"x" * 800


async def _exchange(server: Server) -> list[bytes]:
    """The notifications of three publications that a subscriber of aiocoap gets."""
    base = f"coap://127.0.0.1:{server.port}"
    context = await aiocoap.Context.create_client_context(transports=["simple6"])

    async def ask(**parts: Any) -> Message:
        answer = await context.request(Message(**parts)).response
        if answer.code == Code.UNAUTHORIZED:
            answer = await context.request(Message(echo=answer.opt.echo, **parts)).response
        return answer

    try:
        properties = cbor2.dumps({NAME: "attic", TYPE: "core.ps.data", FORMAT: 0})
        created = await ask(code=POST, uri=f"{base}/ps", content_format=606, payload=properties)
        target = base + cbor2.loads(created.payload)[DATA]
        published = await ask(code=PUT, uri=target, content_format=0, payload=b"0")
        assert published.code == Code.CREATED
        echo = (await ask(code=PUT, uri=target, content_format=0, payload=b"0")).opt.echo
        request = context.request(Message(code=GET, uri=target, observe=0, echo=echo))
        seen = [(await request.response).payload]
        notifications = aiter(request.observation)
        for payload in (b"1", b"2"):
            await ask(code=PUT, uri=target, content_format=0, payload=payload)
            seen.append((await asyncio.wait_for(anext(notifications), 20)).payload)
        return seen
    finally:
        await context.shutdown()


def test_aiocoap__creates_publishes_and_subscribes(server: Server) -> None:
    assert asyncio.run(_exchange(server)) == [b"0", b"1", b"2"]
