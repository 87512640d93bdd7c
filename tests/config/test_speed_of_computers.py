# SPDX-License-Identifier: Apache-2.0
"""Drivers by speed on a computer: its own figures, what is no difference there, and secrets."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from corral.config.candidates import find_candidates
from corral.config.cheapest import Pick
from corral.config.fragments import VARIABLE_TIME, write_fragments
from corral.config.kconfig import Kconfig
from corral.config.pick import pick
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
    """By driver, as they stand in the files."""
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


@pytest.mark.parametrize(
    ("percent", "chosen"), [(60, "bearssl"), (79, "bearssl"), (81, "mbedtls"), (110, "mbedtls")]
)
def test_less_than_a_quarter_more_is_no_difference(
    tree: Tree, tmp_path: Path, percent: int, chosen: str
) -> None:
    """Ranks decide then, which have Mbed TLS first; `explain` says what was counted."""
    counts = {"mbedtls": 100_000, "bearssl": 1000 * percent}
    own = counted(tree, tmp_path, "SHA_256", counts)
    found = picks(own, kconfig_of(tree, tmp_path / "kconfig"), SPEED, HASH)["SHA_256"]
    assert found.driver.name == chosen
    difference = counts["bearssl"] - counts["mbedtls"]
    assert found.extra == (difference if chosen == "mbedtls" else -difference)
    reason = cost_reason(found, True, "fewest instructions", "instructions")
    assert (
        reason
        == {
            60: "fewest instructions (mbedtls 40000 instructions more)",
            79: "fewest instructions (mbedtls 21000 instructions more)",
            81: "by rank: about the fewest instructions (bearssl 19000 instructions fewer)",
            110: "fewest instructions (bearssl 10000 instructions more)",
        }[percent]
    )


def test_nothing_tells_more_of_secrets_for_speed_than_by_rank(tree: Tree, tmp_path: Path) -> None:
    """Which would be faster: micro-ecc with keys, and random numbers over AES with tables."""
    known = figures()
    assert known["micro_ecc"][AGREES] < known["bearssl"][AGREES] < known["mbedtls"][AGREES]
    assert known["ctr_drbg"]["RANDOM over mbedtls"] < known["bearssl"]["RANDOM"]
    kconfig = kconfig_of(tree, tmp_path)
    found = picks(tree, kconfig, SPEED, *CURVES, "PSA_WANT_GENERATE_RANDOM")
    assert kconfig.is_on(VARIABLE_TIME)
    agrees = found[AGREES]
    assert (agrees.driver.name, agrees.leak) == ("bearssl", 0)
    assert agrees.leaking is not None and agrees.leaking.name == "micro_ecc"
    assert agrees.saved == known["bearssl"][AGREES] - known["micro_ecc"][AGREES]
    assert found["ECDSA_VERIFY_SECP_R1_256"].driver.name == "micro_ecc"
    assert found["RANDOM"].driver.name == "bearssl"


def test_what_is_told_anyway_may_be_the_fastest(tree: Tree, tmp_path: Path) -> None:
    """AES by the processor's instructions counts as told, and is so by rank, too."""
    wants = ("PSA_WANT_ALG_CTR", "PSA_WANT_KEY_TYPE_AES", "PSA_WANT_AES_KEY_SIZE_128")
    found = picks(tree, kconfig_of(tree, tmp_path), SPEED, *wants)["CTR_AES_128"]
    assert found.driver.name == "mbedtls" and found.leak > 0
