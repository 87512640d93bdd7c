# SPDX-License-Identifier: Apache-2.0
"""Each program of examples/ does what its table says, by the word of another implementation."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from corral.build import image as build
from corral.run import program as run
from corral.run import provision
from cryptography.hazmat.primitives import cmac, hashes, keywrap
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
NATIVE, EMULATED = "native", "mps2-an386"
MESSAGE = b"open the valve"
COUNTING = bytes(range(16))
MOST_LINES = 80

Lines = list[tuple[str, bytes]]


def only(lines: Lines, name: str) -> bytes:
    (value,) = (value for said, value in lines if said == name)
    return value


def check_hash(lines: Lines) -> None:
    assert lines == [("hash", hashlib.sha256(b"one text, two parts.").digest())]


def check_xof(lines: Lines) -> None:
    assert lines == [("output", hashlib.shake_256(b"a seed").digest(100))]


def check_mac(lines: Lines) -> None:
    key = bytes([11] * 3).ljust(32, b"\0")
    assert lines == [("mac", hmac.digest(key, MESSAGE, "sha256"))]


def check_cipher(lines: Lines) -> None:
    sent = only(lines, "ciphertext")
    key = algorithms.AES(only(lines, "key"))
    opened = Cipher(key, modes.CTR(sent[:16])).decryptor().update(sent[16:])
    assert opened == b"twenty-one bytes here"


def check_aead(lines: Lines) -> None:
    nonce = (1).to_bytes(12, "big")
    sealed = only(lines, "sealed")
    assert AESCCM(COUNTING).decrypt(nonce, sealed, b"sensor 7") == b"21.5C"


def check_signatures(lines: Lines, count: int) -> None:
    """So many public keys, each followed by its signature of the message."""
    values = [value for name, value in lines if name in ("public", "signature")]
    assert len(values) == 2 * count
    for point, signature in zip(values[::2], values[1::2], strict=True):
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        half = len(signature) // 2
        numbers = (int.from_bytes(part, "big") for part in (signature[:half], signature[half:]))
        key.verify(utils.encode_dss_signature(*numbers), MESSAGE, ec.ECDSA(hashes.SHA256()))


def check_sign(lines: Lines) -> None:
    check_signatures(lines, 1)


def check_two_elements(lines: Lines) -> None:
    check_signatures(lines, 3)
    assert len({value for _, value in lines}) == 6


def check_given_keys(lines: Lines) -> None:
    check_signatures(lines, 2)
    assert lines[0] == lines[2], "two names of one key"


def check_derive(lines: Lines) -> None:
    password, salt = b"correct horse battery staple", b"the name of this device"
    code = cmac.CMAC(algorithms.AES(hashlib.pbkdf2_hmac("sha256", password, salt, 10000, 16)))
    code.update(b"abc")
    assert lines == [("mac", code.finalize())]


def check_wrap(lines: Lines) -> None:
    wrapped = only(lines, "wrapped")
    code = cmac.CMAC(algorithms.AES(keywrap.aes_key_unwrap(COUNTING, wrapped)))
    code.update(COUNTING)
    assert only(lines, "before") == only(lines, "after") == code.finalize()


def check_both_sides(lines: Lines) -> None:
    """Both sides have the same secret, and each run has another one."""
    assert {name for name, _ in lines} == {"client", "server"}
    (secret,) = {value for _, value in lines}
    assert len(secret) == 32


def check_lorawan(lines: Lines) -> None:
    """The messages as a network reads them that has the two root keys and gave this answer."""
    roots = [bytes(root).ljust(16, b"\0") for root in ((1, 2, 3), (4, 5, 6))]
    request, reading = only(lines, "request"), only(lines, "reading")

    def derived(root: bytes, text: bytes) -> bytes:
        key = Cipher(algorithms.AES(root), modes.ECB())
        return key.encryptor().update(text.ljust(16, b"\0"))

    def code(key: bytes, text: bytes) -> bytes:
        made = cmac.CMAC(algorithms.AES(key))
        made.update(text)
        return made.finalize()[:4]

    assert request[-4:] == code(roots[0], request[:-4])
    nonces = bytes((9, 0, 0)) + request[1:9] + request[17:19]
    address = bytes.fromhex("78563412")
    one, two = (derived(roots[0], bytes([kind]) + nonces) for kind in (1, 3))
    body = reading[:-4]
    start = bytes(5) + address + bytes(5) + bytes([len(body)])
    plain = code(one, b"\x49" + start + body)
    assert reading[-4:] == code(two, b"\x49\0\0\5" + start[3:] + body)[:2] + plain[:2]
    payload = algorithms.AES(derived(roots[1], b"\2" + nonces))
    opened = Cipher(payload, modes.CTR(b"\1" + start[:-1] + b"\1")).decryptor()
    assert (body[1:5], opened.update(body[9:])) == (address, b"21.5C")


CHECKS: dict[str, Callable[[Lines], None]] = {
    "hash": check_hash,
    "xof": check_xof,
    "mac": check_mac,
    "cipher": check_cipher,
    "aead": check_aead,
    "sign": check_sign,
    "agree": check_both_sides,
    "derive": check_derive,
    "pake": check_both_sides,
    "wrap": check_wrap,
    "kem_hybrid": check_both_sides,
    "two_elements": check_two_elements,
    "given_keys": check_given_keys,
    "lorawan": check_lorawan,
}
#: The board that has what an example needs.
BOARDS = {"lorawan": "native-keyslots"}
#: On the emulated processor, too: of one library each.
ALSO_EMULATED = ("agree", "mac", "two_elements")


def outcome(name: str, board: str, chips: Path) -> Lines:
    """The output of an example that succeeds."""
    image = build.build(
        f"../examples/{name}",
        board,
        build.Options(
            sanitize="address,undefined" if board.startswith(NATIVE) else "",
            name=f"tests/example-{name}-{board}",
        ),
    )
    if image.uses_elements:
        provision.prepare_virtual_chips(board, chips)
    done = run.run(
        image, images=chips if image.uses_elements else None, capture=True, repeats=False
    )
    assert done.returncode == 0 and done.stdout.endswith("status 0\n"), done.stdout
    words = [line.split(" ") for line in done.stdout.splitlines()[:-1]]
    return [(line[0], bytes.fromhex(line[1]) if len(line) > 1 else b"") for line in words]


@pytest.mark.parametrize(
    ("name", "board"),
    [
        *((name, BOARDS.get(name, NATIVE)) for name in CHECKS),
        *((name, EMULATED) for name in ALSO_EMULATED),
    ],
)
def test_example_computes_what_others_compute(name: str, board: str, tmp_path: Path) -> None:
    CHECKS[name](outcome(name, board, tmp_path))


def test_persistent_key_is_found_by_the_second_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORRAL_STORAGE", str(tmp_path / "storage"))
    first, second = (outcome("persistent", NATIVE, tmp_path) for _ in range(2))
    assert (first[0], second[0]) == (("made", b""), ("found", b""))
    assert first[1] == second[1]


def test_every_example_is_short_tried_and_told_of() -> None:
    folders = {path.parent.name for path in EXAMPLES.glob("*/main.c")}
    told = re.findall(r"^\| \[(\w+)\]\(\1\) \|", (EXAMPLES / "README.md").read_text(), re.M)
    assert folders == {*CHECKS, "persistent"} == set(told)
    assert len(told) == len(folders)
    for path in EXAMPLES.glob("*/*.c"):
        assert len(path.read_text().splitlines()) < MOST_LINES, path
