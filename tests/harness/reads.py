# SPDX-License-Identifier: Apache-2.0
"""Inputs are read once, and outputs are not read (reads.h): output of programs, and exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corral import ROOT
from corral.generate import prototypes

#: Tells a program to watch its own calls.
VARIABLE = "CORRAL_TEST_READS"

_WATCHED = re.compile(r"^(?:read once|written) (psa_\w+) (\w+) 0x00000000 0$", re.M)
_FOUND = re.compile(r"^(read again|read back) (psa_\w+) (\w+) (0x[0-9a-f]+) (\d+)$", re.M)
AGAIN, BACK = "read again", "read back"


@dataclass(frozen=True)
class Found:
    """An input that was not read once, or an output that was read."""

    kind: str
    function: str
    parameter: str
    algorithm: int
    bytes: int


@dataclass(frozen=True)
class Exempt:
    """Permitted reads, and the reason why they are harmless, or the caller's duty."""

    kind: str
    functions: str  # an expression
    parameter: str
    algorithms: tuple[int, ...]  # whole, or only their bits of MASK; none: any
    bytes: int  # at most
    why: str

    def covers(self, again: Found) -> bool:
        return (
            self.kind == again.kind
            and re.fullmatch(self.functions, again.function) is not None
            and re.fullmatch(self.parameter, again.parameter) is not None
            and again.bytes <= self.bytes
            and (
                not self.algorithms
                or again.algorithm in self.algorithms
                or again.algorithm & MASK in self.algorithms
            )
        )


#: Without hashes, and lengths of tags.
MASK = 0xFF407F00
ANY = 1 << 30
EDDSA = (0x06000800, 0x06000A00)
SLH_DSA = (0x06004000, 0x06004100)
ECDSA = (0x06000600, 0x06000700)
TREES = (0x06004800, 0x06004900, 0x06004A00, 0x06004B00)
CBC = (0x04404000, 0x04404100)
CCM = (0x05400100,)
ECDH = (0x09000000,)
CHACHAPOLY = (0x05000500,)
#: The hash and HMAC over it.
SHA_1 = (0x02000005, 0x03800005)

EXEMPT = (
    Exempt(
        AGAIN,
        "psa_sign_message(_with_context)?",
        "input",
        (*EDDSA, *SLH_DSA),
        ANY,
        "a second hash begins with what the first one gave, and no room is as long as a message: "
        "the caller keeps it as it is (docs/SECURITY.md)",
    ),
    Exempt(
        AGAIN,
        r"psa_\w*key_agreement",
        "peer_key",
        (),
        1,
        "the format of a point: each reading is judged, and whatever is not 04 is refused",
    ),
    Exempt(AGAIN, "psa_decapsulate", "ciphertext", (0x0C000100,), 1, "as that of a peer's key"),
    Exempt(
        AGAIN,
        "psa_cipher_(decrypt|update)",
        "input",
        CBC,
        ANY,
        "a block is decrypted, and chained to the next: nothing that two ciphertexts, one after "
        "the other, would not give",
    ),
    Exempt(
        AGAIN,
        "psa_aead_(encrypt|decrypt|set_nonce)",
        "nonce",
        CCM,
        13,
        "in the counter and in the first block of the tag, which then fit no message",
    ),
    Exempt(
        AGAIN,
        "psa_aead_(encrypt|update)",
        "plaintext|input",
        CCM,
        ANY,
        "encrypted, and in the tag, which then is of what was read first, as the caller asked for",
    ),
    Exempt(
        AGAIN,
        "psa_aead_(encrypt|decrypt)",
        "additional_data",
        CHACHAPOLY,
        3,
        "13 bytes are loaded as two words, and of the second the bytes that both have are dropped",
    ),
    Exempt(
        AGAIN,
        r"psa_(hash|mac)_\w+",
        "input",
        SHA_1,
        64,
        "while a block is hashed the next one is loaded: behind the last one that is the same once "
        "more, and nothing is computed from it",
    ),
    Exempt(
        AGAIN,
        "psa_asymmetric_decrypt",
        "input",
        (),
        ANY,
        "compared with the modulus for the status; the library judges what it reads itself",
    ),
    Exempt(
        AGAIN,
        "psa_verify_(hash|message)",
        "signature",
        ECDSA,
        ANY,
        "numbers are compared with the order before they are taken: what is taken is compared with "
        "a point, which has none but smaller ones",
    ),
    Exempt(
        AGAIN,
        "psa_sign_hash",
        "hash",
        (0x06000200,),
        ANY,
        "in an RSA signature and in the check of it, which fails if they differ",
    ),
    Exempt(
        AGAIN,
        "psa_its_set",
        "p_data",
        (),
        ANY,
        "summed up before the data are written behind the sum: an entry that changes meanwhile is "
        "damaged, and says so",
    ),
    Exempt(
        AGAIN,
        "psa_verify_message",
        "signature",
        TREES,
        32,
        "the number of a leaf: each reading is part of a hash, and no place in memory",
    ),
    Exempt(
        BACK,
        "psa_cipher_(encrypt|update|finish)",
        "output",
        (),
        ANY,
        "text is encrypted where it lies, and blocks chained from there: a thread that changes it "
        "gets other text encrypted, without a tag, as if it had changed the ciphertext of a block "
        "that was still to come",
    ),
    Exempt(
        BACK,
        "psa_cipher_(decrypt|update|finish)",
        "output",
        (),
        ANY,
        "text is decrypted where it lies, and the padding is looked for in the text there: a "
        "thread that changes the text may as well do so after the call",
    ),
    Exempt(
        BACK,
        "psa_aead_(encrypt|update|finish)",
        "ciphertext|output",
        (),
        ANY,
        "the tag is of what lies in the output: if another thread changes that meanwhile, the tag "
        "is of its text, so the caller keeps the output to itself (docs/SECURITY.md)",
    ),
    Exempt(
        BACK,
        "psa_aead_(decrypt|update|verify)",
        "plaintext|output",
        (),
        ANY,
        "the text is authenticated and decrypted where the caller gets it: a thread that changes "
        "it may as well do so after the call",
    ),
    Exempt(
        BACK,
        "psa_raw_key_agreement",
        "output",
        ECDH,
        56,
        "a secret of zeros is refused, and bytes are put in order: a thread that changes the "
        "secret may as well do so after the call",
    ),
    Exempt(
        BACK,
        "psa_export_public_key",
        "data",
        (),
        2592,
        "the public key of ML-KEM or ML-DSA is hashed for the private key, which is thrown away",
    ),
)


def _found(output: str) -> Iterator[Found]:
    for kind, function, parameter, algorithm, count in _FOUND.findall(output):
        yield Found(kind, function, parameter, int(algorithm, 16), int(count))


def check(output: str) -> None:
    """Fail if a program that watched its calls read what it may not, and that is not exempt."""
    assert _WATCHED.search(output), "nothing was watched"
    wrong = [one for one in _found(output) if not any(e.covers(one) for e in EXEMPT)]
    assert not wrong, "\n" + "\n".join(map(str, wrong))


def watched(outputs: Iterable[str]) -> set[tuple[str, str]]:
    """The functions and parameters that these programs looked at."""
    return {found for output in outputs for found in _WATCHED.findall(output)}


def parameters() -> set[tuple[str, str]]:
    """All inputs and outputs of the API: its pointers, other than to operations."""
    return {
        (f"psa_{function.name}", parameter.name)
        for mine in prototypes.functions(ROOT).values()
        for function in mine
        for parameter in function.parameters
        if parameter.is_pointer
        if not parameter.of.endswith("_operation_t")
    }
