# SPDX-License-Identifier: Apache-2.0
"""The list of unsupported mechanisms is neither too long nor too short."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral import cli
from corral.generate.tables import unknown_wants, unserved_mechanisms
from corral.model.tree import load_tree
from corral.model.unserved import load_unserved


def test_every_mechanism_that_nobody_serves_has_a_reason(root: Path) -> None:
    rows = load_unserved(root)
    names = unserved_mechanisms(load_tree(root))
    assert [name for name in names if not any(row.has_mechanism(name) for row in rows)] == []


def test_every_symbol_that_leads_nowhere_has_a_reason(root: Path) -> None:
    rows = load_unserved(root)
    symbols = unknown_wants(load_tree(root))
    assert [symbol for symbol in symbols if not any(row.has_want(symbol) for row in rows)] == []


def test_nothing_that_is_served_is_on_the_list(root: Path) -> None:
    tree = load_tree(root)
    rows = load_unserved(root)
    unserved, unknown = unserved_mechanisms(tree), unknown_wants(tree)
    served = set(tree.mechanisms.mechanisms) - set(unserved)
    # Only elements keep keys; the others are constructions over mechanisms of the list.
    others = ("KEEP_", "ECC_KEEP_", "ENCAPSULATE_", "DECAPSULATE_", "SP800_108_COUNTER_CMAC_")
    found = {name for name in served if not name.startswith(others)}
    now = [name for name in found if any(row.has_mechanism(name) for row in rows)]
    assert now == [], "a driver serves these: take them out of dispatch/unserved.toml"
    known = tree.mechanisms.known_wants
    assert [symbol for symbol in known if any(row.has_want(symbol) for row in rows)] == []
    for row in rows:
        assert row.reason
        for pattern in row.mechanisms:
            assert any(type(row)((pattern,), (), "").has_mechanism(name) for name in unserved)
        for pattern in row.wants:
            assert any(type(row)((), (pattern,), "").has_want(symbol) for symbol in unknown)


@pytest.mark.parametrize(
    ("want", "says"),
    [
        ("PSA_WANT_ALG_SM3", "no driver of this tree can: leave it out, or add a driver (no obt"),
        ("PSA_WANT_KEY_TYPE_ARC4", "not served yet by any driver: remove it (DES and ARC4"),
    ],
)
def test_configuration_that_wants_one_is_told_why(
    want: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["explain", "hmac", "native", "--set", f"{want}=y"]) == 2
    assert says in capsys.readouterr().err
