# SPDX-License-Identifier: Apache-2.0
"""Attestation tokens, verified by pycose and cbor2, and keys of the device's unique key."""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from elftools.elf.elffile import ELFFile
from harness import programs
from pycose.algorithms import Es256
from pycose.exceptions import CoseException
from pycose.headers import Algorithm
from pycose.keys import EC2Key
from pycose.keys.curves import P256
from pycose.messages import Sign1Message

#: As the emulated boards publish it: ports/emulated/attestation.c.
_SECRET = bytes(0x51 + 5 * i & 0xFF for i in range(32))
_PUBLIC = (
    ec.derive_private_key(int.from_bytes(_SECRET, "big"), ec.SECP256R1())
    .public_key()
    .public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
)
#: ports/common/device_key.h
_DEVICE = bytes(0x3B + 11 * i & 0xFF for i in range(32))
KEY = EC2Key(crv=P256, x=_PUBLIC[1:33], y=_PUBLIC[33:])


def verified(token: bytes) -> dict[int, Any]:
    """The claims of a token that is genuine and encoded deterministically (RFC 9783, 5)."""
    message = Sign1Message.decode(token)
    assert message.phdr == {Algorithm: Es256} and message.uhdr == {}
    message.key = KEY
    assert message.verify_signature(), "not signed so"
    assert message.payload is not None
    claims: dict[int, Any] = cbor2.loads(message.payload)
    assert cbor2.dumps(claims, canonical=True) == message.payload, "not deterministic"
    assert cbor2.dumps(cbor2.loads(token), canonical=True) == token, "not deterministic"
    return claims


def is_accepted(token: bytes) -> bool:
    try:
        verified(token)
    except (AssertionError, ValueError, TypeError, EOFError, LookupError, AttributeError):
        return False
    except (CoseException, cbor2.CBORDecodeError):
        return False
    return True


def trusted_code(image: Path) -> bytes:
    """The code memory of the image of a board's trusted side."""
    with image.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        begin, end = (
            table.get_symbol_by_name(name)[0]["st_value"] for name in ("code_begin", "code_end")
        )
        code = bytearray(end - begin)
        for segment in elf.iter_segments("PT_LOAD"):
            at = segment["p_paddr"] - begin
            if segment["p_filesz"] and 0 <= at < len(code):
                code[at : at + segment["p_filesz"]] = segment.data()
        assert len(code) == end - begin
        return bytes(code)


def check_tokens(output: str, clients: list[int]) -> list[dict[int, Any]]:
    """Each token answers its challenge, for these callers; returns all claims."""
    found = re.findall(r"^token (\w+) (\w+)$", output, re.M)
    every = []
    for challenge, token in found:
        claims = verified(bytes.fromhex(token))
        every.append(claims)
        assert claims[10] == bytes.fromhex(challenge)
        assert claims[256] == b"\x01" + hashlib.sha256(_PUBLIC).digest()
        assert claims[265] == "tag:psacertified.org,2023:psa#tfm"
        assert len(claims[268]) == 32
        assert claims[2395] == 0x1000, "an emulated board says that it is not secured"
        assert claims[2396] == b"Corral, emulated: protects none\0"
        (part,) = claims[2399]
        assert sorted(part) == [1, 2, 4, 5] and part[1] == "PRoT"
        assert len(part[2]) == 32 and any(part[2]) and part[5] == bytes(32)
        assert len(claims) == 8
    assert [claims[2394] for claims in every] == clients
    assert len({claims[268] for claims in every}) == 1, "one start, one seed"
    return every


def secret_of(caller: int) -> bytes:
    """The secret that the test derives from the hardware key of a caller."""
    text = b"Corral: hardware unique key of caller " + caller.to_bytes(4, "big")
    mine = hmac.digest(_DEVICE, text, "sha256")
    return HKDF(hashes.SHA256(), 32, None, b"test").derive(mine)


def check_secrets(output: str, callers: list[int]) -> None:
    found = re.findall(r"^derived (\w+)$", output, re.M)
    assert found == [secret_of(caller).hex() for caller in callers]


def test_program_with_the_keys_gets_tokens_as_the_trusted_side() -> None:
    result = programs.attestation().run()
    result.check(9)
    check_tokens(result.output, [1] * 4)
    check_secrets(result.output, [0] * 3)


def test_token_that_was_changed_is_not_accepted() -> None:
    """Wherever: claims, signature, and the algorithm that it says."""
    output = programs.attestation().run().output
    found = re.search(r"^token \w+ (\w+)$", output, re.M)
    assert found is not None
    token = bytes.fromhex(found[1])
    verified(token)
    for at in range(len(token)):
        assert not is_accepted(token[:at] + bytes([token[at] ^ 1]) + token[at + 1 :]), at


def test_clients_of_a_wall_get_tokens_with_their_numbers_and_secrets_of_their_own() -> None:
    result = programs.wall().run()
    result.check(5, "callers")
    check_tokens(result.output, [-1] * 4 + [-1, -2, -0x7FFFFFFF])
    check_secrets(result.output, [1] * 3 + [1, 2, 3, 2, 2, 3])


@pytest.mark.parametrize("transport", programs.WALLS)
def test_clients_in_memory_of_their_own_get_tokens_and_secrets(transport: str) -> None:
    """The software that a token names is the image of the trusted side."""
    result = programs.behind_wall(transport).run()
    result.check(6, "attestation")
    every = check_tokens(result.output, [-1] * 4)
    check_secrets(result.output, [1] * 3)
    (image,) = programs.behind_wall(transport).build().folder.glob("*-trusted.elf")
    assert every[0][2399][0][2] == hashlib.sha256(trusted_code(image)).digest()
