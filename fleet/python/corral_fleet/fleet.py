# SPDX-License-Identifier: Apache-2.0
"""Devices found in a directory, and their readings from a broker, both verified end to end.

Both are untrusted: the identity proves a device, and the signature proves a reading. They can only
withhold, delay, and show an older reading to a client that has no number yet.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from corral_fleet import links
from corral_fleet.errors import FleetError, Reason, RefusedError, UnreachableError
from corral_fleet.identity import Device, Identity
from corral_fleet.objects import Reading, Receiver, content_format
from corral_fleet.peer import LINKS, Answer, Peers, origin_of

_ENDPOINTS, _RESOURCES = "core.rd-lookup-ep", "core.rd-lookup-res"
_TOPIC = "core.ps.data"
#: All named servers are asked, so a directory could send the application to any number of hosts.
_TOPICS_MAX = 8


@dataclass(frozen=True)
class Found:
    """A device that a directory described rightly, and where it says that its readings are."""

    device: Device
    attributes: dict[str, str]  # of the endpoint: the directory's word, but for pk, ak and kd
    topics: tuple[str, ...]  # 8 URIs at most: the directory's word; their content is verified


@dataclass
class Directory:
    """A resource directory (RFC 9176) at an address, `coap://host:port`."""

    peers: Peers
    address: str
    _lookups: dict[str, str] = field(default_factory=dict)

    async def find(self, identity: Identity, criteria: Sequence[str] = ()) -> Found | None:
        """The device of an identity, if it is there and fits what else is asked for.

        criteria: `name=value` each, of the endpoint or of one of its links (`kd=thermometer`,
        `rt=temperature`), the value may end in *. None: the directory names no such device.
        Raises UnreachableError, and RefusedError for a description that does not fit the identity.
        """
        described = await self._look_up(_ENDPOINTS, [f"ep={identity}", *criteria])
        mine = [link for link in described if link.attributes.get("ep") == str(identity)]
        if not mine:
            return None
        device, attributes = _described(identity, mine)
        origin = origin_of(self.address)
        offered = await self._look_up(_RESOURCES, [f"ep={identity}", f"rt={_TOPIC}"])
        topics = [link.resolved(origin) for link in offered if link.has("rt", _TOPIC)]
        uris = [uri for uri in topics if uri][:_TOPICS_MAX]
        return Found(device, attributes, tuple(uris))

    async def _look_up(self, resource_type: str, query: Sequence[str]) -> list[links.Link]:
        uri = await self._lookup(resource_type)
        return _links_of(await self.peers.get(uri, query))

    async def _lookup(self, resource_type: str) -> str:
        """The lookup resource of that type, which is searched for once."""
        if resource_type not in self._lookups:
            origin = origin_of(self.address)
            asked = [f"rt={resource_type}"]
            offered = _links_of(await self.peers.get(f"{origin}/.well-known/core", asked))
            # A small directory may ignore the query (RFC 6690, section 4.1).
            uris = [link.resolved(origin) for link in offered if link.has("rt", resource_type)]
            if not uris or uris[0] is None:
                raise UnreachableError(f"{origin} is no directory: it offers no {resource_type}")
            self._lookups[resource_type] = uris[0]
        return self._lookups[resource_type]


def _described(identity: Identity, entries: list[links.Link]) -> tuple[Device, dict[str, str]]:
    """The first entry that makes the identity: one that does not must not hide it."""
    refused: RefusedError | None = None
    for entry in entries:
        try:
            return Device.described(identity, entry.attributes), entry.attributes
        except RefusedError as error:
            refused = refused or error
    raise refused or RefusedError(Reason.MALFORMED, "no entry of the device")


def _links_of(answer: Answer) -> list[links.Link]:
    if answer.format != LINKS:
        raise RefusedError(Reason.CONTENT_FORMAT, "not a list of links")
    try:
        return links.read(answer.payload.decode())
    except UnicodeDecodeError as error:
        raise RefusedError(Reason.MALFORMED, "links that are not UTF-8") from error


def _accept(receiver: Receiver, answer: Answer) -> Reading:
    if answer.format != content_format(answer.payload):
        raise RefusedError(Reason.CONTENT_FORMAT, "not a signed object")
    return receiver.accept(answer.payload)


async def read(peers: Peers, found: Found, receiver: Receiver) -> Reading:
    """The newest reading that a broker shows of a device.

    Of several topics that a directory names, the first that holds one counts. Raises the error of
    the last one: RefusedError, or UnreachableError.
    """
    failed: FleetError = UnreachableError(
        f"the directory names no topic of {found.device.identity}"
    )
    for topic in found.topics:
        try:
            return _accept(receiver, await peers.get(topic))
        except FleetError as error:
            failed = error
    raise failed


async def follow(
    peers: Peers, topic: str, receiver: Receiver, every: float = 10.0
) -> AsyncGenerator[Reading | RefusedError, None]:
    """Each reading that comes at a topic, by observation; a rejected one comes as its error.

    Repetitions are left out. every: see Peers.follow(). Raises UnreachableError if no
    server answers from the first.
    """
    async with contextlib.aclosing(peers.follow(topic, every)) as answers:
        async for answer in answers:
            try:
                reading = _accept(receiver, answer)
            except RefusedError as refused:
                yield refused
                continue
            if not reading.is_repeated:
                yield reading


async def follow_device(
    peers: Peers, found: Found, receiver: Receiver, every: float = 10.0
) -> AsyncGenerator[Reading | RefusedError, None]:
    """As follow(), at the first of the device's topics that holds a reading of it, or the first.

    Raises UnreachableError if the directory names no topic, or if no server answers from the first.
    """
    if not found.topics:
        raise UnreachableError(f"the directory names no topic of {found.device.identity}")
    chosen = found.topics[0]
    for topic in found.topics if len(found.topics) > 1 else ():
        try:
            reading = _accept(receiver, await peers.get(topic))
        except FleetError:
            continue
        chosen = topic
        if not reading.is_repeated:
            yield reading
        break
    async with contextlib.aclosing(follow(peers, chosen, receiver, every)) as readings:
        async for each in readings:
            yield each
