# SPDX-License-Identifier: Apache-2.0
"""The demo's checks: right results pass, and not one altered byte does.

The results come from Python and from the openssl program instead of the zoo.
"""

from __future__ import annotations

import hashlib
import hmac
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from corral.demo import check

SOURCE = b"Not much of a file, but longer than one block of any cipher or hash. " * 3
KEY = "000102030405060708090a0b0c0d0e0f"
IV = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"


def openssl(folder: Path, *words: str, data: bytes = b"") -> bytes:
    done = subprocess.run(
        ["openssl", *words], cwd=folder, input=data, capture_output=True, check=True
    )
    return done.stdout


def key_pair(folder: Path, name: str, *kind: str) -> tuple[bytes, bytes]:
    """A new key pair of OpenSSL in <name>.pem: DER of the private and of the public key."""
    openssl(folder, "genpkey", "-algorithm", *kind, "-out", f"{name}.pem")
    private = openssl(folder, "pkey", "-in", f"{name}.pem", "-outform", "DER")
    public = openssl(folder, "pkey", "-in", f"{name}.pem", "-pubout", "-outform", "DER")
    return private, public


P256 = ("EC", "-pkeyopt", "ec_paramgen_curve:P-256")


def integers(der: bytes) -> str:
    """r and s of an Ecdsa-Sig-Value, 32 bytes each."""
    found, at = "", 2
    for _ in range(2):
        length = der[at + 1]
        value = int.from_bytes(der[at + 2 : at + 2 + length])
        found += value.to_bytes(32).hex()
        at += 2 + length
    return found


def make_hash(_folder: Path) -> check.Result:
    return {"hash": "sha384", "digest": hashlib.sha384(SOURCE).hexdigest()}


def make_hmac(_folder: Path) -> check.Result:
    mac = hmac.new(bytes.fromhex(KEY), SOURCE, "sha256").hexdigest()
    return {"hash": "sha256", "key": KEY, "mac": mac}


def make_hash_at_once(_folder: Path) -> check.Result:
    digest = hashlib.sha256(SOURCE).digest()
    return {"hash": "sha256", "message": digest.hex(), "digest": hashlib.sha256(digest).hexdigest()}


def make_hmac_of_digest(_folder: Path) -> check.Result:
    digest = hashlib.sha256(SOURCE).digest()
    mac = hmac.new(bytes.fromhex(KEY), digest, "sha256").hexdigest()
    return {"hash": "sha256", "key": KEY, "mac": mac, "message": digest.hex()}


def make_cmac(folder: Path) -> check.Result:
    words = ("-cipher", "aes-128-cbc", "-macopt", f"hexkey:{KEY}", "-in", "-", "CMAC")
    mac = openssl(folder, "mac", *words, data=SOURCE).decode().strip().lower()
    return {"cipher": "aes-128-cbc", "key": KEY, "mac": mac}


def make_cipher(folder: Path) -> check.Result:
    text = openssl(folder, "enc", "-aes-128-cbc", "-K", KEY, "-iv", IV, data=SOURCE)
    return {"cipher": "aes-128-cbc", "key": KEY, "iv": IV, "ciphertext": text.hex()}


def make_ecdsa(folder: Path) -> check.Result:
    _, public = key_pair(folder, "signer", *P256)
    der = openssl(folder, "dgst", "-sha256", "-sign", "signer.pem", data=SOURCE)
    point = public[-65:].hex()
    return {"curve": "P-256", "hash": "sha256", "public_key": point, "signature": integers(der)}


def make_eddsa(folder: Path) -> check.Result:
    _, public = key_pair(folder, "signer", "ed25519")
    (folder / "message").write_bytes(hashlib.sha256(SOURCE).digest())
    words = ("-inkey", "signer.pem", "-rawin", "-in", "message")
    signature = openssl(folder, "pkeyutl", "-sign", *words)
    message = hashlib.sha256(SOURCE).hexdigest()
    return {
        "curve": "Ed25519",
        "message": message,
        "public_key": public[-32:].hex(),
        "signature": signature.hex(),
    }


def agreement(folder: Path, curve: str, public: bytes, peer: bytes) -> check.Result:
    openssl(folder, "pkey", "-in", "ours.pem", "-pubout", "-out", "ours-public.pem")
    words = ("-inkey", "peer.pem", "-peerkey", "ours-public.pem")
    shared = openssl(folder, "pkeyutl", "-derive", *words)
    return {
        "curve": curve,
        "public_key": public.hex(),
        "peer_private": peer.hex(),
        "shared": shared.hex(),
    }


def make_ecdh(folder: Path) -> check.Result:
    _, public = key_pair(folder, "ours", *P256)
    key_pair(folder, "peer", *P256)
    traditional = openssl(folder, "ec", "-in", "peer.pem", "-outform", "DER")
    return agreement(folder, "P-256", public[-65:], traditional[7:39])


def make_x25519(folder: Path) -> check.Result:
    _, public = key_pair(folder, "ours", "x25519")
    private, _ = key_pair(folder, "peer", "x25519")
    return agreement(folder, "X25519", public[-32:], private[-32:])


MAKERS: dict[str, tuple[str, Callable[[Path], check.Result]]] = {
    "hash": ("hash", make_hash),
    "hash-at-once": ("hash_at_once", make_hash_at_once),
    "hmac": ("hmac", make_hmac),
    "hmac-of-digest": ("hmac", make_hmac_of_digest),
    "cmac": ("cmac", make_cmac),
    "cipher": ("cipher", make_cipher),
    "ecdsa": ("ecdsa", make_ecdsa),
    "eddsa": ("eddsa", make_eddsa),
    "ecdh": ("ecdh", make_ecdh),
    "x25519": ("ecdh", make_x25519),
}
NOT_DATA = ("check", "curve", "hash", "cipher")


def verdict(result: check.Result, base: Path) -> check.Verdict:
    (base / "input").write_bytes(SOURCE)
    return check.check(result, base / "result", "../input")


def made(name: str, folder: Path) -> check.Result:
    kind, maker = MAKERS[name]
    return {"check": kind, **maker(folder)}


@pytest.mark.parametrize("name", MAKERS)
def test_right_result_passes_and_its_script_repeats_it(name: str, tmp_path: Path) -> None:
    assert verdict(made(name, tmp_path), tmp_path) == check.Verdict(check.PASSED)
    script = tmp_path / "result" / check.SCRIPT
    assert "openssl " in script.read_text()
    assert subprocess.run(["sh", str(script)], capture_output=True, check=False).returncode == 0
    (tmp_path / "input").write_bytes(SOURCE[:-1] + b"!")
    again = subprocess.run(["sh", str(script)], capture_output=True, check=False).returncode
    assert (again == 0) == (MAKERS[name][0] == "ecdh")


@pytest.mark.parametrize("name", MAKERS)
def test_no_altered_byte_passes(name: str, tmp_path: Path) -> None:
    result = made(name, tmp_path)
    for field in result:
        if field in NOT_DATA:
            continue
        data = bytearray.fromhex(result[field])
        data[len(data) // 2] ^= 0x10
        altered = {**result, field: data.hex()}
        assert verdict(altered, tmp_path).failed, field


def test_shortened_ciphertext_fails(tmp_path: Path) -> None:
    result = made("cipher", tmp_path)
    assert verdict({**result, "ciphertext": result["ciphertext"][:-32]}, tmp_path).failed


def test_element_that_does_not_undo_its_own_work_fails(tmp_path: Path) -> None:
    assert not check.check({"check": "itself", "verified": True}, tmp_path, "x").failed
    assert check.check({"check": "itself", "verified": False}, tmp_path, "x").failed
    assert check.check({"check": "itself"}, tmp_path, "x").failed


@pytest.mark.parametrize(
    ("raw", "der"),
    [
        ("01" * 32 + "02" * 32, "30440220" + "01" * 32 + "0220" + "02" * 32),
        ("80" * 32 + "00" * 31 + "05", "3026022100" + "80" * 32 + "020105"),
        ("00" * 64, "3006020100020100"),
    ],
)
def test_signature_is_encoded_as_integers(raw: str, der: str) -> None:
    assert check.signature_der(bytes.fromhex(raw)).hex() == der
