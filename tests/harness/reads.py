# SPDX-License-Identifier: Apache-2.0
"""What a caller hands over is read once (reads.h): what programs say of it, what is exempt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from corral.build import ROOT
from corral.generate import prototypes

#: Tells a program to watch its own calls.
VARIABLE = "CORRAL_TEST_READS"

_ONCE = re.compile(r"^read once (psa_\w+) (\w+)$", re.M)
_AGAIN = re.compile(r"^read again (psa_\w+) (\w+) (0x[0-9a-f]+) (\d+)$", re.M)


@dataclass(frozen=True)
class Again:
    """An input that was not read once."""

    function: str
    parameter: str
    algorithm: int
    bytes: int


@dataclass(frozen=True)
class Exempt:
    """What may be read again, and why nothing comes of it, or who has to see to that."""

    functions: str  # an expression
    parameter: str
    algorithms: tuple[int, ...]  # without the bits of MASK; none: any
    bytes: int  # at most
    why: str

    def covers(self, again: Again) -> bool:
        return (
            re.fullmatch(self.functions, again.function) is not None
            and re.fullmatch(self.parameter, again.parameter) is not None
            and again.bytes <= self.bytes
            and (not self.algorithms or again.algorithm & MASK in self.algorithms)
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

EXEMPT = (
    Exempt(
        "psa_sign_message(_with_context)?",
        "input",
        (*EDDSA, *SLH_DSA),
        ANY,
        "a second hash begins with what the first one gave, and no room is as long as a message: "
        "the caller keeps it as it is (docs/SECURITY.md)",
    ),
    Exempt(
        r"psa_\w*key_agreement",
        "peer_key",
        (),
        1,
        "the format of a point: each reading is judged, and whatever is not 04 is refused",
    ),
    Exempt("psa_decapsulate", "ciphertext", (0x0C000100,), 1, "as that of a peer's key"),
    Exempt(
        "psa_cipher_(decrypt|update)",
        "input",
        CBC,
        ANY,
        "a block is decrypted, and chained to the next: nothing that two ciphertexts, one after "
        "the other, would not give",
    ),
    Exempt(
        "psa_aead_(encrypt|decrypt|set_nonce)",
        "nonce",
        CCM,
        13,
        "in the counter and in the first block of the tag, which then fit no message",
    ),
    Exempt(
        "psa_aead_(encrypt|update)",
        "plaintext|input",
        CCM,
        ANY,
        "encrypted, and in the tag, which then is of what was read first, as the caller asked for",
    ),
    Exempt(
        "psa_asymmetric_decrypt",
        "input",
        (),
        ANY,
        "compared with the modulus for the status; the library judges what it reads itself",
    ),
    Exempt(
        "psa_verify_(hash|message)",
        "signature",
        ECDSA,
        ANY,
        "numbers are compared with the order before they are taken: what is taken is compared with "
        "a point, which has none but smaller ones",
    ),
    Exempt(
        "psa_sign_hash",
        "hash",
        (0x06000200,),
        ANY,
        "in an RSA signature and in the check of it, which fails if they differ",
    ),
    Exempt(
        "psa_its_set",
        "p_data",
        (),
        ANY,
        "summed up before the data are written behind the sum: an entry that changes meanwhile is "
        "damaged, and says so",
    ),
    Exempt(
        "psa_verify_message",
        "signature",
        TREES,
        32,
        "the number of a leaf: each reading is part of a hash, and no place in memory",
    ),
)


def _found(output: str) -> Iterator[Again]:
    for function, parameter, algorithm, count in _AGAIN.findall(output):
        yield Again(function, parameter, int(algorithm, 16), int(count))


def check(output: str) -> None:
    """Fail if a program that watched its calls read an input again that is not exempt."""
    assert _ONCE.search(output), "nothing was watched"
    wrong = [one for one in _found(output) if not any(e.covers(one) for e in EXEMPT)]
    assert not wrong, "read again: " + "\n".join(map(str, wrong))


def watched(outputs: Iterable[str]) -> set[tuple[str, str]]:
    """The functions and inputs that these programs looked at."""
    return {found for output in outputs for found in _ONCE.findall(output)}


def inputs() -> set[tuple[str, str]]:
    """All inputs of the API: what points to constants, other than to operations."""
    return {
        (f"psa_{function.name}", parameter.name)
        for mine in prototypes.functions(ROOT).values()
        for function in mine
        for parameter in function.parameters
        if parameter.is_pointer and parameter.is_constant
        if not parameter.of.endswith("_operation_t")
    }
