# SPDX-License-Identifier: Apache-2.0
"""Checks a result of the zoo with the openssl program, which knows nothing of us.

Each result gets a folder with its artefacts (PEM, DER, raw bytes) and a script of openssl commands.
The verdict is the exit status of that script, so whoever repeats it does what was done here.
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

SCRIPT = "check.sh"
PASSED = "yes"

# SubjectPublicKeyInfo up to the key itself: RFC 5480 (P-256), RFC 8410 (Ed25519, X25519).
_PUBLIC = {
    "P-256": "3059301306072a8648ce3d020106082a8648ce3d030107034200",
    "P-384": "3076301006072a8648ce3d020106052b81040022036200",
    "secp256k1": "3056301006072a8648ce3d020106052b8104000a034200",
    "Ed25519": "302a300506032b6570032100",
    "X25519": "302a300506032b656e032100",
}
# Private keys around the key itself, in the forms of RFC 5915 and RFC 8410.
_PRIVATE = {
    "P-256": ("EC PRIVATE KEY", "30310201010420", "a00a06082a8648ce3d030107"),
    "X25519": ("PRIVATE KEY", "302e020100300506032b656e04220420", ""),
}


@dataclass(frozen=True)
class Verdict:
    """The result of a check, for the table."""

    text: str
    failed: bool = False


class Artefacts:
    """The folder of one result: files, and the commands that check them."""

    def __init__(self, folder: Path, source: str) -> None:
        self.folder = folder
        self.source = source  # the file that the application worked on, seen from the folder
        self.commands: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def raw(self, name: str, text: str) -> str:
        """A file of the bytes that `text` gives in hexadecimal."""
        (self.folder / name).write_bytes(bytes.fromhex(text))
        return name

    def pem(self, name: str, label: str, text: str) -> str:
        """A PEM file of the DER that `text` gives in hexadecimal."""
        body = base64.b64encode(bytes.fromhex(text)).decode()
        lines = [body[i : i + 64] for i in range(0, len(body), 64)]
        framed = [f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]
        (self.folder / name).write_text("\n".join(framed))
        return name

    def public(self, result: Result) -> str:
        return self.pem("public.pem", "PUBLIC KEY", _PUBLIC[result["curve"]] + result["public_key"])

    def message(self, result: Result) -> str:
        """The input of the operation: the source, or its digest for single-part functions."""
        if "message" not in result:
            return self.source
        self.openssl("dgst", "-sha256", "-binary", "-out", "message.openssl", self.source)
        self.same("message.openssl", self.raw("message", result["message"]))
        return "message"

    def openssl(self, *words: str) -> None:
        self.commands.append(shlex.join(["openssl", *words]))

    def same(self, one: str, other: str) -> None:
        self.commands.append(shlex.join(["cmp", one, other]))

    def run(self) -> Verdict:
        """Write the script and run it."""
        lines = ["#!/bin/sh", "# Ends with status 0 if everything is right.", "set -e"]
        lines += ['cd "$(dirname "$0")"', *self.commands, ""]
        script = self.folder / SCRIPT
        script.write_text("\n".join(lines))
        script.chmod(0o755)
        done = subprocess.run(
            ["sh", str(script)], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        (self.folder / "check.log").write_bytes(done.stdout + done.stderr)
        return Verdict(PASSED) if done.returncode == 0 else Verdict("NO", failed=True)


def _der_integer(value: bytes) -> bytes:
    digits = value.lstrip(b"\0") or b"\0"
    if digits[0] & 0x80:
        digits = b"\0" + digits
    return bytes([2, len(digits)]) + digits


def signature_der(raw: bytes) -> bytes:
    """Ecdsa-Sig-Value (RFC 3279) of r and s, of equal length, one after the other."""
    half = len(raw) // 2
    body = _der_integer(raw[:half]) + _der_integer(raw[half:])
    length = [len(body)] if len(body) < 0x80 else [0x81, len(body)]
    return bytes([0x30, *length]) + body


def _ecdsa(result: Result, to: Artefacts) -> None:
    der = signature_der(bytes.fromhex(result["signature"]))
    words = ("-verify", to.public(result), "-signature", to.raw("signature.der", der.hex()))
    to.openssl("dgst", f"-{result['hash']}", *words, to.source)


def _eddsa(result: Result, to: Artefacts) -> None:
    key = ("-pubin", "-inkey", to.public(result))
    data = ("-rawin", "-in", to.message(result))
    signature = ("-sigfile", to.raw("signature", result["signature"]))
    to.openssl("pkeyutl", "-verify", *key, *data, *signature)


def _ecdh(result: Result, to: Artefacts) -> None:
    label, before, after = _PRIVATE[result["curve"]]
    peer = to.pem("peer.pem", label, before + result["peer_private"] + after)
    words = ("-peerkey", to.public(result), "-out", "shared.openssl")
    to.openssl("pkeyutl", "-derive", "-inkey", peer, *words)
    to.same("shared.openssl", to.raw("shared", result["shared"]))


def _cipher(result: Result, to: Artefacts) -> None:
    words = ["-K", result["key"], *(("-iv", result["iv"]) if result.get("iv") else ())]
    to.raw("iv", result.get("iv", ""))
    files = ("-in", to.raw("ciphertext", result["ciphertext"]), "-out", "plaintext.openssl")
    to.openssl("enc", "-d", f"-{result['cipher']}", *words, *files)
    to.same("plaintext.openssl", to.source)


def _mac(algorithm: str, option: str, kind: str) -> Callable[[Result, Artefacts], None]:
    def write(result: Result, to: Artefacts) -> None:
        words = (option, result[kind], "-macopt", f"hexkey:{result['key']}")
        files = ("-in", to.message(result), "-binary", "-out", "mac.openssl")
        to.openssl("mac", *words, *files, algorithm)
        to.same("mac.openssl", to.raw("mac", result["mac"]))

    return write


def _hash(result: Result, to: Artefacts) -> None:
    files = ("-binary", "-out", "digest.openssl", to.message(result))
    to.openssl("dgst", f"-{result['hash']}", *files)
    to.same("digest.openssl", to.raw("digest", result["digest"]))


_CHECKS: dict[str, Callable[[Result, Artefacts], None]] = {
    "cipher": _cipher,
    "cmac": _mac("CMAC", "-cipher", "cipher"),
    "ecdh": _ecdh,
    "ecdsa": _ecdsa,
    "eddsa": _eddsa,
    "hash": _hash,
    "hash_at_once": _hash,
    "hmac": _mac("HMAC", "-digest", "hash"),
}


def check(result: Result, folder: Path, source: str) -> Verdict:
    """Check one result that succeeded. `source`: the application's input, seen from `folder`."""
    kind = result["check"]
    if kind == "none":
        return Verdict("nothing to compare with")
    if kind == "itself":
        good = result.get("verified") is True
        return Verdict("no: only the element has the key" if good else "NO", failed=not good)
    artefacts = Artefacts(folder, source)
    _CHECKS[kind](result, artefacts)
    return artefacts.run()
