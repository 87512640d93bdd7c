# SPDX-License-Identifier: Apache-2.0
"""Verifies a device's messages with cbor2 and cryptography, without code of the device."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from reference import ALG, CONTENT_TYPE, ES256, PARTIAL_IV, SENML_CBOR, encode, to_be_signed

Map = dict[int, Any]


def check_signature(key: Map, signed: bytes, signature: bytes) -> None:
    """Raise InvalidSignature unless a COSE_Key has signed this."""
    if key[1] == 1:
        ed25519.Ed25519PublicKey.from_public_bytes(key[-2]).verify(signature, signed)
        return
    point = b"\x04" + key[-2] + key[-3]
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    r, s = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
    public.verify(utils.encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))


@dataclass
class Reading:
    """A reading that was accepted."""

    sequence: int
    is_full: bool
    pack: list[Map]


@dataclass
class Verifier:
    """A broker's knowledge of one device after its registration."""

    key: Map = field(default_factory=dict)
    identity: bytes = b""
    kind: str = ""
    highest: int = 0
    readings: list[Reading] = field(default_factory=list)
    registrations: int = 0

    def _open(self, data: bytes, protected: Map) -> tuple[bytes, bytes, bytes, bytes]:
        header, unprotected, payload, signature = cbor2.loads(data)
        assert encode([header, unprotected, payload, signature]) == data, "not deterministic"
        assert cbor2.loads(header) == protected
        assert list(unprotected) == [PARTIAL_IV]
        return header, unprotected[PARTIAL_IV], payload, signature

    def register(self, data: bytes, nonce: bytes, query: tuple[str, ...] | None = None) -> Map:
        """Take a registration that answers a challenge, with a query if it came to the directory.
        Returns what it states."""
        header, number, payload, signature = self._open(data, {ALG: ES256})
        stated: Map = cbor2.loads(payload)
        assert encode(stated) == payload
        hashed = encode(["cf1-id", stated[1], stated[2], stated[3]])
        identity = hashlib.sha256(hashed).digest()[:16]
        assert len(number) == 8
        sequence = int.from_bytes(number, "big")
        context: list[object] = ["cf1-registration", identity, nonce, sequence]
        if query is not None:
            context = ["cf1-directory", identity, [nonce, *query], sequence]
        check_signature(stated[1], to_be_signed(header, context, payload), signature)
        if identity != self.identity:
            self.highest = 0
        assert sequence > self.highest
        self.key, self.identity, self.kind = stated[1], identity, stated[2]
        self.highest = sequence
        self.registrations += 1
        return stated

    def read(self, data: bytes) -> Reading:
        """Take a reading."""
        protected = {ALG: ES256, CONTENT_TYPE: SENML_CBOR}
        header, number, payload, signature = self._open(data, protected)
        assert len(number) in (2, 8)
        sequence = int.from_bytes(number, "big")
        if len(number) == 2:
            sequence += self.highest & ~0xFFFF
            sequence += 0x10000 if sequence <= self.highest else 0
        assert self.highest < sequence
        context = ["cf1-reading", self.identity, self.identity.hex(), sequence]
        check_signature(self.key, to_be_signed(header, context, payload), signature)
        self.highest = sequence
        reading = Reading(sequence, len(number) == 8, cbor2.loads(payload))
        self.readings.append(reading)
        return reading
