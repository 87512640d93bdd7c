# SPDX-License-Identifier: Apache-2.0
"""A directory and a broker of aiocoap, as far as a device sees them (docs/fleet/PROTOCOL.md)."""

from __future__ import annotations

import secrets
import socket
from dataclasses import dataclass, field

import aiocoap
from aiocoap import resource
from aiocoap.numbers import ContentFormat
from corral.common import loopback
from verifier import Verifier

COSE_SIGN1 = 18
TOPIC = ("ps", "data", "1bd0d6d")


@dataclass
class Seen:
    """The messages that the servers received."""

    verifier: Verifier = field(default_factory=Verifier)
    endpoints: list[str] = field(default_factory=list)
    confirmable: list[bool] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    refuse_next: list[aiocoap.Code] = field(default_factory=list)


class Registration(resource.Resource):
    """Challenges, and takes a registration that answers. The directory names endpoints."""

    def __init__(self, seen: Seen, is_directory: bool) -> None:
        super().__init__()
        self.seen = seen
        self.is_directory = is_directory
        self.nonce = b""

    async def render_post(self, request: aiocoap.Message) -> aiocoap.Message:
        if not self.nonce or request.opt.echo != self.nonce:
            assert request.payload == b""
            self.nonce = secrets.token_bytes(9)
            return aiocoap.Message(code=aiocoap.UNAUTHORIZED, echo=self.nonce)
        nonce, self.nonce = self.nonce, b""
        try:
            assert request.opt.content_format == COSE_SIGN1
            query = request.opt.uri_query if self.is_directory else None
            self.seen.verifier.register(request.payload, nonce, query)
        except Exception as error:  # the test looks at it, whatever it is
            self.seen.faults.append(repr(error))
            return aiocoap.Message(code=aiocoap.FORBIDDEN)
        if self.is_directory:
            self.seen.endpoints += request.opt.uri_query
            return aiocoap.Message(code=aiocoap.CREATED, location_path=("reg", "1", ""))
        return aiocoap.Message(code=aiocoap.CREATED, location_path=TOPIC)


class _Topic(resource.Resource):
    """Takes readings."""

    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen

    async def render_put(self, request: aiocoap.Message) -> aiocoap.Message:
        if self.seen.refuse_next:
            return aiocoap.Message(code=self.seen.refuse_next.pop(0))
        try:
            assert request.opt.content_format == ContentFormat(COSE_SIGN1)
            self.seen.verifier.read(request.payload)
        except Exception as error:  # the test looks at it, whatever it is
            self.seen.faults.append(repr(error))
            return aiocoap.Message(code=aiocoap.FORBIDDEN)
        self.seen.confirmable.append(request.mtype == aiocoap.CON)
        return aiocoap.Message(code=aiocoap.CHANGED)


async def serve(seen: Seen) -> tuple[aiocoap.Context, int]:
    """Serve both, as listen() does."""
    site = resource.Site()
    site.add_resource(["reg"], Registration(seen, is_directory=False))
    site.add_resource(["rd"], Registration(seen, is_directory=True))
    site.add_resource(list(TOPIC), _Topic(seen))
    return await listen(site)


async def listen(site: object) -> tuple[aiocoap.Context, int]:
    """Serve a site on a port of this computer, which is free, until the context is shut down."""
    # Sockets of aiocoap are of IPv6, in which addresses of IPv4 have names, too.
    host = "::1" if loopback.has_ipv6() else "::ffff:127.0.0.1"
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as reserved:
        # No other process gets the port meanwhile: aiocoap shares it with a socket that permits
        # this.
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((host, 0))
        port = int(reserved.getsockname()[1])
        context = await aiocoap.Context.create_server_context(
            site, bind=(host, port), transports=["udp6"]
        )
    return context, port
