# SPDX-License-Identifier: Apache-2.0
"""RSA: signatures, encryption, formats; ML-DSA and ML-KEM."""

from __future__ import annotations

from functools import cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem, padding, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from differential.chance import Chance
from differential.curves import SIGN, VERIFY
from differential.plain import HASHES, SHA_2, digest
from differential.subject import (
    DECRYPT,
    ENCRYPT,
    EXPORT,
    INVALID_PADDING,
    INVALID_SIGNATURE,
    DifferenceError,
    Subject,
)

RSA_PAIR, RSA_PUBLIC = 0x7001, 0x4001
PKCS1_SIGN, PSS, PSS_ANY_SALT = 0x06000200, 0x06000300, 0x06001300
PKCS1_CRYPT, OAEP = 0x07000200, 0x07000300
ML_KEM_PAIR, ML_KEM_PUBLIC, ML_KEM = 0x7004, 0x4004, 0x0C000200
ML_DSA_PAIR, ML_DSA_PUBLIC = 0x7002, 0x4002
ML_DSA, DETERMINISTIC_ML_DSA = 0x06004400, 0x06004500


@cache
def _pairs() -> list[rsa.RSAPrivateKey]:
    return [rsa.generate_private_key(65537, bits) for bits in (1024, 2048)]


def _pair_data(pair: rsa.RSAPrivateKey) -> bytes:
    return pair.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def _public_data(pair: rsa.RSAPrivateKey) -> bytes:
    return pair.public_key().public_bytes(Encoding.DER, PublicFormat.PKCS1)


def rsa_signature(chance: Chance, subject: Subject) -> None:
    pair = chance.choice(_pairs())
    hash_alg = chance.choice(SHA_2[:3])
    base = chance.choice((PKCS1_SIGN, PSS, PSS_ANY_SALT))
    alg = base | hash_alg & 0xFF
    method = HASHES[hash_alg]
    scheme: padding.PKCS1v15 | padding.PSS = padding.PKCS1v15()
    made_by: padding.PKCS1v15 | padding.PSS = scheme
    if base != PKCS1_SIGN:
        scheme = padding.PSS(padding.MGF1(method), method.digest_size)
        salt = method.digest_size if base == PSS else chance.randint(0, method.digest_size)
        made_by = padding.PSS(padding.MGF1(method), salt)
    data = chance.data(1000)
    key = subject.key(RSA_PAIR, alg, SIGN | EXPORT, _pair_data(pair))
    public = subject.key(RSA_PUBLIC, alg, VERIFY | EXPORT, _public_data(pair))
    subject.expect(_public_data(pair), "public", key)
    subject.expect(_public_data(pair), "export", public)
    subject.expect(_pair_data(pair), "export", key)
    hashed = digest(hash_alg, data)
    made = subject.take("sign", *chance.choice((("m", key, alg, data), ("h", key, alg, hashed))))
    try:
        pair.public_key().verify(made.bytes, data, scheme, method)
    except InvalidSignature:
        raise DifferenceError("OpenSSL refuses the signature") from None
    signature = pair.sign(data, made_by, method)
    subject.accept("verify", "m", public, alg, data, signature)
    subject.accept("verify", "h", public, alg, hashed, signature)
    subject.refuse(INVALID_SIGNATURE, "verify", "m", public, alg, data, chance.flipped(signature))
    wrong = chance.flipped(hashed)
    subject.refuse(INVALID_SIGNATURE, "verify", "h", public, alg, wrong, signature)


def rsa_encryption(chance: Chance, subject: Subject) -> None:
    pair = chance.choice(_pairs())
    label = b""
    scheme: padding.PKCS1v15 | padding.OAEP = padding.PKCS1v15()
    alg, room = PKCS1_CRYPT, pair.key_size // 8 - 11
    if chance.random() < 0.6:
        hash_alg = chance.choice(SHA_2[:3])
        method = HASHES[hash_alg]
        label = chance.data(100)
        scheme = padding.OAEP(padding.MGF1(method), method, label or None)
        alg, room = OAEP | hash_alg & 0xFF, pair.key_size // 8 - 2 * method.digest_size - 2
    data = chance.data(room)
    key = subject.key(RSA_PAIR, alg, DECRYPT, _pair_data(pair))
    public = subject.key(RSA_PUBLIC, alg, ENCRYPT, _public_data(pair))
    sealed = subject.take("aenc", public, alg, data, label).bytes
    if pair.decrypt(sealed, scheme) != data:
        raise DifferenceError("OpenSSL reads something else")
    sealed = pair.public_key().encrypt(data, scheme)
    subject.expect(data, "adec", key, alg, sealed, label)
    if alg != PKCS1_CRYPT:
        subject.refuse(INVALID_PADDING, "adec", key, alg, chance.flipped(sealed), label)
        subject.refuse(INVALID_PADDING, "adec", key, alg, sealed, label + b"\0")


def ml_kem(chance: Chance, subject: Subject) -> None:
    seed = chance.randbytes(64)
    bits = chance.choice((768, 1024))
    kind = mlkem.MLKEM768PrivateKey if bits == 768 else mlkem.MLKEM1024PrivateKey
    pair = kind.from_seed_bytes(seed)
    public_data = pair.public_key().public_bytes_raw()
    key = subject.key(ML_KEM_PAIR, ML_KEM, DECRYPT | EXPORT, seed, bits)
    public = subject.key(ML_KEM_PUBLIC, ML_KEM, ENCRYPT, public_data, bits)
    subject.expect(public_data, "public", key)
    subject.expect(seed, "export", key)
    secret, sealed = pair.public_key().encapsulate()
    subject.expect(secret, "decap", key, ML_KEM, sealed)
    made = subject.take("encap", public, ML_KEM)
    if pair.decapsulate(made.bytes) != bytes.fromhex(made.outputs[1]):
        raise DifferenceError("OpenSSL finds another secret")
    # A forged ciphertext gives a secret of its own: the same one on both sides.
    forged = chance.flipped(sealed)
    subject.expect(pair.decapsulate(forged), "decap", key, ML_KEM, forged)


def ml_dsa(chance: Chance, subject: Subject) -> None:
    seed = chance.randbytes(32)
    bits, kind = chance.choice(
        (
            (128, mldsa.MLDSA44PrivateKey),
            (192, mldsa.MLDSA65PrivateKey),
            (256, mldsa.MLDSA87PrivateKey),
        )
    )
    pair = kind.from_seed_bytes(seed)
    public_data = pair.public_key().public_bytes_raw()
    data = chance.data(1000)
    alg = chance.choice((ML_DSA, DETERMINISTIC_ML_DSA))
    key = subject.key(ML_DSA_PAIR, alg, SIGN, seed, bits)
    public = subject.key(ML_DSA_PUBLIC, alg, VERIFY, public_data, bits)
    subject.expect(public_data, "public", key)
    made = subject.take("sign", "m", key, alg, data).bytes
    try:
        pair.public_key().verify(made, data)
    except InvalidSignature:
        raise DifferenceError("OpenSSL refuses the signature") from None
    signature = pair.sign(data)
    subject.accept("verify", "m", public, alg, data, signature)
    wrong = chance.flipped(signature)
    subject.refuse(INVALID_SIGNATURE, "verify", "m", public, alg, data, wrong)


EXPERIMENTS = {rsa_signature: 2, rsa_encryption: 2, ml_kem: 3, ml_dsa: 2}
