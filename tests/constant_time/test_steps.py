# SPDX-License-Identifier: Apache-2.0
"""From the return of a library's decryption on, the instructions are the same for every text.

In PKCS#1 v1.5 and CBC three facts are secret: the validity of a padding, the length of the text,
and its fit. An attacker that sees one of them in the time can decrypt.
"""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import load_der_public_key
from harness.program import NATIVE, TESTS, WITHOUT_ELEMENTS

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="steps by its trap flag")

SIZE = 128
SUCCESS, INVALID_PADDING = 0, -150
WRAPPED = ("mbedtls_rsa_rsaes_pkcs1_v15_decrypt", "mbedtls_aes_crypt_cbc")
LEVELS = ("-Os", "-O3")


@cache
def program(level: str) -> Path:
    options = build.Options(
        settings=WITHOUT_ELEMENTS,
        name=f"tests/constant-time-steps{level}",
        sources=(TESTS / "harness" / "rsa_keys.c",),
        compile_flags=(level, "-fno-pie"),
        link_flags=("-no-pie", *(f"-Wl,--wrap={name}" for name in WRAPPED)),
        lto=False,
    )
    return build.build("../tests/constant_time/steps", NATIVE, options).image


def run(level: str, *arguments: str) -> str:
    done = subprocess.run(
        [program(level), *arguments], capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout


def encrypted(level: str, block: bytes) -> str:
    """By RSA, without any padding but what is in the block."""
    key = load_der_public_key(bytes.fromhex(run(level, "key")))
    assert isinstance(key, RSAPublicKey) and len(block) == SIZE
    numbers = key.public_numbers()
    return pow(int.from_bytes(block), numbers.e, numbers.n).to_bytes(SIZE).hex()


def padded(text: bytes, kind: bytes = b"\0\2", end: bytes = b"\0") -> bytes:
    return kind + bytes([0x55]) * (SIZE - 2 - len(end) - len(text)) + end + text


#: The content of a block, and whether it is a text.
BLOCKS = {
    "16 bytes": (padded(bytes(16)), 16),
    "none": (padded(b""), 0),
    "one": (padded(b"a"), 1),
    "the longest": (padded(bytes(SIZE - 11)), SIZE - 11),
    "another type": (padded(bytes(16), b"\0\1"), None),
    "no zero in front": (padded(bytes(16), b"\1\2"), None),
    "no zero behind": (padded(b"", end=b""), None),
    "too little padding": (padded(bytes(SIZE - 10)), None),
    "nothing right": (bytes([3]) * SIZE, None),
}


def check(output: str, wanted: list[tuple[int, int]]) -> None:
    lines = [line.split() for line in output.splitlines() if not line.startswith("#")]
    assert [(int(status), int(length)) for status, length, *_ in lines] == wanted
    assert all(int(count) > 50 for _, _, count, _ in lines), output
    assert {word for *_, word in lines} == {"same"}, output


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("room", [0, 1, 15, 16, SIZE - 11, SIZE])
def test_steps_after_pkcs1_decryption_do_not_depend_on_the_text(level: str, room: int) -> None:
    fits = [size is not None and size <= room for _, size in BLOCKS.values()]
    wanted = [
        (SUCCESS, size) if is_given and size is not None else (INVALID_PADDING, 0)
        for is_given, (_, size) in zip(fits, BLOCKS.values(), strict=True)
    ]
    ciphers = [encrypted(level, block) for block, _ in BLOCKS.values()]
    check(run(level, "rsa", f"{room:x}", *ciphers), wanted)


@pytest.mark.parametrize("level", LEVELS)
def test_steps_after_cbc_decryption_do_not_depend_on_the_padding(level: str) -> None:
    ends = [bytes([n]) * n for n in range(1, 17)]
    wrong = [bytes(1), bytes([17]), b"\2\1\2", b"\1\2", bytes([3, 3, 2, 3])]
    ciphers = []
    for end in [*ends, *wrong]:
        text = bytes([0x77]) * (48 - len(end)) + end
        encryptor = Cipher(algorithms.AES(bytes(16)), modes.CBC(bytes(16))).encryptor()
        ciphers.append((bytes(16) + encryptor.update(text) + encryptor.finalize()).hex())
    wanted = [(SUCCESS, 48 - n) for n in range(1, 17)]
    wanted += [(INVALID_PADDING, 0), (INVALID_PADDING, 0), (INVALID_PADDING, 0)]
    wanted += [(INVALID_PADDING, 0), (INVALID_PADDING, 0)]
    check(run(level, "cbc", "30", *ciphers), wanted)


def test_a_branch_on_the_status_is_seen() -> None:
    right, wrong = (encrypted(LEVELS[0], BLOCKS[name][0]) for name in ("one", "another type"))
    assert "different" in run(LEVELS[0], "leaky", "80", right, wrong)
    assert "different" not in run(LEVELS[0], "leaky", "80", wrong, wrong)
