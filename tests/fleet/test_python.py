# SPDX-License-Identifier: Apache-2.0
"""The application's package at the server, behind a proxy, and at servers that lie."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

import pytest
import test_receiver
from client import PACK, Sensor
from conftest import PACKAGE
from corral_fleet import (
    Directory,
    Found,
    Identity,
    Peers,
    Reading,
    Reason,
    Receiver,
    RefusedError,
    Trust,
    UnreachableError,
    follow,
    follow_device,
    read,
    read_registration,
)
from corral_fleet.__main__ import main
from corral_fleet.peer import Answer
from corral_server import Server
from harness import waiting
from liar import Liar, described, proxying
from reference import FULL, Device, Signer
from test_directory import enter
from test_http import Web, served, token_of

__all__ = ["served"]  # a fixture

DEVICE, OTHER = Device(Signer.p256()), Device(Signer.ed25519(), "valve")
IDENTITY, OTHERS = Identity(DEVICE.identity), Identity(OTHER.identity)
NOBODY = "coap://127.0.0.1:9"


@pytest.fixture
def sensors(server: Server) -> Iterator[list[Sensor]]:
    """Two devices that are enrolled, registered at broker and directory, and published once."""
    server.run("enrol", DEVICE.name, OTHER.name)
    with Sensor(server.port, DEVICE) as one, Sensor(server.port, OTHER) as other:
        for sensor in (one, other):
            enter(sensor, sensor.device.name, f'</t>;rt="of-{sensor.device.kind}"')
            sensor.register()
            sensor.publish()
        yield [one, other]


def address(server: Server) -> str:
    return f"coap://127.0.0.1:{server.port}"


def command(*words: str, status: int = 0) -> tuple[str, str]:
    """The output and the error messages of python -m corral_fleet."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as said,
        contextlib.redirect_stderr(io.StringIO()) as complained,
    ):
        ended = main(list(words))
    assert ended == status, said.getvalue() + complained.getvalue()
    return said.getvalue(), complained.getvalue()


def test_command__is_a_module_with_help() -> None:
    done = waiting.run(
        [sys.executable, "-m", "corral_fleet", "readings", "--help"],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0 and "--follow" in done.stdout


def test_command__shows_devices_and_verified_readings(
    server: Server, sensors: list[Sensor], tmp_path: Path
) -> None:
    trusted = tmp_path / "trusted.csv"
    trusted.write_text(f"{IDENTITY.label}, attic\n{OTHERS.scan_text}\n")
    common = ("--directory", address(server), "--trust", str(trusted))
    shown, _ = command("devices", *common)
    assert shown.splitlines() == [
        f"{IDENTITY.short}  attic  thermometer  {address(server)}/{'/'.join(sensors[0].topic)}",
        f"{OTHERS.short}  valve  {address(server)}/{'/'.join(sensors[1].topic)}",
    ]
    shown, _ = command("readings", *common)
    assert shown.splitlines() == [
        f"{IDENTITY.short}  attic  #3  t 23.5 Cel at 2026-11-18T11:06:40Z",
        f"{OTHERS.short}  #3  t 23.5 Cel at 2026-11-18T11:06:40Z",
    ]
    shown, _ = command("readings", *common, "--json", "--where", "kd=therm*")
    row = json.loads(shown)
    assert row == {
        "identity": DEVICE.name,
        "name": "attic",
        "sequence": 3,
        "records": [{"n": "t", "u": "Cel", "v": 23.5, "t": 1795000000.0}],
        "object": DEVICE.reading(PACK, 3, FULL).hex(),
    }


def test_command__says_what_is_wrong_and_what_to_do(
    server: Server, sensors: list[Sensor], tmp_path: Path
) -> None:
    at = ("--directory", address(server))
    _, said = command("readings", *at, status=2)
    assert "give the identities on the devices' labels" in said
    _, said = command("readings", *at, "x", status=2)
    assert "'x' is no identity" in said
    for nowhere in ("localhost", "coap://[::1"):
        _, said = command("readings", "--directory", nowhere, DEVICE.name, status=2)
        assert "write coap://host" in said
    for option in (("--patience", "nan"), ("--patience", "0"), ("--every=-1",), ("--count", "0")):
        with pytest.raises(SystemExit, match="2"):
            command("readings", *at, DEVICE.name, *option)
    _, said = command("readings", *at, DEVICE.name, "--where", "thermometer", status=2)
    assert "write NAME=VALUE" in said
    state = tmp_path / "state"
    state.write_text("[]")
    _, said = command("readings", *at, DEVICE.name, "--state", str(state), status=2)
    assert "name another file" in said
    _, said = command("readings", "--directory", NOBODY, DEVICE.name, status=1)
    assert NOBODY in said
    members = f"{OTHER.name},{DEVICE.name}"
    group = str(Identity.of_group([IDENTITY, OTHERS]))
    shown, said = command("devices", *at, group, DEVICE.name, status=1)
    assert len(shown.splitlines()) == 1 and "--members" in said
    shown, _ = command("devices", *at, group, "--members", members)
    assert {line.split()[0] for line in shown.splitlines()} == {IDENTITY.short, OTHERS.short}
    _, said = command("devices", *at, DEVICE.name, "--members", members, status=2)
    assert f"the group of these members is {group}" in said


def test_command__writes_for_a_terminal_of_few_letters_what_it_has_not(
    server: Server, sensors: list[Sensor], tmp_path: Path
) -> None:
    trusted = tmp_path / "trusted.csv"
    trusted.write_text(f"{DEVICE.name}, Küche\n", encoding="utf-8")
    words = ["devices", "--directory", address(server), "--trust", str(trusted)]
    done = waiting.run(
        [sys.executable, "-m", "corral_fleet", *words],
        env={**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONIOENCODING": "ascii"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0 and "K\\xfcche" in done.stdout


def test_command__at_a_peer_that_says_what_cannot_be_read__says_nothing_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def answer(peer: socket.socket) -> None:
        asked, whose = peer.recvfrom(1500)
        length = asked[0] & 15
        for code, options in ((b"\x45", b"\x81\xff"), (b"\x84", b"")):  # a path of \xff; 4.04
            head = bytes([0x60 | length]) + code + asked[2 : 4 + length]
            peer.sendto(head + options, whose)

    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer,
        concurrent.futures.ThreadPoolExecutor() as pool,
    ):
        peer.bind(("127.0.0.1", 0))
        answered = pool.submit(answer, peer)
        at = f"coap://127.0.0.1:{peer.getsockname()[1]}"
        _, said = command("devices", "--directory", at, DEVICE.name, status=1)
        answered.result()
    assert said.count("\n") == 1 and "4.04" in said
    assert caplog.records == []


def test_state__lets_no_server_show_an_older_reading_to_a_later_run(
    server: Server, sensors: list[Sensor], tmp_path: Path
) -> None:
    copy, state = server.store.with_name("copy.sqlite"), tmp_path / "state"
    words = ("readings", "--directory", address(server), DEVICE.name, "--state", str(state))
    server.run("backup", str(copy))
    sensors[0].publish()
    assert command(*words)[0] == command(*words)[0]
    server.kill()
    server.store = copy
    server.start()
    enter(sensors[0], DEVICE.name)
    shown, said = command(*words, status=1)
    assert shown == "" and "replayed" in said
    sensors[0].publish()
    assert "#6 " in command(*words)[0]


def test_followed_devices__are_shown_until_the_count(server: Server, sensors: list[Sensor]) -> None:
    words = ("--directory", address(server), "--json", DEVICE.name, OTHER.name)
    shown, _ = command("readings", "--follow", "--count", "2", *words)
    assert {json.loads(line)["identity"] for line in shown.splitlines()} == {
        DEVICE.name,
        OTHER.name,
    }


async def found_at(peers: Peers, directory: str, identity: Identity = IDENTITY) -> Found:
    found = await Directory(peers, directory).find(identity)
    assert found is not None
    return found


async def some(
    coming: AsyncIterator[Reading | RefusedError], actions: Sequence[Callable[[], object]]
) -> list[int | Reason]:
    """The first item, and one after each action: numbers of readings, or reasons of refusal."""
    seen: list[int | Reason] = []
    for action in (*actions, None):
        async with asyncio.timeout(waiting.PATIENCE):
            each = await anext(coming)
        seen.append(each.sequence if isinstance(each, Reading) else each.reason)
        if action is not None:
            await asyncio.to_thread(action)
    return seen


def test_application__finds_by_type_and_attribute(server: Server, sensors: list[Sensor]) -> None:
    async def names(*criteria: str) -> list[bool]:
        async with Peers.open() as peers:
            directory = Directory(peers, address(server))
            found = [await directory.find(one, criteria) for one in (IDENTITY, OTHERS)]
            return [one is not None for one in found]

    assert asyncio.run(names()) == [True, True]
    assert asyncio.run(names("kd=valve")) == [False, True]
    assert asyncio.run(names("rt=of-therm*")) == [True, False]
    assert asyncio.run(names("rt=of-valve", "kd=thermometer")) == [False, False]


@pytest.mark.parametrize("is_proxied", [False, True], ids=["direct", "proxy"])
def test_application__gets_the_same_objects_with_and_without_a_proxy(
    server: Server, sensors: list[Sensor], is_proxied: bool
) -> None:
    async def objects() -> list[bytes]:
        async with (
            proxying() as proxy,
            Peers.open(proxy=proxy.address if is_proxied else None) as peers,
        ):
            seen = []
            for identity in (IDENTITY, OTHERS):
                found = await found_at(peers, address(server), identity)
                seen.append((await read(peers, found, Receiver(found.device))).data)
            assert (proxy.requests > 0) == is_proxied
            return seen

    assert asyncio.run(objects()) == [one.reading(PACK, 3, FULL) for one in (DEVICE, OTHER)]


@pytest.mark.parametrize("is_proxied", [False, True], ids=["direct", "proxy"])
def test_application__follows_readings_with_and_without_a_proxy(
    server: Server, sensors: list[Sensor], is_proxied: bool
) -> None:
    async def numbers() -> list[int | Reason]:
        # The proxy forwards the observation of a resource, and then no notification.
        async with (
            proxying() as proxy,
            Peers.open(
                proxy=proxy.address if is_proxied else None, renewal=0.05 if is_proxied else 300
            ) as peers,
        ):
            found = await found_at(peers, address(server))
            coming = follow(peers, found.topics[0], Receiver(found.device), every=0.05)
            return await some(coming, [sensors[0].publish] * 3)

    assert asyncio.run(numbers()) == [3, 4, 5, 6]


def test_application__follows_on_after_the_server_was_started_again(
    server: Server, sensors: list[Sensor]
) -> None:
    def again() -> None:
        server.kill()
        server.start()
        assert sensors[0].publish().code.is_successful()

    async def numbers() -> list[int | Reason]:
        async with Peers.open(renewal=0.2) as peers:
            found = await found_at(peers, address(server))
            coming = follow(peers, found.topics[0], Receiver(found.device), every=0.05)
            return await some(coming, [again, sensors[0].publish])

    assert asyncio.run(numbers()) == [3, 4, 5]


def test_reading__that_is_only_repeated__is_followed_once() -> None:
    class Played:
        """Peers that show these readings."""

        async def follow(self, *_: object) -> AsyncIterator[Answer]:
            for number in (2, 2, 3, 3):
                yield Answer(18, DEVICE.reading(PACK, number, FULL))

    async def numbers() -> list[int]:
        coming = follow(Played(), "", Receiver(test_receiver.public(DEVICE)))  # type: ignore[arg-type]
        return [each.sequence async for each in coming if isinstance(each, Reading)]

    assert asyncio.run(numbers()) == [2, 3]


def altered(reading: bytes, at: int) -> bytes:
    return reading[:at] + bytes([reading[at] ^ 1]) + reading[at:][1:]


def test_lying_broker__has_no_reading_believed_but_the_devices_own() -> None:
    one, two, three = (DEVICE.reading(PACK, number, FULL) for number in (1, 2, 3))
    lies = {
        altered(three, -1): Reason.BAD_SIGNATURE,
        altered(three, len(three) - 68): Reason.BAD_SIGNATURE,
        OTHER.reading(PACK, 3, FULL): Reason.BAD_SIGNATURE,
        DEVICE.reading(PACK, 3, FULL, topic=OTHER.name): Reason.BAD_SIGNATURE,
        Device(Signer.p256()).reading(PACK, 3, FULL): Reason.BAD_SIGNATURE,
        one: Reason.REPLAYED,
        DEVICE.registration(3, b"nonce"): Reason.MALFORMED,
        b"\x9f" + three[1:] + b"\xff": Reason.MALFORMED,
        three[:-1]: Reason.MALFORMED,
        b"": Reason.MALFORMED,
        b"\x81" * 5000: Reason.MALFORMED,
    }

    async def reasons() -> list[int | Reason]:
        liar = Liar()
        liar.endpoints.content = described(DEVICE).encode()
        liar.topic.content = two
        async with liar.serving(), Peers.open() as peers:
            found = await found_at(peers, liar.address)
            receiver = Receiver(found.device)
            coming = follow(peers, found.topics[0], receiver)
            loop = asyncio.get_running_loop()
            said = [
                lambda lie=lie: loop.call_soon_threadsafe(liar.topic.say, lie)
                for lie in (*lies, three)
            ]
            return await some(coming, said)

    assert asyncio.run(reasons()) == [2, *lies.values(), 3]


def test_lying_directory__has_no_key_believed_but_the_identitys() -> None:
    thief = Device(Signer.p256())
    lies = {
        described(thief, DEVICE.name): Reason.FOREIGN_KEY,
        described(DEVICE, kd="valve"): Reason.FOREIGN_KEY,
        described(DEVICE, ak=described(DEVICE)): Reason.MALFORMED,
        described(DEVICE, pk="AA"): Reason.MALFORMED,
        described(DEVICE, pk=""): Reason.MALFORMED,
        described(DEVICE) + ",": Reason.MALFORMED,
        described(thief): None,
        "": None,
    }

    async def reasons() -> list[Reason | None]:
        liar, seen = Liar(), []
        async with liar.serving(), Peers.open() as peers:
            for lie in lies:
                liar.endpoints.content = lie.encode()
                try:
                    found = await Directory(peers, liar.address).find(IDENTITY)
                except RefusedError as refused:
                    seen.append(refused.reason)
                else:
                    assert found is None
                    seen.append(None)
        return seen

    assert asyncio.run(reasons()) == list(lies.values())


def test_false_entry_or_topic__does_not_hide_the_right_one() -> None:
    thief = Device(Signer.p256())

    async def numbers() -> list[int | Reason]:
        liar = Liar()
        entries = (described(thief, DEVICE.name), described(DEVICE))
        liar.endpoints.content = ",".join(entries).encode()
        liar.resources.content = b'</e>;rt="core.ps.data",</t>;rt="core.ps.data"'
        liar.topic.content = DEVICE.reading(PACK, 1, FULL)
        async with liar.serving(), Peers.open() as peers:
            found = await found_at(peers, liar.address)
            coming = follow_device(peers, found, Receiver(found.device))
            say = asyncio.get_running_loop().call_soon_threadsafe
            two = DEVICE.reading(PACK, 2, FULL)
            return await some(coming, [lambda: say(liar.topic.say, two)])

    assert asyncio.run(numbers()) == [1, 2]


def test_peer__that_sends_too_much_something_else_or_nothing__is_given_up() -> None:
    async def errors() -> list[str]:
        liar, said = Liar(), []
        async with liar.serving(), Peers.open() as peers:
            liar.endpoints.content = b"</x>," * 30000
            for address in (liar.address, NOBODY, "http://localhost"):
                with pytest.raises(UnreachableError) as error:
                    await found_at(peers, address)
                said.append(str(error.value))
            liar.endpoints.content = described(DEVICE).encode()
            device = test_receiver.public(DEVICE)
            with pytest.raises(RefusedError) as refused:
                await read(peers, Found(device, {}, (f"{liar.address}/e",)), Receiver(device))
            said.append(refused.value.reason.value)
        return said

    too_long, nobody, no_coap, no_object = asyncio.run(errors())
    assert "the answer is too long" in too_long
    assert NOBODY in nobody
    assert "write coap://host" in no_coap
    assert no_object == "content format"


@pytest.mark.parametrize("size", [16, 64, 1024])
def test_directory__that_answers_in_blocks_of_its_own_size__is_read(size: int) -> None:
    async def topics() -> tuple[str, ...]:
        liar = Liar()
        liar.endpoints.content = described(DEVICE).encode()
        liar.resources.content = b'</t>;rt="core.ps.data",' * 99 + b"</x>"
        liar.endpoints.block = liar.resources.block = size
        async with liar.serving(), Peers.open() as peers:
            found = await found_at(peers, liar.address)
            assert set(found.topics) == {f"{liar.address}/t"}
            return found.topics

    # Of a hundred that the application would ask, one after the other, some are enough.
    assert len(asyncio.run(topics())) == 8


def test_command__whose_reader_has_enough__ends_quietly(
    server: Server, sensors: list[Sensor]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = ["readings", "--follow", "--directory", address(server), DEVICE.name]
    done = waiting.run(
        [sys.executable, "-m", "corral_fleet", *words],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_program_of_the_page__shows_verified_readings(
    server: Server, sensors: list[Sensor]
) -> None:
    page = (PACKAGE.parents[1] / "docs" / "fleet" / "APPLICATION.md").read_text()
    program = page.partition("```python\n")[2].partition("```")[0]
    done = waiting.run(
        [sys.executable, "-c", program, address(server), IDENTITY.label, str(OTHERS), "0" * 32],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.stdout.splitlines() == [
        f"{IDENTITY.short} 3 t 23.5 Cel",
        f"{OTHERS.short} 3 t 23.5 Cel",
        "00000000: not in the directory",
    ]


def test_group__is_revealed_by_a_registration_that_the_server_kept(
    served: Server,
) -> None:
    members = tuple(sorted([DEVICE.identity, OTHER.identity]))
    kit = Identity.of_group([IDENTITY, OTHERS])
    served.run("enrol", str(kit))
    with Sensor(served.port, Device(OTHER.signer, OTHER.kind, None, members)) as sensor:
        assert sensor.register().code.is_successful()
    row = Web(served, token_of(served, "read")).get("/v1/registrations")["registrations"][0]
    kept = read_registration(bytes.fromhex(row["object"]), bytes.fromhex(row["nonce"]))
    trust = Trust.of([str(kit)])
    assert trust.reveal(kept.members) == kit
    assert kept.device.identity == OTHERS and set(trust) == {IDENTITY, OTHERS}
