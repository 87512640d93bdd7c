# SPDX-License-Identifier: Apache-2.0
"""Signed objects, and the receiver of a device's readings (PROTOCOL.md, sections 2 and 3).

Nothing here uses a network: objects from any source are verified.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from corral_fleet import cbor, senml
from corral_fleet.errors import Reason, RefusedError
from corral_fleet.identity import Device, Identity, canonical
from corral_fleet.jws import Jws

OBJECT_MAX = 1024
THRESHOLD = 32768
MEMBERS_MAX = 32
LINKS_MAX = 256
_TAG = b"\xd2"
_ALGORITHM, _CONTENT_TYPE, _SIGNER, _NUMBER = 1, 3, 4, 6
_SENML_CBOR = 112
_LOW = 1 << 16
#: The Content-Formats of a reading; the second is of those for experiments, for none is registered.
COSE_SIGN1, JWS = 18, 65000
_JWS_START = b"e"  # `{"` in base64url, which begins no COSE_Sign1


def content_format(data: bytes) -> int:
    """The format of a reading in one form or the other."""
    return JWS if data.startswith(_JWS_START) else COSE_SIGN1


@dataclass(frozen=True)
class Sign1:
    """A COSE_Sign1 that was taken apart, and not verified."""

    protected: bytes
    algorithm: int
    content_type: int | None
    signer: Identity | None
    number: bytes
    payload: bytes
    signature: bytes

    @classmethod
    def parse(cls, data: bytes) -> Sign1:
        """With tag 18 or without it.

        Raises RefusedError (MALFORMED) for all that section 2 does not allow.
        """
        if len(data) > OBJECT_MAX:
            raise cbor.malformed("longer than an object may be")
        bare = data.removeprefix(_TAG)
        parts = cbor.array(cbor.decode(bare))
        if len(parts) != 4:
            raise cbor.malformed("not a COSE_Sign1")
        protected, payload = cbor.octets(parts[0]), cbor.octets(parts[2])
        header, other = cbor.mapping(cbor.decode(protected)), cbor.mapping(parts[1])
        if set(header) - {_ALGORITHM, _CONTENT_TYPE} or set(other) - {_SIGNER, _NUMBER}:
            raise cbor.malformed("a header that has no place here")
        number = cbor.octets(other.get(_NUMBER))
        if len(number) not in (2, 8):
            raise cbor.malformed("a number of neither 2 nor 8 bytes")
        # Others are to be able to read it with its number in full.
        if len(bare) - len(number) + 8 > OBJECT_MAX:
            raise cbor.malformed("longer than an object may be with its number in full")
        signer = None if _SIGNER not in other else Identity(cbor.octets(other[_SIGNER], 16))
        return cls(
            protected,
            cbor.integer(header.get(_ALGORITHM)),
            None if _CONTENT_TYPE not in header else cbor.integer(header[_CONTENT_TYPE]),
            signer,
            number,
            payload,
            cbor.octets(parts[3], 64),
        )

    @property
    def is_full(self) -> bool:
        """Whether it carries its number in full."""
        return len(self.number) == 8

    @property
    def digest(self) -> bytes:
        """The common part of two forms of an object, in any form of their numbers and
        signatures."""
        signature = canonical(self.algorithm, self.signature)
        parts = [self.protected, self.payload, signature]
        return hashlib.sha256(cbor.encode(parts)).digest()

    def in_full(self, sequence: int) -> bytes:
        """The object with its number in 8 bytes, untagged, for later verification by others."""
        header: dict[int, bytes] = {} if self.signer is None else {_SIGNER: self.signer.octets}
        header[_NUMBER] = sequence.to_bytes(8, "big")
        return cbor.encode([self.protected, header, self.payload, self.signature])

    def check(self, device: Device, *purpose: object, name: str) -> None:
        """That the device signed it for this purpose: the external data behind name and identity.

        Raises RefusedError: FOREIGN_KEY if it names another signer, BAD_SIGNATURE if it did not.
        """
        if self.signer not in (None, device.identity):
            raise RefusedError(Reason.FOREIGN_KEY, "it names another signer")
        external = cbor.encode([name, device.identity.octets, *purpose])
        signed = cbor.encode(["Signature1", self.protected, external, self.payload])
        if not device.key.verifies(self.algorithm, signed, self.signature):
            raise RefusedError(Reason.BAD_SIGNATURE)

    def check_reading(self, device: Device, sequence: int) -> None:
        """That the device signed it as a reading. Raises RefusedError as check() does."""
        self.check(device, str(device.identity), sequence, name="cf1-reading")

    def records(self) -> tuple[senml.Record, ...]:
        """The measurements. Raises RefusedError (MALFORMED)."""
        return senml.read(self.payload)


def signed_reading(data: bytes) -> Sign1 | Jws:
    """A reading by its form and headers, not verified. Raises RefusedError (MALFORMED)."""
    if len(data) > OBJECT_MAX:
        raise cbor.malformed("longer than an object may be")
    if content_format(data) == JWS:
        return Jws.parse(data)
    signed = Sign1.parse(data)
    if signed.content_type != _SENML_CBOR:
        raise cbor.malformed("not a reading")
    return signed


@dataclass(frozen=True)
class Reading:
    """The measurements of a device, verified."""

    identity: Identity
    sequence: int
    records: tuple[senml.Record, ...]
    data: bytes  # the object, with its number in full: to keep, and to have others verify it
    is_repeated: bool  # the newest one once more


@dataclass
class Receiver:
    """Takes the readings of one device, in the order of their numbers.

    highest: the highest number that was accepted; None: none was, so that the first reading is
    known to be no older than its number, and no more. A receiver that is kept from run
    to run (with `last`) accepts nothing older. last: the digest of the newest reading.
    """

    device: Device
    highest: int | None = None
    last: bytes = b""

    def accept(self, data: bytes) -> Reading:
        """The reading in a COSE_Sign1, or in a JWS. When it raises, nothing has changed.

        Raises RefusedError:
          MALFORMED                  not COSE or JWS, or SenML, as the protocol has it
          FOREIGN_KEY                it names another signer
          NO_FULL_NUMBER             2 bytes of its number, and nothing was accepted yet
          REPLAYED                   not newer than what was accepted
          BEYOND_THRESHOLD           2 bytes that fit no number that is near enough
          BAD_SIGNATURE              another device's, another topic's, or altered
          BAD_SIGNATURE_OF_LOW_BITS  the same, or more was missed than 2 bytes can tell
        """
        signed = signed_reading(data)
        if self._is_last(signed):
            assert self.highest is not None
            return self._reading(signed, self.highest, is_repeated=True)
        sequence = self._candidate(signed)
        try:
            signed.check_reading(self.device, sequence)
        except RefusedError as refused:
            if refused.reason is Reason.BAD_SIGNATURE and not signed.is_full:
                raise RefusedError(Reason.BAD_SIGNATURE_OF_LOW_BITS) from refused
            raise
        reading = self._reading(signed, sequence, is_repeated=False)
        self.highest, self.last = sequence, signed.digest
        return reading

    def _is_last(self, signed: Sign1 | Jws) -> bool:
        """True for the reading that was accepted last, which was verified then."""
        if self.highest is None or signed.digest != self.last:
            return False
        same_number = self.highest.to_bytes(8, "big").endswith(signed.number)
        return same_number and signed.signer in (None, self.device.identity)

    def _candidate(self, signed: Sign1 | Jws) -> int:
        number = int.from_bytes(signed.number, "big")
        if signed.is_full:
            if number <= (self.highest or 0):
                raise RefusedError(Reason.REPLAYED, f"{number} is not above {self.highest or 0}")
            return number
        if self.highest is None:
            raise RefusedError(Reason.NO_FULL_NUMBER)
        candidate = self.highest - self.highest % _LOW + number
        if candidate <= self.highest:
            candidate += _LOW
        if candidate - self.highest > THRESHOLD or candidate >= 1 << 64:
            raise RefusedError(Reason.BEYOND_THRESHOLD)
        return candidate

    def _reading(self, signed: Sign1 | Jws, sequence: int, *, is_repeated: bool) -> Reading:
        return Reading(
            self.device.identity,
            sequence,
            signed.records(),
            signed.in_full(sequence),
            is_repeated,
        )


@dataclass(frozen=True)
class Registration:
    """The statement of a device when it registered."""

    device: Device
    members: tuple[Identity, ...]  # of the group that it revealed
    links: str
    sequence: int


def read_registration(
    data: bytes, nonce: bytes, query: Sequence[str] | None = None
) -> Registration:
    """Verify a registration that answers a nonce: a broker's, or a directory's with its query.

    It proves that the device of its identity signed it for this nonce, not that the
    identity is trusted. Raises RefusedError: MALFORMED, FOREIGN_KEY, BAD_SIGNATURE.
    """
    signed = Sign1.parse(data)
    if signed.content_type is not None or not signed.is_full:
        raise cbor.malformed("not a registration")
    stated = cbor.mapping(cbor.decode(signed.payload))
    if not {1, 2, 3} <= set(stated) <= {1, 2, 3, 4, 5}:
        raise cbor.malformed("a statement with members missing or too many")
    device = Device.read(stated[1], stated[2], stated[3])
    links = cbor.text(stated.get(5, ""))
    if len(links.encode()) > LINKS_MAX:
        raise cbor.malformed("too many links")
    sequence = int.from_bytes(signed.number, "big")
    if query is None:
        signed.check(device, nonce, sequence, name="cf1-registration")
    else:
        signed.check(device, [nonce, *query], sequence, name="cf1-directory")
    members = _members(stated[4], device.identity) if 4 in stated else ()
    return Registration(device, members, links, sequence)


def _members(value: object, own: Identity) -> tuple[Identity, ...]:
    members = tuple(Identity(cbor.octets(member, 16)) for member in cbor.array(value))
    if not 2 <= len(members) <= MEMBERS_MAX or list(members) != sorted(set(members)):
        raise cbor.malformed("members of a group that do not ascend, too few or too many")
    if own not in members:
        raise RefusedError(
            Reason.FOREIGN_KEY, "the device is no member of the group that it reveals"
        )
    return members
