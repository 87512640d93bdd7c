# SPDX-License-Identifier: Apache-2.0
"""Asking CoAP servers, by aiocoap: proof of an address, answers in blocks, observation, a proxy.

Answers are bounded, and not trusted: objects.py verifies them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import urllib.parse
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiocoap
import aiocoap.error
from aiocoap.message import UndecidedRemote
from aiocoap.numbers.codes import CONTENT, GET, TOO_MANY_REQUESTS, UNAUTHORIZED
from aiocoap.util import hostportsplit

from corral_fleet.errors import UnreachableError

LINKS = 40
#: The longest answer that is put together from blocks.
_ANSWER_MAX = 1 << 16
_ATTEMPTS = 4


class _DeclinedError(UnreachableError):
    """A peer answered, with something else."""


@dataclass(frozen=True)
class Answer:
    """A representation, whole."""

    format: int | None
    payload: bytes


def origin_of(uri: str) -> str:
    """Scheme, host and port. Raises UnreachableError if it is no URI of CoAP."""
    with contextlib.suppress(ValueError):  # of brackets that do not close
        parsed = urllib.parse.urlsplit(uri)
        if parsed.scheme == "coap" and parsed.netloc:
            return f"coap://{parsed.netloc}"
    raise UnreachableError(f"{uri!r} is no address: write coap://host or coap://host:port")


@dataclass
class Peers:
    """Whom the application asks.

    patience: seconds until a peer that does not answer is given up. proxy:
    `coap://host:port` of a proxy that all requests go through. renewal: seconds after
    which an observation that brought nothing is begun anew: a restarted server has
    forgotten it, and some proxies only pass on its begin.
    """

    context: aiocoap.Context
    patience: float = 10.0
    proxy: str | None = None
    renewal: float = 300.0
    _echoes: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    @contextlib.asynccontextmanager
    async def open(
        cls, *, patience: float = 10.0, proxy: str | None = None, renewal: float = 300.0
    ) -> AsyncIterator[Peers]:
        """Ask for a while."""
        # Faults of a peer are raised as errors to the caller.
        log = logging.getLogger("corral_fleet.coap")
        log.propagate = False
        if not log.handlers:
            log.addHandler(logging.NullHandler())
        # A socket for each peer, so answers of others are not accepted.
        context = await aiocoap.Context.create_client_context(
            loggername=log.name, transports=["simple6"]
        )
        try:
            yield cls(context, patience, proxy, renewal)
        finally:
            await context.shutdown()

    async def get(self, uri: str, query: Sequence[str] = ()) -> Answer:
        """The content of a resource. Raises UnreachableError."""
        whole, tag, exponent = b"", None, 6
        with _failing_as(uri):
            async with asyncio.timeout(self.patience):
                while True:
                    # The first request names no block: servers that send whole answers may.
                    number = len(whole) >> (exponent + 4)
                    part = {"block2": (number, False, exponent)} if whole else {}
                    _, answer = await self._ask(uri, query, **part)
                    block = answer.opt.block2
                    tag = tag or answer.opt.etag
                    if block is None and not whole:
                        return Answer(answer.opt.content_format, answer.payload)
                    if block is None or block.start != len(whole) or answer.opt.etag != tag:
                        raise UnreachableError(f"{uri}: the answer changed while it was read")
                    whole += answer.payload
                    if not block.more:
                        return Answer(answer.opt.content_format, whole)
                    if len(answer.payload) != block.size or len(whole) > _ANSWER_MAX:
                        raise UnreachableError(f"{uri}: the answer is too long")
                    # A server may choose smaller blocks (RFC 7959, section 2.3).
                    exponent = min(exponent, block.size_exponent)

    async def follow(self, uri: str, every: float = 10.0) -> AsyncGenerator[Answer, None]:
        """The content of a resource, and each later content; only the newest is certain to come.

        If it cannot be observed, it is requested again, every so many seconds. Goes on
        until it is closed; a peer that does not answer is asked again. Raises
        UnreachableError if the first one does not come.
        """
        is_first = True
        while True:
            try:
                async with contextlib.aclosing(self._observe(uri)) as answers:
                    async for answer in answers:
                        is_first = False
                        yield answer
            except UnreachableError:
                if is_first:
                    raise
            await asyncio.sleep(every)

    async def _observe(self, uri: str) -> AsyncGenerator[Answer, None]:
        """One observation, to its end or until it was silent for long."""
        try:
            with _failing_as(uri):
                async with asyncio.timeout(self.patience):
                    request, first = await self._ask(uri, observe=0)
        except _DeclinedError:
            # Some proxies fail for observing clients, but work for others.
            yield await self.get(uri)
            return
        if first.opt.block2 is not None and first.opt.block2.more:
            yield await self.get(uri)
        else:
            yield Answer(first.opt.content_format, first.payload)
        if first.opt.observe is None:
            return
        updates = aiter(request.observation)
        try:
            while True:
                with _failing_as(uri):
                    async with asyncio.timeout(self.renewal):
                        update = await anext(updates, None)
                if update is None or update.code != CONTENT:
                    return
                if update.opt.block2 is not None and update.opt.block2.more:
                    yield await self.get(uri)
                else:
                    yield Answer(update.opt.content_format, update.payload)
        finally:
            if not request.observation.cancelled:
                request.observation.cancel()

    async def _ask(self, uri: str, query: Sequence[str] = (), **options: Any) -> tuple[Any, Any]:
        """A request and the content of its answer."""
        origin = origin_of(uri)
        for _ in range(_ATTEMPTS):
            message = self._message(uri, query, echo=self._echoes.get(origin), **options)
            request = self.context.request(message, handle_blockwise=False)
            answer = await request.response
            if answer.opt.echo is not None:
                self._echoes[origin] = answer.opt.echo
            if answer.code == CONTENT:
                return request, answer
            if answer.code == TOO_MANY_REQUESTS:
                wait = 60 if answer.opt.max_age is None else answer.opt.max_age
                if wait > self.patience:
                    raise UnreachableError(f"{uri}: asked too often, to be asked in {wait} seconds")
                await asyncio.sleep(wait)
            elif answer.code != UNAUTHORIZED or answer.opt.echo is None:
                raise _DeclinedError(f"{uri}: the answer is {answer.code}")
        raise _DeclinedError(f"{uri}: the answer is {answer.code}, again and again")

    def _message(self, uri: str, query: Sequence[str], **options: Any) -> Any:
        message = aiocoap.Message(code=GET, uri=uri, **options)
        if query:
            message.opt.uri_query = list(query)
        if self.proxy is not None:
            host, port = hostportsplit(message.remote.hostinfo)
            # The proxy of aiocoap tells addresses of IPv6 by their brackets.
            message.opt.uri_host = f"[{host}]" if ":" in host else host
            message.opt.uri_port = port
            message.opt.proxy_scheme = "coap"
            message.remote = UndecidedRemote.from_pathless_uri(origin_of(self.proxy))
        return message


@contextlib.contextmanager
def _failing_as(uri: str) -> Any:
    """Exceptions of aiocoap, and silence, become UnreachableError."""
    try:
        yield
    except TimeoutError as error:
        raise UnreachableError(f"{uri}: nobody answers") from error
    except (aiocoap.error.Error, OSError, ValueError) as error:
        raise UnreachableError(f"{uri}: {error or type(error).__name__}") from error
