# SPDX-License-Identifier: Apache-2.0
"""The commander, and messages of devices to it: signed and verified here (PROTOCOL.md, section 6).

Nothing here knows a network.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

from corral_fleet import cbor
from corral_fleet.errors import WrongSettingError
from corral_fleet.identity import Device, Identity, PublicKey
from corral_fleet.objects import OBJECT_MAX, Sign1

#: The longest name of a command, in bytes.
NAME_MAX = 32
#: The types of values in a command and a result.
Value = None | bool | int | str | bytes
_KIND = "server"
_NONCE = range(8, 41)
_ES256, _EDDSA = -7, -8
_PARTIAL_IV = 6
_SIGNATURE = 64
# Ed25519 with its public key (RFC 5958): cryptography reads only the first version.
_SECOND_VERSION = bytes.fromhex("3051020101300506032b657004220420"), bytes.fromhex("812100")


@dataclass(frozen=True)
class Outcome:
    """A device's answer to a command, verified, with the proof for others.

    status: 0, it was done; PROTOCOL.md, section 6 has the others.
    command, data: as they were signed, from which read_result() verifies it again.
    """

    identity: Identity
    status: int
    value: Value
    sequence: int
    command: bytes
    data: bytes


@dataclass(frozen=True)
class Commander:
    """The owner of a key that devices obey."""

    key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey

    @classmethod
    def from_file(cls, file: Path | str) -> Commander:
        """With a key as `corral-fleet key` makes it. Raises WrongSettingError."""
        try:
            return cls.from_pkcs8(Path(file).read_bytes())
        except (OSError, WrongSettingError) as error:
            raise WrongSettingError(f"{file}: {error}") from error

    @classmethod
    def from_pkcs8(cls, document: bytes) -> Commander:
        """With a key on P-256 or of Ed25519 (PKCS #8, DER). Raises WrongSettingError."""
        head, middle = _SECOND_VERSION
        if document.startswith(head) and document[48:51] == middle and len(document) == 83:
            made = ed25519.Ed25519PrivateKey.from_private_bytes(document[16:48])
            if made.public_key().public_bytes_raw() == document[51:]:
                return cls(made)
        try:
            key = serialization.load_der_private_key(document, None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if isinstance(key, ed25519.Ed25519PrivateKey):
            return cls(key)
        if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
            return cls(key)
        raise WrongSettingError("no key on P-256 or of Ed25519 (PKCS #8, DER)")

    @property
    def public(self) -> PublicKey:
        """The key with which devices verify."""
        if isinstance(self.key, ed25519.Ed25519PrivateKey):
            raw = self.key.public_key().public_bytes_raw()
            return PublicKey.read({1: 1, -1: 6, -2: raw})
        point = self.key.public_key().public_numbers()
        x, y = (part.to_bytes(32, "big") for part in (point.x, point.y))
        return PublicKey.read({1: 2, -1: 1, -2: x, -3: y})

    @property
    def identity(self) -> Identity:
        """The identity that devices are configured to obey."""
        return Device(self.public, _KIND).identity

    def command(self, identity: Identity, nonce: bytes, name: str, argument: Value) -> bytes:
        """A command to a device that answers its challenge.

        Sign one for a challenge, and hand it out once: a second one could be carried out a second
        time; Service.command() sees to that. Raises WrongSettingError for a name, an argument or a
        challenge that no device takes.
        """
        protected, payload = self._unsigned(name, argument)
        if len(nonce) not in _NONCE:
            raise WrongSettingError("no device tells such a challenge")
        bound = [self.identity.octets, nonce]
        context = cbor.encode(["cf1-command", identity.octets, bound, 0])
        signature = self._sign(cbor.encode(["Signature1", protected, context, payload]))
        return _object(protected, payload, signature)

    def check(self, name: str, argument: Value) -> None:
        """That a device takes this, if it is signed, whatever the challenge.

        Raises WrongSettingError.
        """
        self._unsigned(name, argument)

    def _unsigned(self, name: str, argument: Value) -> tuple[bytes, bytes]:
        """Header and statement of a command, which is short enough with a signature."""
        _check_order(name, argument)
        is_ed25519 = isinstance(self.key, ed25519.Ed25519PrivateKey)
        protected = cbor.encode({1: _EDDSA if is_ed25519 else _ES256})
        payload = cbor.encode({1: self.public.cose, 2: _KIND, 3: None, 6: name, 7: argument})
        if len(_object(protected, payload, bytes(_SIGNATURE))) > OBJECT_MAX:
            raise WrongSettingError("this value is too long for a command")
        return protected, payload

    def _sign(self, message: bytes) -> bytes:
        if isinstance(self.key, ed25519.Ed25519PrivateKey):
            return self.key.sign(message)
        halves = utils.decode_dss_signature(self.key.sign(message, ec.ECDSA(hashes.SHA256())))
        return b"".join(half.to_bytes(32, "big") for half in halves)


def _object(protected: bytes, payload: bytes, signature: bytes) -> bytes:
    return cbor.encode([protected, {_PARTIAL_IV: bytes(8)}, payload, signature])


def _check_order(name: object, argument: object) -> None:
    """That a command may have this name and argument. Raises WrongSettingError."""
    if not isinstance(name, str):
        raise WrongSettingError("a command's name is a text")
    is_short = not isinstance(argument, int) or -(1 << 64) <= argument < 1 << 64
    if not (_is_plain(argument) and is_short):
        raise WrongSettingError("a command cannot have this value")
    try:
        length = len(name.encode())
        cbor.encode(argument)
    except UnicodeEncodeError as error:
        raise WrongSettingError("a text with characters that UTF-8 does not have") from error
    if length not in range(1, NAME_MAX + 1) or "\0" in name:
        raise WrongSettingError(f"a command's name has 1 to {NAME_MAX} bytes")


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, bool | int | str | bytes)


def read_result(data: bytes, device: Device, command: bytes) -> Outcome:
    """Verify the result of a command, as it was sent.

    Raises RefusedError: MALFORMED; FOREIGN_KEY, it names another signer; BAD_SIGNATURE, another
    device's, another command's, or altered.
    """
    signed = Sign1.parse(data)
    if signed.content_type is not None or not signed.is_full:
        raise cbor.malformed("not a result")
    stated = cbor.mapping(cbor.decode(signed.payload))
    if list(stated) != [1, 2] or not _is_plain(stated[2]):
        raise cbor.malformed("a result with members missing, too many, or of another type")
    status = cbor.integer(stated[1])
    if not 0 <= status < 1 << 64:
        raise cbor.malformed("a status that is none")
    sequence = int.from_bytes(signed.number, "big")
    digest = hashlib.sha256(command).digest()
    signed.check(device, digest, sequence, name="cf1-result")
    full = signed.in_full(sequence)
    return Outcome(device.identity, status, stated[2], sequence, command, full)
