# SPDX-License-Identifier: Apache-2.0
"""Finite field Diffie-Hellman: no package has vectors in the groups of RFC 7919 or RFC 3526.

Two of NIST are typed in. The others are computed here: the primes by the formulas of the RFCs, from
e and pi, and the secrets by Python's own integers. For RFC 3526 the primes are also compared with
those of cryptography-vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from pathlib import Path

from .row import Row

# The numbers that make 2^b - 2^(b-64) + 2^64 * ([2^(b-130) c] + X) - 1 a prime, with e for c
# (RFC 7919, appendix A) and with pi (RFC 3526, 3 to 5).
OFFSETS = {
    "RFC7919": {2048: 560316, 3072: 2625351, 4096: 5736041, 6144: 15705020, 8192: 10965728},
    "RFC3526": {2048: 124476, 3072: 1690314, 4096: 240904},
}
GENERATOR = 2

# usnistgov/ACVP-Server, KAS-FFC-SSC-Sp800-56Ar3/internalProjection.json, tests 1 and 2 of the group
# ffdhe2048: our private key, the other's public key, the secret.
NIST = (
    (
        "71380e69933d9b7f45f1ca918946ee38caf12dbaeae8ab169b205f2ebd9f438153791c5c768454bb280cd2cd"
        "9c73777947c951562e68529fd321c333c00055b0f5feffd1b0a0a2ccc513e9741332ce9a38e6450193951641"
        "62467e41c080e599bd23f29df98ce5ba18858db705363a6a5a2f4ef77a205217546eaa29583531dadedcdd21"
        "8729632c43a13540913fdfa108ca8f0cbbb0b958081b40ae20d6437193b87e210c8a2275a122e0eeb9e2b228"
        "ed16f069c5e590b7347312b285f8bbea7910e7b7eeef7202539467d769b4a832da593c254ecee9b440a3a82b"
        "f7f2ee44b6905cda7fdfd6e352a2d5acd3924618388040712d5bdbcbc5fe5a20048ef05c",
        "d15b2174dc6b2d45f0d5ef1de4d909749501870632f1d41b6a483a57033c37872bd58c47d8405883ea956737"
        "eaefffa366962a6082c72148a7ca521d9ebcb8f2e61b3ca1720e0b084c2931f061ebf61766471dc82018b1b1"
        "873f5ef9f14ba8665ac91eb1fcdf11a44425b3b4177f8ae4717a98e5b9d3f9570857a1d230c40eef15bd3e96"
        "f46830eeb995e6b814da23205dd6a1408ad4892610d260813a2b4b9ea38ce8f8250c5db37b2026375eda1a8c"
        "ba439f63d96008f625b56d08275e6e773e9dee435b9d0a2e831d02cd03aa5d9ebaa7fc752c75b3179fa43d4e"
        "e89945dc2c44017c7c9abcd4a21003b982c4bd398d2c228e4689704518056625517b50ad",
        "5d52a8867a2b18fc492429e6b78a366e4a9acfc76cd500b92e993f1ebe29445f394f34e4893a1e39018624a5"
        "af0b27b665c5a8f1957e3043d33f13ddda808e8024e20dfdccfce80c9de65d5ca18c762828e3a9044e97bfa0"
        "51007972ab2003c5ec00b7e6d29dea98e11e0e85405477cbbf9219c018bda9197657f139e75ba16a6c68bbfa"
        "654bc3d45b52ea06e7d65bcb6dcb35e6a05941938d0d195f4fd1c12bdc184c104bf97879a25b69847b973aad"
        "933588eba91e414a0ee5169259691cb3fe551fe8a748d3f93ed323d01888bca0c87aebd0e3bbb48f6836e46d"
        "5558f2889eaab86804c68c1509243c63a24ddeff0566ff726ad3385add44c811cb09b46f",
    ),
    (
        "6407ef037d243d3e8481205738651a09b6e382062ee72d50c9fd855afb39d5b04b60f290294f18931760f1b6"
        "7894766ac14f4e0d6b33ad2765b20bb9b836e63f8d6d0d73ed2c396ff86885de95191c6bd892f763a1830cf0"
        "eafdc7048296cd323ce37d634bf5db8b180b2a5be27dd8257ac3ee7ec3f63e2b0fb4170b0244be7edc6b2012"
        "c85eebedf67ae796c111eb453ac5370e7eed16c07f5adb6493cc143540ab3c5832593de441d92bc81a482a2e"
        "2d95d035ba4ec67a4150879d766e459732663d6c5ea8c883cff7003535626babf46b911b1c722e0c7335618f"
        "3ee8dc848301edbe768791ec0e091bcdfefaf9aec8f8d6570284e4f8933e2ff2350a4857",
        "c02054ebf742f7594ebfc595b42ffee42da781dd7d9b1421cd435fd45c331a668dfd43a25a72ce00f5a07d13"
        "e66377745c881bf2132c6d44361d16ecc40473a6cd80af7b5e7d7c88c3eadbb190995fff5f5e4447ccf12da4"
        "41f14128ca982fb32252891630d3110d01266892824c4b5bd8f3ff7ed575505738a9ef94432d9240dfd03061"
        "752412089ff7a0123ef7bd409b891b071e9f174ed5566768db726d44977cc6b43c5f19bbc834980848f2b000"
        "d45085a8f7ff8cedae0388a51bac03b7d54cbce4f2465e6d0af96bdce839bcb5c9b1803933e60d681d6f92df"
        "fcb231af56c8330a1df7a03453c01e3ecdee11ffcb6615f73d367f147e4d63aaf519f9e8",
        "61d71798bc6a3a6cbf55e51091e776aac183a4817a6cc9a8b983244461f4ee4551d759746fbbaa4fdfdfe1c3"
        "ff6d25066fda80e3678242da06570ff6d331477fee6bef2420f6187e19d7a61c57d2fc37b018fb1ff9a0a59b"
        "e4853b3d17d7c19b34fcde10fadaa382b1ff773abfdcf34c1bb54ee014c109013883eff7237edcc627771d45"
        "1c7f9c79831a9ff3390b659976783fe9fa1eaec98a1f179ea9106bae98a48f851fdbcfa80155dee3845382ae"
        "6271bbb4c621c01ca842bd4384b121185a915ef2c793f829ecebea498a3b2d4c0390e1f386338049530b2e67"
        "3b0da885f28d9c738151f8dc748f64acbd134f2e3a92df016fcd09024fc246280b317ffe",
    ),
)


def _e(bits: int) -> int:
    """[2^bits e], by its series; 64 bits more are carried along."""
    term = total = 1 << (bits + 64)
    n = 0
    while term:
        n += 1
        term //= n
        total += term
    return total >> 64


def _arctan_of_inverse(x: int, one: int) -> int:
    term = total = one // x
    n, sign = 1, 1
    while term:
        term //= x * x
        n, sign = n + 2, -sign
        total += sign * (term // n)
    return total


def _pi(bits: int) -> int:
    """[2^bits pi], by Machin's formula; 64 bits more are carried along."""
    one = 1 << (bits + 64)
    return 4 * (4 * _arctan_of_inverse(5, one) - _arctan_of_inverse(239, one)) >> 64


def prime(family: str, bits: int) -> int:
    """The prime of a group."""
    constant = (_e if family == "RFC7919" else _pi)(bits - 130)
    high = (1 << bits) - (1 << (bits - 64))
    return high + ((constant + OFFSETS[family][bits]) << 64) - 1


def primes() -> dict[str, str]:
    """The primes by the names of their groups in mechanisms, hexadecimal."""
    return {
        f"DH_{family}_{bits}": f"{prime(family, bits):x}"
        for family, sizes in OFFSETS.items()
        for bits in sizes
    }


def _check(root: Path) -> None:
    """That the formula for pi gives the primes that the package has."""
    text = (root / "asymmetric" / "DH" / "rfc3526.txt").read_text(encoding="ascii")
    for bits in OFFSETS["RFC3526"]:
        assert f"P = {prime('RFC3526', bits):X}" in text


def _number(label: str, bits: int) -> int:
    return int.from_bytes(hashlib.shake_256(label.encode()).digest(bits // 8), "big")


def _row(title: str, family: str, bits: int, source: str, values: tuple[bytes, bytes, bytes],
         is_valid: bool = True) -> Row:  # fmt: skip
    return Row(title, f"FFDH_{family}_{bits}", source, "AGREEMENT", "PSA_ALG_FFDH",
               f"PSA_KEY_TYPE_DH_KEY_PAIR(PSA_DH_FAMILY_{family})", values[0], b"", values[1],
               values[2], "VALID" if is_valid else "INVALID")  # fmt: skip


def computed(family: str, bits: int) -> Iterator[Row]:
    p, size, source = prime(family, bits), bits // 8, f"computed {family} {bits}"
    # The order of the squares, and no square: p is 3 modulo 4, so the negative of one.
    middle, odd = p // 2, p - 4
    peer = pow(GENERATOR, _number("b", bits) % p, p)
    own = _number("a", bits) % p
    secrets = {1: peer, 2: peer * peer % p, p - 2: pow(peer, -1, p), own: pow(peer, own, p)}
    for name, (power, result) in zip(("1", "2", "p - 2", "a"), secrets.items(), strict=True):
        values = (power.to_bytes(size, "big"), peer.to_bytes(size, "big"),
                  result.to_bytes(size, "big"))  # fmt: skip
        yield _row(f"private key {name}", family, bits, source, values)
    # A secret that begins with zeros keeps them: g^n for a small n.
    key, other, secret = (n.to_bytes(size, "big") for n in (5, 4, 1 << 10))
    yield _row("secret 2^10", family, bits, source, (key, other, secret))
    wrong = {"secret 1": (middle, peer), "secret p - 1": (middle, odd), "secret 1 again":
             (p - 1, peer), "peer 0": (2, 0), "peer 1": (2, 1), "peer p - 1": (2, p - 1),
             "peer p": (2, p), "peer p + 2": (2, p + 2)}  # fmt: skip
    for name, numbers in wrong.items():
        key, other = (n.to_bytes(size, "big") for n in numbers)
        yield _row(name, family, bits, source, (key, other, b""),
                   is_valid=False)  # fmt: skip


def rows(nist_root: Path, needs: Collection[str]) -> Iterator[Row]:
    """Only of the groups that are needed: Python takes seconds for the large ones."""
    wanted = [
        (family, bits)
        for family, sizes in OFFSETS.items()
        for bits in sizes
        if f"FFDH_{family}_{bits}" in needs
    ]
    if not wanted:
        return
    _check(nist_root)
    for i, (key, peer, secret) in enumerate(NIST):
        yield _row(f"test {i + 1}", "RFC7919", 2048, "KAS-FFC-SSC-Sp800-56Ar3",
                   (bytes.fromhex(key), bytes.fromhex(peer), bytes.fromhex(secret)))  # fmt: skip
    for family, bits in wanted:
        yield from computed(family, bits)
