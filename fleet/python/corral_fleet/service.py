# SPDX-License-Identifier: Apache-2.0
"""Commanding devices past a service that passes commands on, over HTTP.

The service is trusted with nothing: the device's key is the one that its identity is the hash of,
one command is signed for one challenge, and a result is the device's, of this command, or none.
It sees the token of the client.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import http.client
import ipaddress
import json
import math
import os
import re
import socket
import ssl
import threading
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corral_fleet import cbor
from corral_fleet.commander import Commander, Outcome, Value, read_result
from corral_fleet.errors import CommandError, FleetError, UnreachableError, WrongSettingError
from corral_fleet.identity import Device, Identity
from corral_fleet.text import reason

#: Seconds that a service takes to answer: longer than it keeps who looks waiting.
_PATIENCE = 30.0
_ANSWER_MAX = 1 << 16
#: How often requests without a further retry are repeated if the service is busy, and
#: after how long.
_TRIES, _TRY_EVERY = 4, 0.5
#: For how long a lease is given up at most: it ends by itself a little later.
_GIVING_UP = 2.0
#: Between two looks, so that a service that answers at once is not asked without end.
_LOOK_EVERY = 0.05
_TICKET = 16
#: The exceptions of an exchange.
_FAILURES = OSError, ValueError, http.client.HTTPException


@dataclass(frozen=True)
class Service:
    """Where a service is, and with which token it is asked."""

    host: str  # the host of the connection
    port: int
    authority: str
    token: str = field(repr=False)
    tls: ssl.SSLContext | None

    @classmethod
    def at(cls, url: str, token: str, authorities: Path | str | None = None) -> Service:
        """At a URL, `https://fleet.example:8443`, with a token of the role command.

        authorities: a file (PEM) of certificate authorities for the service; None: those of the
        system. `http://` is for a service on this computer: an attacker that sees the token can
        keep devices from being commanded. Raises WrongSettingError, which does not show the URL.
        """
        try:
            parsed = urllib.parse.urlsplit(url)
            port = parsed.port
        except ValueError as error:
            raise WrongSettingError("the service's URL is none") from error
        if "@" in parsed.netloc:
            raise WrongSettingError("a URL with a name or a password, which belong in none")
        if parsed.scheme not in ("http", "https") or not parsed.hostname:
            raise WrongSettingError("write https://host or https://host:port for a service")
        if parsed.path not in ("", "/") or parsed.query or parsed.fragment:
            raise WrongSettingError("the service's URL has a path")
        if not re.fullmatch("[!-~]+", token):
            raise WrongSettingError("the token is empty, or has characters that none has")
        if parsed.scheme == "http":
            host = _loopback(parsed.hostname, port or 80)
            return cls(host, port or 80, parsed.netloc, token, None)
        try:
            tls = ssl.create_default_context(cafile=authorities)
        except (OSError, ValueError) as error:
            raise WrongSettingError(f"{authorities}: {error}") from error
        return cls(parsed.hostname, port or 443, parsed.netloc, token, tls)

    async def command(
        self,
        commander: Commander,
        identity: Identity,
        name: str,
        argument: Value = None,
        *,
        wait: float = 60.0,
    ) -> Outcome:
        """Command a device, and wait until it asked and told its result, so many seconds.

        After a cancellation the result of the command is unknown. A command of this
        process to the same device is waited for until its lease is given up, if it has
        ended. Raises WrongSettingError for values that no device takes, before any
        request, and CommandError if there is no result.
        """
        if math.isnan(wait):
            raise WrongSettingError("a wait that is no number has no end")
        commander.check(name, argument)
        sending = _Sending(_Lease(self, identity), commander, name, argument)
        try:
            return await sending.send(wait)
        except CommandError:
            raise
        except FleetError as error:
            raise CommandError(str(error), may_be_done=sending.signed is not None) from error
        finally:
            sending.lease.let_go()


def _loopback(host: str, port: int) -> str:
    """The address of a name, which is this computer's: it is not looked up a second time."""
    try:
        found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except OSError as error:
        raise WrongSettingError(f"{host}: {error}") from error
    if not all(ipaddress.ip_address(address).is_loopback for address in found):
        raise WrongSettingError("http:// would show the token: use https")
    return found[0]


class _Exchange:
    """A request over a connection of its own, in a thread of its own.

    asyncio's own threads are few, and each look takes one for seconds: with more commands than
    threads, leases would end before they are renewed.
    """

    def __init__(self, service: Service, method: str, path: str, body: object = None) -> None:
        self.service = service
        self.request = method, path, None if body is None else json.dumps(body)
        self.socket: socket.socket | None = None
        self.aborted = threading.Event()

    def begin(self) -> concurrent.futures.Future[tuple[int, dict[str, Any]]]:
        """Ask; returns or raises the result of run(). Raises OSError if there are too
        many threads."""
        done: concurrent.futures.Future[tuple[int, dict[str, Any]]] = concurrent.futures.Future()
        done.set_running_or_notify_cancel()

        def ask() -> None:
            try:
                done.set_result(self.run())
            except Exception as error:  # any exception reaches the waiting caller
                done.set_exception(error)

        try:
            threading.Thread(target=ask, name="corral_fleet", daemon=True).start()
        except RuntimeError as error:
            raise OSError(str(error)) from error
        return done

    def run(self) -> tuple[int, dict[str, Any]]:
        """Status and object of the answer; an empty one where it is none."""
        try:
            return self._answer()
        finally:
            if self.socket is not None:
                self.socket.close()

    def _answer(self) -> tuple[int, dict[str, Any]]:
        service = self.service
        connection = http.client.HTTPConnection(service.host, service.port)
        headers = {
            "Host": service.authority,
            "Authorization": f"Bearer {service.token}",
            "Content-Type": "application/json",
            "Connection": "close",
        }
        connection.auto_open = False  # anew, it would be without TLS
        connection.sock = self._connect()
        method, path, body = self.request
        connection.request(method, path, body, headers)
        with connection.getresponse() as answer:
            data = answer.read(_ANSWER_MAX + 1)
            return answer.status, _object(data)

    def abort(self) -> None:
        """Send no more and end pending reads, because no caller waits for them."""
        self.aborted.set()
        if self.socket is not None:
            with contextlib.suppress(OSError):
                # That of TLS first forgets its keys, and the thread would send the rest in clear.
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)

    def _connect(self) -> socket.socket:
        """A connection, with TLS if the service has it, to send on."""
        service = self.service
        reached = self._reached()
        if service.tls is None:
            self._hold(reached)
            return reached
        secured = service.tls.wrap_socket(
            reached, server_hostname=service.host, do_handshake_on_connect=False
        )
        self._hold(secured)
        secured.do_handshake()
        return secured

    def _reached(self) -> socket.socket:
        """A service that begins anew refuses for a moment, and was asked nothing yet."""
        where = self.service.host, self.service.port
        for _ in range(1, _TRIES):
            with contextlib.suppress(ConnectionRefusedError):
                return socket.create_connection(where, _PATIENCE)
            if self.aborted.wait(_TRY_EVERY):
                raise ConnectionAbortedError
        return socket.create_connection(where, _PATIENCE)

    def _hold(self, connected: socket.socket) -> None:
        """Let abort() end it, and end it here if that came before."""
        self.socket = connected
        # A request in two parts is sent without a wait for the acknowledgement of the first.
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.aborted.is_set():
            raise ConnectionAbortedError


def _object(data: bytes) -> dict[str, Any]:
    if len(data) > _ANSWER_MAX:
        return {}
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


@dataclass
class _Told:
    """The content of the place where a command is left."""

    nonce: bytes | None
    result: bytes | None


#: Pending returns of leases, by service and device.
_LETTING_GO: dict[tuple[str, Identity], concurrent.futures.Future[None]] = {}
# A forked process has not the threads that do it.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_LETTING_GO.clear)


@dataclass
class _Lease:
    """The right to command a device, which one has at a time."""

    service: Service
    identity: Identity
    ticket: str = ""
    leaving: dict[str, str] | None = None  # the command to leave, which may not have arrived
    trouble: FleetError | None = None  # why the service did not answer, though it may yet

    async def take(self) -> Device:
        """Take it. The service's description of the device, from which its identity is computed."""
        if (ending := _LETTING_GO.get(self._whose)) is not None:
            await asyncio.wait([asyncio.wrap_future(ending)], timeout=_GIVING_UP)
        status, said = await self._insistently("POST", f"/v1/commands/{self.identity}")
        if status == 409:
            raise self._taken()
        if status != 201:
            raise self._declined(status, said)
        ticket = self._octets(said.get("ticket"))
        if ticket is None or len(ticket) != _TICKET:
            raise self._nonsense()
        self.ticket = ticket.hex()
        key, agreement = (self._key(said.get(name)) for name in ("signing", "agreement"))
        device = Device.read(key, said.get("kind"), agreement)
        device.check(self.identity)
        return device

    async def look(self, seen: bytes | None) -> _Told:
        """Renew it. The content of the place, and of the former one while the service
        cannot answer."""
        await self.leave()
        query = "" if seen is None else f"?nonce={seen.hex()}"
        answer = await self._patiently("GET", self._path + query)
        if answer is None:
            return _Told(seen, None)
        status, said = answer
        if status == 404:
            raise self._taken()
        if status != 200:
            raise self._declined(status, said)
        return _Told(self._octets(said.get("nonce")), self._octets(said.get("result")))

    async def leave(self) -> None:
        """Leave what may not have been left: the same once more is no error to the service."""
        if self.leaving is None:
            return
        answer = await self._patiently("PUT", self._path, self.leaving)
        if answer is None:
            return  # the device's message will show whether it was left
        if answer[0] != 200:
            # Whatever it says instead, the device may have got it.
            raise self._declined(*answer)
        self.leaving = None

    def let_go(self) -> None:
        """Give it up meanwhile: a result does not wait for that, which a timeout could take away.

        Where this fails, it is free a little later.
        """
        if not self.ticket:
            return
        done: concurrent.futures.Future[None] = concurrent.futures.Future()
        done.set_running_or_notify_cancel()

        def give_up() -> None:
            try:
                self._give_up()
            finally:
                forget()

        def forget() -> None:
            if _LETTING_GO.get(self._whose) is done:
                del _LETTING_GO[self._whose]
            done.set_result(None)

        _LETTING_GO[self._whose] = done
        try:
            # No daemon: else the next process would find the lease of one that ended at once.
            threading.Thread(target=give_up, name="corral_fleet", daemon=False).start()
        except RuntimeError:
            forget()

    def _give_up(self) -> None:
        """The same now. Done twice it is as done once, whether its answer was lost or it was."""
        end = time.monotonic() + _GIVING_UP
        while (left := end - time.monotonic()) > 0:
            exchange = _Exchange(self.service, "DELETE", self._path)
            with contextlib.suppress(*_FAILURES):
                try:
                    if not _passes(exchange.begin().result(left)[0]):
                        return
                finally:
                    exchange.abort()
            time.sleep(max(0, min(_TRY_EVERY, end - time.monotonic())))

    @property
    def is_in_trouble(self) -> bool:
        """Whether to pause requests to the service."""
        return self.trouble is not None or self.leaving is not None

    @property
    def _whose(self) -> tuple[str, Identity]:
        return self.service.authority, self.identity

    @property
    def _path(self) -> str:
        return f"/v1/commands/{self.identity}/{self.ticket}"

    async def _ask(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
        exchange = _Exchange(self.service, method, path, body)
        try:
            async with asyncio.timeout(_PATIENCE):
                return await asyncio.wrap_future(exchange.begin())
        except TimeoutError as error:
            raise UnreachableError(f"{self.service.authority}: does not answer") from error
        except _FAILURES as error:
            why = reason(str(error) or type(error).__name__)
            raise UnreachableError(f"{self.service.authority}: {why}") from error
        finally:
            exchange.abort()

    async def _patiently(
        self, method: str, path: str, body: object = None
    ) -> tuple[int, dict[str, Any]] | None:
        """The answer of the service; None where it cannot just now, which is kept as trouble."""
        self.trouble = None
        try:
            status, said = await self._ask(method, path, body)
        except UnreachableError as error:
            self.trouble = error
            return None
        if _passes(status):
            self.trouble = self._declined(status, said)
            return None
        return status, said

    async def _insistently(self, method: str, path: str) -> tuple[int, dict[str, Any]]:
        """The same several times, for requests without a further retry."""
        for _ in range(1, _TRIES):
            status, said = await self._ask(method, path)
            if not _passes(status):
                return status, said
            await asyncio.sleep(_TRY_EVERY)
        return await self._ask(method, path)

    def _key(self, said: object) -> object:
        """A COSE_Key in digits; None where none is said."""
        data = self._octets(said)
        key = None if data is None else cbor.decode(data)
        if key is None and data is not None:
            raise self._nonsense()
        return key

    def _taken(self) -> FleetError:
        return FleetError(f"{self.identity} is being commanded by another")

    def _declined(self, status: int, said: dict[str, Any]) -> UnreachableError:
        detail = said.get("detail")
        why = reason(detail) if isinstance(detail, str) else ""
        return UnreachableError(f"{self.service.authority}: {status}: {why}")

    def _nonsense(self) -> UnreachableError:
        return UnreachableError(f"{self.service.authority}: answers what it should not")

    def _octets(self, said: object) -> bytes | None:
        if said is None:
            return None
        if not isinstance(said, str) or not re.fullmatch("([0-9a-f]{2})*", said):
            raise self._nonsense()
        return bytes.fromhex(said)


def _passes(status: int) -> bool:
    """Whether a service that answers so may answer another way a little later."""
    return status >= 500 or status == 429


@dataclass
class _Sending:
    """A command on its way."""

    lease: _Lease
    commander: Commander
    name: str
    argument: Value
    signed: bytes | None = None  # the command, once it may have been handed out

    async def send(self, wait: float) -> Outcome:
        device = await self.lease.take()
        end = time.monotonic() + wait
        seen: bytes | None = None
        while True:
            told = await self.lease.look(seen)
            is_late = time.monotonic() >= end
            if told.nonce is not None and self.signed is None and not is_late:
                await self._sign(told.nonce)
            seen = told.nonce
            if told.result is not None and self.signed is not None:
                return read_result(told.result, device, self.signed)
            if is_late:
                raise self.lease.trouble or self._silent()
            await asyncio.sleep(_TRY_EVERY if self.lease.is_in_trouble else _LOOK_EVERY)

    async def _sign(self, nonce: bytes) -> None:
        """For this challenge, and for no second one: the first may have been carried out."""
        identity = self.lease.identity
        self.signed = self.commander.command(identity, nonce, self.name, self.argument)
        self.lease.leaving = {"nonce": nonce.hex(), "command": self.signed.hex()}
        await self.lease.leave()

    def _silent(self) -> CommandError:
        if self.signed is not None:
            return CommandError(f"{self.lease.identity} told no result", may_be_done=True)
        return CommandError(
            f"{self.lease.identity} did not ask for commands: none was signed", may_be_done=False
        )
