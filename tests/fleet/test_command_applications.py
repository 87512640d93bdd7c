# SPDX-License-Identifier: Apache-2.0
"""Applications that command, by the package and by the crate: at the server, and at liars."""

from __future__ import annotations

import asyncio
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import cbor2
import pytest
import worked
from aiocoap.numbers.codes import CHANGED
from client import Peer
from conftest import PACKAGE
from corral.common import loopback
from corral_fleet import (
    Commander,
    CommandError,
    Identity,
    Reason,
    RefusedError,
    Service,
    WrongSettingError,
    read_result,
    service,
)
from corral_fleet import Device as Known
from corral_fleet.commander import Value
from corral_server import Server, compiled
from cryptography.hazmat.primitives import serialization
from harness import waiting
from reference import Device, Signer, encode, to_be_signed
from test_command import CHALLENGE, Obedient, commander, wanted
from test_command_http import lying, obedient
from test_http import HERE, certificate, served, tls_options, token_of
from test_together import identity, image, run
from verifier import check_signature

__all__ = ["image", "obedient", "served"]  # fixtures

DEVICE = Device(Signer.p256())
OTHER = Device(Signer.p256())
#: The device's keys, as a true service shows them.
SHOWN: dict[str, object] = {
    "kind": DEVICE.kind,
    "signing": encode(DEVICE.signer.cose_key()).hex(),
    "agreement": None,
}


def _of_the_page() -> list[object]:
    """The package, as the page shows it."""
    page = (PACKAGE.parents[1] / "docs" / "fleet" / "APPLICATION.md").read_text()
    return [sys.executable, "-c", page.split("```python\n")[2].partition("```")[0]]


def _of_the_crate() -> list[object]:
    """The crate's example."""
    return [compiled() / "examples" / "order"]


@dataclass
class Application:
    """A program that commands."""

    program: list[object]
    folder: Path
    algorithm: str = "es256"

    def prepare(self, server: Server) -> str:
        """A key and a token of a server; whom devices are to obey."""
        (self.folder / "token").write_text(f"{token_of(server, 'command')}\n")
        sender = commander(server, self.algorithm)
        server.store.with_name("fleet.key").rename(self.folder / "key")
        return sender

    def make_up(self) -> None:
        """Write a key, and a token that no server issued."""
        (self.folder / "token").write_text("cft_made-up\n")
        (self.folder / "key").write_bytes(_document(Signer.ed25519()))

    @contextmanager
    def commanding(
        self, url: str, device: str, *words: str, **environment: str
    ) -> Iterator[Callable[[], tuple[int, str]]]:
        """Command in another process; a call returns its status and its output."""
        command = [*self.program, url, self.folder / "token", self.folder / "key", device, *words]
        process = subprocess.Popen(
            [str(word) for word in command],
            env={**os.environ, "PYTHONPATH": str(PACKAGE), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

        def end() -> tuple[int, str]:
            said, _ = process.communicate(timeout=waiting.PATIENCE)
            return process.returncode, said

        try:
            yield end
        finally:
            process.kill()
            process.communicate()


@pytest.fixture(params=[_of_the_page, _of_the_crate], ids=["package", "crate"])
def application(request: pytest.FixtureRequest, tmp_path: Path) -> Application:
    folder = tmp_path / "application"
    folder.mkdir()
    return Application(request.param(), folder)


def _document(signer: Signer) -> bytes:
    return signer.key.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@pytest.mark.parametrize("algorithm", ["es256", "ed25519"])
def test_command_of_an_application__is_signed_for_the_challenge_and_its_result_verified(
    served: Server, obedient: Obedient, application: Application, algorithm: str
) -> None:
    application.algorithm = algorithm
    sender = application.prepare(served)
    device = obedient.device
    with application.commanding(served.http, device.name, "heat", "-3") as end:
        assert obedient.ask().code == CHANGED
        command = obedient.fetch()
        header, unprotected, payload, signature = cbor2.loads(command)
        stated = cbor2.loads(payload)
        made = hashlib.sha256(encode(["cf1-id", *(stated[label] for label in (1, 2, 3))]))
        assert made.hexdigest()[:32] == sender
        assert (stated[6], stated[7], unprotected) == ("heat", -3, {6: bytes(8)})
        context = ["cf1-command", device.identity, [bytes.fromhex(sender), CHALLENGE], 0]
        check_signature(stated[1], to_be_signed(header, context, payload), signature)
        number = obedient.next()
        assert obedient.report(device.result(command, number, 16, 7)).code == CHANGED
        status, said = end()
    assert status == 0 and said.startswith(f"{number}  16 "), said


def test_command_of_an_application__over_https__is_sent_to_who_is_believed_alone(
    binary: Path, tmp_path: Path, application: Application
) -> None:
    files, other = certificate(tmp_path, "good"), certificate(tmp_path, "other")[0]
    options = (*HERE, *tls_options(files))
    with Server(binary, tmp_path / "fleet.sqlite", options=options).serving() as server:
        url = f"https://localhost:{urlsplit(server.http).port}"
        application.prepare(server)
        with Obedient(server.port, Device(Signer.p256())) as device:
            name = device.device.name
            server.run("enrol", name)
            device.register()
            with application.commanding(url, name, "heat", SSL_CERT_FILE=str(files[0])) as end:
                assert device.ask().code == CHANGED
                made = device.device.result(device.fetch(), device.next(), 0, None)
                assert device.report(made).code == CHANGED
                assert end()[0] == 0
            with application.commanding(url, name, "heat", SSL_CERT_FILE=str(other)) as end:
                status, said = end()
            assert status == 1 and "certificate" in said and "not known" not in said, said


def _altered(result: bytes) -> bytes:
    return result[:-1] + bytes([result[-1] ^ 1])


@pytest.mark.parametrize(
    "tells",
    [
        lambda command: _altered(DEVICE.result(command, 9, 0, None)),
        lambda _: DEVICE.result(b"the command before", 9, 0, None),
        lambda command: OTHER.result(command, 9, 0, None),
        lambda command: command,
        lambda _: b"",
        lambda _: bytes(2000),
    ],
    ids=["altered", "of the command before", "of another device", "command", "none", "long"],
)
def test_result__that_is_not_the_devices_or_of_another_command__is_shown_by_no_application(
    application: Application, tells: Callable[[bytes], bytes]
) -> None:
    application.make_up()
    how = {"denial": 200, "tells": staticmethod(tells)}
    with (
        lying(SHOWN, **how) as (url, liar),
        application.commanding(url, DEVICE.name, "heat") as end,
    ):
        status, said = end()
        waiting.until(lambda: liar.asked[-1] == "DELETE", "the lease is kept")
    assert status == 1 and "not known whether" in said, said
    assert liar.asked.count("PUT") == 1


def test_key__that_is_not_the_devices__is_commanded_by_no_application(
    application: Application,
) -> None:
    application.make_up()
    with lying(SHOWN) as (url, liar), application.commanding(url, OTHER.name, "heat") as end:
        status, said = end()
        waiting.until(lambda: liar.asked[-1] == "DELETE", "the lease is kept")
    assert status == 1 and "not known" not in said, said
    assert "PUT" not in liar.asked


def test_result__is_shown_by_an_application__though_the_service_does_not_let_it_go(
    application: Application,
) -> None:
    application.make_up()
    is_over = threading.Event()
    how = {
        "denial": 200,
        "tells": staticmethod(lambda command: DEVICE.result(command, 9, 0, "warm")),
        "waits": staticmethod(lambda method: method == "DELETE" and is_over.wait()),
    }
    with (
        lying(SHOWN, **how) as (url, liar),
        application.commanding(url, DEVICE.name, "heat") as end,
    ):
        status, said = end()
        is_over.set()
    assert status == 0 and "warm" in said, said
    # A client whose timeout is the common one repeats a request after it.
    assert liar.asked.count("DELETE") <= 1


def test_device_in_c__obeys_an_application(
    image: Path, binary: Path, tmp_path: Path, application: Application
) -> None:
    with Server(binary, tmp_path / "fleet.sqlite", loopback.in_uri(), HERE).serving() as server:
        name = identity(run(image, server, 0)[1])
        server.run("enrol", name)
        assert run(image, server, 1)[0] == 0
        obeyed = application.prepare(server)
        output = ""
        for _ in range(10):
            with (
                application.commanding(server.http, name, "interval", "100") as end,
                Peer(server.port, host=loopback.host()) as asks,
            ):
                waiting.until(lambda asks=asks: wanted(asks, name), "nobody commands")
                _, output = run(image, server, 4, commander=obeyed, interval="200")
                if "sensor: commanded interval\n" in output:
                    status, said = end()
                    break
        else:
            raise AssertionError(output)
    # Its shortest interval is 200.
    assert status == 0 and " 0 " in said and "200" in said, said


def _service(url: str) -> Service:
    return Service.at(url, "cft_made-up")


def commanded(
    url: str, name: str = "heat", argument: Value = None, wait: float = 1
) -> CommandError:
    """Why the package has no result of the device."""
    sender = Commander(Signer.p256().key)
    sent = _service(url).command(sender, Identity(DEVICE.identity), name, argument, wait=wait)
    with pytest.raises(CommandError) as raised:
        asyncio.run(sent)
    return raised.value


@pytest.fixture
def insistent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lease is given up for as long as a busy machine takes."""
    monkeypatch.setattr(service, "_GIVING_UP", 2 * waiting.PATIENCE)


@pytest.mark.usefixtures("insistent")
@pytest.mark.parametrize(
    "busy",
    [
        *(("GET", 1, 503), ("GET", 2, 429), ("GET", 2, None)),
        *(("PUT", 1, 503), ("PUT", 1, None), ("POST", 1, 503)),
        *(("DELETE", 1, 429), ("DELETE", 1, None)),
    ],
)
def test_package__asks_a_service_again_that_is_busy_and_signs_nothing_twice(
    busy: tuple[str, int, int | None],
) -> None:
    with lying(SHOWN, denial=200, busy=busy) as (url, liar):
        error = commanded(url)
        twice = 2 if busy[0] == "DELETE" else 1
        waiting.until(lambda: liar.asked.count("DELETE") >= twice, "the lease is kept")
    assert error.may_be_done and "told no result" in str(error)
    for method in ("POST", "PUT", "DELETE"):
        assert liar.asked.count(method) == (2 if busy[0] == method else 1)
    assert len(set(liar.left)) == 1, "another command was signed"


@pytest.mark.usefixtures("insistent")
def test_package__asks_a_service_again_that_begins_a_moment_later() -> None:
    with lying(SHOWN, late=0.3) as (url, liar):
        error = commanded(url)
        waiting.until(lambda: "DELETE" in liar.asked, "the lease is kept")
    assert "409" in str(error)
    assert liar.asked == ["POST", "GET", "PUT", "DELETE"]


@pytest.mark.parametrize("denial", [404, 409])
def test_package__does_not_believe_that_a_command_was_not_passed_on(denial: int) -> None:
    with lying(SHOWN, denial=denial) as (url, liar):
        error = commanded(url)
    assert error.may_be_done and str(denial) in str(error)
    assert liar.asked.count("PUT") == 1


def test_package__names_a_service_that_stays_busy() -> None:
    with lying(SHOWN, busy=("GET", 0, 503)) as (url, liar):
        error = commanded(url)
    assert not error.may_be_done
    assert str(error) == f"{url.removeprefix('http://')}: 503: busy"
    assert liar.asked.count("GET") > 1 and "PUT" not in liar.asked


TICKET = {"ticket": "0" * 32, **SHOWN}


class _Odd(http.server.BaseHTTPRequestHandler):
    """A service that answers anything."""

    answers: dict[str, tuple[int, bytes]]

    def do_POST(self) -> None:
        status, data = self.answers.get(self.command, (200, b"{}"))
        self.send_response(status)
        self.send_header("Location", "http://192.0.2.1/")
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.do_POST()

    def do_PUT(self) -> None:
        self.do_POST()

    def do_DELETE(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.mark.parametrize(
    "answers",
    [
        *({"POST": (201, data)} for data in (b"", b"[]", b"{}", b"[" * 5000, b"\xff", b"1")),
        {"POST": (201, b" " * 70000 + json.dumps(TICKET).encode())},
        {"POST": (307, b"")},
        {"POST": (200, json.dumps(TICKET).encode())},
        *(
            {"POST": (201, json.dumps({**TICKET, name: value}).encode())}
            for name, value in [
                ("ticket", "0"),
                ("ticket", 7),
                ("ticket", "../" * 8),
                ("signing", None),
                ("signing", "00"),
                ("signing", "zz"),
                ("agreement", "f6"),
                ("kind", None),
                ("kind", "valve"),
            ]
        ),
        *(
            {
                "POST": (201, json.dumps(TICKET).encode()),
                "GET": (200, json.dumps({"nonce": nonce}).encode()),
            }
            for nonce in (7, "zz", "00 00", "", "00" * 7, "00" * 41, "00" * 30000)
        ),
    ],
)
def test_package__has_an_error_for_whatever_a_service_answers_and_signs_nothing(
    answers: dict[str, tuple[int, bytes]],
) -> None:
    kind = type("_", (_Odd,), {"answers": answers})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind) as odd:
        threading.Thread(target=odd.serve_forever, daemon=True).start()
        error = commanded(f"http://127.0.0.1:{odd.server_port}", wait=5)
        odd.shutdown()
    assert not error.may_be_done
    assert "did not ask" not in str(error)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://192.0.2.1:80", "would show the token"),
        ("http://127.0.0.1:1/v1", "has a path"),
        ("ftp://127.0.0.1:1", "write https"),
        ("http://127.0.0.1:x", "is none"),
        ("http://user:secret@127.0.0.1:1", "a name or a password"),
    ],
)
def test_package__asks_no_service_that_is_not_to_be_asked(url: str, why: str) -> None:
    with pytest.raises(WrongSettingError, match=why) as raised:
        _service(url)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("token", ["", "a b", "a\r\nHost: b", "ü"])
def test_package__sends_no_token_that_is_none(token: str) -> None:
    with pytest.raises(WrongSettingError, match="token"):
        Service.at("http://127.0.0.1:1", token)


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        *(("", None), ("x" * 33, None), ("a\0", None), ("\ud800", None)),
        *(("heat", 1 << 64), ("heat", -(1 << 64) - 1), ("heat", 1.5), ("heat", "\ud800")),
        ("heat", "x" * 1024),
    ],
)
def test_package__signs_no_command_that_no_device_takes(name: str, argument: Value) -> None:
    sender = Commander(Signer.ed25519().key)
    with pytest.raises(WrongSettingError):
        sender.command(Identity(DEVICE.identity), CHALLENGE, name, argument)


def test_key_of_the_tool_and_of_others__is_one_for_the_package(
    binary: Path, tmp_path: Path
) -> None:
    for algorithm, signer in (("es256", Signer.p256()), ("ed25519", Signer.ed25519())):
        server = Server(binary, tmp_path / f"{algorithm}.sqlite")
        made = commander(server, algorithm)
        key = server.store.with_name("fleet.key")
        assert str(Commander.from_file(key).identity) == made
        data = key.read_bytes()
        for broken in (b"", data[:-1], _altered(data)):
            with pytest.raises(WrongSettingError, match="no key"):
                Commander.from_pkcs8(broken)
        key.unlink()
        public = Commander.from_pkcs8(_document(signer)).public
        assert public.cose == signer.cose_key()


def test_result_of_the_protocols_example__is_of_its_command_alone() -> None:
    vectors = worked.vectors()
    command, result = (bytes.fromhex(vectors[name]) for name in ("command", "result"))
    signer = Signer.p256(worked.P256)
    device = Known.read(signer.cose_key(), "thermometer", None)
    assert str(device.identity) == vectors["p256_identity"]
    outcome = read_result(result, device, command)
    assert (outcome.status, outcome.value, outcome.sequence) == (0, None, 65539)
    assert read_result(outcome.data, device, outcome.command) == outcome
    with pytest.raises(RefusedError) as refused:
        read_result(result, device, result)
    assert refused.value.reason is Reason.BAD_SIGNATURE
    for value in ({1: 0}, {1: 0, 2: None, 3: 0}, {1: -1, 2: None}, {1: 0, 2: 1.5}, {1: 0, 2: []}):
        with pytest.raises(RefusedError) as refused:
            read_result(_result_with(signer, value), device, command)
        assert refused.value.reason is Reason.MALFORMED


def _result_with(signer: Signer, value: object) -> bytes:
    """An object of the device, whose payload is this."""
    protected = encode({1: signer.algorithm})
    return encode([protected, {6: bytes(7) + b"\1"}, encode(value), bytes(64)])
