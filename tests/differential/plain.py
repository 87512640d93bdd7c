# SPDX-License-Identifier: Apache-2.0
"""Hashes and MACs."""

from __future__ import annotations

from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.cmac import CMAC

from differential.chance import Chance
from differential.subject import (
    BUFFER_TOO_SMALL,
    INVALID_SIGNATURE,
    SIGN_MESSAGE,
    VERIFY_MESSAGE,
    Subject,
)

#: PSA's number of a hash, and OpenSSL's.
HASHES: dict[int, hashes.HashAlgorithm] = {
    0x02000003: hashes.MD5(),
    0x02000005: hashes.SHA1(),
    0x02000008: hashes.SHA224(),
    0x02000009: hashes.SHA256(),
    0x0200000A: hashes.SHA384(),
    0x0200000B: hashes.SHA512(),
    0x0200000C: hashes.SHA512_224(),
    0x0200000D: hashes.SHA512_256(),
    0x02000010: hashes.SHA3_224(),
    0x02000011: hashes.SHA3_256(),
    0x02000012: hashes.SHA3_384(),
    0x02000013: hashes.SHA3_512(),
    0x0200001E: hashes.BLAKE2b(64),
}
SHA_2 = (0x02000008, 0x02000009, 0x0200000A, 0x0200000B)
#: Those that signatures, HMAC and derivations are made with.
COMMON = (0x02000005, *SHA_2)
HMAC, CMAC_ALG = 0x03800000, 0x03C00200
HMAC_KEY, AES_KEY = 0x1100, 0x2400


def digest(alg: int, data: bytes) -> bytes:
    context = hashes.Hash(HASHES[alg])
    context.update(data)
    return context.finalize()


def authenticated(alg: int, key: bytes, data: bytes) -> bytes:
    """HMAC with the hash `alg`."""
    context = hmac.HMAC(key, HASHES[alg])
    context.update(data)
    return context.finalize()


def hash_function(chance: Chance, subject: Subject) -> None:
    alg = chance.choice(list(HASHES))
    data = chance.data(3000)
    wanted = digest(alg, data)
    subject.expect(wanted, "hash1", alg, data, len(wanted))
    subject.refuse(BUFFER_TOO_SMALL, "hash1", alg, data, chance.randrange(len(wanted)))
    subject.expect(wanted, "hash", alg, *chance.pieces(data))
    subject.accept("hashv", alg, wanted, *chance.pieces(data))
    subject.refuse(INVALID_SIGNATURE, "hashv", alg, chance.flipped(wanted), *chance.pieces(data))
    shorter = wanted[: chance.randrange(len(wanted))]
    subject.refuse(INVALID_SIGNATURE, "hashv", alg, shorter, *chance.pieces(data))


def mac(chance: Chance, subject: Subject) -> None:
    data = chance.data(2000)
    if chance.random() < 0.6:
        alg = chance.choice([alg for alg in HASHES if alg != 0x0200001E])
        secret = chance.data(200, least=1)
        whole, kind, alg = authenticated(alg, secret, data), HMAC_KEY, HMAC | alg & 0xFF
    else:
        secret = chance.randbytes(chance.choice((16, 24, 32)))
        context = CMAC(AES(secret))
        context.update(data)
        whole, kind, alg = context.finalize(), AES_KEY, CMAC_ALG
    if chance.random() < 0.4:
        length = chance.randint(4, min(63, len(whole)))  # six bits of the algorithm
        whole, alg = whole[:length], alg | length << 16
    key = subject.key(kind, alg, SIGN_MESSAGE | VERIFY_MESSAGE, secret)
    subject.expect(whole, "mac1", key, alg, data, len(whole))
    subject.refuse(BUFFER_TOO_SMALL, "mac1", key, alg, data, chance.randrange(len(whole)))
    subject.expect(whole, "mac", key, alg, *chance.pieces(data))
    subject.accept("macv1", key, alg, whole, data)
    subject.accept("macv", key, alg, whole, *chance.pieces(data))
    wrong = chance.flipped(whole)
    subject.refuse(INVALID_SIGNATURE, "macv1", key, alg, wrong, data)
    subject.refuse(INVALID_SIGNATURE, "macv", key, alg, wrong, *chance.pieces(data))
    if data:
        subject.refuse(INVALID_SIGNATURE, "macv1", key, alg, whole, chance.flipped(data))


EXPERIMENTS = {hash_function: 12, mac: 16}
