# SPDX-License-Identifier: Apache-2.0
"""Commands over HTTP: the key stays with the commander, and the service is not trusted."""

from __future__ import annotations

import http.client
import http.server
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiocoap.numbers.codes import CHANGED
from corral_server import Server
from harness import waiting
from reference import Device, Signer
from test_command import CHALLENGE, Obedient, Sent, commander
from test_http import HERE, Web, certificate, served, tls_options, token_of, web_of

__all__ = ["served"]  # a fixture

#: Seconds until a lease ends that its holder does not renew (docs/fleet/OPERATING.md).
LEASE = 10


@pytest.fixture
def obedient(served: Server) -> Iterator[Obedient]:
    """A device that registered at a server that is asked over HTTP, too."""
    with _registered(served) as device:
        yield device


@contextmanager
def _registered(server: Server) -> Iterator[Obedient]:
    with Obedient(server.port, Device(Signer.p256())) as device:
        server.run("enrol", device.device.name)
        device.register()
        yield device


@contextmanager
def _commanding(
    server: Server, url: str, device: str, *words: str, **settings: str
) -> Iterator[Sent]:
    """Command a device from where no store is, with a token of the role."""
    key = str(server.store.with_name("fleet.key"))
    token = server.store.with_name("token")
    token.write_text(f"{token_of(server, 'command')}\n")
    options = ["--json", "command", "--key", key, "--http", url]
    elsewhere = {"CORRAL_FLEET_STORE": "/nowhere", "CORRAL_FLEET_TOKEN_FILE": str(token)}
    environment = {**elsewhere, **settings}
    command = ["env", *(f"{name}={value}" for name, value in environment.items())]
    sent = Sent([*command, server.binary, *options, device, *words])
    try:
        yield sent
    finally:
        sent.process.kill()
        sent.process.communicate()


@dataclass
class Caller:
    """A client with a token that asks about commands to one device."""

    web: Web
    device: str

    def __call__(self, status: int, method: str, path: str = "", **body: str) -> Any:
        """The body of the answer, which must have this status."""
        said = json.dumps(body) if body else None
        answer, data = self.web.ask(
            method,
            f"/v1/commands/{self.device}{path}",
            said,
            **{"Content-Type": "application/json"},
        )
        assert answer.status == status, data
        return json.loads(data) if data else None


def _is_carried_out(obedient: Obedient, end: Sent) -> None:
    assert obedient.ask().code == CHANGED
    command = obedient.fetch()
    result = obedient.device.result(command, obedient.next(), 0, "warm")
    assert obedient.report(result).code == CHANGED
    status, said = end()
    assert (status, said["meaning"], said["value"]) == (0, "done", "warm"), said


def test_command__over_http__is_signed_elsewhere_and_its_result_verified(
    binary: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    store = tmp_path / "fleet.sqlite"
    with Server(binary, store, options=HERE, log=log).serving() as server:
        commander(server)
        with _registered(server) as obedient:
            name = obedient.device.name
            with _commanding(server, server.http, name, "heat", "3") as end:
                _is_carried_out(obedient, end)
    assert _lines_of(log, name) == 1


def _lines_of(log: Path, name: str) -> int:
    return log.read_text().count(f'token "command" left a command for {name}')


def test_command__whose_sender_is_gone_before_it_was_kept__has_its_line_in_the_log(
    binary: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with Server(binary, tmp_path / "fleet.sqlite", options=HERE, log=log).serving() as server:
        with _registered(server) as obedient:
            name = obedient.device.name
            caller = Caller(web_of(server, "command"), name)
            lease = f"/{caller(201, 'POST')['ticket']}"
            assert obedient.ask().code == CHANGED
            command = obedient.device.result(bytes(1), 1, 0, None).hex()
            body = {"nonce": CHALLENGE.hex(), "command": command}
            _leave_and_go(server, caller, lease, json.dumps(body))
            # If it came too late to be kept, it is now.
            caller(200, "PUT", lease, **body)
        assert _lines_of(log, name) == 1


def _leave_and_go(server: Server, caller: Caller, lease: str, body: str) -> None:
    """Leave a command, and hang up while it waits for the store."""
    head = (
        f"PUT /v1/commands/{caller.device}{lease} HTTP/1.1",
        "Host: localhost",
        f"Authorization: Bearer {caller.web.token}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    address = urlsplit(server.http)
    with server.held():
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.sendall("\r\n".join([*head, "", body]).encode())
            # Nothing says that it waits, so this is long enough in nearly all runs; in others the
            # test finds nothing.
            time.sleep(0.2)
        time.sleep(0.1)


def test_command__over_https__believes_whom_it_is_told_to_believe(
    binary: Path, tmp_path: Path
) -> None:
    files = certificate(tmp_path, "good")
    other = certificate(tmp_path, "other")[0]
    options = (*HERE, *tls_options(files))
    with Server(binary, tmp_path / "fleet.sqlite", options=options).serving() as server:
        url = f"https://localhost:{urlsplit(server.http).port}"
        commander(server)
        with _registered(server) as obedient:
            name = obedient.device.name
            with _commanding(server, url, name, "heat", CORRAL_FLEET_HTTP_CA=str(files[0])) as end:
                _is_carried_out(obedient, end)
            server.run("token", "remove", "command")
            with _commanding(server, url, name, "heat", CORRAL_FLEET_HTTP_CA=str(other)) as end:
                status, said = end()
                assert status == 1 and "certificate" in said


def test_result__of_who_is_not_the_device__is_not_shown(served: Server, obedient: Obedient) -> None:
    commander(served)
    with _commanding(served, served.http, obedient.device.name, "heat") as end:
        assert obedient.ask().code == CHANGED
        made = Device(Signer.p256()).result(obedient.fetch(), 9, 0, None)
        served.alter("UPDATE commands SET result = ?", made)
        status, said = end()
    assert status == 1
    assert "not known whether" in said


class Liar(http.server.BaseHTTPRequestHandler):
    """A service that shows keys of its choice in a device's place, and denies what it was given."""

    shown: dict[str, object]
    denial = 409
    #: The method and the request of it (0: each) that it is too busy for, and the status that it
    #: answers; None: it hangs up.
    busy: tuple[str, int, int | None] = ("", 0, None)
    asked: list[str]
    left: list[bytes]
    #: The result that it reports for a command that was left.
    tells: Callable[[bytes], bytes] | None = None
    #: Called before it answers a method, to delay the answer.
    waits: Callable[[str], object] | None = None

    def do_POST(self) -> None:
        self._say(201, {"ticket": "0" * 32, **self.shown})

    def do_GET(self) -> None:
        # Another challenge each time, as if the device had asked again.
        result = None
        if self.tells is not None and self.left:
            result = type(self).tells(bytes.fromhex(json.loads(self.left[-1])["command"])).hex()
        self._say(200, {"nonce": f"{len(self.asked):032x}", "result": result})

    def do_PUT(self) -> None:
        # The device may have it all the same.
        self._say(self.denial, {})

    def do_DELETE(self) -> None:
        self._say(200, {})

    def _say(self, status: int, said: object) -> None:
        self.asked.append(self.command)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.command == "PUT":
            self.left.append(body)
        if self.waits is not None:
            type(self).waits(self.command)
        method, number, instead = self.busy
        if self.command == method and number in (0, self.asked.count(method)):
            if instead is None:
                return
            status, said = instead, {"detail": "busy"}
        data = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def lying(
    shown: dict[str, object], late: float = 0, **how: object
) -> Iterator[tuple[str, type[Liar]]]:
    """The address of a lying service, and the class that records its requests."""
    kind = type("_", (Liar,), {"shown": shown, "asked": [], "left": [], **how})
    address = ("127.0.0.1", 0)
    with http.server.ThreadingHTTPServer(address, kind, bind_and_activate=False) as liar:
        liar.server_bind()
        if late:
            threading.Timer(late, liar.server_activate).start()
        else:
            liar.server_activate()
        threading.Thread(target=liar.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{liar.server_port}", kind
        liar.shutdown()


def test_key__that_is_not_the_devices__is_commanded_by_nobody(
    served: Server, obedient: Obedient
) -> None:
    commander(served)
    key = "a3010120062158200" + "1" * 63  # of Ed25519
    shown = {"kind": "thermometer", "signing": key, "agreement": None}
    with (
        lying(shown) as (url, liar),
        _commanding(served, url, obedient.device.name, "heat") as end,
    ):
        status, said = end()
    assert status == 1
    assert "are not those of" in said
    assert "PUT" not in liar.asked


def _shown(served: Server, obedient: Obedient) -> dict[str, object]:
    """The keys that the true service shows of a device which has a commander."""
    commander(served)
    lease = Caller(web_of(served, "enrol", "command"), obedient.device.name)(201, "POST")
    return {name: lease[name] for name in ("kind", "signing", "agreement")}


@dataclass
class _Past:
    """The outcome of a command through a lying service."""

    url: str
    liar: type[Liar]
    status: int
    said: str


def _without_result(
    served: Server, obedient: Obedient, least: tuple[str, int], **how: object
) -> _Past:
    """Wait for a result, which none tells, for as long as it takes to ask by a method so often."""
    shown = _shown(served, obedient)

    def command(wait: int) -> _Past:
        words = (obedient.device.name, "heat", "--wait", str(wait))
        with lying(shown, **how) as (url, liar), _commanding(served, url, *words) as end:
            past = _Past(url, liar, *end())
        served.run("token", "remove", "command")
        return past

    method, times = least
    attempts = map(command, waiting.RISING)
    return waiting.first(attempts, lambda past: past.liar.asked.count(method) >= times)


@pytest.mark.parametrize(
    "busy",
    [
        *(("GET", 1, 503), ("GET", 2, 429), ("GET", 2, None)),
        *(("PUT", 1, 503), ("PUT", 1, None), ("POST", 1, 503)),
        *(("DELETE", 1, 429), ("DELETE", 1, None)),
    ],
)
def test_service__that_is_busy_for_a_moment__is_asked_again(
    served: Server, obedient: Obedient, busy: tuple[str, int, int | None]
) -> None:
    past = _without_result(served, obedient, ("GET", 3), denial=200, busy=busy)
    said, asked = past.said, past.liar.asked
    assert past.status == 1
    assert "told no result: it is not known whether" in said
    assert asked.count("GET") > 2
    for method in ("POST", "PUT", "DELETE"):
        assert asked.count(method) == (2 if busy[0] == method else 1)
    assert len(set(past.liar.left)) == 1, "another command was signed"


def test_service__that_begins_a_moment_later__is_asked_again(
    served: Server, obedient: Obedient
) -> None:
    past = _without_result(served, obedient, ("PUT", 1), late=0.3)
    assert past.status == 1
    assert "409" in past.said
    assert past.liar.asked == ["POST", "GET", "PUT", "DELETE"]


def test_service__that_stays_busy__is_named(served: Server, obedient: Obedient) -> None:
    past = _without_result(served, obedient, ("GET", 2), busy=("GET", 0, 503))
    where, asked = past.url.removeprefix("http://"), past.liar.asked
    assert past.status == 1
    assert past.said == f"corral-fleet: {where}: 503 Service Unavailable: busy\n"
    assert asked.count("GET") > 1 and "PUT" not in asked


@pytest.mark.parametrize("denial", [404, 409])
def test_command__that_the_service_denies_to_have_passed_on__is_not_signed_again(
    served: Server, obedient: Obedient, denial: int
) -> None:
    past = _without_result(served, obedient, ("PUT", 1), denial=denial)
    assert past.status == 1
    assert str(denial) in past.said and "not known whether" in past.said
    assert past.liar.asked.count("PUT") == 1


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://192.0.2.1:80", "would show the token"),
        ("http://127.0.0.1:1/v1", "has a path"),
        ("ftp://127.0.0.1:1", "neither https"),
        ("http://user:secret@127.0.0.1:1", "a name or a password"),
        ("ftp://user:secret@127.0.0.1:1/v1", "a name or a password"),
    ],
)
def test_service__that_is_not_to_be_asked__is_not(served: Server, url: str, why: str) -> None:
    commander(served)
    with _commanding(served, url, "0" * 32, "heat") as end:
        status, said = end()
    assert status == 1
    assert why in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--http", "http://127.0.0.1:1", "--store", "x"), "--store is not looked at"),
        (("--token-file", "x"), "--token-file is for a service"),
        (("--http-ca", "x"), "--http-ca is for a service"),
    ],
)
def test_option__that_would_not_be_looked_at__is_refused(
    binary: Path, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    server = Server(binary, tmp_path / "fleet.sqlite")
    commander(server)
    line = ["env", "-C", tmp_path, binary, "command", "--key", "fleet.key", "0" * 32, "heat"]
    status, said = Sent([*line, *words])()
    assert status == 1
    assert why in said


def test_lease__is_for_the_role_alone_and_its_token_is_good_until_it_is_removed(
    served: Server, obedient: Obedient
) -> None:
    name = obedient.device.name
    for status, web in [(401, Web(served)), (403, web_of(served, "read", "enrol"))]:
        for method, path in [("POST", ""), ("GET", f"/{'0' * 32}"), ("PUT", f"/{'0' * 32}")]:
            Caller(web, name)(status, method, path)
    caller = Caller(web_of(served, "command"), name)
    ticket = caller(201, "POST")["ticket"]
    # The role reads nothing else.
    assert caller.web.ask("GET", "/v1/devices")[0].status == 403
    served.run("token", "remove", "command")
    caller(401, "GET", f"/{ticket}")


@waiting.within(LEASE)
def test_lease__is_of_one_caller__until_it_is_given_up_or_forgotten(
    served: Server, obedient: Obedient, caller: Caller
) -> None:
    served.alter("UPDATE commands SET until = 0")
    lease = caller(201, "POST")
    first = f"/{lease['ticket']}"
    assert lease["identity"] == obedient.device.name
    caller(409, "POST")
    caller(404, "GET", f"/{'0' * 32}")
    caller(400, "GET", "/0")
    caller(400, "GET", f"{first}?nonce=x")
    caller(204, "DELETE", first)
    caller(404, "GET", first)
    second = f"/{caller(201, 'POST')['ticket']}"
    caller(404, "GET", first)
    # The lease has expired: another client gets it, and the client before has lost it.
    served.alter("UPDATE commands SET until = 0")
    caller(201, "POST")
    caller(404, "GET", second)
    for device in (Device(Signer.p256()).name, "x"):
        Caller(caller.web, device)(404 if device != "x" else 400, "POST")
    served.run("revoke", obedient.device.name)
    caller(404, "POST")


def _until(server: Server, device: Device, left: int | None = None) -> int:
    """Until when its lease is, in milliseconds; set to end after so many if they are said."""
    if left is not None:
        until = int(time.time() * 1000) + left
        server.alter("UPDATE commands SET until = ? WHERE device = ?", until, device.identity)
        return until
    store = sqlite3.connect(server.store)
    found = store.execute("SELECT until FROM commands WHERE device = ?", (device.identity,))
    ((until,),) = found.fetchall()
    store.close()
    return int(until)


@pytest.fixture
def second(served: Server) -> Iterator[Obedient]:
    """Another device."""
    with _registered(served) as device:
        yield device


@pytest.fixture
def caller(served: Server, obedient: Obedient) -> Caller:
    return Caller(web_of(served, "command"), obedient.device.name)


@pytest.fixture
def other(served: Server, obedient: Obedient) -> Caller:
    return Caller(web_of(served, "enrol", "command"), obedient.device.name)


def leased(caller: Caller, served: Server, obedient: Obedient) -> str:
    """The path, below the device's, of a new lease of a device that has asked."""
    served.alter("UPDATE commands SET until = 0")
    lease = f"/{caller(201, 'POST')['ticket']}"
    assert obedient.ask().code == CHANGED
    return lease


@waiting.within(4)
def test_lease__that_is_looked_at__is_written_once_half_of_its_time_is_over(
    served: Server, obedient: Obedient, caller: Caller
) -> None:
    lease = leased(caller, served, obedient)
    device = obedient.device
    long = _until(served, device, 9000)
    caller(200, "GET", lease)
    assert _until(served, device) == long
    short = _until(served, device, 4000)
    caller(200, "GET", lease)
    assert _until(served, device) > short + 4000


@waiting.within(LEASE)
def test_looking__by_one_token__is_bounded_but_renews_the_lease_of_who_looks(
    served: Server, obedient: Obedient, second: Obedient, caller: Caller, other: Caller
) -> None:
    lease = leased(caller, served, obedient)
    beside = Caller(caller.web, second.device.name)
    free = f"/{beside(201, 'POST')['ticket']}"
    assert second.ask().code == CHANGED

    def said() -> str:
        # `free` differs from the present state, so the request does not wait.
        return caller.web.ask("GET", f"/v1/commands/{beside.device}{free}")[1].decode()

    def is_refused_and_renews() -> bool:
        short = _until(served, second.device, 4000)
        if "by this token" not in said():
            return False
        assert _until(served, second.device) > short + 4000
        return True

    def served_at_last(ask: Callable[[], bool]) -> Callable[[], bool]:
        # The service closes connections that are too many, and those that went count until it sees
        # that they did.
        def asked() -> bool:
            with suppress(ConnectionError):
                return ask()
            return False

        return asked

    with ExitStack() as held:

        def is_full() -> bool:
            # All again if the seconds of some were over before the last of them came.
            held.close()
            for _ in range(64):
                one = http.client.HTTPConnection(
                    urlsplit(served.http).netloc, timeout=waiting.PATIENCE
                )
                held.callback(one.close)
                headers = {"Authorization": f"Bearer {caller.web.token}"}
                waits = f"/v1/commands/{caller.device}{lease}?nonce={CHALLENGE.hex()}"
                one.request("GET", waits, headers=headers)
            return any(is_refused_and_renews() for _ in range(20))

        def serves_another() -> bool:
            other(200, "GET", lease)
            return True

        waiting.until(served_at_last(is_full), "all of them wait")
        waiting.until(served_at_last(serves_another), "another token is served")
    waiting.until(served_at_last(lambda: CHALLENGE.hex() in said()), "they are gone")


@pytest.mark.parametrize("tag", [b"", b"\xd2"], ids=["bare", "tagged"])
@waiting.within(LEASE)
def test_command__with_the_tag_or_without__has_the_result_that_the_device_tells(
    served: Server, obedient: Obedient, caller: Caller, tag: bytes
) -> None:
    lease = leased(caller, served, obedient)
    command = Device(Signer.p256()).command(obedient.device.identity, CHALLENGE, "heat", 3)
    caller(200, "PUT", lease, nonce=CHALLENGE.hex(), command=(tag + command).hex())
    assert obedient.fetch() == command
    result = obedient.device.result(command, obedient.next(), 0, None)
    assert obedient.report(result).code == CHANGED


@waiting.within(LEASE)
def test_command__is_left_once__and_for_the_challenge_that_the_device_told(
    served: Server, obedient: Obedient, caller: Caller
) -> None:
    lease = leased(caller, served, obedient)
    nonce = caller(200, "GET", lease)["nonce"]
    assert nonce == CHALLENGE.hex()
    # The server accepts any signature: the device verifies it.
    one, two = (obedient.device.result(bytes(1), number, 0, None).hex() for number in (1, 2))
    for status, body in [
        (400, {"nonce": nonce, "command": "00"}),
        (400, {"nonce": nonce, "command": one + "0"}),
        (400, {"nonce": nonce, "command": one, "more": ""}),
        (400, {"nonce": nonce}),
        (409, {"nonce": "00" * 16, "command": one}),
        (200, {"nonce": nonce, "command": one}),
        (200, {"nonce": nonce, "command": one}),  # the answer was lost
        (409, {"nonce": nonce, "command": two}),
    ]:
        caller(status, "PUT", lease, **body)
    for size, status in [(1024, 409), (1025, 400)]:
        object_of = obedient.device.result(bytes(1), 3, 0, "x" * 900)
        more = obedient.device.result(bytes(1), 3, 0, "x" * (900 + size - len(object_of)))
        assert len(more) == size
        body = json.dumps({"nonce": nonce, "command": more.hex()})
        said = caller.web.problem(
            status,
            "PUT",
            f"/v1/commands/{caller.device}{lease}",
            body,
            **{"Content-Type": "application/json"},
        )
        assert ("at most 1024 bytes" in said) == (status == 400)
    assert caller.web.problem(415, "PUT", f"/v1/commands/{caller.device}{lease}", "{}")
    assert obedient.fetch().hex() == one
