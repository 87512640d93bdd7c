# SPDX-License-Identifier: Apache-2.0
"""Ciphers, AEADs, and keys wrapped in keys."""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.hazmat.decrepit.ciphers import algorithms as old
from cryptography.hazmat.decrepit.ciphers import modes as old_modes
from cryptography.hazmat.primitives import keywrap, padding
from cryptography.hazmat.primitives.ciphers import (
    BlockCipherAlgorithm,
    Cipher,
    algorithms,
    modes,
)
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305

from differential.chance import Chance
from differential.subject import (
    BUFFER_TOO_SMALL,
    DECRYPT,
    ENCRYPT,
    EXPORT,
    INVALID_ARGUMENT,
    INVALID_SIGNATURE,
    UNWRAP,
    WRAP,
    Subject,
    Word,
)

AES_KEY, CAMELLIA_KEY, CHACHA20_KEY, RAW_DATA = 0x2400, 0x2403, 0x2004, 0x1001
BLOCK = 16
ECB, CBC, CBC_PKCS7 = 0x04404400, 0x04404000, 0x04404100
CTR, CFB, OFB, XTS = 0x04C01000, 0x04C01100, 0x04C01200, 0x0440FF00
STREAM = 0x04800100
CCM, GCM, CHACHA20_POLY1305 = 0x05500100, 0x05500200, 0x05100500
KW, KWP = 0x0B400100, 0x0BC00200


@dataclass(frozen=True)
class Message:
    """A text and its ciphertext under a key."""

    kind: int
    alg: int
    secret: bytes
    iv: bytes
    plain: bytes
    sealed: bytes


def _whole_blocks(chance: Chance) -> bytes:
    return chance.randbytes(BLOCK * chance.randint(0, 40))


def _mode(alg: int, iv: bytes) -> modes.ECB | modes.CBC | modes.XTS | old_modes.CFB | old_modes.OFB:
    """OpenSSL's mode of a block cipher; counter mode has a function of its own."""
    if alg == ECB:
        return modes.ECB()
    if alg == XTS:
        return modes.XTS(iv)
    if alg in (CFB, OFB):
        return old_modes.CFB(iv) if alg == CFB else old_modes.OFB(iv)
    return modes.CBC(iv)


def _counted(cipher: BlockCipherAlgorithm, counter: bytes, data: bytes) -> bytes:
    """Counter mode over single blocks: OpenSSL has it not for each cipher."""
    first, count = int.from_bytes(counter, "big"), len(data) // BLOCK + 1
    blocks = b"".join(((first + i) % 2**128).to_bytes(BLOCK, "big") for i in range(count))
    stream = Cipher(cipher, modes.ECB()).encryptor().update(blocks)
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))


def _block_message(chance: Chance, alg: int) -> Message:
    kind = AES_KEY if chance.random() < 0.7 else CAMELLIA_KEY
    secret = chance.randbytes(chance.choice((16, 24, 32)))
    cipher = algorithms.AES(secret) if kind == AES_KEY else old.Camellia(secret)
    iv = b"" if alg == ECB else chance.randbytes(BLOCK)
    plain = _whole_blocks(chance) if alg in (ECB, CBC) else chance.data(800)
    if alg == CTR:
        iv = chance.choice((iv, b"\xff" * (BLOCK - 1) + iv[:1]))
        return Message(kind, alg, secret, iv, plain, _counted(cipher, iv, plain))
    padded = plain
    if alg == CBC_PKCS7:
        padder = padding.PKCS7(128).padder()
        padded = padder.update(plain) + padder.finalize()
    context = Cipher(cipher, _mode(alg, iv)).encryptor()
    return Message(kind, alg, secret, iv, plain, context.update(padded) + context.finalize())


def _message(chance: Chance) -> Message:
    alg = chance.choice((ECB, CBC, CBC_PKCS7, CTR, CFB, OFB, XTS, STREAM))
    if alg == XTS:
        secret, iv = chance.randbytes(chance.choice((32, 64))), chance.randbytes(BLOCK)
        plain = chance.data(800, least=BLOCK)
        context = Cipher(algorithms.AES(secret), modes.XTS(iv)).encryptor()
        return Message(AES_KEY, alg, secret, iv, plain, context.update(plain) + context.finalize())
    if alg == STREAM:
        secret, nonce = chance.randbytes(32), chance.randbytes(12)
        plain = chance.data(800)
        counter = b"\0\0\0\0"
        stream = Cipher(algorithms.ChaCha20(secret, counter + nonce), None).encryptor()
        return Message(CHACHA20_KEY, alg, secret, nonce, plain, stream.update(plain))
    return _block_message(chance, alg)


def _pieces(chance: Chance, data: bytes) -> list[Word]:
    """Offset and piece, in turn."""
    words: list[Word] = []
    for piece in chance.pieces(data):
        words += [chance.offset(len(piece)), piece]
    return words


def cipher(chance: Chance, subject: Subject) -> None:
    message = _message(chance)
    plain, sealed, iv = message.plain, message.sealed, message.iv
    alg = message.alg
    key = subject.key(message.kind, alg, ENCRYPT | DECRYPT, message.secret)
    subject.expect(sealed, "cipher", "e", key, alg, iv, *_pieces(chance, plain))
    subject.expect(plain, "cipher", "d", key, alg, iv, *_pieces(chance, sealed))
    text = iv + sealed
    room = len(text)
    subject.expect(plain, "cipher1", "d", key, alg, text, chance.offset(room), room)
    if room > 0 and len(plain) > 0:
        small = chance.randrange(len(plain))
        subject.refuse(BUFFER_TOO_SMALL, "cipher1", "d", key, alg, text, chance.offset(room), small)
    # The library draws the vector of a whole message: read it from the output.
    room = len(plain) + 2 * BLOCK
    own = subject.take("cipher1", "e", key, alg, plain, chance.offset(room), room).bytes
    subject.expect(plain, "cipher", "d", key, alg, own[: len(iv)], *_pieces(chance, own[len(iv) :]))
    if _opened(message, own) != plain:
        raise AssertionError("OpenSSL reads something else")


def _opened(message: Message, text: bytes) -> bytes:
    """OpenSSL's plaintext of vector and ciphertext."""
    iv, sealed = text[: len(message.iv)], text[len(message.iv) :]
    if message.alg == STREAM:
        nonce = b"\0\0\0\0" + iv
        return Cipher(algorithms.ChaCha20(message.secret, nonce), None).decryptor().update(sealed)
    block = algorithms.AES if message.kind == AES_KEY else old.Camellia
    if message.alg == CTR:
        return _counted(block(message.secret), iv, sealed)
    context = Cipher(block(message.secret), _mode(message.alg, iv)).decryptor()
    plain = context.update(sealed) + context.finalize()
    if message.alg != CBC_PKCS7:
        return plain
    unpadder = padding.PKCS7(128).unpadder()
    return unpadder.update(plain) + unpadder.finalize()


@dataclass(frozen=True)
class Sealed:
    """A message of an AEAD."""

    kind: int
    alg: int
    secret: bytes
    nonce: bytes
    ad: bytes
    plain: bytes
    sealed: bytes
    tag: bytes


def _sealed(chance: Chance) -> Sealed:
    ad, plain = chance.data(300), chance.data(800)
    alg = chance.choice((CCM, GCM, CHACHA20_POLY1305))
    kind, tag = AES_KEY, 16
    secret = chance.randbytes(chance.choice((16, 24, 32)))
    if alg == CHACHA20_POLY1305:
        kind, secret, nonce = CHACHA20_KEY, chance.randbytes(32), chance.randbytes(12)
        text = ChaCha20Poly1305(secret).encrypt(nonce, plain, ad)
    elif alg == CCM:
        tag = chance.choice((4, 6, 8, 10, 12, 14, 16))
        nonce = chance.randbytes(chance.randint(11, 13))
        text = AESCCM(secret, tag).encrypt(nonce, plain, ad)
    else:
        tag = chance.choice((12, 13, 14, 15, 16))
        nonce = chance.randbytes(12 if chance.random() < 0.5 else chance.randint(8, 40))
        text = AESGCM(secret).encrypt(nonce, plain, ad)
        text = text[: len(plain) + tag]
    alg = alg & ~0x003F0000 | tag << 16
    return Sealed(kind, alg, secret, nonce, ad, plain, text[: len(plain)], text[len(plain) :])


def aead(chance: Chance, subject: Subject) -> None:
    m = _sealed(chance)
    key = subject.key(m.kind, m.alg, ENCRYPT | DECRYPT, m.secret)
    text = m.sealed + m.tag
    cut = chance.randint(0, len(m.ad))
    parts = (m.ad[:cut], m.ad[cut:])
    head: tuple[Word, ...] = (key, m.alg, m.nonce)

    def whole(way: str, nonce: bytes, ad: bytes, data: bytes, size: int) -> tuple[Word, ...]:
        return ("aead1", way, key, m.alg, nonce, ad, data, chance.offset(len(data)), size)

    size = len(m.plain)
    subject.expect(text, *whole("e", m.nonce, m.ad, m.plain, len(text)))
    subject.expect(m.plain, *whole("d", m.nonce, m.ad, text, size))
    small = chance.randrange(len(text))
    subject.refuse(BUFFER_TOO_SMALL, *whole("e", m.nonce, m.ad, m.plain, small))
    pieces = _pieces(chance, m.plain)
    subject.expect(text, "aead", "e", b"", *head, *parts, size, *pieces)
    subject.expect(m.plain, "aead", "d", m.tag, *head, *parts, size, *_pieces(chance, m.sealed))
    # One bit of anything.
    subject.refuse(INVALID_SIGNATURE, *whole("d", m.nonce, m.ad, chance.flipped(text), size))
    subject.refuse(INVALID_SIGNATURE, *whole("d", chance.flipped(m.nonce), m.ad, text, size))
    if m.ad:
        subject.refuse(INVALID_SIGNATURE, *whole("d", m.nonce, chance.flipped(m.ad), text, size))
    wrong = chance.flipped(m.tag)
    answer = subject.ask("aead", "d", wrong, *head, *parts, size, *_pieces(chance, m.sealed))
    if answer.status != INVALID_SIGNATURE:
        raise AssertionError("a wrong tag passes")


def wrapping(chance: Chance, subject: Subject) -> None:
    secret = chance.randbytes(chance.choice((16, 24, 32)))
    is_padded = chance.random() < 0.5
    alg = KWP if is_padded else KW
    data = chance.randbytes(chance.randint(1, 200) if is_padded else 8 * chance.randint(2, 25))
    wrap = keywrap.aes_key_wrap_with_padding if is_padded else keywrap.aes_key_wrap
    wrapped = wrap(secret, data)
    wrapper = subject.key(AES_KEY, alg, WRAP | UNWRAP, secret)
    key = subject.key(RAW_DATA, 0, EXPORT, data)
    subject.expect(wrapped, "wrap", wrapper, alg, key)
    answer = subject.take("unwrap", RAW_DATA, 0, 0, EXPORT, wrapper, alg, wrapped)
    subject.expect(data, "export", subject.keep(int(answer.outputs[0])))
    forged = chance.flipped(wrapped)
    subject.refuse(INVALID_SIGNATURE, "unwrap", RAW_DATA, 0, 0, EXPORT, wrapper, alg, forged)


def padding_is_checked(chance: Chance, subject: Subject) -> None:
    """A last block that is no padding is refused, whatever is wrong with it."""
    secret, iv = chance.randbytes(16), chance.randbytes(BLOCK)
    plain = bytearray(chance.randbytes(BLOCK * chance.randint(1, 4)))
    plain[-1] = chance.choice((0, 17, 255, chance.randint(17, 255)))
    context = Cipher(algorithms.AES(secret), modes.CBC(iv)).encryptor()
    sealed = iv + context.update(bytes(plain)) + context.finalize()
    key = subject.key(AES_KEY, CBC_PKCS7, DECRYPT, secret)
    size = len(sealed)
    subject.refuse(-150, "cipher1", "d", key, CBC_PKCS7, sealed, chance.offset(size), size)
    cut = sealed[: -chance.randint(1, BLOCK - 1)]
    subject.refuse(INVALID_ARGUMENT, "cipher1", "d", key, CBC_PKCS7, cut, "x", size)


EXPERIMENTS = {cipher: 24, aead: 24, wrapping: 4, padding_is_checked: 4}
