# SPDX-License-Identifier: Apache-2.0
"""Vectors of authenticated encryption: NIST (CAVP), OpenSSL and Project Wycheproof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .row import Result, Row, aead_iv
from .wycheproof import tests

AES = "PSA_KEY_TYPE_AES"
# File, algorithm without PSA_ALG_, type of key; "AES": mechanisms have the size in their name.
WYCHEPROOF = {
    "aes_ccm": ("CCM", AES),
    "aes_gcm": ("GCM", AES),
    "chacha20_poly1305": ("CHACHA20_POLY1305", "PSA_KEY_TYPE_CHACHA20"),
    "xchacha20_poly1305": ("XCHACHA20_POLY1305", "PSA_KEY_TYPE_XCHACHA20"),
    "ascon_sp800_232_aead128": ("ASCON_AEAD128", "PSA_KEY_TYPE_ASCON"),
}


def _row(
    title: str,
    source: str,
    algorithm: tuple[str, str],
    key: bytes,
    message: tuple[bytes, bytes, bytes],
    output: bytes,
    tag_length: int,
    result: Result = "VALID",
) -> Row:
    """message: nonce, additional data, plaintext."""
    name, key_type = algorithm
    needs = f"{name}_AES_{8 * len(key)}" if key_type == AES else name
    alg = f"PSA_ALG_{name}"
    if tag_length != 16:
        alg = f"PSA_ALG_AEAD_WITH_SHORTENED_TAG({alg}, {tag_length})"
    nonce, additional_data, plaintext = message
    return Row(title, needs, source, "AEAD", alg, key_type, key, aead_iv(nonce, additional_data),
               plaintext, output, result)  # fmt: skip


def _sections(path: Path) -> Iterator[dict[str, str]]:
    """The groups of a CAVP file, each with the settings above it; FAIL becomes Result."""
    state: dict[str, str] = {}
    group: dict[str, str] = {}
    for line in [*path.read_text(encoding="ascii").splitlines(), ""]:
        heads = re.findall(r"(\w+)\s*=\s*(\w*)", line)
        if line.startswith("["):
            state.update(heads)
        elif heads:
            group.update(heads)
        elif line.strip() == "FAIL":
            group["Result"] = "FAIL"
        elif not line.strip() and "CT" in group:
            yield {**state, **group}
            group = {}
        elif not line.strip():
            state.update(group)
            group = {}


def ccm(root: Path) -> Iterator[Row]:
    for path in sorted((root / "ciphers" / "AES" / "CCM").glob("*.rsp")):
        for number, group in enumerate(_sections(path)):
            failed = group.get("Result", "").lower().startswith("fail")
            data = bytes.fromhex(group["Adata"])[: int(group["Alen"])]
            text = bytes.fromhex(group.get("Payload", ""))[: int(group["Plen"])]
            yield _row(f"test {number}", path.name, ("CCM", AES), bytes.fromhex(group["Key"]),
                       (bytes.fromhex(group["Nonce"]), data, text), bytes.fromhex(group["CT"]),
                       int(group["Tlen"]), "INVALID" if failed else "VALID")  # fmt: skip
            if len(group["Nonce"]) == 26 and not failed:
                # CCM* without tag is CCM's ciphertext of the text, with a nonce of 13 bytes.
                key = bytes.fromhex(group["Key"])
                yield Row(f"test {number}", f"CCM_STAR_NO_TAG_AES_{8 * len(key)}", path.name,
                          "CIPHER", "PSA_ALG_CCM_STAR_NO_TAG", AES, key,
                          bytes.fromhex(group["Nonce"]), text,
                          bytes.fromhex(group["CT"])[: len(text)])  # fmt: skip


def gcm(root: Path) -> Iterator[Row]:
    for path in sorted((root / "ciphers" / "AES" / "GCM").glob("*.rsp")):
        for number, group in enumerate(_sections(path)):
            text = bytes.fromhex(group.get("PT", ""))
            output = bytes.fromhex(group["CT"] + group["Tag"])
            title = f"test {number}, {group['IVlen']} bits, tag {group['Taglen']}"
            message = (bytes.fromhex(group["IV"]), bytes.fromhex(group["AAD"]), text)
            yield _row(title, path.name, ("GCM", AES), bytes.fromhex(group["Key"]), message, output,
                       int(group["Taglen"]) // 8,
                       "INVALID" if "Result" in group else "VALID")  # fmt: skip


def chacha20_poly1305(root: Path) -> Iterator[Row]:
    path = root / "ciphers" / "ChaCha20Poly1305" / "openssl.txt"
    for block in path.read_text(encoding="ascii").split("\n\n"):
        group = dict(re.findall(r"^(\w+) = ?(\w*)", block, re.M))
        if "Ciphertext" not in group or len(group["IV"]) != 24 or len(group["Tag"]) != 32:
            continue
        message = tuple(bytes.fromhex(group[name]) for name in ("IV", "AAD", "Plaintext"))
        yield _row(f"test {group['COUNT']}", path.name, WYCHEPROOF["chacha20_poly1305"],
                   bytes.fromhex(group["Key"]), (message[0], message[1], message[2]),
                   bytes.fromhex(group["Ciphertext"] + group["Tag"]), 16,
                   "INVALID" if "Result" in group else "VALID")  # fmt: skip


def wycheproof(root: Path) -> Iterator[Row]:
    """`root` is the folder src/data of the crate."""
    for file, algorithm in WYCHEPROOF.items():
        path = root / f"{file}_test.json"
        for group, test, title, result in tests(path):
            names = ("iv", "aad", "msg")
            nonce, data, text = (bytes.fromhex(test[name]) for name in names)
            yield _row(title, path.name, algorithm, bytes.fromhex(test["key"]), (nonce, data, text),
                       bytes.fromhex(test["ct"] + test["tag"]), group["tagSize"] // 8,
                       result)  # fmt: skip
            if algorithm[0] == "ASCON_AEAD128" and result == "VALID":
                # A shorter tag is its beginning (SP 800-232, 4.2.1).
                cut = 4 + test["tcId"] % 12
                yield _row(f"{title}, tag cut", path.name, algorithm, bytes.fromhex(test["key"]),
                           (nonce, data, text), bytes.fromhex(test["ct"] + test["tag"][: 2 * cut]),
                           cut)  # fmt: skip


def gmac(root: Path) -> Iterator[Row]:
    """GMAC is GCM of no text. `root` is the folder src/data of the crate."""
    path = root / "aes_gmac_test.json"
    for group, test, title, result in tests(path):
        message = (bytes.fromhex(test["iv"]), bytes.fromhex(test["msg"]), b"")
        yield _row(title, path.name, ("GCM", AES), bytes.fromhex(test["key"]), message,
                   bytes.fromhex(test["tag"]), group["tagSize"] // 8, result)  # fmt: skip


def rows(root: Path) -> Iterator[Row]:
    """Of the package cryptography-vectors; `root` is its folder cryptography_vectors."""
    yield from ccm(root)
    yield from gcm(root)
    yield from chacha20_poly1305(root)
