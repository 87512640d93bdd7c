# SPDX-License-Identifier: Apache-2.0
"""Public keys, and the identities that are hashes of them (PROTOCOL.md, section 1)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

from corral_fleet import cbor
from corral_fleet.errors import Reason, RefusedError, WrongSettingError

_KTY, _CRV, _X, _Y = 1, -1, -2, -3
_P256 = {_KTY: 2, _CRV: 1}
_ED25519 = {_KTY: 1, _CRV: 6}
_X25519 = {_KTY: 1, _CRV: 4}
_KIND = re.compile(r"[a-z0-9.-]{1,32}")
#: ES256 and ESP256 are the same with a key on P-256, EdDSA and Ed25519 with one of Ed25519.
_OF_P256, _OF_ED25519 = (-7, -9), (-8, -19)
#: How many points there are in the group of P-256 (SP 800-186, section 3.2.1.3).
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
#: The encodings of Ed25519's points of small order without their signs: 0, 1 and -1, twice where
#: they fit below 2^255, and the two of order 8.
_SMALL_ORDER = {0, 1, *(2**255 - 19 + at for at in (-1, 0, 1))} | {
    int.from_bytes(bytes.fromhex(digits), "little")
    for digits in (
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    )
}


@dataclass(frozen=True, order=True)
class Identity:
    """The 128 bits that name a device or a group; as text, 32 digits in lower case."""

    octets: bytes

    @classmethod
    def parse(cls, text: str) -> Identity:
        """From 32 digits, the text of a label with or without its check digit, or a QR code's text.

        Raises WrongSettingError if it is none, or the check digit does not fit.
        """
        digits, has_check, check = text.strip().lower().removeprefix("cf1:").partition(";")
        digits = digits.replace("-", "")
        if not re.fullmatch("[0-9a-f]{32}", digits):
            raise WrongSettingError(f"{text!r} is no identity: one has 32 hexadecimal digits")
        if has_check and check != _check_digit(digits):
            raise WrongSettingError(
                f"the check digit of {text!r} does not fit: one of the digits is wrong"
            )
        return cls(bytes.fromhex(digits))

    @classmethod
    def of_group(cls, members: Iterable[Identity]) -> Identity:
        """The identity of a group; their order does not matter."""
        return cls._hash("cf1-group", [member.octets for member in sorted(set(members))])

    @classmethod
    def _hash(cls, *parts: object) -> Identity:
        return cls(hashlib.sha256(cbor.encode(list(parts))).digest()[:16])

    def __str__(self) -> str:
        return self.octets.hex()

    @property
    def label(self) -> str:
        """The text for people, with a check digit."""
        digits = str(self)
        groups = "-".join(digits[at : at + 4] for at in range(0, 32, 4))
        return f"{groups};{_check_digit(digits)}"

    @property
    def scan_text(self) -> str:
        """The content of a QR code."""
        return f"CF1:{self}".upper()

    @property
    def short(self) -> str:
        """The last eight digits: to tell devices apart, never to trust one."""
        return str(self)[-8:]


def _check_digit(digits: str) -> str:
    """Luhn's digit modulo 16 (RFC 6920, section 7)."""
    doubled = [int(digit, 16) * (2 - at % 2) for at, digit in enumerate(reversed(digits))]
    return f"{-sum(value // 16 + value % 16 for value in doubled) % 16:x}"


@dataclass(frozen=True)
class PublicKey:
    """A public key of one of the kinds that the protocol knows, as a COSE_Key."""

    members: tuple[tuple[int, Any], ...]

    @classmethod
    def read(cls, value: object) -> PublicKey:
        """From a COSE_Key with the members that RFC 9679 hashes, and no other.

        Raises RefusedError (MALFORMED).
        """
        members = cbor.mapping(value)
        # Integers: Python takes true and 1.0 for 1, which are hashed as something else.
        kind = {label: cbor.integer(members.get(label)) for label in (_KTY, _CRV)}
        if kind not in (_P256, _ED25519, _X25519):
            raise cbor.malformed("a key of a kind that is not known")
        coordinates = [_X, _Y] if kind == _P256 else [_X]
        if list(members) != [_KTY, _CRV, *coordinates]:
            raise cbor.malformed("a key with members missing or too many")
        for label in coordinates:
            cbor.octets(members[label], 32)
        return cls(tuple(members.items()))

    @property
    def cose(self) -> dict[int, Any]:
        """The COSE_Key, as it is hashed."""
        return dict(self.members)

    @property
    def is_for_signatures(self) -> bool:
        """True for P-256 and Ed25519."""
        return self.cose[_CRV] in (_P256[_CRV], _ED25519[_CRV])

    @property
    def is_for_agreement(self) -> bool:
        """True for P-256 and X25519."""
        return self.cose[_CRV] in (_P256[_CRV], _X25519[_CRV])

    def verifies(self, algorithm: int, message: bytes, signature: bytes) -> bool:
        """Whether this key signed the message, by an algorithm of COSE that is one for it."""
        key = self.cose
        try:
            if key[_CRV] == _P256[_CRV] and algorithm in _OF_P256:
                point = ec.EllipticCurvePublicKey.from_encoded_point(
                    ec.SECP256R1(), b"\x04" + key[_X] + key[_Y]
                )
                halves = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
                encoded = utils.encode_dss_signature(*halves)
                point.verify(encoded, message, ec.ECDSA(hashes.SHA256()))
                return True
            if key[_CRV] == _ED25519[_CRV] and algorithm in _OF_ED25519:
                if _has_small_order(key[_X]) or _has_small_order(signature[:32]):
                    return False
                ed25519.Ed25519PublicKey.from_public_bytes(key[_X]).verify(signature, message)
                return True
        except (InvalidSignature, ValueError):  # or the point is not on the curve
            return False
        return False


def _has_small_order(point: bytes) -> bool:
    """Whether a point of Ed25519 is one of eight: signatures by such a key hold for any message."""
    return int.from_bytes(point, "little") % (1 << 255) in _SMALL_ORDER


def canonical(algorithm: int, signature: bytes) -> bytes:
    """A signature as it is compared: of ECDSA's (r, s) and (r, n - s), both valid, the lower."""
    if algorithm not in _OF_P256:
        return signature
    s = int.from_bytes(signature[32:], "big")
    return signature[:32] + min(s, abs(_ORDER - s)).to_bytes(32, "big")


@dataclass(frozen=True)
class Device:
    """The identity of a device: its keys and its kind. Its identity follows from them."""

    key: PublicKey
    kind: str
    agreement: PublicKey | None = None

    @classmethod
    def read(cls, key: object, kind: object, agreement: object) -> Device:
        """From the parts of a statement. Raises RefusedError (MALFORMED)."""
        made = cls(
            PublicKey.read(key),
            cbor.text(kind),
            None if agreement is None else PublicKey.read(agreement),
        )
        if not _KIND.fullmatch(made.kind):
            raise cbor.malformed("a kind of device with other characters, or too long")
        if not made.key.is_for_signatures:
            raise cbor.malformed("a key that signs nothing")
        if made.agreement is not None and not made.agreement.is_for_agreement:
            raise cbor.malformed("an agreement key that is none")
        return made

    @classmethod
    def described(cls, identity: Identity, attributes: dict[str, str]) -> Device:
        """From a directory's description of an endpoint: `pk`, `kd`, and `ak` if it has one.

        Raises RefusedError: MALFORMED, or FOREIGN_KEY if this is not the device of that identity.
        """
        agreement = attributes.get("ak")
        device = cls.read(
            _from_base64url(attributes.get("pk", "")),
            attributes.get("kd"),
            None if agreement is None else _from_base64url(agreement),
        )
        device.check(identity)
        return device

    @property
    def identity(self) -> Identity:
        """The hash of all of it."""
        agreement = None if self.agreement is None else self.agreement.cose
        return Identity._hash("cf1-id", self.key.cose, self.kind, agreement)

    def check(self, identity: Identity) -> None:
        """Raises RefusedError (FOREIGN_KEY) unless this is the device of that identity."""
        if self.identity != identity:
            raise RefusedError(Reason.FOREIGN_KEY, f"this key is {self.identity.short}'s")


def _from_base64url(text: str) -> Any:
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise cbor.malformed("a key that is not base64url") from error
    return cbor.decode(data)
