# SPDX-License-Identifier: Apache-2.0
"""Key derivation: HKDF and its halves, PBKDF2, the TLS 1.2 PRF, the counter mode of SP 800-108."""

from __future__ import annotations

from cryptography.hazmat.primitives.kdf import hkdf, kbkdf, pbkdf2

from differential.chance import Chance
from differential.plain import HASHES, SHA_2, authenticated
from differential.subject import DERIVE, Subject, Word

HKDF, EXTRACT, EXPAND = 0x08000100, 0x08000400, 0x08000500
TLS12_PRF, COUNTER_HMAC, PBKDF2 = 0x08000200, 0x08000700, 0x08800100
SECRET, PASSWORD, LABEL, CONTEXT = 0x0101, 0x0103, 0x0201, 0x0202
SALT, INFO, SEED, COST = 0x0203, 0x0204, 0x0205, 0x0301
DERIVE_KEY, PASSWORD_KEY, HMAC_KEY = 0x1200, 0x1203, 0x1100


def _derive(
    chance: Chance, subject: Subject, alg: int, wanted: bytes, *inputs: Word, capacity: int = 0
) -> None:
    first = chance.randint(0, len(wanted))
    subject.expect(wanted, "derive", alg, capacity, first, len(wanted), *inputs)


def hkdf_function(chance: Chance, subject: Subject) -> None:
    alg = chance.choice(SHA_2)
    method = HASHES[alg]
    secret, salt, info = chance.data(200, least=1), chance.data(200), chance.data(200)
    size = chance.randint(1, min(2000, 255 * method.digest_size))
    key = subject.key(DERIVE_KEY, HKDF | alg & 0xFF, DERIVE, secret)
    wanted = hkdf.HKDF(method, size, salt, info).derive(secret)
    inputs: list[Word] = [SECRET, "k", key, INFO, "b", info]
    if salt or chance.random() < 0.5:
        inputs = [SALT, "b", salt, *inputs]
    _derive(chance, subject, HKDF | alg & 0xFF, wanted, *inputs)


def hkdf_halves(chance: Chance, subject: Subject) -> None:
    alg = chance.choice(SHA_2)
    method = HASHES[alg]
    secret, salt, info = chance.data(200, least=1), chance.data(200), chance.data(200)
    extract, expand = EXTRACT | alg & 0xFF, EXPAND | alg & 0xFF
    between = authenticated(alg, salt, secret)
    key = subject.key(DERIVE_KEY, extract, DERIVE, secret)
    _derive(chance, subject, extract, between, SALT, "b", salt, SECRET, "k", key)
    size = chance.randint(1, min(2000, 255 * method.digest_size))
    key = subject.key(DERIVE_KEY, expand, DERIVE, between)
    wanted = hkdf.HKDFExpand(method, size, info).derive(between)
    _derive(chance, subject, expand, wanted, SECRET, "k", key, INFO, "b", info)


def pbkdf2_function(chance: Chance, subject: Subject) -> None:
    alg = chance.choice(SHA_2)
    password, salt = chance.data(200, least=1), chance.data(200)
    cost, size = chance.randint(1, 40), chance.randint(1, 300)
    wanted = pbkdf2.PBKDF2HMAC(HASHES[alg], size, salt, cost).derive(password)
    key = subject.key(PASSWORD_KEY, PBKDF2 | alg & 0xFF, DERIVE, password)
    inputs: tuple[Word, ...] = (COST, "n", cost, SALT, "b", salt, PASSWORD, "k", key)
    _derive(chance, subject, PBKDF2 | alg & 0xFF, wanted, *inputs)


def _prf(alg: int, secret: bytes, seed: bytes, size: int) -> bytes:
    """RFC 5246, 5, over OpenSSL's HMAC."""
    output, a = b"", seed
    while len(output) < size:
        a = authenticated(alg, secret, a)
        output += authenticated(alg, secret, a + seed)
    return output[:size]


def tls12_prf(chance: Chance, subject: Subject) -> None:
    alg = chance.choice(SHA_2[1:3])
    secret, label, seed = chance.data(200, least=1), chance.data(60), chance.data(120)
    wanted = _prf(alg, secret, label + seed, chance.randint(1, 500))
    key = subject.key(DERIVE_KEY, TLS12_PRF | alg & 0xFF, DERIVE, secret)
    inputs: tuple[Word, ...] = (SEED, "b", seed, SECRET, "k", key, LABEL, "b", label)
    _derive(chance, subject, TLS12_PRF | alg & 0xFF, wanted, *inputs)


def counter_mode(chance: Chance, subject: Subject) -> None:
    alg = chance.choice(SHA_2)
    secret = chance.data(200, least=1)
    label, context = chance.data(60, least=1).replace(b"\0", b"1"), chance.data(120)
    size = chance.randint(1, 500)
    wanted = kbkdf.KBKDFHMAC(
        HASHES[alg],
        kbkdf.Mode.CounterMode,
        size,
        4,
        4,
        kbkdf.CounterLocation.BeforeFixed,
        label,
        context,
        None,
    ).derive(secret)
    key = subject.key(HMAC_KEY, COUNTER_HMAC | alg & 0xFF, DERIVE, secret)
    inputs: tuple[Word, ...] = (SECRET, "k", key, LABEL, "b", label, CONTEXT, "b", context)
    _derive(chance, subject, COUNTER_HMAC | alg & 0xFF, wanted, *inputs, capacity=size)


EXPERIMENTS = {hkdf_function: 6, hkdf_halves: 6, pbkdf2_function: 3, tls12_prf: 3, counter_mode: 3}
