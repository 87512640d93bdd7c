# SPDX-License-Identifier: Apache-2.0
"""dispatch/{sign,asymmetric,encapsulation,agreement,wrap}.h: keys that work in one call."""

from __future__ import annotations

from corral.generate.build import Build
from corral.generate.c.nodes import Item
from corral.generate.dispatch import single_part
from corral.generate.functions import family_header
from corral.generate.key import Key, is_pair, is_public


def pairs(keys: frozenset[Key]) -> frozenset[Key]:
    return frozenset(key for key in keys if is_pair(key))


def pairs_and_publics(keys: frozenset[Key]) -> frozenset[Key]:
    return frozenset(key for key in keys if is_pair(key) or is_public(key))


def by_pairs(build: Build, name: str) -> list[Item]:
    """Operations with a private key."""
    return single_part(
        build, name, pairs(build.local_keys), lambda driver: pairs(build.element_keys(driver))
    )


def by_publics(build: Build, name: str) -> list[Item]:
    """Operations with a public key, or an element's pair: the core gives the public
    half of others."""
    publics = frozenset(key for key in build.local_keys if is_public(key))
    return single_part(
        build, name, publics, lambda driver: pairs_and_publics(build.element_keys(driver))
    )


def sign_header(build: Build) -> str:
    items = [
        *by_pairs(build, "sign_hash"),
        *by_publics(build, "verify_hash"),
        *by_pairs(build, "sign_message"),
        *by_publics(build, "verify_message"),
        *by_pairs(build, "sign_hash_with_context"),
        *by_publics(build, "verify_hash_with_context"),
        *by_pairs(build, "sign_message_with_context"),
        *by_publics(build, "verify_message_with_context"),
    ]
    subject = (
        "Drivers that sign and verify. Call signing functions with key pairs only, verifying ones "
        "with public keys, or with either if an element keeps the key."
    )
    return family_header(build, "sign", __name__, subject, items)


def asymmetric_header(build: Build) -> str:
    items = [*by_publics(build, "asymmetric_encrypt"), *by_pairs(build, "asymmetric_decrypt")]
    subject = (
        "Drivers that encrypt to public keys. Call encryption with public keys, or with either if "
        "an element keeps the key; decryption with key pairs only."
    )
    return family_header(build, "asymmetric", __name__, subject, items)


def encapsulation_header(build: Build) -> str:
    items = [*by_publics(build, "encapsulate"), *by_pairs(build, "decapsulate")]
    subject = (
        "Drivers that encapsulate secrets. Call encapsulation with public keys, or with either "
        "if an element keeps the key; decapsulation with key pairs only."
    )
    return family_header(build, "encapsulation", __name__, subject, items)


def agreement_header(build: Build) -> str:
    subject = "Drivers that agree on shared secrets. Call with key pairs only."
    items = by_pairs(build, "key_agreement")
    return family_header(build, "agreement", __name__, subject, items)


def wrap_header(build: Build) -> str:
    items = [
        *single_part(build, "wrap_key", build.local_keys, build.element_keys),
        *single_part(build, "unwrap_key", build.local_keys, build.element_keys),
    ]
    subject = "Drivers that wrap keys. Call with a key of a block cipher."
    return family_header(build, "wrap", __name__, subject, items)
