# SPDX-License-Identifier: Apache-2.0
"""Vectors of ARIA, Camellia and XTS: of two packages, RFCs and a draft."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .nist import MAX_WRAPPED, fields
from .row import Row, aead_iv
from .wycheproof import tests

# RFC 5794, appendix A: the plaintext 00112233..., the key 00010203..., the ciphertext by its size.
ARIA_TEXT = bytes(17 * i for i in range(16))
ARIA = {
    128: "d718fbd6ab644c739da95f3be6451778",
    192: "26449c1805dbe7aa25a468ce263a9e79",
    256: "f92bd7c79fb72e2f2b8f80c1972d24fc",
}
# draft-kato-ipsec-camellia-gcm-03: key, nonce, additional data and plaintext are those of the tests
# of AES in the specification of GCM; ciphertext and tag by the size of the key.
GCM_KEY = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
GCM_NONCE = "cafebabefacedbaddecaf888"
GCM_DATA = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
GCM_TEXT = (
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e24"
    "49a6b525b16aedf5aa0de657ba637b39"
)
CAMELLIA_GCM = {
    128: "d0d94a13b632f337a0cc9955b94fa020c815f903aab12f1efaf2fe9d90f729a6cccbfa986ef2ff2c33de418d"
    "9a2529091cf18fe652c1cfde13f826069f458869431576ea6a095456ec6b8101",
    192: "0f009e88410d84ad93c90d55efbe20ffa855492f4dfd0fb485c4f02f536feffbb4d967729e5c67f1de075025"
    "5cc500716ba483eb3b0a2bf607af28f601b15bb5ab6fac0c422014e91eacbf2b",
    256: "ad142c11579dd95e41f3c1f324dabc255864d920f1b65759d8f560d4948d447758dfdcf77aa9f62581c7ff57"
    "2a037f810cb1a9c4b3ca6ed638179b774e4b178d8fe26fdc95e2e7246dd94bec",
}
# The same source, of nothing but zeros: a block of text and the tag.
CAMELLIA_GCM_ZERO = {
    128: "defe3e0b5c54c94b4f2a0f5a46f6210df672b94d192266c7c8c8dbb427cc989a",
    192: "8f9c0aa2549714c88bb2665e8af86d41783cff5c5aca7197320658a74279ab37",
    256: "3d4b2cde666761ba5dfb305178e667fb284b63bb143c40ce100fb4dea6bb617b",
}
CIPHERS = ("ARIA", "CAMELLIA")
SIZES = (128, 192, 256)
XTS_SIZES = (256, 384, 512)
BLOCK = 16


def _cipher(title: str, source: str, mode: str, cipher: str, values: tuple[bytes, ...]) -> Row:
    """values: key, IV, plaintext, ciphertext."""
    key, iv, plain, encrypted = values
    return Row(title, f"{mode}_{cipher}_{8 * len(key)}", source, "CIPHER", f"PSA_ALG_{mode}",
               f"PSA_KEY_TYPE_{cipher}", key, iv, plain, encrypted)  # fmt: skip


def aria() -> Iterator[Row]:
    for bits, encrypted in ARIA.items():
        key = bytes(range(bits // 8))
        yield _cipher(f"ARIA-{bits}", "RFC 5794", "ECB_NO_PADDING", "ARIA",
                      (key, b"", ARIA_TEXT, bytes.fromhex(encrypted)))  # fmt: skip


def camellia(root: Path) -> Iterator[Row]:
    for bits in SIZES:
        path = root / "ciphers" / "Camellia" / f"camellia-{bits}-ecb.txt"
        last: dict[str, bytes] = {}
        for line in path.read_text(encoding="ascii").splitlines():
            found = re.match(r"([KPC]) No\.(\d+) : ([0-9A-F ]+)", line)
            if found is None:
                continue
            last[found[1]] = bytes.fromhex(found[3])
            if found[1] == "C":
                yield _cipher(f"{found[2]}", path.name, "ECB_NO_PADDING", "CAMELLIA",
                              (last["K"], b"", last["P"], last["C"]))  # fmt: skip
    for mode, file in (("CBC_NO_PADDING", "cbc"), ("OFB", "ofb"), ("CFB", "cfb")):
        path = root / "ciphers" / "Camellia" / f"camellia-{file}.txt"
        for group in fields(path):
            if "PLAINTEXT" in group:
                names = ("KEY", "IV", "PLAINTEXT", "CIPHERTEXT")
                yield _cipher(f"count {group['COUNT']}", path.name, mode, "CAMELLIA",
                              tuple(bytes.fromhex(group[name]) for name in names))  # fmt: skip


def camellia_gcm() -> Iterator[Row]:
    for bits in SIZES:
        size = bits // 8
        zero = (bytes(size), aead_iv(bytes(12), b""), bytes(16), CAMELLIA_GCM_ZERO[bits])
        nonce = aead_iv(bytes.fromhex(GCM_NONCE), bytes.fromhex(GCM_DATA))
        full = (bytes.fromhex(GCM_KEY)[:size], nonce, bytes.fromhex(GCM_TEXT), CAMELLIA_GCM[bits])
        for title, (key, iv, plain, sealed) in (("zeros", zero), ("with data", full)):
            yield Row(title, f"GCM_CAMELLIA_{bits}", "draft-kato-ipsec-camellia-gcm", "AEAD",
                      "PSA_ALG_GCM", "PSA_KEY_TYPE_CAMELLIA", key, iv, plain,
                      bytes.fromhex(sealed))  # fmt: skip


def sealed(root: Path) -> Iterator[Row]:
    """Wycheproof: GCM and CCM, where keys and tags have sizes that exist."""
    for file in ("aria_gcm", "aria_ccm", "camellia_ccm"):
        cipher, mode = file.upper().split("_")
        path = root / f"{file}_test.json"
        for group, test, title, result in tests(path):
            tag = group["tagSize"] // 8
            alg = f"PSA_ALG_{mode}"
            if tag != 16:
                alg = f"PSA_ALG_AEAD_WITH_SHORTENED_TAG({alg}, {tag})"
            if group["keySize"] in SIZES:
                iv = aead_iv(bytes.fromhex(test["iv"]), bytes.fromhex(test["aad"]))
                yield Row(title, f"{mode}_{cipher}_{group['keySize']}", path.name, "AEAD", alg,
                          f"PSA_KEY_TYPE_{cipher}", bytes.fromhex(test["key"]), iv,
                          bytes.fromhex(test["msg"]), bytes.fromhex(test["ct"] + test["tag"]),
                          result)  # fmt: skip


def others(root: Path) -> Iterator[Row]:
    """Wycheproof: CBC with padding, CMAC, key wrapping."""
    for cipher in CIPHERS:
        key_type = f"PSA_KEY_TYPE_{cipher}"
        path = root / f"{cipher.lower()}_cbc_pkcs5_test.json"
        for group, test, title, result in tests(path):
            yield Row(title, f"CBC_NO_PADDING_{cipher}_{group['keySize']}", path.name, "CIPHER",
                      "PSA_ALG_CBC_PKCS7", key_type, bytes.fromhex(test["key"]),
                      bytes.fromhex(test["iv"]), bytes.fromhex(test["msg"]),
                      bytes.fromhex(test["ct"]), result)  # fmt: skip
        path = root / f"{cipher.lower()}_cmac_test.json"
        for group, test, title, result in tests(path):
            if group["keySize"] in SIZES and group["tagSize"] == 128:
                yield Row(title, f"CMAC_{cipher}_{group['keySize']}", path.name, "MAC",
                          "PSA_ALG_CMAC", key_type, bytes.fromhex(test["key"]),
                          input=bytes.fromhex(test["msg"]), output=bytes.fromhex(test["tag"]),
                          result=result)  # fmt: skip
    for file, name, cipher in (("aria_wrap", "KW", "ARIA"), ("aria_kwp", "KWP", "ARIA"),
                               ("camellia_wrap", "KW", "CAMELLIA")):  # fmt: skip
        path = root / f"{file}_test.json"
        for group, test, title, result in tests(path):
            message, wrapped = bytes.fromhex(test["msg"]), bytes.fromhex(test["ct"])
            if len(message) <= MAX_WRAPPED and len(wrapped) <= MAX_WRAPPED + 8 and wrapped:
                yield Row(title, f"{name}_{cipher}_{group['keySize']}", path.name, "WRAP",
                          f"PSA_ALG_{name}", f"PSA_KEY_TYPE_{cipher}", bytes.fromhex(test["key"]),
                          input=message, output=wrapped, result=result)  # fmt: skip


def xts(wycheproof_root: Path, nist_root: Path) -> Iterator[Row]:
    """Of whole bytes; a shorter IV of Wycheproof goes on with zeros."""
    for bits in (128, 256):
        folder = nist_root / "ciphers" / "AES" / "XTS" / "tweak-128hexstr"
        path = folder / f"XTSGenAES{bits}.rsp"
        for group in fields(path):
            if "DataUnitLen" in group and int(group["DataUnitLen"]) % 8 == 0:
                yield Row(f"count {group['COUNT']}", f"XTS_AES_{bits}", path.name, "CIPHER",
                          "PSA_ALG_XTS", "PSA_KEY_TYPE_AES", bytes.fromhex(group["Key"]),
                          bytes.fromhex(group["i"]), bytes.fromhex(group["PT"]),
                          bytes.fromhex(group["CT"]))  # fmt: skip
    path = wycheproof_root / "aes_xts_test.json"
    for sizes, test, title, result in tests(path):
        key, iv = bytes.fromhex(test["key"]), bytes.fromhex(test["iv"])
        if len(iv) <= BLOCK and len(test["msg"]) >= 2 * BLOCK and sizes["keySize"] in XTS_SIZES:
            yield Row(title, f"XTS_AES_{sizes['keySize'] // 2}", path.name, "CIPHER",
                      "PSA_ALG_XTS", "PSA_KEY_TYPE_AES", key, iv + bytes(BLOCK - len(iv)),
                      bytes.fromhex(test["msg"]), bytes.fromhex(test["ct"]), result)  # fmt: skip


def rows(wycheproof_root: Path, nist_root: Path) -> Iterator[Row]:
    yield from aria()
    yield from camellia(nist_root)
    yield from camellia_gcm()
    yield from sealed(wycheproof_root)
    yield from others(wycheproof_root)
    yield from xts(wycheproof_root, nist_root)
