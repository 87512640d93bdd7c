# SPDX-License-Identifier: Apache-2.0
"""Vectors of NIST and of RFCs, from the PyPI package cryptography-vectors."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from .row import CURVES, HASHES, Row

# Longer messages are left out: they make tables of megabytes and test little that is new.
MAX_MESSAGE = 1200
MAX_WRAPPED = 64
# The first of a thousand random ones.
ML_KEM_ROWS = 20

HASH_FILES = {
    "SHA_1": "SHA1/SHA1",
    "SHA_224": "SHA2/SHA224",
    "SHA_256": "SHA2/SHA256",
    "SHA_384": "SHA2/SHA384",
    "SHA_512": "SHA2/SHA512",
    "SHA_512_224": "SHA2/SHA512_224",
    "SHA_512_256": "SHA2/SHA512_256",
    "SHA3_224": "SHA3/SHA3_224",
    "SHA3_256": "SHA3/SHA3_256",
    "SHA3_384": "SHA3/SHA3_384",
    "SHA3_512": "SHA3/SHA3_512",
}
# SHA-256/192 is the beginning of SHA-256.
CUT_HASHES = {"SHA_256": ("SHA_256_192",)}
# Hashes of a fixed length are the beginning of the extendable output.
SHAKE_HASHES = {128: (256,), 256: (192, 256, 512)}
HMAC_FILES = {
    "MD5": "rfc-2202-md5.txt",
    "SHA_1": "rfc-2202-sha1.txt",
    "SHA_224": "rfc-4231-sha224.txt",
    "SHA_256": "rfc-4231-sha256.txt",
    "SHA_384": "rfc-4231-sha384.txt",
    "SHA_512": "rfc-4231-sha512.txt",
}
CIPHER_FOLDERS = {
    "ECB": ("ECB_NO_PADDING", "ECB*.rsp"),
    "CBC": ("CBC_NO_PADDING", "CBC*.rsp"),
    "CFB": ("CFB", "CFB128*.rsp"),
    "OFB": ("OFB", "OFB*.rsp"),
    "CTR": ("CTR", "aes-*-ctr.txt"),
}
RFC6979_CURVES = {
    "P-192": CURVES["secp192r1"],
    "P-224": CURVES["secp224r1"],
    "P-256": CURVES["secp256r1"],
    "P-384": CURVES["secp384r1"],
    "P-521": CURVES["secp521r1"],
}


def fields(path: Path) -> Iterator[dict[str, str]]:
    """The groups of `NAME = value` lines of a CAVP file, one dictionary for each."""
    group: dict[str, str] = {}
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        match = re.match(r"\s*(\w+)\s*=\s*(.*?)\s*$", line)
        if match and match[1] not in group:
            group[match[1]] = match[2]
        elif match:
            yield group
            group = {match[1]: match[2]}
        elif not line.strip() and group:
            yield group
            group = {}
    if group:
        yield group


def hashes(root: Path) -> Iterator[Row]:
    for name, prefix in HASH_FILES.items():
        for kind in ("ShortMsg", "LongMsg"):
            path = root / "hashes" / f"{prefix}{kind}.rsp"
            for group in fields(path):
                if "Msg" not in group or int(group["Len"]) > 8 * MAX_MESSAGE:
                    continue
                message = bytes.fromhex(group["Msg"])[: int(group["Len"]) // 8]
                digest = bytes.fromhex(group["MD"])
                for cut in (name, *CUT_HASHES.get(name, ())):
                    length = 24 if cut == "SHA_256_192" else len(digest)
                    yield Row(f"{kind} {group['Len']} bits", cut, path.name, "HASH",
                              f"PSA_ALG_{cut}", input=message,
                              output=digest[:length])  # fmt: skip
    path = root / "hashes" / "MD5" / "rfc-1321.txt"
    for group in fields(path):
        if "Msg" in group:
            message = bytes.fromhex(group["Msg"])[: int(group["Len"]) // 8]
            yield Row(f"{group['Len']} bits", "MD5", path.name, "HASH", "PSA_ALG_MD5",
                      input=message, output=bytes.fromhex(group["MD"]))  # fmt: skip


def blake2(root: Path) -> Iterator[Row]:
    """Without a key."""
    for name, file in (("BLAKE2S_HASH256", "blake2s"), ("BLAKE2B_HASH512", "blake2b")):
        path = root / "hashes" / "blake2" / f"{file}.txt"
        for group in fields(path):
            if "Msg" in group and not group.get("Key"):
                message = bytes.fromhex(group["Msg"])[: int(group["Len"]) // 8]
                yield Row(f"{group['Len']} bits", name, path.name, "HASH", f"PSA_ALG_{name}",
                          input=message, output=bytes.fromhex(group["MD"]))  # fmt: skip


def shake(root: Path) -> Iterator[Row]:
    for strength, lengths in SHAKE_HASHES.items():
        for kind in ("ShortMsg", "LongMsg", "VariableOut"):
            path = root / "hashes" / "SHAKE" / f"SHAKE{strength}{kind}.rsp"
            for number, group in enumerate(fields(path)):
                message = bytes.fromhex(group.get("Msg", ""))
                if group.get("Len") == "0":
                    message = b""
                if "Output" not in group or len(message) > MAX_MESSAGE:
                    continue
                output = bytes.fromhex(group["Output"])
                title = f"{kind} {number} {8 * len(output)} bits"
                yield Row(title, f"SHAKE{strength}", path.name, "XOF", f"PSA_ALG_SHAKE{strength}",
                          input=message, output=output)  # fmt: skip
                for bits in lengths:
                    name = f"SHAKE{strength}_{bits}"
                    if kind == "VariableOut" and 8 * len(output) >= bits:
                        yield Row(title, name, path.name, "HASH", f"PSA_ALG_{name}",
                                  input=message, output=output[: bits // 8])  # fmt: skip


def macs(root: Path) -> Iterator[Row]:
    for name, file in HMAC_FILES.items():
        path = root / "HMAC" / file
        for number, group in enumerate(fields(path)):
            tag = bytes.fromhex(group["MD"])
            alg = f"PSA_ALG_HMAC(PSA_ALG_{name})"
            if len(tag) != hashlib.new(HASHES[name]).digest_size:
                alg = f"PSA_ALG_TRUNCATED_MAC({alg}, {len(tag)})"
            yield Row(f"test {number + 1}", f"HMAC_{name}", file, "MAC", alg, "PSA_KEY_TYPE_HMAC",
                      bytes.fromhex(group["Key"]), input=bytes.fromhex(group["Msg"]),
                      output=tag)  # fmt: skip
    for bits in (128, 192, 256):
        path = root / "CMAC" / f"nist-800-38b-aes{bits}.txt"
        for group in fields(path):
            yield Row(f"count {group['COUNT']}", f"CMAC_AES_{bits}", path.name, "MAC",
                      "PSA_ALG_CMAC", "PSA_KEY_TYPE_AES", bytes.fromhex(group["KEY"]),
                      input=bytes.fromhex(group["MESSAGE"]),
                      output=bytes.fromhex(group["OUTPUT"]))  # fmt: skip


def ciphers(root: Path) -> Iterator[Row]:
    for folder, (mode, pattern) in CIPHER_FOLDERS.items():
        for path in sorted((root / "ciphers" / "AES" / folder).glob(pattern)):
            for group in fields(path):
                if "PLAINTEXT" not in group:
                    continue
                key = bytes.fromhex(group["KEY"])
                yield Row(f"count {group['COUNT']}", f"{mode}_AES_{8 * len(key)}", path.name,
                          "CIPHER", f"PSA_ALG_{mode}", "PSA_KEY_TYPE_AES", key,
                          bytes.fromhex(group.get("IV", "")), bytes.fromhex(group["PLAINTEXT"]),
                          bytes.fromhex(group["CIPHERTEXT"]))  # fmt: skip


def private_scalar(pem: str) -> bytes:
    """The private key octets (RFC 5915) in an unencrypted PKCS #8 block, by their DER header."""
    der = base64.b64decode(pem)
    # ECPrivateKey: version 1, then the OCTET STRING.
    start = der.index(b"\x02\x01\x01\x04") + 4
    return der[start + 1 : start + 1 + der[start]]


def integers_of_der(signature: bytes) -> tuple[int, int]:
    """r and s of a DER signature whose parts are shorter than 128 bytes each."""
    position = 3 if signature[1] == 0x81 else 2
    numbers = []
    for _ in range(2):
        length = signature[position + 1]
        numbers.append(int.from_bytes(signature[position + 2 : position + 2 + length], "big"))
        position += 2 + length
    return numbers[0], numbers[1]


def rfc6979(root: Path) -> Iterator[Row]:
    path = root / "asymmetric" / "ECDSA" / "RFC6979" / "evppkey_ecdsa_rfc6979.txt"
    text = path.read_text(encoding="ascii")
    pattern = r"PrivateKey\s*=\s*(\S+)\n-+BEGIN PRIVATE KEY-+\n(.*?)-+END"
    keys = {match[1]: private_scalar(match[2]) for match in re.finditer(pattern, text, re.S)}
    for block in re.split(r"\n\s*\n", text):
        group = dict(re.findall(r"^(\w+)\s*=\s*(.*?)\s*$", block, re.M))
        curve = RFC6979_CURVES.get(group.get("Key", "").removesuffix("_PRIV"))
        if "DigestSign" not in group or curve is None:
            continue
        name = group["DigestSign"].replace("SHA", "SHA_")
        message = group["Input"].strip('"').encode("ascii")
        r, s = integers_of_der(bytes.fromhex(group["Output"]))
        yield Row(f"{group['Key']} {name} {message.decode()}",
                  f"DETERMINISTIC_ECDSA_SIGN_{curve.mechanism}", path.name, "SIGN_HASH",
                  f"PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_{name})", curve.pair,
                  keys[group["Key"]].rjust(curve.size, b"\0"), b"",
                  hashlib.new(HASHES[name], message).digest(),
                  r.to_bytes(curve.size, "big") + s.to_bytes(curve.size, "big"))  # fmt: skip


def ed25519(root: Path) -> Iterator[Row]:
    path = root / "asymmetric" / "Ed25519" / "sign.input"
    curve = CURVES["ed25519"]
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines()):
        secret, public, message, signed = (bytes.fromhex(part) for part in line.split(":")[:4])
        if number % 8 != 0 and len(message) > 64:
            continue
        yield Row(f"line {number + 1}", f"PURE_EDDSA_SIGN_{curve.mechanism}", path.name,
                  "SIGN_MESSAGE", "PSA_ALG_PURE_EDDSA", curve.pair, secret[:32], b"", message,
                  signed[:64])  # fmt: skip
        yield Row(f"line {number + 1}", f"PURE_EDDSA_VERIFY_{curve.mechanism}", path.name,
                  "VERIFY_MESSAGE", "PSA_ALG_PURE_EDDSA", curve.public, public, b"", message,
                  signed[:64])  # fmt: skip


def ed448(root: Path) -> Iterator[Row]:
    path = root / "asymmetric" / "Ed448" / "rfc8032.txt"
    curve = CURVES["ed448"]
    for group in fields(path):
        if "SECRET" not in group:
            continue
        values = ("CONTEXT", "MESSAGE", "SIGNATURE")
        context, message, signed = (bytes.fromhex(group.get(name, "")) for name in values)
        kind = "EDDSA_CTX" if context else "PURE_EDDSA"
        title = f"count {group['COUNT']}"
        yield Row(title, f"{kind}_SIGN_{curve.mechanism}", path.name, "SIGN_MESSAGE",
                  f"PSA_ALG_{kind}", curve.pair, bytes.fromhex(group["SECRET"]), context, message,
                  signed)  # fmt: skip
        yield Row(title, f"{kind}_VERIFY_{curve.mechanism}", path.name, "VERIFY_MESSAGE",
                  f"PSA_ALG_{kind}", curve.public, bytes.fromhex(group["PUBLIC"]), context, message,
                  signed)  # fmt: skip


def key_wrapping(root: Path) -> Iterator[Row]:
    for name in ("KW", "KWP"):
        for bits in (128, 192, 256):
            for direction in ("AE", "AD"):
                path = root / "keywrap" / "kwtestvectors" / f"{name}_{direction}_{bits}.txt"
                for group in fields(path):
                    plain = bytes.fromhex(group.get("P", ""))
                    # Longer keys than the slots of the tests hold are left out.
                    if "K" not in group or len(plain) > MAX_WRAPPED or len(group["C"]) > 144:
                        continue
                    yield Row(f"count {group['COUNT']}", f"{name}_AES_{bits}", path.name, "WRAP",
                              f"PSA_ALG_{name}", "PSA_KEY_TYPE_AES", bytes.fromhex(group["K"]),
                              input=plain, output=bytes.fromhex(group["C"]),
                              result="VALID" if plain else "INVALID")  # fmt: skip


def ml_kem(root: Path) -> Iterator[Row]:
    for size in (512, 768, 1024):
        path = root / "asymmetric" / "MLKEM" / f"kat_MLKEM_{size}.rsp"
        for group in islice(fields(path), ML_KEM_ROWS):
            key, public = bytes.fromhex(group["d"] + group["z"]), bytes.fromhex(group["pk"])
            for kind in ("", "_n"):  # _n: not of that key, to be rejected implicitly
                yield Row(f"count {group['count']}{kind}", f"DECAPSULATE_ML_KEM_{size}", path.name,
                          "DECAPSULATE", "PSA_ALG_ML_KEM", "PSA_KEY_TYPE_ML_KEM_KEY_PAIR", key,
                          public, bytes.fromhex(group[f"ct{kind}"]),
                          bytes.fromhex(group[f"ss{kind}"]))  # fmt: skip


def rows(root: Path) -> Iterator[Row]:
    """All vectors of the unpacked package; `root` is its folder cryptography_vectors."""
    yield from hashes(root)
    yield from blake2(root)
    yield from shake(root)
    yield from macs(root)
    yield from ciphers(root)
    yield from rfc6979(root)
    yield from ed25519(root)
    yield from ed448(root)
    yield from key_wrapping(root)
    yield from ml_kem(root)
