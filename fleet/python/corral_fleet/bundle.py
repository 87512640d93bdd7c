# SPDX-License-Identifier: Apache-2.0
"""Bundles (PROTOCOL.md, section 10): readings of several devices in one object.

Each is there as its device signed it. The maker of a bundle signs nothing and is not trusted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corral_fleet import cbor
from corral_fleet.errors import Reason, RefusedError
from corral_fleet.identity import Identity
from corral_fleet.objects import JWS, Reading, Receiver, content_format, signed_reading

BUNDLE_MAX = 4096
#: The most objects of a bundle, so a server's results for all of them fit one message.
OBJECTS_MAX = 48
#: The Content-Format of sequences of CBOR.
FORMAT = 63


@dataclass(frozen=True)
class Original:
    """The result for one object of a bundle: a reading, or the reason why it is none."""

    signer: Identity | None  # whose it says that it is, if that can be read
    reading: Reading | None
    reason: Reason | None


@dataclass(frozen=True)
class Bundle:
    """The content of a bundle, in its order, and the devices without a genuine object in it.

    A missing device proves nothing: it may have been silent, or left out.
    """

    originals: tuple[Original, ...]
    missing: tuple[Identity, ...]

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Those that are new."""
        found = (one.reading for one in self.originals)
        return tuple(one for one in found if one is not None and not one.is_repeated)


def split(data: bytes) -> list[bytes]:
    """The objects of a bundle, in their order, not verified.

    Raises RefusedError (MALFORMED) if it is too long, has more than OBJECTS_MAX, or anything but
    arrays and texts that begin as a JWS does.
    """
    if len(data) > BUNDLE_MAX:
        raise cbor.malformed("longer than a bundle may be")
    return [_object(value, encoding) for value, encoding in cbor.sequence(data, OBJECTS_MAX)]


def _object(value: object, encoding: bytes) -> bytes:
    if isinstance(value, list):
        return encoding
    text = cbor.text(value).encode()
    if content_format(text) != JWS:
        raise cbor.malformed("a text that is no JWS")
    return text


def open_bundle(data: bytes, receivers: Iterable[Receiver]) -> Bundle:
    """The meaning of each object of a bundle, by the receivers of the trusted devices.

    They go on as by accept(). One that is refused keeps no other from being read: NOT_TRUSTED if it
    is of none of these devices, MALFORMED if it does not say whose it is and its number in full.
    Raises RefusedError (MALFORMED) as split() does; then nothing has changed.
    """
    known = {one.device.identity: one for one in receivers}
    originals = tuple(_judged(each, known) for each in split(data))
    there = {one.signer for one in originals if one.reading is not None}
    return Bundle(originals, tuple(one for one in known if one not in there))


def _judged(data: bytes, known: dict[Identity, Receiver]) -> Original:
    signer = None
    try:
        signer = _signer(data)
        if signer not in known:
            raise RefusedError(Reason.NOT_TRUSTED)
        return Original(signer, known[signer].accept(data), None)
    except RefusedError as refused:
        return Original(signer, None, refused.reason)


def _signer(data: bytes) -> Identity:
    signed = signed_reading(data)
    if signed.signer is None or not signed.is_full:
        raise cbor.malformed("without its signer, or its number in full")
    return signed.signer
