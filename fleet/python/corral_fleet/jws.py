# SPDX-License-Identifier: Apache-2.0
"""Readings as JWS (RFC 7515, compact): SenML in JSON, with the one header that section 5 allows."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from corral_fleet import cbor, senml
from corral_fleet.errors import Reason, RefusedError
from corral_fleet.identity import Device, Identity, canonical

#: The algorithms' names in a header (RFC 7518, RFC 8037, RFC 9864) and their numbers in COSE.
_ALGORITHMS = {"ES256": -7, "EdDSA": -8, "Ed25519": -19}
_HEADER = re.compile(
    r'\{"alg":"(?P<alg>[A-Za-z0-9]+)","cty":"senml\+json","kid":"(?P<kid>[0-9a-f]{32})",'
    r'"sn":"(?P<sn>[0-9a-f]{16})","typ":"cf1-reading"\}'
)


@dataclass(frozen=True)
class Jws:
    """A reading that was taken apart, and not verified."""

    data: bytes
    algorithm: int
    signer: Identity
    number: bytes
    payload: bytes
    signature: bytes

    is_full = True

    @classmethod
    def parse(cls, data: bytes) -> Jws:
        """Raises RefusedError (MALFORMED) for all that section 5 does not allow."""
        try:
            parts = data.decode("ascii").split(".")
        except UnicodeDecodeError as error:
            raise cbor.malformed("a JWS that is not ASCII") from error
        if len(parts) != 3:
            raise cbor.malformed("not a compact JWS")
        header, payload, signature = (senml.base64url(part) for part in parts)
        found = _HEADER.fullmatch(header.decode("latin-1"))
        if found is None or found["alg"] not in _ALGORITHMS or len(signature) != 64:
            raise cbor.malformed("a header or a signature of another form")
        return cls(
            data,
            _ALGORITHMS[found["alg"]],
            Identity(bytes.fromhex(found["kid"])),
            bytes.fromhex(found["sn"]),
            payload,
            signature,
        )

    @property
    def digest(self) -> bytes:
        """Its identifier, the same for two signatures of equal meaning."""
        signed = self.data.rpartition(b".")[0]
        signature = canonical(self.algorithm, self.signature)
        return hashlib.sha256(signed + b"." + signature).digest()

    def in_full(self, sequence: int) -> bytes:
        """The object, whose number is always there in full."""
        del sequence
        return self.data

    def check_reading(self, device: Device, sequence: int) -> None:
        """That the device signed it. Raises RefusedError: FOREIGN_KEY, BAD_SIGNATURE."""
        if self.signer != device.identity:
            raise RefusedError(Reason.FOREIGN_KEY, "it names another signer")
        signed = self.data.rpartition(b".")[0]
        is_number = int.from_bytes(self.number, "big") == sequence
        if not is_number or not device.key.verifies(self.algorithm, signed, self.signature):
            raise RefusedError(Reason.BAD_SIGNATURE)

    def records(self) -> tuple[senml.Record, ...]:
        """The measurements. Raises RefusedError (MALFORMED)."""
        return senml.read_json(self.payload)
