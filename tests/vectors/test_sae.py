# SPDX-License-Identifier: Apache-2.0
"""The model of WPA3-SAE against what is published."""

from __future__ import annotations

import pytest

from vectors import sae
from vectors import sae_published as published


def test_looping_gives_the_published_messages_and_keys() -> None:
    element, _count = sae.hunt(sae.P256, published.MACS, published.PASSWORD)
    mine = sae.commit(sae.P256, element, published.RAND, published.MASK)
    assert mine.encode(sae.P256) == published.COMMIT
    peers = sae.parse_commit(sae.P256, published.PEERS_COMMIT)
    found = sae.secrets(sae.P256, "looping", element, published.RAND, mine, peers, b"")
    assert found == sae.Secrets(published.KCK, published.PMK, published.PMKID)


def test_hash_to_element_goes_the_published_way() -> None:
    seed = sae.password_seed(sae.P256, published.SSID, published.PASSWORD, published.IDENTIFIER)
    assert seed == published.SEED
    assert sae.P256.coefficients(seed) == published.COEFFICIENTS
    for u, point in zip(published.COEFFICIENTS, published.POINTS, strict=True):
        assert sae.P256.encode(sae.P256.map_to_curve(u)) == point
    token = sae.P256.token(seed)
    assert sae.P256.encode(token) == published.TOKEN
    factor = sae.token_factor(sae.P256, published.ELEMENT_MACS)
    assert factor == published.FACTOR
    assert sae.P256.encode(sae.P256.multiply(factor, token)) == published.ELEMENT


def test_hash_to_element_gives_the_published_element_of_group_15() -> None:
    group = sae.MODP_3072
    token = group.token(
        sae.password_seed(group, published.SSID, published.PASSWORD, published.IDENTIFIER)
    )
    factor = sae.token_factor(group, published.ELEMENT_MACS)
    assert group.encode(group.multiply(factor, token)) == published.ELEMENT_15


@pytest.mark.parametrize("group", [sae.P256, sae.P384, sae.P521], ids=lambda group: group.bits)
def test_order_is_that_of_the_points(group: sae.Curve) -> None:
    token = group.token(b"seed")
    assert group.decode(group.encode(token)) == token
    assert group.multiply(group.order, token) is None


@pytest.mark.parametrize("group", [sae.MODP_3072, sae.MODP_4096], ids=lambda group: group.bits)
def test_prime_is_safe(group: sae.Field) -> None:
    """To base 2: a mistake in the digits of pi would not pass."""
    assert group.prime.bit_length() == group.bits
    assert pow(2, group.prime - 1, group.prime) == 1
    assert pow(2, group.order - 1, group.order) == 1
