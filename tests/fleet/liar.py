# SPDX-License-Identifier: Apache-2.0
"""A directory and a broker of aiocoap that say whatever a test wants; and a proxy of aiocoap's."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import aiocoap
from aiocoap import Message, resource
from aiocoap.numbers import ContentFormat
from aiocoap.numbers.codes import CONTENT
from aiocoap.proxy.server import ForwardProxy
from corral.common import loopback
from reference import Device, base64url, encode
from servers import listen


def described(device: Device, name: str = "", **changed: str) -> str:
    """A directory's correct link to a device's endpoint, but for the changed attributes."""
    attributes = {
        "ep": name or device.name,
        "pk": base64url(encode(device.signer.cose_key())),
        "kd": device.kind,
        **changed,
    }
    return "</rd/1>;" + ";".join(f'{key}="{value}"' for key, value in attributes.items())


class _Says(resource.ObservableResource):
    """A resource with a content that can be changed."""

    def __init__(self, content: bytes, content_format: int) -> None:
        super().__init__()
        self.content = content
        self.format = ContentFormat(content_format)
        self.block = 0

    def say(self, content: bytes) -> None:
        """Change the content, and notify observers."""
        self.content = content
        self.updated_state()

    async def needs_blockwise_assembly(self, _: Message) -> bool:
        """Unless it sends blocks itself, of its own size whatever size it is asked for."""
        return self.block == 0

    async def render_get(self, request: Message) -> Message:
        answer = Message(code=CONTENT, payload=self.content, content_format=self.format)
        if self.block:
            at = request.opt.block2.start if request.opt.block2 else 0
            end = at + self.block
            answer.opt.block2 = (
                at // self.block,
                end < len(self.content),
                self.block.bit_length() - 5,
            )
            answer.payload = self.content[at:end]
        return answer


@dataclass
class Liar:
    """A directory with one endpoint, whose topic is here, too."""

    endpoints: _Says = field(default_factory=lambda: _Says(b"", 40))
    resources: _Says = field(default_factory=lambda: _Says(b'</t>;rt="core.ps.data";ct=18', 40))
    topic: _Says = field(default_factory=lambda: _Says(b"", 18))
    address: str = ""

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[Liar]:
        """Lie for a while."""
        core = '</e>;rt="core.rd-lookup-ep",</r>;rt="core.rd-lookup-res"'
        site = resource.Site()
        site.add_resource([".well-known", "core"], _Says(core.encode(), 40))
        site.add_resource(["e"], self.endpoints)
        site.add_resource(["r"], self.resources)
        site.add_resource(["t"], self.topic)
        async with _listening(site) as self.address:
            yield self


@contextlib.asynccontextmanager
async def _listening(site: object) -> AsyncIterator[str]:
    """A server at a port of its own; its address."""
    context, port = await listen(site)
    try:
        yield f"coap://{loopback.at(port)}"
    finally:
        await context.shutdown()


class Proxy(ForwardProxy):
    """A forward proxy of aiocoap, which counts."""

    def __init__(self, outgoing: aiocoap.Context) -> None:
        super().__init__(outgoing)
        self.address = ""
        self.requests = 0

    async def render(self, request: Message) -> Message:
        self.requests += 1
        return await super().render(request)


@contextlib.asynccontextmanager
async def proxying() -> AsyncIterator[Proxy]:
    """Pass on for a while."""
    outgoing = await aiocoap.Context.create_client_context(transports=["simple6"])
    proxy = Proxy(outgoing)
    try:
        async with _listening(proxy) as proxy.address:
            yield proxy
    finally:
        await outgoing.shutdown()
