# SPDX-License-Identifier: Apache-2.0
"""The server as a CoAP peer: messages, observation, permitted answers, and robustness."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiocoap
import pytest
from aiocoap import CON, NON, RST, Message
from aiocoap.numbers.codes import DELETE, GET, POST, PUT, Code
from client import COSE, PACK, Peer, Sensor
from corral_server import Server
from harness.waiting import until
from reference import FULL, Device, Signer

#: Headers of Ethernet, IPv4 and UDP, as RFC 9175 counts.
HEADERS = 42


def registered(server: Server, readings: int = 1) -> Sensor:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    sensor = Sensor(server.port, device)
    assert sensor.register().code == Code.CREATED
    for _ in range(readings):
        assert sensor.publish().code.is_successful()
    return sensor


def uri(server: Server, path: tuple[str, ...]) -> str:
    return f"coap://127.0.0.1:{server.port}/" + "/".join(path)


def test_discovery__names_the_resources_of_the_protocol(server: Server) -> None:
    with Peer(server.port) as peer:
        links = peer.proven(GET, ".well-known", "core").payload.decode()
        assert '</reg>;rt="corral.reg"' in links
        assert '</ps>;rt="core.ps core.ps.coll"' in links
        only = peer.proven(GET, ".well-known", "core", uri_query=["rt=corral.*"])
        wanted = '</reg>;rt="corral.reg";ct=18,</cmd>;rt="corral.cmd";ct=18'
        wanted += ',</bundle>;rt="corral.bundle";ct=63'
        assert only.payload.decode() == wanted


def test_method__that_is_not_known__is_not_allowed_anywhere(server: Server) -> None:
    with Peer(server.port) as peer:
        for path in (("reg",), ("nowhere",), (".well-known", "core"), ("ps",), ("d", "0-0000")):
            for number in range(8, 32):
                request = bytearray(peer.message(GET, *path))
                request[1] = number
                assert peer.exchange(bytes(request)).code == Code.METHOD_NOT_ALLOWED
        request[0] |= 0x10  # not confirmable
        assert peer.exchange(bytes(request)).code == Code.METHOD_NOT_ALLOWED


@pytest.mark.parametrize(
    "datagram", ["49011234", "41011234", "40011234ff", "40011234f0", "4001123405", "4000123400"]
)
def test_malformed_message__is_reset_if_confirmable(server: Server, datagram: str) -> None:
    with Peer(server.port) as peer:
        peer.socket.send(bytes.fromhex("5" + datagram[1:]))
        answer = peer.exchange(bytes.fromhex(datagram))
        assert (answer.mtype, answer.code, answer.mid) == (RST, Code.EMPTY, 0x1234)


def test_ping__is_answered_by_pong_and_another_version_by_nothing(server: Server) -> None:
    with Peer(server.port) as peer:
        peer.socket.send(b"\x80\x01\x12\x34")
        peer.socket.send(b"\x50\x00\x12\x34")
        assert peer.exchange(b"\x40\x00\x12\x35").mid == 0x1235


@pytest.mark.parametrize(
    ("code", "path", "answer"),
    [
        (GET, ("nothing",), Code.NOT_FOUND),
        (GET, ("d", "0"), Code.NOT_FOUND),
        (PUT, ("d", "0"), Code.NOT_FOUND),
        (PUT, ("d", "ffffffffffffffffff"), Code.NOT_FOUND),
        (PUT, ("d", "+0"), Code.NOT_FOUND),
        (DELETE, ("reg",), Code.METHOD_NOT_ALLOWED),
        (GET, ("reg",), Code.METHOD_NOT_ALLOWED),
    ],
)
def test_what_is_not_there__is_said(
    server: Server, code: Code, path: tuple[str, ...], answer: Code
) -> None:
    with Peer(server.port) as peer:
        assert peer.request(code, *path).code == answer


def test_unknown_critical_option__is_a_bad_option_or_silence(server: Server) -> None:
    with Peer(server.port) as peer:
        assert peer.request(GET, "ps", if_none_match=True).code == Code.BAD_OPTION
        assert peer.request(GET, "ps", proxy_scheme="coap").code == Code.PROXYING_NOT_SUPPORTED
        peer.socket.send(peer.message(GET, "ps", kind=NON, if_none_match=True))
        assert peer.is_silent()


def test_collection__lists_topics_and_their_data(server: Server) -> None:
    with registered(server) as sensor:
        last = f"0-{sensor.device.name[-4:]}"
        assert sensor.topic == ("d", last)
        assert sensor.proven(GET, "ps").payload == f'</ps/{last}>;rt="core.ps.conf";ct=606'.encode()
        data = sensor.proven(GET, "ps", uri_query=["rt=core.ps.data"])
        assert data.payload == f'</d/{last}>;rt="core.ps.data";ct=18'.encode()
        assert sensor.proven(GET, "ps", last).payload.startswith(b"\xa5\x00\x78\x20")


def _in_small_blocks(peer: Peer, *path: str) -> bytes:
    """The whole resource, read by a client that does not know Echo."""
    whole = b""
    block = (0, False, 6)
    while True:
        request = peer.message(GET, *path, block2=block if whole else None)
        peer.socket.send(request)
        came = peer.socket.recv(2048)
        assert len(came) + HEADERS <= 3 * (len(request) + HEADERS)
        answer = Message.decode(came, None)
        assert answer.code == Code.CONTENT and answer.opt.observe is None
        whole += answer.payload
        if answer.opt.block2 is None or not answer.opt.block2.more:
            return whole
        size = answer.opt.block2.size_exponent
        assert len(whole) % (16 << size) == 0
        block = (len(whole) >> (4 + size), False, size)


def test_amplification__stays_below_three_for_whom_did_not_prove_its_address(
    server: Server,
) -> None:
    devices = [Device(Signer.p256()) for _ in range(40)]
    server.run("enrol", *(device.name for device in devices))
    for device in devices:
        with Sensor(server.port, device) as sensor:
            assert sensor.register().code == Code.CREATED
            sensor.publish([{0: "n" * 60, 3: "v" * 700}], FULL)
    with Peer(server.port) as peer:
        last = f"0-{devices[0].name[-4:]}"
        for path in (("ps",), ("d", last), (".well-known", "core"), ("ps", last), ("reg",)):
            for code in (GET, POST, PUT, DELETE):
                for observe in (None, 0):
                    request = peer.message(code, *path, observe=observe)
                    peer.socket.send(request)
                    answer = peer.socket.recv(2048)
                    assert len(answer) + HEADERS <= 3 * (len(request) + HEADERS)
        assert peer.request(GET, "ps", echo=bytes(12)).code == Code.UNAUTHORIZED
        for path in (("ps",), ("d", last), (".well-known", "core")):
            first = peer.proven(GET, *path)
            whole = _in_small_blocks(peer, *path)
            assert whole.startswith(first.payload)
            assert len(whole) == (first.opt.size2 or len(first.payload))
        # The server keeps no blocks of a request for it either.
        begun = peer.request(PUT, "d", last, block1=(0, True, 6), payload=bytes(1024))
        assert begun.code == Code.UNAUTHORIZED


def test_large_answer__comes_in_blocks(server: Server) -> None:
    async def read() -> str:
        context = await aiocoap.Context.create_client_context(transports=["simple6"])
        try:
            target = uri(server, ("ps",))
            # If the Echo option is wrong, the server sends aiocoap a new one.
            asked = Message(code=GET, uri=target, echo=bytes(12))
            challenge = await context.request(asked).response
            request = Message(code=GET, uri=target, echo=challenge.opt.echo)
            whole = (await context.request(request).response).payload.decode()
            small = await context.request(Message(code=GET, uri=target)).response
            assert small.payload.decode() == whole
            return whole
        finally:
            await context.shutdown()

    devices = [Device(Signer.ed25519()) for _ in range(100)]
    server.run("enrol", *(device.name for device in devices))
    for device in devices:
        with Sensor(server.port, device) as sensor:
            assert sensor.register().code == Code.CREATED
    links = asyncio.run(read()).split(",")
    assert links == [
        f'</ps/{ordinal:x}-{device.name[-4:]}>;rt="core.ps.conf";ct=606'
        for ordinal, device in enumerate(devices)
    ]


def test_observation__needs_a_proven_address_and_then_gets_each_reading(server: Server) -> None:
    with registered(server) as sensor, Peer(server.port) as peer:
        assert peer.request(GET, *sensor.topic, observe=0).code == Code.UNAUTHORIZED
        sensor.publish()
        assert peer.is_silent()
        first = peer.proven(GET, *sensor.topic, observe=0)
        numbers = [first.opt.observe]
        for _ in range(3):
            sensor.publish()
            seen = peer.receive()
            numbers.append(seen.opt.observe)
            assert seen.token == first.token
            assert seen.payload == sensor.device.reading(PACK, sensor.sequence, FULL)
        assert numbers == sorted(set(numbers))


def test_observation__of_a_wrong_block__does_not_begin(server: Server) -> None:
    with registered(server) as sensor, Peer(server.port) as peer:
        for block in ((0, False, 7), (1, False, 6)):
            answer = peer.proven(GET, *sensor.topic, observe=0, block2=block)
            assert (answer.code, answer.opt.observe) == (Code.BAD_REQUEST, None)
        sensor.publish()
        assert peer.is_silent()


def in_blocks(
    peer: Peer, code: Code, path: tuple[str, ...], payload: bytes, size: int, **more: Any
) -> list[Message]:
    """Send a request in blocks of 16 << size bytes; the answers, to the first but 2.31."""
    length = 16 << size
    blocks = [payload[at : at + length] for at in range(0, len(payload), length)]
    answers: list[Message] = []
    for number, block in enumerate(blocks):
        option = (number, number + 1 < len(blocks), size)
        answers.append(peer.request(code, *path, payload=block, block1=option, **more))
        if answers[-1].code != Code.CONTINUE:
            break
    return answers


def test_registration_and_reading__in_blocks__are_accepted(server: Server) -> None:
    device = Device(Signer.p256())
    server.run("enrol", device.name)
    with Sensor(server.port, device) as sensor:
        nonce = sensor.challenge()
        registration = device.registration(sensor.next(), nonce)
        more = {"content_format": COSE, "echo": nonce}
        answers = in_blocks(sensor, POST, ("reg",), registration, 2, **more)
        assert [one.code for one in answers[:-1]] == [Code.CONTINUE] * (len(answers) - 1)
        assert answers[-1].code == Code.CREATED and len(answers) > 2
        topic = tuple(answers[-1].opt.location_path)
        reading = device.reading([{0: "n", 3: "v" * 700}], sensor.next(), FULL)
        answers = in_blocks(sensor, PUT, topic, reading, 4, **more)
        assert (answers[0].code, answers[-1].code) == (Code.CONTINUE, Code.CREATED)
        assert sensor.proven(GET, *topic).payload == reading


def test_block__that_is_missing_or_too_much__is_said(server: Server) -> None:
    with Peer(server.port) as peer:
        echo = peer.prove_address()
        more = {"content_format": 40, "echo": echo, "uri_query": ["ep=a"]}
        lost = peer.request(POST, "rd", payload=b"x", block1=(1, False, 2), **more)
        assert lost.code == Code.REQUEST_ENTITY_INCOMPLETE
        large = in_blocks(peer, POST, ("rd",), bytes(5000), 6, **more)[-1]
        assert (large.code, large.opt.size1) == (Code.REQUEST_ENTITY_TOO_LARGE, 4096)
        first = peer.request(POST, "rd", block1=(0, True, 6), size1=4097, **more)
        assert (first.code, first.opt.size1) == (Code.REQUEST_ENTITY_TOO_LARGE, 4096)


def test_observation__ends_by_reset_or_request(server: Server) -> None:
    with registered(server) as sensor, Peer(server.port) as peer:
        first = peer.proven(GET, *sensor.topic, observe=0)
        sensor.publish()
        reset = Message(code=Code.EMPTY)
        reset.mtype, reset.mid, reset.token = RST, peer.receive().mid, b""
        peer.socket.send(reset.encode())
        sensor.publish()
        assert peer.is_silent()
        first = peer.proven(GET, *sensor.topic, observe=0)
        request = Message(code=GET, uri_path=sensor.topic, observe=1)
        request.mtype, request.mid, request.token = CON, peer.id + 1, first.token
        assert peer.exchange(request.encode()).opt.observe is None
        sensor.publish()
        assert peer.is_silent()


def test_peer__hears_once_what_is_sent_again_until_it_is_confirmed() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        with Peer(server.getsockname()[1]) as peer:
            peer.socket.send(b"?")
            to = server.recvfrom(1)[1]
            first, second = (peer.message(GET, path) for path in ("a", "b"))
            unconfirmed = peer.message(GET, "c", kind=NON)
            for datagram in (first, first, second, first, unconfirmed, unconfirmed):
                server.sendto(datagram, to)
            heard = [peer.receive().opt.uri_path for _ in range(4)]
            assert heard == [("a",), ("b",), ("c",), ("c",)]
            server.sendto(second, to)
            assert peer.is_silent()


def test_observation__every_32nd_notification_is_confirmable(server: Server) -> None:
    with registered(server) as sensor, Peer(server.port) as peer:
        peer.proven(GET, *sensor.topic, observe=0)
        kinds = []
        for _ in range(32):
            sensor.publish()
            kinds.append(peer.receive())
        assert [one.mtype for one in kinds] == [NON] * 31 + [CON]


def test_aiocoap__reads_and_observes(server: Server) -> None:
    async def watch(sensor: Sensor) -> list[bytes]:
        context = await aiocoap.Context.create_client_context(transports=["simple6"])
        seen: list[bytes] = []
        try:
            asked = Message(code=GET, uri=uri(server, sensor.topic), observe=0)
            challenge = await context.request(asked).response
            again = Message(
                code=GET, uri=uri(server, sensor.topic), observe=0, echo=challenge.opt.echo
            )
            request = context.request(again)
            seen.append((await request.response).payload)
            assert request.observation is not None
            updates = aiter(request.observation)
            for _ in range(2):
                await asyncio.to_thread(sensor.publish)
                seen.append((await anext(updates)).payload)
        finally:
            await context.shutdown()
        return seen

    with registered(server) as sensor:
        seen = asyncio.run(watch(sensor))
        assert seen == [sensor.device.reading(PACK, number, FULL) for number in (2, 3, 4)]


def test_kill__loses_no_reading_that_was_acknowledged_and_doubles_none(server: Server) -> None:
    """Devices publish as fast as they can while the server is killed again and again."""
    sensors = [registered(server, 0) for _ in range(4)]
    for sensor in sensors:
        sensor.socket.settimeout(1)  # messages in flight at the kill get no answer
    stop = threading.Event()
    acknowledged: dict[str, set[int]] = {sensor.device.name: set() for sensor in sensors}

    def work(sensor: Sensor) -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError):
                number = sensor.next()
                reading = sensor.device.reading(PACK, number, FULL)
                if sensor.put(reading).code.is_successful():
                    acknowledged[sensor.device.name].add(number)

    threads = [threading.Thread(target=work, args=(sensor,)) for sensor in sensors]
    for thread in threads:
        thread.start()
    for _ in range(5):
        before = {name: len(numbers) for name, numbers in acknowledged.items()}
        while any(len(acknowledged[name]) < count + 5 for name, count in before.items()):
            assert any(thread.is_alive() for thread in threads)
            stop.wait(0.01)
        server.kill()
        server.start()
    stop.set()
    for thread in threads:
        thread.join()
    stored: dict[str, list[int]] = {name: [] for name in acknowledged}
    for row in server.rows("readings", "--last", "1000000"):
        stored[row["identity"]].append(row["sequence"])
    for name, numbers in stored.items():
        assert acknowledged[name] and acknowledged[name] <= set(numbers)
        assert numbers == sorted(set(numbers))
        own = server.rows("readings", "--device", name, "--last", "1000000")
        assert [row["sequence"] for row in own] == numbers
    assert server.rows("verify", str(server.store))[0]["faults"] == []
    assert server.rows("doctor") == []


def test_readings_of_a_device__are_followed_among_those_of_others(server: Server) -> None:
    with registered(server, 2) as sensor, registered(server, 1) as other:
        words = ["readings", "--device", sensor.device.name, "--last", "1", "--follow", "--json"]
        with subprocess.Popen(
            [server.binary, "--store", server.store, *words], stdout=subprocess.PIPE, text=True
        ) as follower:
            assert follower.stdout is not None
            try:
                assert json.loads(follower.stdout.readline())["sequence"] == 3
                for publisher in (other, sensor, other, other, sensor, sensor):
                    assert publisher.publish().code == Code.CHANGED
                rows = [json.loads(follower.stdout.readline()) for _ in range(3)]
            finally:
                follower.kill()
    assert [row["sequence"] for row in rows] == [4, 5, 6]
    assert {row["identity"] for row in rows} == {sensor.device.name}


def test_readings_that_are_followed_from_now_on__are_none_of_before(
    server: Server, tmp_path: Path
) -> None:
    shown = tmp_path / "shown"
    with registered(server, 2) as sensor, shown.open("w") as out:
        words = ["--store", server.store, "--json", "readings", "--last", "0", "--follow"]
        with subprocess.Popen([server.binary, *words], stdout=out) as follower:
            try:
                until(lambda: bool(sensor.publish() and shown.read_text()), "nothing is shown")
            finally:
                follower.kill()
    assert json.loads(shown.read_text().splitlines()[0])["sequence"] > 3


def test_backup__while_serving__holds_what_was_acknowledged(server: Server) -> None:
    copy = server.store.with_name("copy.sqlite")
    with registered(server, 3) as sensor:
        server.run("backup", str(copy))
        sensor.publish()
    report = server.rows("verify", str(copy))[0]
    assert (report["readings"], report["faults"]) == (3, [])
    server.run("backup", str(copy), status=1)


def test_replay__after_a_backup_is_restored__is_accepted_only_from_there_on(
    server: Server,
) -> None:
    copy = server.store.with_name("copy.sqlite")
    with registered(server, 2) as sensor:
        server.run("backup", str(copy))
        lost = sensor.device.reading(PACK, sensor.next(), FULL)
        assert sensor.put(lost).code == Code.CHANGED
        server.kill()
        server.store = copy
        server.start()
        old = sensor.device.reading(PACK, 3, FULL)
        assert sensor.put(old).code == Code.CHANGED  # the newest of the backup, once more
        assert sensor.put(sensor.device.reading(PACK, 2, FULL)).code == Code.CONFLICT
        assert sensor.put(lost).code == Code.CHANGED  # the backup never saw it
        assert sensor.put(lost, content_format=COSE).code == Code.CHANGED
    assert [row["sequence"] for row in server.rows("readings")] == [2, 3, 4]


def test_topic__given_out_after_the_backup__is_no_other_devices_after_the_restore(
    server: Server,
) -> None:
    copy = server.store.with_name("copy.sqlite")
    server.run("backup", str(copy))
    with registered(server) as lost:
        server.kill()
        server.store = copy
        server.start()
        with registered(server) as sensor:
            assert sensor.topic[1].split("-")[0] == lost.topic[1].split("-")[0]
            assert sensor.topic != lost.topic
            assert lost.publish().code == Code.NOT_FOUND
            assert lost.proven(GET, *lost.topic).code == Code.NOT_FOUND


def test_labels__are_those_of_the_protocol(server: Server) -> None:
    row = server.rows("labels", "ae31580c8def1fbf0dd5ed28b72fb79b")[0]
    assert row["label"] == "ae31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;a"
    assert row["scan"] == "CF1:AE31580C8DEF1FBF0DD5ED28B72FB79B"
    folder = server.store.with_name("labels")
    (drawn,) = server.rows("labels", row["identity"], "--qr", "--svg", str(folder))
    assert len(drawn["qr"].splitlines()) == 17  # of 33 modules, two a line
    assert [str(file) for file in folder.iterdir()] == [drawn["file"]]
    wrong = server.run("enrol", "be31-580c-8def-1fbf-0dd5-ed28-b72f-b79b;a", status=2)
    assert "check digit" in wrong


def test_enrolment__from_a_list__keeps_place_and_purpose(server: Server) -> None:
    names = [Device(Signer.p256()).name for _ in range(2)]
    rows = server.store.with_name("devices.csv")
    rows.write_text(f"# the attic\n{names[0]}, attic, climate\n{names[1]}\n")
    server.run("enrol", "--from", str(rows), "--place", "somewhere")
    places = {row["identity"]: row["place"] for row in server.rows("devices")}
    assert places == {names[0]: "attic", names[1]: "somewhere"}
    rows.write_text("nonsense\n")
    assert "line 1" in server.run("enrol", "--from", str(rows), status=1)


def test_enrolment__again__changes_only_what_the_command_mentions(server: Server) -> None:
    name = Device(Signer.p256()).name

    def texts() -> tuple[str, str]:
        (row,) = server.rows("devices")
        return row["place"], row["purpose"]

    server.run("enrol", name, "--place", "attic", "--purpose", "climate")
    server.run("enrol", name)
    assert texts() == ("attic", "climate")
    server.run("enrol", name, "--place", "cellar")
    assert texts() == ("cellar", "climate")
    rows = server.store.with_name("devices.csv")
    rows.write_text(f"{name}\n")
    server.run("enrol", "--from", str(rows))
    assert texts() == ("cellar", "climate")
    rows.write_text(f"{name}, hall\n")
    server.run("enrol", "--from", str(rows))
    assert texts() == ("hall", "climate")
    server.run("revoke", name)
    server.run("enrol", name, "--again", "--purpose", "")
    assert texts() == ("hall", "")


def test_readings__for_people__show_arrival_label_and_place(server: Server) -> None:
    with registered(server, 0) as sensor:
        name = sensor.device.name
        begun = int(time.time())
        sensor.publish([{0: "t", 1: "Cel", 2: 23.5, 6: 1795000000}, {0: "door", 4: True}])
        (label,) = (row["label"] for row in server.rows("labels", name))
        server.run("enrol", name, "--place", "attic\x1b[2J")
        first, second = server.run("readings").splitlines()
    received, rest = first.split("  ", 1)
    at = datetime.fromisoformat(received)
    assert begun <= at.timestamp() <= time.time()
    measured = datetime.fromtimestamp(1795000000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert rest == f"{label}  attic\ufffd[2J  2  t 23.5 Cel  measured {measured}"
    assert second.endswith("  2  door true")


def test_doctor__says_what_is_wrong(server: Server) -> None:
    assert "nothing is enrolled" in server.run("doctor", status=1)
    server.run("enrol", Device(Signer.p256()).name)
    assert "nothing is wrong" in server.run("doctor")


def test_completion__knows_the_commands_and_is_read_by_the_shell(server: Server) -> None:
    script = server.run("completion", "bash")
    words = "COMP_WORDS=(corral-fleet re); COMP_CWORD=1; _corral__fleet corral-fleet re"
    asked = f"{script}\n{words}; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["revoke", "readings", "refused"]
    reader, writer = os.pipe()
    os.close(reader)  # the reader has closed its end
    command = [server.binary, "completion", "bash"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
