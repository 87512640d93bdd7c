# SPDX-License-Identifier: Apache-2.0
"""An aggregator and a server that is silent, refuses, or says what it likes."""

from __future__ import annotations

import contextlib
import io
import socket
import threading
from collections.abc import Callable, Iterator

import cbor2
import pytest
from aiocoap import ACK, CON, NON, Message
from aiocoap.numbers.codes import CHANGED, CREATED, EMPTY, NOT_FOUND, POST, PUT, TOO_MANY_REQUESTS
from client import Sensor
from corral_server import Server
from harness import waiting
from reference import FULL, KID, PARTIAL_IV
from test_bundles import DEVICE, OTHER, aggregating, sensors

__all__ = ["sensors"]  # a fixture

#: More than is on its way at once, and far fewer than wait at most.
MANY = 600

Says = Callable[[Message], Message]


def _serve(peer: socket.socket, says: Says, asked: list[Message]) -> None:
    """Answer each request once it was promised an answer, until nothing comes."""
    while (came := peer.recvfrom(2048))[0]:
        request = Message.decode(came[0], None)
        if request.mtype is not CON:
            continue
        promise = Message(code=EMPTY)
        promise.mtype, promise.mid = ACK, request.mid
        peer.sendto(promise.encode(), came[1])
        if any(one.token == request.token for one in asked):
            continue
        asked.append(request)
        answer = says(request)
        answer.mtype, answer.mid, answer.token = NON, len(asked), request.token
        peer.sendto(answer.encode(), came[1])


@contextlib.contextmanager
def answering(says: Says) -> Iterator[tuple[str, list[Message]]]:
    """The address of a server that answers each request so, and the requests it received."""
    asked: list[Message] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_serve, args=(peer, says, asked), daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{peer.getsockname()[1]}", asked
        finally:
            peer.sendto(b"", peer.getsockname())
            thread.join(waiting.PATIENCE)


def _headers(bundle: bytes) -> Iterator[dict[int, bytes]]:
    """The unprotected header of each reading, which is COSE."""
    read = io.BytesIO(bundle)
    while read.tell() < len(bundle):
        yield cbor2.load(read)[1]


def _numbers(bundle: bytes) -> list[int]:
    """Those of the readings, which are COSE, in their order."""
    return [int.from_bytes(header[PARTIAL_IV], "big") for header in _headers(bundle)]


#: Text that colours a terminal, orders letters from right to left, and imitates the tool.
RUDE = "\x1b[31m\u202eowned\n2 readings in 9 bytes; 0 left\n" * 20


def _topic(data: str) -> Message:
    """A topic that was created, and where it is."""
    return Message(code=CREATED, payload=cbor2.dumps({0: "attic", 1: data, 2: "core.ps.data"}))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), lambda request: Message(code=CHANGED, payload=cbor2.dumps([RUDE]))),
        (("--topic", "attic"), lambda _: _topic(f"coap://{RUDE}/d/x")),
    ],
    ids=["verdict", "place"],
)
def test_aggregator__shows_what_servers_say_short_and_steers_no_terminal(
    server: Server, sensors: list[Sensor], words: tuple[str, ...], said: Says
) -> None:
    assert sensors[0].publish(length=FULL).code.is_successful()
    with answering(said) as (to, _), aggregating(server, "--to", to, *words, form=()) as running:
        assert running.process.stdout is not None
        stream = running.errors() if words else running.process.stdout
        line = next(line for line in iter(stream.readline, "") if "owned" in line)
    assert line.endswith("\n") and line[:-1].isprintable() and len(line) < 300, repr(line)


def test_aggregators_topic__is_its_own_after_a_failure_and_created_anew_when_it_is_gone(
    server: Server, sensors: list[Sensor]
) -> None:
    codes = iter([TOO_MANY_REQUESTS, CHANGED, NOT_FOUND, CHANGED])

    def say(request: Message) -> Message:
        return _topic("/d/x") if request.code is POST else Message(code=next(codes, CHANGED))

    assert sensors[0].publish(length=FULL).code.is_successful()
    with (
        answering(say) as (to, asked),
        aggregating(server, "--to", to, "--topic", "attic") as aggregator,
    ):
        for _ in range(2):
            aggregator.rows(1)
            assert sensors[0].publish(length=FULL).code.is_successful()
    assert [one.code for one in asked[:6]] == [POST, PUT, PUT, PUT, POST, PUT]
    assert "was there already" not in aggregator.complaints


def test_aggregators_topic__is_asked_for_anew_after_it_was_at_another_server(
    server: Server, sensors: list[Sensor]
) -> None:
    places = iter(["coap://192.0.2.9/d/x"])

    def say(request: Message) -> Message:
        is_new = request.code is POST
        return _topic(next(places, "/d/x")) if is_new else Message(code=CHANGED)

    assert sensors[0].publish(length=FULL).code.is_successful()
    with (
        answering(say) as (to, asked),
        aggregating(server, "--to", to, "--topic", "attic") as aggregator,
    ):
        assert aggregator.rows(1)[0]["readings"] == 1
    assert [one.code for one in asked[:3]] == [POST, POST, PUT]
    assert "it is at 192.0.2.9" in aggregator.complaints


def test_aggregator__shows_whose_readings_were_refused_and_which_and_why(
    server: Server, sensors: list[Sensor]
) -> None:
    def say(request: Message) -> Message:
        whose = [header[KID] for header in _headers(request.payload)]
        verdicts = [None if one == DEVICE.identity else "not-enrolled" for one in whose]
        return Message(code=CHANGED, payload=cbor2.dumps(verdicts))

    for sensor in sensors:
        assert sensor.publish(length=FULL).code.is_successful()
    which = {"identity": OTHER.name, "sequence": sensors[1].sequence, "reason": "not-enrolled"}
    with answering(say) as (to, _):
        with aggregating(server, "--to", to) as running:
            assert [one for row in running.rows(2) for one in row["refused"]] == [which]
        with aggregating(server, "--to", to, form=()) as running:
            assert running.process.stdout is not None
            lines = iter(running.process.stdout.readline, "")
            line = next(line for line in lines if "refused" in line)
    assert line == f"  refused: {OTHER.name} {sensors[1].sequence}: not-enrolled\n"


def _taken(request: Message) -> Message:
    verdicts = [None] * len(_numbers(request.payload))
    return Message(code=CHANGED, payload=cbor2.dumps(verdicts))


def _arrived(server: Server, sensor: Sensor) -> tuple[list[int], list[int]]:
    """The numbers published while the receiving server does not answer, and those it got."""
    is_over = threading.Event()

    def say(request: Message) -> Message:
        assert is_over.wait(waiting.PATIENCE)
        return _taken(request)

    with answering(say) as (to, asked), aggregating(server, "--to", to):
        try:
            waiting.until(lambda: sensor.publish(length=FULL) and asked, "nothing comes", 0.5)
            first = sensor.next()
            for _ in range(MANY):
                assert sensor.publish(length=FULL).code.is_successful()
        finally:
            is_over.set()
        last = sensor.sequence

        def got() -> list[int]:
            return [number for one in asked for number in _numbers(one.payload)]

        waiting.until(lambda: sensor.publish(length=FULL) and got()[-1] > last, got, 0.5)
        return list(range(first + 1, last + 1)), [one for one in got() if first < one <= last]


def test_aggregator__loses_nothing_of_what_comes_while_a_server_does_not_answer(
    server: Server, sensors: list[Sensor]
) -> None:
    # A busy machine may lose datagrams before the aggregator gets them, but not each time.
    attempts = (_arrived(server, sensors[0]) for _ in range(3))
    sent, got = waiting.first(attempts, lambda one: one[0] == one[1])
    assert (len(sent), got) == (MANY, sent)
