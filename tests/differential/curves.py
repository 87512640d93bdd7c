# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves: signatures, key agreement, formats of keys."""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils, x448, x25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from differential.chance import Chance
from differential.plain import COMMON, HASHES, digest
from differential.subject import (
    DERIVE,
    EXPORT,
    INVALID_ARGUMENT,
    INVALID_SIGNATURE,
    SIGN_HASH,
    SIGN_MESSAGE,
    VERIFY_HASH,
    VERIFY_MESSAGE,
    DifferenceError,
    Subject,
)

SIGN = SIGN_HASH | SIGN_MESSAGE
VERIFY = VERIFY_HASH | VERIFY_MESSAGE
PAIR, PUBLIC = 0x7100, 0x4100
ECDH, ECDSA, DETERMINISTIC_ECDSA, PURE_EDDSA = 0x09020000, 0x06000600, 0x06000700, 0x06000800


@dataclass(frozen=True)
class Curve:
    """PSA's family and size, and OpenSSL's curve."""

    family: int
    bits: int
    curve: ec.EllipticCurve

    @property
    def size(self) -> int:
        return (self.bits + 7) // 8


WEIERSTRASS = (
    Curve(0x12, 256, ec.SECP256R1()),
    Curve(0x12, 384, ec.SECP384R1()),
    Curve(0x12, 521, ec.SECP521R1()),
    Curve(0x17, 256, ec.SECP256K1()),
    Curve(0x30, 256, ec.BrainpoolP256R1()),
    Curve(0x30, 384, ec.BrainpoolP384R1()),
    Curve(0x30, 512, ec.BrainpoolP512R1()),
)
TWISTED_EDWARDS, MONTGOMERY = 0x42, 0x41


def _curve(chance: Chance) -> Curve:
    """Long ones take long: seldom."""
    return chance.choices(WEIERSTRASS, [3 if one.bits == 256 else 1 for one in WEIERSTRASS])[0]


def _private(chance: Chance, curve: Curve) -> ec.EllipticCurvePrivateKey:
    """Also small ones, and such with zeros in front."""
    bits = chance.choice((curve.bits - 1, curve.bits - 1, curve.bits - 9, 20, 2))
    return ec.derive_private_key(chance.getrandbits(bits) | 1, curve.curve)


def _scalar(key: ec.EllipticCurvePrivateKey, size: int) -> bytes:
    return key.private_numbers().private_value.to_bytes(size, "big")


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def ecdsa(chance: Chance, subject: Subject) -> None:
    curve = _curve(chance)
    pair = _private(chance, curve)
    hash_alg = chance.choice(COMMON)
    family = chance.choice((ECDSA, DETERMINISTIC_ECDSA))
    alg = family | hash_alg & 0xFF
    data = chance.data()
    method = ec.ECDSA(HASHES[hash_alg])
    key = subject.key(PAIR | curve.family, alg, SIGN | EXPORT, _scalar(pair, curve.size))
    point = _point(pair.public_key())
    public = subject.key(PUBLIC | curve.family, alg, VERIFY, point)
    subject.expect(point, "public", key)
    subject.expect(_scalar(pair, curve.size), "export", key)
    hashed = digest(hash_alg, data)
    if chance.random() < 0.5:
        made = subject.take("sign", "m", key, alg, data).bytes
    else:
        made = subject.take("sign", "h", key, alg, hashed).bytes
    r, s = (int.from_bytes(half, "big") for half in (made[: curve.size], made[curve.size :]))
    try:
        pair.public_key().verify(utils.encode_dss_signature(r, s), data, method)
    except InvalidSignature:
        raise DifferenceError("OpenSSL refuses the signature") from None
    if family == DETERMINISTIC_ECDSA:
        fixed = ec.ECDSA(HASHES[hash_alg], deterministic_signing=True)
        r, s = utils.decode_dss_signature(pair.sign(data, fixed))
        if made != r.to_bytes(curve.size, "big") + s.to_bytes(curve.size, "big"):
            raise DifferenceError("OpenSSL makes another signature")
    r, s = utils.decode_dss_signature(pair.sign(data, method))
    signature = r.to_bytes(curve.size, "big") + s.to_bytes(curve.size, "big")
    subject.accept("verify", "m", public, alg, data, signature)
    subject.accept("verify", "h", public, alg, hashed, signature)
    subject.refuse(INVALID_SIGNATURE, "verify", "m", public, alg, data, chance.flipped(signature))
    # Of a longer hash than the curve, the rest plays no part.
    wrong = chance.flipped(hashed[: curve.size]) + hashed[curve.size :]
    subject.refuse(INVALID_SIGNATURE, "verify", "h", public, alg, wrong, signature)
    cut = signature[:-1]
    subject.refuse(INVALID_SIGNATURE, "verify", "h", public, alg, hashed, cut)


def point_that_is_none(chance: Chance, subject: Subject) -> None:
    curve = _curve(chance)
    point = _point(_private(chance, curve).public_key())
    # A bit of a coordinate, or of the byte that says how they are written.
    forged = chance.flipped(point)
    subject.refuse(
        INVALID_ARGUMENT, "import", PUBLIC | curve.family, 0, ECDSA | 9, VERIFY_HASH, forged
    )


def ecdh(chance: Chance, subject: Subject) -> None:
    curve = _curve(chance)
    pair, peer = _private(chance, curve), _private(chance, curve)
    key = subject.key(PAIR | curve.family, ECDH, DERIVE, _scalar(pair, curve.size))
    point = _point(peer.public_key())
    subject.expect(pair.exchange(ec.ECDH(), peer.public_key()), "agree", ECDH, key, point)
    subject.refuse(INVALID_ARGUMENT, "agree", ECDH, key, chance.flipped(point))


def montgomery(chance: Chance, subject: Subject) -> None:
    kind = PAIR | MONTGOMERY
    pair: x25519.X25519PrivateKey | x448.X448PrivateKey
    if chance.random() < 0.5:
        pair = x25519.X25519PrivateKey.from_private_bytes(chance.randbytes(32))
        other = x25519.X25519PrivateKey.from_private_bytes(chance.randbytes(32)).public_key()
        shared = pair.exchange(other)
        peer = other.public_bytes_raw()
    else:
        pair = x448.X448PrivateKey.from_private_bytes(chance.randbytes(56))
        public = x448.X448PrivateKey.from_private_bytes(chance.randbytes(56)).public_key()
        shared = pair.exchange(public)
        peer = public.public_bytes_raw()
    key = subject.key(kind, ECDH, DERIVE, pair.private_bytes_raw())
    subject.expect(pair.public_key().public_bytes_raw(), "public", key)
    subject.expect(shared, "agree", ECDH, key, peer)


def eddsa(chance: Chance, subject: Subject) -> None:
    pair = ed25519.Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
    public = pair.public_key().public_bytes_raw()
    data = chance.data(2000)
    signature = pair.sign(data)
    key = subject.key(PAIR | TWISTED_EDWARDS, PURE_EDDSA, SIGN, pair.private_bytes_raw())
    checker = subject.key(PUBLIC | TWISTED_EDWARDS, PURE_EDDSA, VERIFY, public)
    subject.expect(public, "public", key)
    subject.expect(signature, "sign", "m", key, PURE_EDDSA, data)
    subject.accept("verify", "m", checker, PURE_EDDSA, data, signature)
    wrong = chance.flipped(signature)
    subject.refuse(INVALID_SIGNATURE, "verify", "m", checker, PURE_EDDSA, data, wrong)
    if data:
        other = chance.flipped(data)
        subject.refuse(INVALID_SIGNATURE, "verify", "m", checker, PURE_EDDSA, other, signature)


def generated(chance: Chance, subject: Subject) -> None:
    """A pair that the library makes is one for OpenSSL."""
    curve = _curve(chance)
    words = ("generate", PAIR | curve.family, curve.bits, ECDH, DERIVE | EXPORT)
    key = subject.keep(int(subject.take(*words).outputs[0]))
    scalar = subject.take("export", key).bytes
    pair = ec.derive_private_key(int.from_bytes(scalar, "big"), curve.curve)
    if len(scalar) != curve.size:
        raise DifferenceError("a private key of another length")
    subject.expect(_point(pair.public_key()), "public", key)


def random_bytes(chance: Chance, subject: Subject) -> None:
    size = chance.length(3000)
    data = subject.take("random", size).bytes
    if len(data) != size or (size > 32 and len(set(data)) < 4):
        raise DifferenceError("no random bytes")


EXPERIMENTS = {
    ecdsa: 2,
    ecdh: 4,
    montgomery: 4,
    eddsa: 4,
    point_that_is_none: 3,
    generated: 1,
    random_bytes: 2,
}
