# SPDX-License-Identifier: Apache-2.0
"""Checks a result of the zoo with the openssl program, which knows nothing of us.

Each check writes its artefacts (PEM, DER, raw files) and a check.sh with the command that was run,
so that anybody can repeat it in the folder.
"""

from __future__ import annotations

import base64
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Result = dict[str, Any]

_NOT_SUPPORTED = -134

# SubjectPublicKeyInfo up to the key itself: RFC 5480 (P-256), RFC 8410 (Ed25519, X25519).
_SPKI = {
    "P-256": "3059301306072a8648ce3d020106082a8648ce3d030107034200",
    "Ed25519": "302a300506032b6570032100",
    "X25519": "302a300506032b656e032100",
}
# Private keys in the forms of RFC 5915 and RFC 8410, around the key itself.
_PRIVATE = {
    "P-256": ("30310201010420", "a00a06082a8648ce3d030107", "EC PRIVATE KEY"),
    "X25519": ("302e020100300506032b656e04220420", "", "PRIVATE KEY"),
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
    status = int(result["status"])
    if status != 0:
        # An element that does not offer a mechanism says so, and that is a result too.
        expected = status == _NOT_SUPPORTED and result["location"] != "local"
        return Verdict("-" if expected else f"NO: {result['step']} failed", failed=not expected)
    words = "".join(c if c.isalnum() else "-" for c in str(result["title"]).lower())
    name = "-".join(part for part in words.split("-") if part)
    folder = Folder(base / f"{name}-{str(result['location']).lower()}")
    checker = _CHECKERS.get(str(result["check"]))
    if checker is None:
        return Verdict(f"NO: unknown check {result['check']}", failed=True)
    return checker(result, source, folder)


def _verdict(is_good: bool, text: str = "yes") -> Verdict:
    return Verdict(text if is_good else "NO: mismatch", failed=not is_good)


def _der_integer(value: bytes) -> bytes:
    digits = value.lstrip(b"\0") or b"\0"
    if digits[0] & 0x80:
        digits = b"\0" + digits
    return bytes([2, len(digits)]) + digits


def _input(result: Result, source: Path, folder: Folder) -> str:
    """The file that was worked on, or the short message that stood for it."""
    if "message" in result:
        return folder.write("message", bytes.fromhex(result["message"]))
    return str(source)


def _ecdsa(result: Result, source: Path, folder: Folder) -> Verdict:
    raw = bytes.fromhex(result["signature"])
    half = len(raw) // 2
    body = _der_integer(raw[:half]) + _der_integer(raw[half:])
    folder.write("signature.der", bytes([0x30, len(body)]) + body)
    key = folder.public("P-256", result["public_key"])
    words = ("-verify", key, "-signature", "signature.der", str(source))
    status, _ = folder.openssl("dgst", f"-{result['hash']}", *words)
    return _verdict(status == 0)


def _eddsa(result: Result, source: Path, folder: Folder) -> Verdict:
    folder.write("signature.raw", bytes.fromhex(result["signature"]))
    message = _input(result, source, folder)
    key = folder.public("Ed25519", result["public_key"])
    words = ("-pubin", "-inkey", key, "-rawin", "-in", message, "-sigfile", "signature.raw")
    status, _ = folder.openssl("pkeyutl", "-verify", *words)
    return _verdict(status == 0)


def _ecdh(result: Result, _source: Path, folder: Folder) -> Verdict:
    curve = str(result["curve"])
    before, after, label = _PRIVATE[curve]
    der = bytes.fromhex(before + result["peer_private"] + after)
    peer = folder.pem("peer.pem", label, der)
    ours = folder.public(curve, result["public_key"])
    words = ("-derive", "-inkey", peer, "-peerkey", ours, "-out", "shared.openssl")
    status, _ = folder.openssl("pkeyutl", *words)
    secret = folder.path / "shared.openssl"
    folder.write("shared", bytes.fromhex(result["shared"]))
    is_equal = secret.is_file() and secret.read_bytes().hex() == result["shared"]
    return _verdict(status == 0 and is_equal)


def _cipher(result: Result, source: Path, folder: Folder) -> Verdict:
    folder.write("ciphertext", bytes.fromhex(result["ciphertext"]))
    words = ["-d", f"-{result['cipher']}", "-K", result["key"], "-iv", result["iv"]]
    status, text = folder.openssl("enc", *words, "-in", "ciphertext")
    return _verdict(status == 0 and text == source.read_bytes())


def _mac(kind: str, option: str, field: str) -> Callable[[Result, Path, Folder], Verdict]:
    def checker(result: Result, source: Path, folder: Folder) -> Verdict:
        words = (f"{option}:{result[field]}", "-macopt", f"hexkey:{result['key']}")
        file = _input(result, source, folder)
        status, text = folder.openssl("mac", "-macopt", *words, "-in", file, kind)
        computed = text.decode().strip().lower()
        folder.write("mac", bytes.fromhex(result["mac"]))
        return _verdict(status == 0 and computed == result["mac"])

    return checker


def _hash(result: Result, source: Path, folder: Folder) -> Verdict:
    status, text = folder.openssl("dgst", f"-{result['hash']}", "-r", str(source))
    return _verdict(status == 0 and text.decode().split(" ", 1)[0] == result["digest"])


def _nothing(_result: Result, _source: Path, _folder: Folder) -> Verdict:
    return Verdict("nothing to check")


_CHECKERS: dict[str, Callable[[Result, Path, Folder], Verdict]] = {
    "ecdsa": _ecdsa,
    "eddsa": _eddsa,
    "ecdh": _ecdh,
    "cipher": _cipher,
    "hmac": _mac("HMAC", "digest", "hash"),
    "cmac": _mac("CMAC", "cipher", "cipher"),
    "hash": _hash,
    "none": _nothing,
}
