# SPDX-License-Identifier: Apache-2.0
"""One test vector: its name, its requirements, its source, and its bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["HASH", "MAC", "CIPHER", "VERIFY_HASH", "SIGN_HASH", "VERIFY_MESSAGE",
               "SIGN_MESSAGE", "AGREEMENT", "DECRYPT", "AEAD", "XOF", "WRAP",
               "DECAPSULATE", "ENCAPSULATE", "DERIVATION"]  # fmt: skip
Result = Literal["VALID", "INVALID", "ACCEPTABLE"]


@dataclass(frozen=True)
class Row:
    """A vector. `needs` is the mechanism of the configuration that it exercises.

    The meaning of the bytes depends on the kind:
    HASH, XOF input, output; MAC key, input, output (the tag); CIPHER key, iv, input (plaintext),
    output; VERIFY_* key (public), iv (the context, if any), input (hash or message), output
    (signature); SIGN_* key (private), the same; AGREEMENT key (private), input (the peer's public
    key), output (shared secret); DECRYPT key (private), iv (the label), input (plaintext), output
    (ciphertext); WRAP key (wrapping), input (the key to wrap), output (wrapped); DECAPSULATE key
    (private), iv (its public key), input (ciphertext, or none), output (secret); ENCAPSULATE key
    (public).
    AEAD key, iv (see aead_iv), input (plaintext), output (ciphertext and tag).
    DERIVATION key (secret or password), iv (salt, seed or label), input (information, label, number
    of iterations in four bytes, or context and the capacity in four bytes), output.
    """

    title: str
    needs: str
    source: str
    kind: Kind
    alg: str
    key_type: str = "PSA_KEY_TYPE_NONE"
    key: bytes = b""
    iv: bytes = b""
    input: bytes = b""
    output: bytes = b""
    result: Result = "VALID"


def aead_iv(nonce: bytes, additional_data: bytes) -> bytes:
    """The iv of a row of an AEAD: the length of the nonce, nonce, additional data."""
    return len(nonce).to_bytes(2, "big") + nonce + additional_data


@dataclass(frozen=True)
class Curve:
    """A curve by its names: in mechanisms, in the C macros, in the sources."""

    mechanism: str
    family: str
    bits: int

    @property
    def size(self) -> int:
        return (self.bits + 7) // 8

    @property
    def pair(self) -> str:
        return f"PSA_KEY_TYPE_ECC_KEY_PAIR({self.family})"

    @property
    def public(self) -> str:
        return f"PSA_KEY_TYPE_ECC_PUBLIC_KEY({self.family})"


CURVES = {
    "secp192r1": Curve("SECP_R1_192", "PSA_ECC_FAMILY_SECP_R1", 192),
    "secp224r1": Curve("SECP_R1_224", "PSA_ECC_FAMILY_SECP_R1", 224),
    "secp256r1": Curve("SECP_R1_256", "PSA_ECC_FAMILY_SECP_R1", 256),
    "secp384r1": Curve("SECP_R1_384", "PSA_ECC_FAMILY_SECP_R1", 384),
    "secp521r1": Curve("SECP_R1_521", "PSA_ECC_FAMILY_SECP_R1", 521),
    "secp192k1": Curve("SECP_K1_192", "PSA_ECC_FAMILY_SECP_K1", 192),
    "secp256k1": Curve("SECP_K1_256", "PSA_ECC_FAMILY_SECP_K1", 256),
    "brainpoolP256r1": Curve("BRAINPOOL_P_R1_256", "PSA_ECC_FAMILY_BRAINPOOL_P_R1", 256),
    "brainpoolP384r1": Curve("BRAINPOOL_P_R1_384", "PSA_ECC_FAMILY_BRAINPOOL_P_R1", 384),
    "brainpoolP512r1": Curve("BRAINPOOL_P_R1_512", "PSA_ECC_FAMILY_BRAINPOOL_P_R1", 512),
    "x25519": Curve("MONTGOMERY_255", "PSA_ECC_FAMILY_MONTGOMERY", 255),
    "ed25519": Curve("TWISTED_EDWARDS_255", "PSA_ECC_FAMILY_TWISTED_EDWARDS", 255),
    "x448": Curve("MONTGOMERY_448", "PSA_ECC_FAMILY_MONTGOMERY", 448),
    "ed448": Curve("TWISTED_EDWARDS_448", "PSA_ECC_FAMILY_TWISTED_EDWARDS", 448),
}

# Hashes by the name in mechanisms and macros: the name that Python's hashlib knows.
HASHES = {
    "MD5": "md5",
    "SHA_1": "sha1",
    "SHA_224": "sha224",
    "SHA_256": "sha256",
    "SHA_384": "sha384",
    "SHA_512": "sha512",
    "SHA_512_224": "sha512_224",
    "SHA_512_256": "sha512_256",
    "SHA3_224": "sha3_224",
    "SHA3_256": "sha3_256",
    "SHA3_384": "sha3_384",
    "SHA3_512": "sha3_512",
}
