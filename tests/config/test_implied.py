# SPDX-License-Identifier: Apache-2.0
"""Consequences of wants: further wants, slots for keys, space for secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from corral import cli
from corral.configure.assignments import Assignment
from corral.configure.implied import implied_wants
from corral.configure.kconfig import Kconfig
from corral.errors import CorralError
from corral.generate.api import selected_wants
from corral.model.tree import load_tree
from test_configuration import P256
from trees import APP, ROOT, build, make_real_tree

TABLE = load_tree(ROOT).mechanisms
KEY_TYPES = sorted(s for s in TABLE.known_wants if s.startswith("PSA_WANT_KEY_TYPE_"))


@pytest.fixture(scope="module")
def kconfig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kconfig]:
    """The configuration of the real tree; each test assigns anew."""
    tree = make_real_tree(tmp_path_factory.mktemp("real"))
    build(tree, "PSA_WANT_ALG_SHA_256", board="native")
    yield Kconfig(tree, tree / "build" / f"{APP}-native" / "kconfig")


def value(kconfig: Kconfig, symbol: str, *wants: str) -> int:
    kconfig.raw.unset_values()
    kconfig.assign([Assignment(want, "y", want, "test") for want in wants])
    return int(kconfig.value(symbol))


@pytest.mark.parametrize("symbol", KEY_TYPES)
def test_each_key_type_alone_has_slots(kconfig: Kconfig, symbol: str) -> None:
    is_pair = "_KEY_PAIR_" in symbol
    pool = "CORRAL_KEY_PAIR_SLOTS" if is_pair else "CORRAL_SINGLE_KEY_SLOTS"
    assert value(kconfig, pool, symbol) == (2 if is_pair else 4)


def test_no_key_type_has_no_slots(kconfig: Kconfig) -> None:
    for pool in ("CORRAL_KEY_PAIR_SLOTS", "CORRAL_SINGLE_KEY_SLOTS"):
        assert value(kconfig, pool, "PSA_WANT_ALG_SHA_256", "PSA_WANT_GENERATE_RANDOM") == 0


@pytest.mark.parametrize(
    ("wants", "raw", "inputs"),
    [
        ((), 64, 128),
        (("PSA_WANT_ALG_ECDH", "PSA_WANT_ECC_SECP_R1_256"), 64, 128),
        (("PSA_WANT_ALG_ECDH", "PSA_WANT_ECC_SECP_R1_521"), 66, 128),
        (("PSA_WANT_ALG_JPAKE", "PSA_WANT_ECC_SECP_R1_256"), 65, 128),
        (("PSA_WANT_ALG_JPAKE", "PSA_WANT_ECC_BRAINPOOL_P_R1_320"), 81, 128),
        (("PSA_WANT_ALG_FFDH", "PSA_WANT_DH_RFC7919_2048"), 256, 352),
        (("PSA_WANT_ALG_FFDH", "PSA_WANT_DH_RFC3526_8192"), 1024, 1120),
    ],
)
def test_shared_secret_has_room(
    kconfig: Kconfig, wants: tuple[str, ...], raw: int, inputs: int
) -> None:
    assert value(kconfig, "CORRAL_RAW_KEY_MAX_SIZE", *wants) == raw
    assert value(kconfig, "CORRAL_DERIVATION_INPUT_MAX_SIZE", *wants) == inputs


@pytest.mark.parametrize(("lenient", "least"), [((), 32), (("CORRAL_LENIENT_JPAKE",), 65)])
def test_copied_point_of_an_exchange_has_room(
    kconfig: Kconfig, lenient: tuple[str, ...], least: int
) -> None:
    wants = ("PSA_WANT_ALG_JPAKE", "PSA_WANT_ALG_TLS12_ECJPAKE_TO_PMS", *lenient)
    room = "CORRAL_DERIVATION_INPUT_MAX_SIZE"
    assert value(kconfig, room, *wants) == 128
    kconfig.assign([Assignment(room, str(least), room, "test")])
    assert int(kconfig.value(room)) == least
    with pytest.raises(CorralError, match=f"use a value from {least} to"):
        kconfig.assign([Assignment(room, str(least - 1), room, "test")])


def test_algorithm_implies_the_only_key_type_that_it_goes_with(kconfig: Kconfig) -> None:
    implied = implied_wants(TABLE)
    assert implied["PSA_WANT_ALG_HMAC"] == ["PSA_WANT_KEY_TYPE_HMAC"]
    assert implied["PSA_WANT_ALG_BLAKE2_MAC"] == ["PSA_WANT_KEY_TYPE_BLAKE2"]
    for algorithm, symbols in implied.items():
        for symbol in symbols:
            kconfig.raw.unset_values()
            kconfig.assign([Assignment(algorithm, "y", algorithm, "test")])
            assert kconfig.is_on(symbol), (algorithm, symbol)
            assert algorithm in kconfig.selectors(symbol)


def test_algorithm_of_pairs_and_of_public_keys_implies_neither(kconfig: Kconfig) -> None:
    for algorithm in ("ECDSA", "RSA_OAEP", "ML_DSA", "ML_KEM", "PURE_EDDSA"):
        assert f"PSA_WANT_ALG_{algorithm}" not in implied_wants(TABLE)


def test_what_draws_random_numbers_selects_them(tree: Path) -> None:
    wants = [want for want in P256 if want != "PSA_WANT_GENERATE_RANDOM"]
    built = build(tree, *wants)
    assert built.servers("RANDOM")
    assert selected_wants(built.bindings)["PSA_WANT_GENERATE_RANDOM"] == [
        "CORRAL_ECDSA_SIGN_SECP_R1_256_BY_WIDE",
        "CORRAL_ECC_GENERATE_SECP_R1_256_BY_WIDE",
    ]
    built = build(tree, "PSA_WANT_ALG_SHA_256")
    assert selected_wants(built.bindings) == {}


def test_explain_says_what_was_selected(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", "hmac", "native", "--set", "PSA_WANT_ALG_ASCON_AEAD128=y"]
    assert cli.main([*words, "--set", "CORRAL_DRIVER_WOLFCRYPT=y"]) == 0
    said = "selected: PSA_WANT_KEY_TYPE_ASCON by PSA_WANT_ALG_ASCON_AEAD128"
    assert said in capsys.readouterr().out.splitlines()
