# SPDX-License-Identifier: Apache-2.0
"""Algorithms and key types: matching expressions, and refused ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral.model.expression import Expression, Vocabulary, covered, load_vocabulary


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(Path(__file__).resolve().parents[2] / "include" / "psa")


def algorithm(vocabulary: Vocabulary, text: str) -> Expression:
    return vocabulary.parse(text, "PSA_ALG_")


def key_type(vocabulary: Vocabulary, text: str) -> Expression:
    return vocabulary.parse(text, "PSA_KEY_TYPE_")


def test_headers_that_change_are_read_again(tmp_path: Path) -> None:
    header = tmp_path / "own.h"
    header.write_text("#define PSA_ALG_OWN 1\n", encoding="utf-8")
    assert load_vocabulary(tmp_path).arities == {"PSA_ALG_OWN": 0}
    header.write_text("#define PSA_ALG_OWN(x) 1\n", encoding="utf-8")
    assert load_vocabulary(tmp_path).arities == {"PSA_ALG_OWN": 1}


@pytest.mark.parametrize(
    ("pattern", "other", "expected"),
    [
        ("PSA_ALG_SHA_256", "PSA_ALG_SHA_256", True),
        ("PSA_ALG_SHA_256", "PSA_ALG_SHA_512", False),
        ("PSA_ALG_HMAC(PSA_ALG_ANY_HASH)", "PSA_ALG_HMAC(PSA_ALG_SHA_256)", True),
        ("PSA_ALG_HMAC(PSA_ALG_SHA_256)", "PSA_ALG_HMAC(PSA_ALG_ANY_HASH)", False),
        ("PSA_ALG_HMAC(PSA_ALG_ANY_HASH)", "PSA_ALG_HMAC(PSA_ALG_HMAC(PSA_ALG_MD5))", False),
        ("PSA_ALG_HMAC(PSA_ALG_ANY_HASH)", "PSA_ALG_HMAC(PSA_ALG_ANY_HASH)", True),
        ("PSA_ALG_ECDSA(PSA_ALG_ANY_HASH)", "PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_MD5)", False),
        ("PSA_ALG_ECDSA(PSA_ALG_ANY_HASH)", "PSA_ALG_ECDSA_ANY", False),
        (" PSA_ALG_HMAC( PSA_ALG_MD5 ) ", "PSA_ALG_HMAC(PSA_ALG_MD5)", True),
    ],
)
def test_algorithm_matches(
    vocabulary: Vocabulary, pattern: str, other: str, expected: bool
) -> None:
    assert algorithm(vocabulary, pattern).matches(algorithm(vocabulary, other)) is expected


def test_any_curve_matches_each_curve_of_the_same_kind_of_key(vocabulary: Vocabulary) -> None:
    pattern = key_type(vocabulary, "PSA_KEY_TYPE_ECC_KEY_PAIR(_)")
    pair = key_type(vocabulary, "PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)")
    public = key_type(vocabulary, "PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)")
    assert pattern.matches(pair)
    assert not pattern.matches(public)
    assert pair.overlaps(pattern)


def test_no_filter_covers_everything(vocabulary: Vocabulary) -> None:
    sha = algorithm(vocabulary, "PSA_ALG_SHA_256")
    assert covered(None, sha)
    assert covered((sha,), None)
    assert not covered((algorithm(vocabulary, "PSA_ALG_MD5"),), sha)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("PSA_ALG_SHA256", "did you mean PSA_ALG_SHA_256"),
        ("PSA_ALG_HMAC", "takes 1 arguments, not 0"),
        ("PSA_ALG_SHA_256(PSA_ALG_SHA_256)", "takes 0 arguments, not 1"),
        ("PSA_ALG_HMAC(PSA_ALG_SHA_256", '")" is missing'),
        ("PSA_ALG_HMAC(PSA_ALG_SHA_256))", "follows the end"),
        ("", "a macro name is missing"),
        ("PSA_ALG_HMAC(,)", "a macro name is missing"),
        ("PSA_KEY_TYPE_AES", "is not a PSA_ALG_... macro"),
        ("PSA_ALG_ANY_HASH", "for the place of a hash"),
        ("PSA_ALG_SHA-256", '"-" is not understood'),
        ("PSA_ALG_IS_HASH(PSA_ALG_SHA_256)", "is no macro of PSA Crypto 1.5"),
    ],
)
def test_malformed_algorithms_are_refused_with_a_reason(
    vocabulary: Vocabulary, text: str, says: str
) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        algorithm(vocabulary, text)
    assert says in str(caught.value)
