# SPDX-License-Identifier: Apache-2.0
"""Commands by the package: many at once, cancelled half-way, and with values no device takes."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import datetime
import http.server
import math
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import PACKAGE
from corral_fleet import Commander, CommandError, Identity, Service, WrongSettingError, service
from corral_fleet.service import _Exchange, _Lease
from harness import waiting
from reference import Signer
from test_command import CHALLENGE
from test_command_applications import DEVICE, SHOWN, commanded
from test_command_http import lying
from test_http import certificate

SENDER = Commander(Signer.ed25519().key)
HERE = "127.0.0.1"


async def _command(
    url: str, name: Any = "heat", argument: Any = None, wait: float = 0
) -> CommandError:
    """Why there is no result."""
    at, device = Service.at(url, "cft_made-up"), Identity(DEVICE.identity)
    with pytest.raises(CommandError) as raised:
        await at.command(SENDER, device, name, argument, wait=wait)
    return raised.value


def test_commands__to_many_devices__look_at_their_leases_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service, "_PATIENCE", 2 * waiting.PATIENCE)
    together = threading.Barrier(24)

    def meet(method: str) -> None:
        if method == "GET":
            together.wait(waiting.PATIENCE)

    async def command(url: str) -> list[CommandError]:
        return await asyncio.gather(*(_command(url) for _ in range(together.parties)))

    with lying(SHOWN, waits=staticmethod(meet)) as (url, _):
        errors = asyncio.run(command(url))
    assert not together.broken
    assert all("did not ask" in str(error) for error in errors)


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_command__that_is_cancelled__gives_its_lease_up_and_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(service, "_GIVING_UP", 2 * waiting.PATIENCE)
    is_over = threading.Event()
    how = {"waits": staticmethod(lambda asked: asked in (method, "DELETE") and is_over.wait())}

    async def cancel() -> bool:
        task = asyncio.create_task(_command(url, wait=math.inf))
        await asyncio.to_thread(waiting.until, lambda: method in liar.asked, "nobody asks")
        task.cancel()
        await asyncio.wait({task}, timeout=waiting.PATIENCE)
        return task.cancelled()

    with lying(SHOWN, denial=200, **how) as (url, liar):
        assert asyncio.run(cancel())
        waiting.until(lambda: "DELETE" in liar.asked, "the lease is kept")
        is_over.set()


def test_result__waits_for_no_lease_that_is_given_up_but_the_next_command_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service, "_GIVING_UP", 2 * waiting.PATIENCE)
    is_over, order = threading.Event(), []

    def note(method: str) -> None:
        if method == "POST":
            liar.left.clear()
        if method == "DELETE":
            is_over.wait()
        order.append(method)

    async def command() -> object:
        at, device = Service.at(url, "cft_made-up"), Identity(DEVICE.identity)
        return (await at.command(SENDER, device, "heat")).value

    async def both() -> None:
        assert await asyncio.wait_for(command(), waiting.PATIENCE) == "warm"
        following = asyncio.create_task(command())
        # Long enough to notice a command that does not wait; a slow machine fails no test.
        await asyncio.wait({following}, timeout=0.5)
        is_over.set()
        assert await following == "warm"

    how = {
        "denial": 200,
        "waits": staticmethod(note),
        "tells": staticmethod(lambda command: DEVICE.result(command, 9, 0, "warm")),
    }
    with lying(SHOWN, **how) as (url, liar):
        try:
            asyncio.run(both())
        finally:
            is_over.set()
        waiting.until(lambda: order.count("DELETE") == 2, "the lease is kept")
    once = ["POST", "GET", "PUT", "GET", "DELETE"]
    assert order == once * 2


def test_command__waits_no_longer_for_a_lease_than_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service, "_GIVING_UP", 0.1)
    with lying(SHOWN, denial=200) as (url, _):
        never: concurrent.futures.Future[None] = concurrent.futures.Future()
        whose = service.Service.at(url, "cft_made-up").authority, Identity(DEVICE.identity)
        monkeypatch.setitem(service._LETTING_GO, whose, never)
        assert "told no result" in str(commanded(url))


FORKS = """
import os
from corral_fleet import service

service._LETTING_GO["somebody's"] = None
child = os.fork()
if child == 0:
    os._exit(len(service._LETTING_GO))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(service._LETTING_GO))
"""


def test_forked_process__waits_for_no_thread_that_it_has_not() -> None:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(
        [sys.executable, "-c", FORKS], check=False, capture_output=True, text=True, env=environment
    )
    assert done.stdout == "0 1\n", done.stderr


class _Listener(http.server.BaseHTTPRequestHandler):
    """Remembers that it was asked."""

    asked: list[str]

    def do_POST(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()


class _Trickling(_Listener):
    """Always about to answer."""

    def do_DELETE(self) -> None:
        self.asked.append(self.path)
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                time.sleep(0.01)


def test_lease__that_a_service_is_always_about_to_free__keeps_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = type("_", (_Trickling,), {"asked": []})

    def threads() -> set[threading.Thread]:
        return {thread for thread in threading.enumerate() if thread.name == "corral_fleet"}

    def let_go(url: str, within: float) -> list[str]:
        monkeypatch.setattr(service, "_GIVING_UP", within)
        before = threads()
        _Lease(Service.at(url, "cft_made-up"), Identity(DEVICE.identity), "00" * 16).let_go()
        waiting.until(lambda: threads() <= before, "a thread is kept")
        return kind.asked

    with http.server.ThreadingHTTPServer((HERE, 0), kind) as slow:
        threading.Thread(target=slow.serve_forever, daemon=True).start()
        url = f"http://{HERE}:{slow.server_port}"
        assert waiting.first((let_go(url, wait) for wait in waiting.RISING), bool)
        slow.shutdown()


def test_request__that_was_given_up_while_it_was_refused__is_not_made_later() -> None:
    kind = type("_", (_Listener,), {"asked": []})
    address = (HERE, 0)
    with http.server.ThreadingHTTPServer(address, kind, bind_and_activate=False) as late:
        late.server_bind()
        url = f"http://{HERE}:{late.server_port}"
        exchange = _Exchange(Service.at(url, "cft_made-up"), "POST", "/v1/commands", {})
        done = exchange.begin()
        exchange.abort()
        late.server_activate()
        threading.Thread(target=late.serve_forever, daemon=True).start()
        assert isinstance(done.exception(waiting.PATIENCE), OSError)
        late.shutdown()
    assert kind.asked == []


def test_request__over_tls__that_was_given_up_has_its_keys_until_its_thread_ends(
    tmp_path: Path,
) -> None:
    file, key = certificate(tmp_path, "good")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    with socket.create_server((HERE, 0)) as server:

        def serve() -> None:
            with context.wrap_socket(server.accept()[0], server_side=True) as peer:
                peer.recv(1)

        threading.Thread(target=serve, daemon=True).start()
        url = f"https://localhost:{server.getsockname()[1]}"
        exchange = _Exchange(Service.at(url, "cft_made-up", file), "GET", "/")
        with exchange._connect() as connected:
            assert isinstance(connected, ssl.SSLSocket)
            exchange.abort()
            assert connected.version() is not None
            with pytest.raises(OSError):
                connected.sendall(b"the rest")


def test_wait__that_is_no_number__is_refused_before_anybody_is_asked() -> None:
    _refused_at_once("heat", None, math.nan)


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        *((None, None), (b"heat", None), (7, None)),
        *(("heat", value) for value in (object(), datetime.datetime.now(datetime.UTC), [], {})),
        *(("heat", value) for value in ("x" * 1024, bytes(1024), "ü" * 512)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_command__that_no_device_takes__is_refused_before_anybody_is_asked(
    name: Any, argument: Any
) -> None:
    _refused_at_once(name, argument, 0)


def _refused_at_once(name: Any, argument: Any, wait: float) -> None:
    with lying(SHOWN) as (url, liar):
        sent = Service.at(url, "cft_made-up").command(
            SENDER, Identity(DEVICE.identity), name, argument, wait=wait
        )
        with pytest.raises(WrongSettingError):
            asyncio.run(sent)
    assert liar.asked == []


def test_longest_command__is_as_long_as_an_object_may_be() -> None:
    for signer in (Signer.p256(), Signer.ed25519()):
        sender = Commander(signer.key)
        longest = 0
        for length in range(1024):
            try:
                sender.check("heat", "x" * length)
            except WrongSettingError:
                break
            longest = length
        made = sender.command(Identity(DEVICE.identity), CHALLENGE, "heat", "x" * longest)
        assert len(made) == 1024


@pytest.mark.parametrize("method", ["GET", "PUT"])
@pytest.mark.parametrize("trouble", [503, 429, None])
def test_service__in_trouble__is_asked_twice_a_second_and_no_more(
    method: str, trouble: int | None
) -> None:
    def command(wait: float) -> tuple[int, float]:
        with lying(SHOWN, denial=200, busy=(method, 0, trouble)) as (url, liar):
            begun = time.monotonic()
            commanded(url, wait=wait)
            return liar.asked.count(method), (time.monotonic() - begun) / 0.5 + 3

    count, most = waiting.first(map(command, waiting.RISING), lambda past: past[0] >= 2)
    assert 2 <= count <= most


class _Rude(_Listener):
    """Says what steers a terminal, in the head of its answer or in its reason."""

    first: bytes

    def do_POST(self) -> None:
        self.wfile.write(self.first + b'\r\n\r\n{"detail":"' + b"\\u001b[2J\\u202e" * 3000 + b'"}')


@pytest.mark.parametrize(
    "first",
    [b"HTTP/1.1 400 -", b"\x1b[2J" * 10000, b"HTTP/1.1 \x1b[2J" + b"x" * 5000],
    ids=["reason", "no head", "no status"],
)
def test_reason_of_a_service__is_shown_short_and_steers_no_terminal(first: bytes) -> None:
    kind = type("_", (_Rude,), {"first": first})
    with http.server.ThreadingHTTPServer((HERE, 0), kind) as rude:
        threading.Thread(target=rude.serve_forever, daemon=True).start()
        error = str(commanded(f"http://{HERE}:{rude.server_port}"))
        rude.shutdown()
    assert error.startswith(HERE)
    assert len(error) < 300 and error.isprintable()
