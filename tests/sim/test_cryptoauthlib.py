# SPDX-License-Identifier: Apache-2.0
"""Fidelity of the virtual ATECC608: Microchip's CryptoAuthLib drives it, OpenSSL checks it.

CryptoAuthLib's licence allows use with Microchip products only, so it is never fetched by default:
the test runs if the environment has CORRAL_ACCEPT_MICROCHIP_LICENCE=1.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from corral.packages import fetch as packages
from harness import waiting

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "tests" / "cryptoauthlib"
PACKAGE = tomllib.loads((ROOT / "packages" / "cryptoauthlib" / "package.toml").read_text())

# SubjectPublicKeyInfo of an uncompressed P-256 point, up to the point's 0x04
SPKI_PREFIX = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + b"\x04"
DIGEST = hashlib.sha256(b"signed inside the element").digest()

pytestmark = pytest.mark.skipif(
    os.environ.get(PACKAGE["consent"]) != "1",
    reason=f"{PACKAGE['title']}: {PACKAGE['licence_note']} Set {PACKAGE['consent']}=1 to accept.",
)


def run(command: list[str | Path], data: bytes | None = None) -> bytes:
    done = waiting.run(command, input=data, capture_output=True)
    output = (done.stdout + done.stderr).decode(errors="replace")
    assert done.returncode == 0, f"{command} failed:\n{output}"
    return done.stdout


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key pair of OpenSSL, the host's side of each key agreement."""
    path = tmp_path_factory.mktemp("peer") / "peer.pem"
    run(
        [
            "openssl",
            "genpkey",
            "-algorithm",
            "EC",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-out",
            path,
        ]
    )
    return path


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, peer: Path) -> dict[str, bytes]:
    """The values that CryptoAuthLib read from a fresh chip, by name."""
    print(f"{PACKAGE['title']}: {PACKAGE['licence_note']}")
    library = packages.ensure(ROOT, "cryptoauthlib")
    print((library / "LICENSE.txt").read_text())
    build = BUILD / "build"
    definitions = [f"-DCRYPTOAUTHLIB={library}", f"-DSIM={ROOT / 'sim' / 'atecc608'}"]
    run(["cmake", "-S", HERE / "cryptoauthlib", "-B", build, "-G", "Ninja", *definitions])
    run(["cmake", "--build", build, "-j2"])
    image = tmp_path_factory.mktemp("chip") / "chip.nvm"
    public = run(["openssl", "pkey", "-in", peer, "-pubout", "-outform", "DER"])[-64:]
    output = run([build / "cryptoauthlib_check", image, public.hex(), DIGEST.hex()]).decode()
    lines = [line.split() for line in output.splitlines()]
    values = {name: bytes.fromhex(text) for name, text in lines}
    assert values["done"] == b"\x00"
    return values


def public_key(results: dict[str, bytes], name: str, folder: Path) -> Path:
    path = folder / f"{name}.der"
    path.write_bytes(SPKI_PREFIX + results[name])
    return path


def der_integer(data: bytes) -> bytes:
    body = data.lstrip(b"\x00") or b"\x00"
    body = b"\x00" + body if body[0] & 0x80 else body
    return bytes([0x02, len(body)]) + body


def verified(public: Path, digest: bytes, signature: bytes, folder: Path) -> bool:
    body = der_integer(signature[:32]) + der_integer(signature[32:])
    (folder / "signature.der").write_bytes(bytes([0x30, len(body)]) + body)
    (folder / "digest").write_bytes(digest)
    arguments: list[str | Path] = ["-verify", "-pubin", "-keyform", "DER", "-inkey", public]
    files: list[str | Path] = ["-sigfile", folder / "signature.der", "-in", folder / "digest"]
    done = subprocess.run(
        ["openssl", "pkeyutl", *arguments, *files], capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.mark.parametrize("name", ["sign", "internal"])
def test_signature__openssl_verifies(results: dict[str, bytes], tmp_path: Path, name: str) -> None:
    digest = DIGEST if name == "sign" else results["internal_digest"]
    public = public_key(results, "sign_public", tmp_path)
    assert verified(public, digest, results[f"{name}_signature"], tmp_path)
    assert not verified(public, DIGEST[::-1], results[f"{name}_signature"], tmp_path)


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("sign_public", "ecdh_secret"),
        ("ecdh_slot_public", "ecdh_slot_secret"),
        ("ecdh_tempkey_public", "ecdh_tempkey_secret"),
    ],
)
def test_ecdh__openssl_agrees(
    results: dict[str, bytes], peer: Path, tmp_path: Path, key: str, secret: str
) -> None:
    public = public_key(results, key, tmp_path)
    arguments: list[str | Path] = [
        "-derive",
        "-inkey",
        peer,
        "-peerform",
        "DER",
        "-peerkey",
        public,
    ]
    assert run(["openssl", "pkeyutl", *arguments]) == results[secret]


def test_imported_key__has_the_public_key_of_openssl(
    results: dict[str, bytes], tmp_path: Path
) -> None:
    # ECPrivateKey of RFC 5915 without its optional public key
    scalar = results["import_private"]
    body = bytes.fromhex("0201010420") + scalar + bytes.fromhex("a00a06082a8648ce3d030107")
    path = tmp_path / "private.der"
    path.write_bytes(bytes([0x30, len(body)]) + body)
    command: list[str | Path] = ["openssl", "ec", "-inform", "DER", "-in", path, "-pubout"]
    assert run([*command, "-outform", "DER"])[-64:] == results["import_public"]


def test_identity_and_randomness(results: dict[str, bytes]) -> None:
    assert results["revision"] == bytes.fromhex("00006003")
    assert results["serial"][:2] == bytes.fromhex("0123")
    assert results["serial"][8] == 0xEE
    assert results["random_unlocked"] == bytes.fromhex("ffff0000") * 8
    assert results["random_locked"] != results["random_unlocked"]


def test_hashes__match(results: dict[str, bytes]) -> None:
    message = results["message"]
    assert results["sha256"] == hashlib.sha256(message).digest()
    assert results["hmac"] == hmac.digest(results["mac_key"], message, "sha256")
    # the context as Microchip prints it in the comments of its own test
    assert results["sha_context"][:8] == bytes.fromhex("0500000067e6096a")
    assert results["sha_resumed"] == hashlib.sha256(bytes(range(1, 6))).digest()


def test_aes__openssl_agrees(results: dict[str, bytes]) -> None:
    keys = {
        "aes_cipher_0": results["aes_keys"][:16],
        "aes_cipher_1": results["aes_keys"][16:],
        "aes_cipher_tempkey": bytes([1, 2, 3, 4]) + bytes(12),
    }
    for name, key in keys.items():
        command: list[str | Path] = ["openssl", "enc", "-aes-128-ecb", "-nopad", "-K", key.hex()]
        assert run(command, results["aes_plain"]) == results[name]
    # GHASH, first step of test case 2 of the GCM specification
    assert results["gfm"] == bytes.fromhex("5e2ec746917062882c85b0685353deb7")


def multiply(x: int, y: int) -> int:
    """Product in GF(2^128) in the bit order of GCM."""
    product = 0
    for bit in range(127, -1, -1):
        if x >> bit & 1:
            product ^= y
        y = y >> 1 ^ (0xE1 << 120 if y & 1 else 0)
    return product


def test_gcm__openssl_and_ghash_agree(results: dict[str, bytes]) -> None:
    key = results["aes_keys"][:16].hex()
    ecb: list[str | Path] = ["openssl", "enc", "-aes-128-ecb", "-nopad", "-K", key]
    ctr: list[str | Path] = ["openssl", "enc", "-aes-128-ctr", "-K", key, "-iv"]
    nonce = b"\x01" + bytes(11)
    cipher = run([*ctr, (nonce + b"\0\0\0\2").hex()], b"twenty bytes of text")
    assert cipher == results["gcm_cipher"]
    lengths = (8 * 6).to_bytes(8, "big") + (8 * 20).to_bytes(8, "big")
    data = b"header".ljust(16, b"\0") + cipher.ljust(32, b"\0") + lengths
    h = int.from_bytes(run(ecb, bytes(16)), "big")
    state = 0
    for at in range(0, len(data), 16):
        state = multiply(state ^ int.from_bytes(data[at : at + 16], "big"), h)
    mask = int.from_bytes(run(ecb, nonce + b"\0\0\0\1"), "big")
    assert results["gcm_tag"] == (state ^ mask).to_bytes(16, "big")


def test_kdf__match(results: dict[str, bytes]) -> None:
    pattern = bytes(range(16))
    key, seed = pattern * 2, pattern
    a1 = hmac.digest(key, seed, "sha256")
    a2 = hmac.digest(key, a1, "sha256")
    prf = hmac.digest(key, a1 + seed, "sha256") + hmac.digest(key, a2 + seed, "sha256")
    assert results["kdf_prf"] == prf
    command: list[str | Path] = ["openssl", "enc", "-aes-128-ecb", "-nopad", "-K", pattern.hex()]
    assert results["kdf_aes"] == run(command, pattern) + bytes(16)
    assert results["kdf_hkdf"] == hmac.digest(results["mac_key"], pattern * 2, "sha256")


@pytest.mark.parametrize(
    "form", ["config", "otp", "data", "shared_first", "shared_last", "counter", "key_config"]
)
def test_gendig__tempkey_is_what_the_library_computes(results: dict[str, bytes], form: str) -> None:
    line = results[f"gendig_{form}"]
    command: list[str | Path] = ["openssl", "enc", "-aes-128-ecb", "-nopad", "-K", line[:16].hex()]
    assert run(command, bytes(16)) == line[32:]
