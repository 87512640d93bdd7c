# SPDX-License-Identifier: Apache-2.0
"""The objects of docs/fleet/PROTOCOL.md, made by libraries that share no code with ours."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ES256, EDDSA = -7, -8
ALG, CONTENT_TYPE, KID, PARTIAL_IV = 1, 3, 4, 6
SENML_CBOR = 112
FULL, LOW = 8, 2

Map = dict[int, Any]


def encode(value: object) -> bytes:
    """Deterministic CBOR; our maps have keys of one byte, for which both known orders agree."""
    return cbor2.dumps(value, canonical=True)


@dataclass(frozen=True)
class Pairing:
    """The values that both sides of a pairing derive: a confirmation of each, and the kept key."""

    of_device: bytes
    of_owner: bytes
    key: bytes


def derive_pairing(secret: bytes, offer: bytes, device: bytes) -> Pairing:
    """Derive from the agreed secret: `offer` is the command with the key, `device` an identity."""
    salt = hashlib.sha256(offer).digest()
    info = encode(["cf1-pair", device])
    made = HKDF(hashes.SHA256(), 96, salt, info).derive(secret)
    return Pairing(made[:32], made[32:64], made[64:])


@dataclass(frozen=True)
class Signer:
    """A signing key with its algorithm."""

    key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey

    @classmethod
    def p256(cls, secret: int | None = None) -> Signer:
        """A key on P-256, drawn anew or from a known secret."""
        curve = ec.SECP256R1()
        made = (
            ec.generate_private_key(curve)
            if secret is None
            else ec.derive_private_key(secret, curve)
        )
        return cls(made)

    @classmethod
    def ed25519(cls, seed: bytes | None = None) -> Signer:
        """A key of Ed25519, drawn anew or from a known seed."""
        maker = ed25519.Ed25519PrivateKey
        return cls(maker.generate() if seed is None else maker.from_private_bytes(seed))

    @property
    def algorithm(self) -> int:
        """Its number in COSE."""
        return ES256 if isinstance(self.key, ec.EllipticCurvePrivateKey) else EDDSA

    def cose_key(self) -> Map:
        """The parameters of the public key that RFC 9679 hashes."""
        if isinstance(self.key, ec.EllipticCurvePrivateKey):
            numbers = self.key.public_key().public_numbers()
            return {
                1: 2,
                -1: 1,
                -2: numbers.x.to_bytes(32, "big"),
                -3: numbers.y.to_bytes(32, "big"),
            }
        raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
        return {1: 1, -1: 6, -2: self.key.public_key().public_bytes(*raw)}

    def sign(self, message: bytes) -> bytes:
        """R || S, or what Ed25519 makes; both repeat for the same message."""
        if isinstance(self.key, ed25519.Ed25519PrivateKey):
            return self.key.sign(message)
        der = self.key.sign(message, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
        return b"".join(part.to_bytes(32, "big") for part in utils.decode_dss_signature(der))


def identity(key: Map, kind: str, agreement: Map | None = None) -> bytes:
    """The 128 bits that name a device."""
    return hashlib.sha256(encode(["cf1-id", key, kind, agreement])).digest()[:16]


def group_identity(members: list[bytes]) -> bytes:
    """The 128 bits that name a group."""
    return hashlib.sha256(encode(["cf1-group", sorted(set(members))])).digest()[:16]


def check_digit(text: str) -> str:
    """Luhn's digit modulo 16, as RFC 6920 section 7 appends it."""
    total = 0
    for place, digit in enumerate(reversed(text)):
        doubled = int(digit, 16) * (2 if place % 2 == 0 else 1)
        total += doubled // 16 + doubled % 16
    return f"{-total % 16:x}"


def label(name: bytes) -> str:
    """An identity for people to read aloud."""
    digits = name.hex()
    return "-".join(digits[at : at + 4] for at in range(0, 32, 4)) + ";" + check_digit(digits)


def base64url(data: bytes) -> str:
    """As attributes of links hold bytes."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def as_json(value: object) -> bytes:
    """JSON without spaces, in the order that is given."""
    return json.dumps(value, separators=(",", ":")).encode()


def to_be_signed(protected: bytes, context: list[object], payload: bytes) -> bytes:
    """The Sig_structure of RFC 9052 section 4.4."""
    return encode(["Signature1", protected, encode(context), payload])


def sign1(
    signer: Signer, protected: Map, unprotected: Map, context: list[object], payload: bytes
) -> bytes:
    """A COSE_Sign1 without its tag."""
    header = encode(protected)
    signature = signer.sign(to_be_signed(header, context, payload))
    return encode([header, unprotected, payload, signature])


def number(sequence: int, length: int) -> Map:
    """The sequence number as it travels: whole, or its low 16 bits."""
    return {PARTIAL_IV: (sequence % 256**length).to_bytes(length, "big")}


@dataclass
class Device:
    """A device's keys and its objects; the caller counts the sequence."""

    signer: Signer
    kind: str = "thermometer"
    agreement: Map | None = None
    group: tuple[bytes, ...] = ()

    @property
    def identity(self) -> bytes:
        """The device's identity."""
        return identity(self.signer.cose_key(), self.kind, self.agreement)

    @property
    def name(self) -> str:
        """Its identity as topic and endpoint name."""
        return self.identity.hex()

    def reading(
        self, pack: object, sequence: int, length: int = LOW, topic: str | None = None
    ) -> bytes:
        """A signed pack; `pack` is SenML as Python has it, or bytes already encoded."""
        payload = pack if isinstance(pack, bytes) else encode(pack)
        context = ["cf1-reading", self.identity, topic or self.name, sequence]
        protected = {ALG: self.signer.algorithm, CONTENT_TYPE: SENML_CBOR}
        return sign1(self.signer, protected, number(sequence, length), context, payload)

    def original(
        self, pack: object, sequence: int, topic: str | None = None, signer: bytes | None = None
    ) -> bytes:
        """A reading in the form of a bundle: with its signer, and its full number."""
        parts = cbor2.loads(self.reading(pack, sequence, FULL, topic))
        parts[1] = {KID: signer or self.identity, **parts[1]}
        return encode(parts)

    def jws(self, pack: object, sequence: int, **header: str) -> bytes:
        """A signed pack of SenML as JSON has it, or as bytes; the header may say something else."""
        payload = pack if isinstance(pack, bytes) else as_json(pack)
        names = {ES256: "ES256", EDDSA: "EdDSA"}
        said = {
            "alg": names[self.signer.algorithm],
            "cty": "senml+json",
            "kid": self.name,
            "sn": f"{sequence:016x}",
            "typ": "cf1-reading",
        }
        signed = base64url(as_json(said | header)) + "." + base64url(payload)
        return f"{signed}.{base64url(self.signer.sign(signed.encode()))}".encode()

    def statement(self, links: str | None = None) -> Map:
        """The statement of a registration."""
        stated: Map = {1: self.signer.cose_key(), 2: self.kind, 3: self.agreement}
        if self.group:
            stated[4] = sorted(self.group)
        if links is not None:
            stated[5] = links
        return stated

    def registration(
        self,
        sequence: int,
        nonce: bytes,
        links: str | None = None,
        query: list[str] | None = None,
    ) -> bytes:
        """A signed registration that answers a challenge, at the directory with its query."""
        context: list[object] = ["cf1-registration", self.identity, nonce, sequence]
        if query is not None:
            context = ["cf1-directory", self.identity, [nonce, *query], sequence]
        protected, unprotected = {ALG: self.signer.algorithm}, number(sequence, FULL)
        return sign1(self.signer, protected, unprotected, context, encode(self.statement(links)))

    def ask(self, echo: bytes, nonce: bytes, sequence: int) -> bytes:
        """A device's challenge to its commander, as an answer to the broker's challenge."""
        context = ["cf1-ask", self.identity, echo, sequence]
        protected = {ALG: self.signer.algorithm}
        return sign1(self.signer, protected, number(sequence, FULL), context, encode(nonce))

    def command(self, device: bytes, nonce: bytes, name: str, value: object) -> bytes:
        """A command by this identity to a device."""
        context = ["cf1-command", device, [self.identity, nonce], 0]
        payload = {**self.statement(), 6: name, 7: value}
        protected = {ALG: self.signer.algorithm}
        return sign1(self.signer, protected, number(0, FULL), context, encode(payload))

    def result(self, command: bytes, sequence: int, status: int, value: object) -> bytes:
        """The signed result of a command."""
        digest = hashlib.sha256(command).digest()
        context = ["cf1-result", self.identity, digest, sequence]
        protected = {ALG: self.signer.algorithm}
        payload = encode({1: status, 2: value})
        return sign1(self.signer, protected, number(sequence, FULL), context, payload)

    def handover(self, successor: Device, sequence: int) -> bytes:
        """The old identity's word that the new one continues it."""
        context = ["cf1-handover", self.identity, successor.identity, sequence]
        protected = {ALG: self.signer.algorithm}
        unprotected = {KID: self.identity, **number(sequence, FULL)}
        payload = encode(successor.statement())
        return sign1(self.signer, protected, unprotected, context, payload)
