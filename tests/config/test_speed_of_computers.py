# SPDX-License-Identifier: Apache-2.0
"""Drivers by speed on a computer: its own figures, differences that do not count, and secrets."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from corral.configure.assignments import Assignment
from corral.configure.candidates import find_candidates
from corral.configure.cheapest import Pick
from corral.configure.fragments import VARIABLE_TIME, write_fragments
from corral.configure.kconfig import Kconfig
from corral.configure.pick import pick
from corral.generate.explain import cost_reason
from corral.model.costs import (
    FILE,
    REFERENCE,
    Costs,
    counts_for,
    figures_for,
    processor_of,
    write_costs,
)
from corral.model.tree import Tree
from test_costs import CURVES, settle, tree
from test_speed import SPEED, counted_with, served_by

__all__ = ["tree"]  # a fixture

ROOT = Path(__file__).resolve().parents[2]
COMPUTER = "native"
PROCESSOR = "x86_64-gcc"
HASH = "PSA_WANT_ALG_SHA_256"
RIPEMD = "PSA_WANT_ALG_RIPEMD160"
AGREES = "ECDH_SECP_R1_256"


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of which there are figures, wherever the tests run."""
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")


def kconfig_of(tree: Tree, folder: Path) -> Kconfig:
    board = tree.boards[COMPUTER]
    write_fragments(tree, board, find_candidates(tree, board), folder)
    return Kconfig(ROOT, folder)


def picks(tree: Tree, kconfig: Kconfig, *lines: str) -> dict[str, Pick]:
    settle(kconfig, lines)
    board = tree.boards[COMPUTER]
    return pick(tree, board, kconfig, find_candidates(tree, board))


def figures() -> dict[str, dict[str, int]]:
    """By driver, from the files."""
    found = {}
    for file in sorted(ROOT.glob(f"drivers/*/{FILE}")):
        of = json.loads(file.read_text(encoding="utf-8"))["processors"].get(PROCESSOR, {})
        found[file.parent.name] = of.get("instructions", {})
    return found


def counted(tree: Tree, folder: Path, mechanism: str, counts: Mapping[str, int]) -> Tree:
    """The tree in which nothing is known but instructions of one mechanism with these drivers."""
    drivers = {name: replace(driver, folder=folder / name) for name, driver in tree.drivers.items()}
    for name, count in counts.items():
        drivers[name].folder.mkdir()
        costs = Costs("a compiler", instructions={mechanism: count})
        write_costs(drivers[name].folder / FILE, {PROCESSOR: costs})
    return replace(tree, drivers=drivers)


def test_instructions_are_known_of_all_who_could_serve(tree: Tree) -> None:
    software = served_by(tree, COMPUTER)
    known = counted_with(figures())
    alone = {name: drivers for name, drivers in known.items() if ":" not in name}
    assert alone == {name: drivers for name, drivers in software.items() if len(drivers) > 1}
    assert known["compose: HMAC_SHA_512"] == software["SHA_512"]


def test_only_figures_of_its_own_count(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a microcontroller say nothing of a processor with instructions for AES."""
    native = tree.boards[COMPUTER]
    assert counts_for(tree.drivers, native)[0] == processor_of(native) == PROCESSOR
    monkeypatch.setattr(platform, "machine", lambda: "of which nobody knows")
    assert counts_for(tree.drivers, native) == ("", {})


def test_sizes_of_others_stand_for_its_own(tree: Tree) -> None:
    """Of which only instructions were counted."""
    processor, sizes = figures_for(tree.drivers, tree.boards[COMPUTER])
    assert processor == REFERENCE and all(costs.pieces for costs in sizes.values())


def chosen_of(tree: Tree, folder: Path, counts: Mapping[str, int]) -> tuple[Pick, str]:
    """For SHA-256, where nothing else is known; and why, as `explain` says."""
    own = counted(tree, folder, "SHA_256", counts)
    found = picks(own, kconfig_of(tree, folder / "kconfig"), SPEED, HASH)["SHA_256"]
    return found, cost_reason(found, True, "fewest", "instructions")


@pytest.mark.parametrize("name", ["x86_64", "amd64", "AMD64"])
def test_systems_may_name_a_processor_otherwise(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: name)
    assert processor_of(tree.boards[COMPUTER]) == PROCESSOR


@pytest.mark.parametrize(
    ("percent", "chosen", "reason"),
    [
        (60, "bearssl", "fewest (mbedtls 40000 instructions more)"),
        (66, "bearssl", "fewest (mbedtls 34000 instructions more)"),
        (67, "mbedtls", "by rank: about the fewest (bearssl 33000 instructions fewer)"),
        (110, "mbedtls", "fewest (bearssl 10000 instructions more)"),
    ],
)
def test_half_as_many_more_is_no_difference(
    tree: Tree, tmp_path: Path, percent: int, chosen: str, reason: str
) -> None:
    """Ranks decide then, which have Mbed TLS first; `explain` says what was counted."""
    counts = {"mbedtls": 100_000, "bearssl": 1000 * percent}
    found, said = chosen_of(tree, tmp_path, counts)
    assert (found.driver.name, said) == (chosen, reason)


def test_no_library_is_linked_for_a_few_microseconds(tree: Tree, tmp_path: Path) -> None:
    found, said = chosen_of(tree, tmp_path, {"mbedtls": 11_000, "bearssl": 1_000})
    assert found.driver.name == "mbedtls"
    assert said == "by rank: about the fewest (bearssl 10000 instructions fewer)"


def test_nothing_tells_more_of_secrets_for_speed_than_by_rank(tree: Tree, tmp_path: Path) -> None:
    """Which would be faster: micro-ecc with keys, and random numbers over AES with tables."""
    known = figures()
    assert 3 * known["micro_ecc"][AGREES] < 2 * known["mbedtls"][AGREES]
    assert 10 * known["ctr_drbg"]["RANDOM over mbedtls"] < known["mbedtls"]["RANDOM"]
    kconfig = kconfig_of(tree, tmp_path)
    found = picks(tree, kconfig, SPEED, *CURVES, "PSA_WANT_GENERATE_RANDOM")
    assert kconfig.is_on(VARIABLE_TIME)
    agrees = found[AGREES]
    assert (agrees.driver.name, agrees.leak) == ("mbedtls", 1)
    saved = known["mbedtls"][AGREES] - known["micro_ecc"][AGREES]
    tells = f"micro_ecc {saved} instructions less, but its time tells of secrets"
    assert tells in cost_reason(agrees, True, "fewest", "instructions")
    assert found["RANDOM"].driver.name == "mbedtls"


def test_what_cannot_be_given_to_anybody_is_not_compared_with(tree: Tree, tmp_path: Path) -> None:
    """AES over tables tells too much: among the others, ranks decide within a half."""
    own = counted(tree, tmp_path, "RANDOM", {"mbedtls": 51_000, "bearssl": 36_000})
    costs = Costs("a compiler", instructions={"RANDOM over mbedtls": 3_000})
    own.drivers["ctr_drbg"].folder.mkdir()
    write_costs(own.drivers["ctr_drbg"].folder / FILE, {PROCESSOR: costs})
    kconfig = kconfig_of(tree, tmp_path / "kconfig")
    found = picks(own, kconfig, SPEED, "PSA_WANT_GENERATE_RANDOM")["RANDOM"]
    assert found.driver.name == "mbedtls"


def test_nothing_is_refused_for_speed_that_is_not_by_rank(tree: Tree, tmp_path: Path) -> None:
    """micro-ecc verifies in half the time, and calls a few contrived signatures invalid."""
    known = figures()
    name = "ECDSA_VERIFY_SECP_R1_256"
    assert 2 * known["micro_ecc"][name] < known["mbedtls"][name]
    kconfig = kconfig_of(tree, tmp_path)
    found = picks(tree, kconfig, SPEED, *CURVES)[name]
    assert found.driver.name == "mbedtls"
    saved = known["mbedtls"][name] - known["micro_ecc"][name]
    refuses = f"micro_ecc {saved} instructions less, but it refuses some of it"
    assert refuses in cost_reason(found, True, "fewest", "instructions")


def test_what_is_told_anyway_may_be_the_fastest(tree: Tree, tmp_path: Path) -> None:
    """AES by the processor's instructions counts as told, and is so by rank, too."""
    wants = ("PSA_WANT_ALG_CTR", "PSA_WANT_KEY_TYPE_AES", "PSA_WANT_AES_KEY_SIZE_128")
    found = picks(tree, kconfig_of(tree, tmp_path), SPEED, *wants)["CTR_AES_128"]
    assert found.driver.name == "mbedtls" and found.leak > 0


SIGNS = "PKCS1V15_SIGN_RSA_1024"
SHORT_RSA = (
    "PSA_WANT_ALG_RSA_PKCS1V15_SIGN",
    "PSA_WANT_KEY_TYPE_RSA_KEY_PAIR_IMPORT",
    "PSA_WANT_RSA_KEY_SIZE_1024",
)


def test_fewer_hashes_are_signed_by_nobody_for_speed(tree: Tree, tmp_path: Path) -> None:
    """BearSSL signs by short RSA keys in half the instructions, and knows no RIPEMD-160.

    If an application wants that, Mbed TLS is built in, too, and nothing is refused.
    """
    known = figures()
    assert 3 * known["bearssl"][SIGNS] < 2 * known["mbedtls"][SIGNS]
    found = picks(tree, kconfig_of(tree, tmp_path), SPEED, HASH, *SHORT_RSA)[SIGNS]
    assert found.driver.name == "mbedtls"
    both = picks(tree, kconfig_of(tree, tmp_path), SPEED, HASH, RIPEMD, *SHORT_RSA)[SIGNS]
    assert both.driver.name == "bearssl"


def test_what_is_told_comes_before_what_is_refused(tree: Tree, tmp_path: Path) -> None:
    """BearSSL signs with P-384 in constant time, and no SHA-3."""
    name = "DETERMINISTIC_ECDSA_SIGN_SECP_R1_384"
    wants = ("ALG_DETERMINISTIC_ECDSA", "KEY_TYPE_ECC_KEY_PAIR_IMPORT", "ECC_SECP_R1_384")
    lines = (SPEED, HASH, *(f"PSA_WANT_{want}" for want in wants))
    kconfig = kconfig_of(tree, tmp_path)
    by_speed = picks(tree, kconfig, *lines)[name]
    assert (by_speed.driver.name, by_speed.leak) == ("mbedtls", 1)
    settle(kconfig, lines)
    kconfig.assign([Assignment(VARIABLE_TIME, "n", VARIABLE_TIME, "test")])
    board = tree.boards[COMPUTER]
    found = pick(tree, board, kconfig, find_candidates(tree, board))[name]
    assert (found.driver.name, found.leak) == ("bearssl", 0)
