# SPDX-License-Identifier: Apache-2.0
"""Commands: from the commander, through an untrusted server, to the device."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cbor2
import pytest
from aiocoap import Message
from aiocoap.numbers.codes import (
    CHANGED,
    CONFLICT,
    CONTENT,
    FORBIDDEN,
    NOT_FOUND,
    POST,
    PUT,
    UNAUTHORIZED,
    UNSUPPORTED_CONTENT_FORMAT,
)
from client import COSE, Peer, Sensor
from corral.build import image as corral_build
from corral.common import loopback
from corral.run import provision
from corral_server import Server
from gateway import live_on_line
from harness import waiting
from harness.program import EMULATED
from reference import Device, Signer, encode, to_be_signed
from test_together import identity, image, local, run
from verifier import check_signature

__all__ = ["image", "local"]  # fixtures

CHALLENGE = bytes(range(16))
#: A device waits six seconds for a signature. After that it has a new challenge.
LIVES = 10


def commander(server: Server, algorithm: str = "es256") -> str:
    """Whom devices are to obey: with a key beside the store."""
    key = server.store.with_name("fleet.key")
    (row,) = server.rows("key", "--key", str(key), "--algorithm", algorithm)
    assert key.stat().st_mode & 0o777 == 0o600
    return str(row["identity"])


class Sent:
    """A command that is running; a call waits for it and returns its status and its output."""

    def __init__(self, command: list[object]) -> None:
        words = [str(word) for word in command]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True)

    def __call__(self) -> tuple[int, Any]:
        output, said = self.process.communicate(timeout=waiting.PATIENCE)
        return self.process.returncode, json.loads(output) if output else said

    def is_over(self) -> bool:
        return self.process.poll() is not None


@contextmanager
def commanding(server: Server, device: str, *words: str, wait: int = 60) -> Iterator[Sent]:
    """Command a device meanwhile."""
    key = str(server.store.with_name("fleet.key"))
    options = ["--json", "command", "--key", key, "--wait", str(wait)]
    sent = Sent([server.binary, "--store", server.store, *options, device, *words])
    try:
        yield sent
    finally:
        sent.process.kill()
        sent.process.communicate()


def wanted(peer: Peer, device: str) -> bytes:
    """The server's challenge to a device that a commander waits for; empty without a commander."""
    answer = peer.request(POST, "cmd", device)
    if answer.code == UNAUTHORIZED:
        return bytes(answer.opt.echo)
    assert (answer.code, answer.payload) == (CHANGED, b"")
    return b""


class Obedient(Sensor):
    """The reference device, as it asks for commands."""

    def ask(self, challenge: bytes = CHALLENGE, **more: Any) -> Message:
        """Tell the challenge, as an answer to the server's."""
        return self.tell(self.device.ask(self.echo(), challenge, self.next()), **more)

    def echo(self) -> bytes:
        """The server's challenge, as soon as a commander waits."""
        self.proof = waiting.until(lambda: wanted(self, self.device.name), "nobody commands")
        return self.proof

    def tell(self, asked: bytes, **more: Any) -> Message:
        """Send what is said to be signed by this device."""
        options = {"content_format": COSE, "payload": asked, "echo": self.proof, **more}
        return self.request(POST, "cmd", self.device.name, **options)

    def fetch(self) -> bytes:
        """The command, once it is signed."""
        return waiting.until(self._fetched, "nobody signed")

    def _fetched(self) -> bytes:
        answer = self.request(POST, "cmd", self.device.name, echo=self.proof)
        assert answer.code in (CONTENT, CHANGED)
        return bytes(answer.payload) if answer.code == CONTENT else b""

    def report(self, result: bytes) -> Message:
        """Tell a result."""
        return self.request(PUT, "cmd", self.device.name, content_format=COSE, payload=result)


def _reasons(server: Server, count: int) -> set[str]:
    """Why so many objects were refused; they are kept twice a second."""
    waiting.until(lambda: len(server.rows("refused")) >= count, "they are not kept")
    return {row["reason"] for row in server.rows("refused")}


@pytest.fixture
def obedient(server: Server) -> Iterator[Obedient]:
    with Obedient(server.port, Device(Signer.p256())) as device:
        server.run("enrol", device.device.name)
        device.register()
        yield device


@pytest.mark.parametrize("algorithm", ["es256", "ed25519"])
def test_command__is_signed_for_the_challenge_and_its_result_shown(
    server: Server, obedient: Obedient, algorithm: str
) -> None:
    sender = commander(server, algorithm)
    with commanding(server, obedient.device.name, "heat", "-3") as end:
        assert obedient.ask().code == CHANGED
        command = obedient.fetch()
        header, unprotected, payload, signature = cbor2.loads(command)
        stated = cbor2.loads(payload)
        hashed = encode(["cf1-id", stated[1], stated[2], stated[3]])
        assert hashlib.sha256(hashed).hexdigest()[:32] == sender
        assert (stated[6], stated[7], unprotected) == ("heat", -3, {6: bytes(8)})
        bound = [bytes.fromhex(sender), CHALLENGE]
        context = ["cf1-command", obedient.device.identity, bound, 0]
        check_signature(stated[1], to_be_signed(header, context, payload), signature)
        result = obedient.device.result(command, obedient.next(), 16, "warm")
        assert obedient.report(result).code == CHANGED
        status, said = end()
    assert (status, said["status"], said["value"]) == (1, 16, "warm")
    # No commander waits for that result any more, and no command is pending.
    assert obedient.report(result).code == NOT_FOUND
    assert obedient.request(POST, "cmd", obedient.device.name).code == CHANGED


def test_server__takes_no_challenge_and_no_result_of_others(
    server: Server, obedient: Obedient
) -> None:
    commander(server)
    stranger = Device(Signer.p256())
    me = obedient.device
    with commanding(server, me.name, "heat") as end:
        old = me.ask(obedient.echo(), CHALLENGE, obedient.next())
        forged = [
            (stranger.ask(obedient.proof, CHALLENGE, 99), FORBIDDEN),
            (old[:-1] + bytes([old[-1] ^ 1]), FORBIDDEN),
            (me.ask(bytes(12), CHALLENGE, 99), FORBIDDEN),  # answers another challenge
            (me.ask(obedient.proof, CHALLENGE, 1), CONFLICT),  # a number that was used
        ]
        for asked, code in forged:
            assert obedient.tell(asked).code == code
        assert obedient.tell(old, echo=bytes(12)).code == UNAUTHORIZED
        assert obedient.tell(old, content_format=None).code == UNSUPPORTED_CONTENT_FORMAT
        assert obedient.tell(old).code == CHANGED
        command = obedient.fetch()
        # It is not signed again for a device that has forgotten its challenge.
        again = me.ask(obedient.echo(), CHALLENGE[::-1], obedient.next())
        assert obedient.tell(again).code == CONFLICT
        assert obedient.fetch() == command
        result = me.result(command, 1000, 0, None)
        for told, code in [
            (stranger.result(command, 1000, 0, None), FORBIDDEN),
            (me.result(command + b"\0", 1000, 0, None), FORBIDDEN),
            (me.result(command, 1, 0, None), CONFLICT),
            (result[:-1] + bytes([result[-1] ^ 1]), FORBIDDEN),
            (result, CHANGED),
        ]:
            assert obedient.report(told).code == code
        status, said = end()
    assert (status, said["meaning"], said["value"]) == (0, "done", None)
    assert _reasons(server, 9) == {"bad signature", "stale challenge", "replayed", "content format"}


def test_result__that_somebody_wrote_into_the_store__is_not_shown(
    server: Server, obedient: Obedient
) -> None:
    commander(server)
    with commanding(server, obedient.device.name, "heat") as end:
        assert obedient.ask().code == CHANGED
        made = Device(Signer.p256()).result(obedient.fetch(), 9, 0, None)
        server.alter("UPDATE commands SET result = ?", made)
        status, said = end()
    assert status == 1
    assert "not known whether" in said


def test_command__that_nobody_asks_for__is_not_signed(server: Server, obedient: Obedient) -> None:
    commander(server)
    name = obedient.device.name
    with commanding(server, name, "heat", wait=1) as end:
        assert "none was signed" in end()[1]
    with commanding(server, name, "heat"):
        obedient.echo()  # a commander waits
        with commanding(server, name, "cool") as other:
            assert "by another" in other()[1]
    stranger = Device(Signer.p256()).name
    for device, words in [(stranger, ["heat"]), (name, ["x" * 33]), (name, [""])]:
        with commanding(server, device, *words) as end:
            assert end()[0] == 1
    assert obedient.request(POST, "cmd", stranger).code == NOT_FOUND
    assert obedient.request(POST, "cmd", name.upper()).code == NOT_FOUND
    server.run("revoke", name)
    assert obedient.request(POST, "cmd", name).code == FORBIDDEN


def test_device_in_c__obeys_its_commander_alone(image: Path, local: Server) -> None:
    name = identity(run(image, local, 0)[1])
    local.run("enrol", name)
    assert run(image, local, 1)[0] == 0
    obeyed = commander(local)

    def live(says: str, whom: str, *words: str, wait: int = 60) -> tuple[str, Any]:
        """Repeat the device's life until it gets the command: it waits seconds for the
        signature."""
        for _ in range(LIVES):
            with (
                commanding(local, name, *words, wait=wait) as end,
                Peer(local.port, host=loopback.host()) as asks,
            ):
                while not (wanted(asks, name) or end.is_over()):
                    time.sleep(0.02)
                status, output = run(image, local, 4, commander=whom, interval="200")
                assert status == 0, output
                came = end()
            if f"sensor: {says}\n" in output:
                return output, came
        raise AssertionError(output)

    output, (status, said) = live("commanded interval", obeyed, "interval", "100")
    assert output.count("sensor: commanded interval") == 1
    assert (status, said["meaning"], said["value"]) == (0, "done", 200)
    (named,) = local.rows("labels", obeyed)
    soon = live("commanded interval", named["label"], "interval", "soon")
    assert soon[1][1]["meaning"] == "wrong argument"
    assert live("commanded interval", named["scan"], "interval", "0")[1][0] == 1
    assert live("commanded explode", "first", "explode")[1][1]["meaning"] == "unknown command"
    output, (status, said) = live("no command of mine", "0" * 32, "interval", "100", wait=3)
    assert "sensor: commanded" not in output
    assert (status, "not known" in said) == (1, True)


def _board(images: Path, server: Server, *words: str) -> str:
    """Run a board that obeys once, with its flash. Returns its output."""
    obeying = corral_build.Options(
        settings={"CORRAL_SINGLE_KEY_SLOTS": "1"}, name="tests/fleet-sensor-obeying"
    )
    built = corral_build.build("sensor", EMULATED, obeying)
    flash = f"flash={server.store.with_name('flash')}"
    life = live_on_line(
        built, images, server.port, [flash, "interval=200", *words], waiting.PATIENCE
    )
    status, line = asyncio.run(life)
    said = line.close()
    assert status == 0, said
    return said


def test_board__with_its_key_in_an_element__obeys_its_commander_alone(
    local: Server, tmp_path: Path
) -> None:
    images = tmp_path / "chips"
    provision.prepare_virtual_chips(EMULATED, images)
    name = identity(_board(images, local, "count=0"))
    local.run("enrol", name)
    _board(images, local, "count=1")
    obeyed = commander(local)

    def live(whom: str, count: int, end: Any) -> str:
        """A life of the board that begins when a commander waits."""
        with Peer(local.port, host=loopback.host()) as asks:
            while not (wanted(asks, name) or end.is_over()):
                time.sleep(0.02)
        return _board(images, local, f"count={count}", f"commander={whom}")

    def command(whom: str, count: int) -> tuple[str, int, Any]:
        with commanding(local, name, "interval", "100") as end:
            return live(whom, count, end), *(end() if whom == obeyed else (0, ""))

    lives = (command(obeyed, 12) for _ in range(LIVES))
    output, status, said = waiting.first(lives, lambda life: life[1] == 0)
    assert output.count("sensor: commanded interval") == 1
    assert (status, said["meaning"], said["value"]) == (0, "done", 200)
    says = "sensor: no command of mine"
    lives = (command("0" * 32, 8) for _ in range(LIVES))
    output, _, _ = waiting.first(lives, lambda life: says in life[0])
    assert says in output
    assert "sensor: commanded" not in output
