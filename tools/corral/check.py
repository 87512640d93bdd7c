# SPDX-License-Identifier: Apache-2.0
"""Checks a result of the zoo with the openssl program, which knows nothing of us.

Each check writes its artefacts (PEM, DER, raw files) and a check.sh with the command that was run,
so that anybody can repeat it in the folder.
"""

from __future__ import annotations

import base64
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Result = dict[str, Any]

# SubjectPublicKeyInfo up to the key itself: RFC 5480 (P-256), RFC 8410 (Ed25519, X25519).
_SPKI = {
    "p256": "3059301306072a8648ce3d020106082a8648ce3d030107034200",
    "ed25519": "302a300506032b6570032100",
    "x25519": "302a300506032b656e032100",
}
# Private keys in the forms of RFC 5915 and RFC 8410, around the key itself.
_PRIVATE = {
    "p256": ("30310201010420", "a00a06082a8648ce3d030107", "EC PRIVATE KEY"),
    "x25519": ("302e020100300506032b656e04220420", "", "PRIVATE KEY"),
}


@dataclass(frozen=True)
class Verdict:
    """What a check says, for the table."""

    text: str
    failed: bool = False


class Folder:
    """The folder of one result's artefacts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def write(self, name: str, data: bytes) -> str:
        (self.path / name).write_bytes(data)
        return name

    def pem(self, name: str, label: str, der: bytes) -> str:
        text = base64.encodebytes(der).decode()
        lines = "".join(text.split())
        body = "\n".join(lines[i : i + 64] for i in range(0, len(lines), 64))
        return self.write(
            name, f"-----BEGIN {label}-----\n{body}\n-----END {label}-----\n".encode()
        )

    def public(self, kind: str, key: str, name: str = "public.pem") -> str:
        return self.pem(name, "PUBLIC KEY", bytes.fromhex(_SPKI[kind] + key))

    def openssl(self, *words: str) -> tuple[int, bytes]:
        """Run openssl here, and keep the command."""
        command = ["openssl", *words]
        with (self.path / "check.sh").open("a") as script:
            script.write(shlex.join(command) + "\n")
        done = subprocess.run(command, cwd=self.path, capture_output=True, check=False)
        return done.returncode, done.stdout


def check(result: Result, source: Path, base: Path) -> Verdict:
    """Check one result; `source` is the file that the application worked on."""
    if result["status"] != "PSA_SUCCESS":
        expected = result["status"] == "PSA_ERROR_NOT_SUPPORTED"
        return Verdict("not offered there" if expected else "failed", failed=not expected)
    name = f"{result['mechanism']}-{result['location']}".lower().replace(" ", "-")
    folder = Folder(base / name)
    for start, checker in _CHECKERS:
        if str(result["mechanism"]).startswith(start):
            return checker(result, source, folder)
    return Verdict("no check for this mechanism", failed=True)


def _says(result: Result, flag: str) -> bool:
    return result.get(flag) is True


def _verdict(is_good: bool, text: str = "yes") -> Verdict:
    return Verdict(text if is_good else "NO: mismatch", failed=not is_good)


def _der_integer(value: bytes) -> bytes:
    digits = value.lstrip(b"\0") or b"\0"
    if digits[0] & 0x80:
        digits = b"\0" + digits
    return bytes([2, len(digits)]) + digits


def _ecdsa(result: Result, source: Path, folder: Folder) -> Verdict:
    raw = bytes.fromhex(result["signature"])
    body = _der_integer(raw[:32]) + _der_integer(raw[32:])
    folder.write("signature.der", bytes([0x30, len(body)]) + body)
    key = folder.public("p256", result["public_key"])
    words = ("-verify", key, "-signature", "signature.der", str(source))
    status, _ = folder.openssl("dgst", "-sha256", *words)
    return _verdict(status == 0 and _says(result, "verified"))


def _ed25519(result: Result, _source: Path, folder: Folder) -> Verdict:
    folder.write("signature.raw", bytes.fromhex(result["signature"]))
    folder.write("message", bytes.fromhex(result["message"]))
    key = folder.public("ed25519", result["public_key"])
    words = ("-pubin", "-inkey", key, "-rawin", "-in", "message", "-sigfile", "signature.raw")
    status, _ = folder.openssl("pkeyutl", "-verify", *words)
    return _verdict(status == 0 and _says(result, "verified"))


def _agreement(kind: str) -> Callable[[Result, Path, Folder], Verdict]:
    def checker(result: Result, _source: Path, folder: Folder) -> Verdict:
        before, after, label = _PRIVATE[kind]
        der = bytes.fromhex(before + result["peer_private"] + after)
        peer = folder.pem("peer.pem", label, der)
        ours = folder.public(kind, result["public_key"])
        words = ("-derive", "-inkey", peer, "-peerkey", ours, "-out", "shared.openssl")
        status, _ = folder.openssl("pkeyutl", *words)
        secret = folder.path / "shared.openssl"
        is_equal = secret.is_file() and secret.read_bytes().hex() == result["shared"]
        return _verdict(status == 0 and is_equal)

    return checker


def _cipher(name: str) -> Callable[[Result, Path, Folder], Verdict]:
    def checker(result: Result, source: Path, folder: Folder) -> Verdict:
        if "key" not in result:
            text = "key never leaves; decrypted there"
            return _verdict(_says(result, "decrypted"), text)
        folder.write("ciphertext", bytes.fromhex(result["ciphertext"]))
        words = ["-d", f"-{name}", "-K", result["key"], "-in", "ciphertext"]
        if result.get("iv"):
            words += ["-iv", result["iv"]]
        status, text = folder.openssl("enc", *words)
        is_equal = len(text) > 0 and source.read_bytes().startswith(text)
        return _verdict(status == 0 and is_equal and _says(result, "decrypted"))

    return checker


def _mac(words: Sequence[str], name: str) -> Callable[[Result, Path, Folder], Verdict]:
    def checker(result: Result, source: Path, folder: Folder) -> Verdict:
        if "key" not in result:
            return _verdict(_says(result, "verified"), "key never leaves; verified there")
        options = [*words, "-macopt", f"hexkey:{result['key']}", "-in", str(source), name]
        status, text = folder.openssl("mac", *options)
        computed = text.decode().strip().lower()
        return _verdict(status == 0 and computed == result["mac"] and _says(result, "verified"))

    return checker


def _hash(result: Result, source: Path, folder: Folder) -> Verdict:
    name = str(result["mechanism"]).lower()
    status, text = folder.openssl("dgst", f"-{name.replace('sha-', 'sha')}", "-r", str(source))
    return _verdict(status == 0 and text.decode().split(" ", 1)[0] == result["hash"])


def _random(result: Result, _source: Path, _folder: Folder) -> Verdict:
    data = bytes.fromhex(result["bytes"])
    return _verdict(len(data) == 32 and len(set(data)) > 8, "nothing to check against")


_CHECKERS: tuple[tuple[str, Callable[[Result, Path, Folder], Verdict]], ...] = (
    ("ECDSA", _ecdsa),
    ("Ed25519", _ed25519),
    ("ECDH", _agreement("p256")),
    ("X25519", _agreement("x25519")),
    ("AES-128-CBC", _cipher("aes-128-cbc")),
    ("AES-128-CTR", _cipher("aes-128-ctr")),
    ("AES-256-CBC", _cipher("aes-256-cbc")),
    ("HMAC-SHA-256", _mac(("-digest", "SHA256"), "HMAC")),
    ("CMAC", _mac(("-cipher", "AES-128-CBC"), "CMAC")),
    ("SHA-", _hash),
    ("random", _random),
)
