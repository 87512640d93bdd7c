# SPDX-License-Identifier: Apache-2.0
"""Drivers by measured cost: the figures are whole, and the choice by them is the smallest."""

from __future__ import annotations

import platform
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from corral.configure import cheapest
from corral.configure.assignments import Assignment
from corral.configure.candidates import find_candidates, is_hardware
from corral.configure.cheapest import Pick, Score
from corral.configure.fragments import VARIABLE_TIME, write_fragments
from corral.configure.kconfig import Kconfig
from corral.configure.pick import choices_of, pick
from corral.configure.solve import solve
from corral.errors import CorralError
from corral.generate import api
from corral.generate.explain import explain_rows
from corral.model.costs import REFERENCE, Costs, costs_of, most_like, processor_of
from corral.model.driver import Driver
from corral.model.places import Places
from corral.model.tree import Tree, load_tree
from corral_bench.capabilities import can_be_built
from harness import areas
from harness.program import BY_RANK
from test_random_configurations import draw

ROOT = Path(__file__).resolve().parents[2]
BOARD = "mps2-an386"
SEEDS = range(areas.campaign(12, 400))


@pytest.fixture(scope="module")
def tree() -> Tree:
    return load_tree(ROOT)


@pytest.fixture(scope="module")
def kconfig(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Kconfig:
    """As it is for the board on which the figures were measured."""
    folder = tmp_path_factory.mktemp("kconfig")
    board = tree.boards[BOARD]
    write_fragments(tree, board, find_candidates(tree, board), folder)
    return Kconfig(ROOT, folder)


def measured(tree: Tree) -> Iterator[tuple[Driver, str, Costs]]:
    for driver in tree.drivers.values():
        for processor, costs in costs_of(driver.folder).items():
            yield driver, processor, costs


def test_figures_are_of_what_drivers_serve(tree: Tree) -> None:
    """None is missing, and none is of something that a description no longer has."""
    candidates = find_candidates(tree, tree.boards[BOARD])
    processor = processor_of(tree.boards[BOARD])
    seen = 0
    for driver in tree.drivers.values():
        if driver.is_opaque or is_hardware(driver):
            continue
        served = {
            m.name
            for m in tree.mechanisms.mechanisms.values()
            if driver in candidates.of(m) and can_be_built(tree, candidates, m)
        }
        kept = set(costs_of(driver.folder)[processor].mechanisms)
        assert kept == served, (driver.name, sorted(kept ^ served))
        seen += len(served)
    assert seen


def test_each_piece_is_of_something(tree: Tree) -> None:
    for driver, processor, costs in measured(tree):
        used = {name for pieces in costs.mechanisms.values() for name in pieces}
        assert used == set(costs.pieces), f"{driver.name} on {processor}"
        assert all(p.flash >= 0 and p.ram >= 0 and p.flash + p.ram for p in costs.pieces.values())


def settle(kconfig: Kconfig, lines: Iterable[str]) -> None:
    kconfig.raw.unset_values()
    kconfig.assign(Assignment(line, "y", line, "test") for line in lines)


def picks(tree: Tree, kconfig: Kconfig, *lines: str) -> dict[str, Pick]:
    settle(kconfig, lines)
    board = tree.boards[BOARD]
    return pick(tree, board, kconfig, find_candidates(tree, board))


def score(tree: Tree, kconfig: Kconfig, chosen: Mapping[str, str]) -> Score:
    """Of the wants of before: these drivers, and of all else the first by rank."""
    board = tree.boards[BOARD]
    found = choices_of(tree, board, kconfig, find_candidates(tree, board))
    numbers = {
        name: [plan.driver.name for plan in found.plans[name]].index(driver)
        for name, driver in chosen.items()
    }
    assert any(len(plans) > 1 for plans in found.plans.values()) or not chosen
    is_constant_time = not kconfig.is_on(VARIABLE_TIME)
    return found.score(dict.fromkeys(found.plans, 0) | numbers, is_constant_time)


@pytest.mark.parametrize("allowed", [(), (VARIABLE_TIME,)], ids=["constant", "variable"])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_configuration_is_larger_than_by_rank(
    tree: Tree, kconfig: Kconfig, seed: int, allowed: tuple[str, ...]
) -> None:
    """By the figures; a larger choice only if it leaks less of secrets than the choice by rank."""
    wants = [*draw(ROOT, BOARD, random.Random(seed)), *allowed]
    try:
        chosen = picks(tree, kconfig, *wants)
    except CorralError:
        pytest.skip("wants that contradict each other")
    by_cost = score(tree, kconfig, {name: picked.driver.name for name, picked in chosen.items()})
    assert by_cost <= score(tree, kconfig, {})
    assert picks(tree, kconfig, *wants) == chosen, "not the same twice"


COUNTER = ("PSA_WANT_ALG_CTR", "PSA_WANT_KEY_TYPE_AES", "PSA_WANT_AES_KEY_SIZE_128")


def test_secrets_come_before_bytes(tree: Tree, kconfig: Kconfig) -> None:
    """Tables of AES are smaller than AES without them."""
    constant = picks(tree, kconfig, *COUNTER)["CTR_AES_128"]
    assert constant.driver.name == "bearssl" and constant.leak == 0
    assert constant.leaking is not None and constant.leaking.name == "mbedtls"
    assert constant.saved > 500
    variable = picks(tree, kconfig, *COUNTER, VARIABLE_TIME)["CTR_AES_128"]
    assert variable.driver.name == "mbedtls" and variable.leak == 2
    assert not picks(tree, kconfig, *COUNTER, BY_RANK)


def test_secrets_come_before_ranks_where_time_may_not_vary(tree: Tree, kconfig: Kconfig) -> None:
    """Where all tell as much, as a hash does, ranks decide; a library that the user names wins."""
    board = tree.boards[BOARD]
    wants = [*COUNTER, "PSA_WANT_ALG_CMAC", "PSA_WANT_ALG_SHA_256", BY_RANK]
    settle(kconfig, wants)
    kconfig.assign([Assignment(VARIABLE_TIME, "n", VARIABLE_TIME, "test")])
    found = pick(tree, board, kconfig, find_candidates(tree, board))
    assert found["CTR_AES_128"].driver.name == "bearssl"
    assert {"CTR_AES_128", "CMAC_AES_128"} <= set(found) and "SHA_256" not in found
    assert not any(picked.leak for picked in found.values())
    kconfig.assign([Assignment("CORRAL_DEFAULT_BY_MBEDTLS", "y", "library", "test")])
    assert not pick(tree, board, kconfig, find_candidates(tree, board))


CURVES = (
    "PSA_WANT_ALG_ECDH",
    "PSA_WANT_ALG_ECDSA",
    "PSA_WANT_ALG_SHA_256",
    "PSA_WANT_ECC_MONTGOMERY_255",
    "PSA_WANT_ECC_SECP_R1_256",
    "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE",
)


@pytest.mark.parametrize("board", ["mps2-an385", BOARD])
@pytest.mark.parametrize("short_words", ["y", "n", ""])
def test_multiplication_in_a_time_of_its_operands_is_told(
    board: str, short_words: str, tmp_path: Path
) -> None:
    """Of a Cortex-M3; p256-m multiplies in pieces there, and BearSSL with short words."""
    app = tmp_path / "app"
    app.mkdir()
    (app / "app.config").write_text("".join(f"{want}=y\n" for want in CURVES))
    settings = {"CORRAL_BEARSSL_SHORT_WORDS": short_words} if short_words else {}
    configured = api.configure(ROOT, str(app), board, tmp_path / "out", settings)
    varies = board != BOARD
    assert configured.kconfig.is_on("CORRAL_BEARSSL_SHORT_WORDS") == (
        varies if not short_words else short_words == "y"
    )
    signs = configured.picks["ECDSA_SIGN_SECP_R1_256"]
    assert (signs.driver.name, signs.leak) == ("p256m", 0)
    agrees = configured.picks["ECDH_MONTGOMERY_255"]
    if not varies:
        assert agrees.leak == 0
    elif short_words == "n":
        assert agrees.leak > 0
    else:
        assert (agrees.driver.name, agrees.leak) == ("bearssl", 0)


def test_choice_of_the_user_wins_and_the_rest_goes_along(tree: Tree, kconfig: Kconfig) -> None:
    """One SHA-256 in an image: HMAC and the generator are made of the one that was chosen."""
    wants = ("PSA_WANT_ALG_SHA_256", "PSA_WANT_ALG_HMAC", "PSA_WANT_GENERATE_RANDOM")
    free = picks(tree, kconfig, *wants)
    assert free["SHA_256"].driver.name == "mbedtls"
    extra = free["SHA_256"].extra
    assert free["SHA_256"].runner_up is not None and extra is not None and extra > 0
    assert {free[name].driver.name for name in ("HMAC_SHA_256", "RANDOM")} == {"compose"}
    bound = picks(tree, kconfig, *wants, "CORRAL_SHA_256_BY_BEARSSL")
    assert "SHA_256" not in bound
    assert "mbedtls" not in {picked.driver.name for picked in bound.values()}


CHAINED = (
    "PSA_WANT_ALG_CBC_NO_PADDING",
    "PSA_WANT_KEY_TYPE_AES",
    "PSA_WANT_AES_KEY_SIZE_128",
    "PSA_WANT_GENERATE_RANDOM",
)
KEYED = ("PSA_WANT_ALG_HMAC", "PSA_WANT_ALG_SHA_256")
GENERATOR_S_CIPHER = "ECB_NO_PADDING_AES_256"


@pytest.mark.parametrize("tried", ["all", "by steps"])
def test_generator_is_of_what_is_there_anyway(
    tree: Tree, kconfig: Kconfig, tried: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By AES if nothing is hashed, although that adds AES-256, which no other mechanism needs."""
    if tried == "by steps":
        monkeypatch.setattr(cheapest, "_ALL", 0)
    encrypts = picks(tree, kconfig, *CHAINED)
    assert encrypts["RANDOM"].driver.name == "ctr_drbg"
    assert (
        encrypts[GENERATOR_S_CIPHER].driver.name == encrypts["CBC_NO_PADDING_AES_128"].driver.name
    )
    hashes = picks(tree, kconfig, *CHAINED, *KEYED)
    assert hashes["RANDOM"].driver.name == "compose"


def test_needs_of_a_driver_that_is_not_chosen_are_nobodys(tree: Tree, kconfig: Kconfig) -> None:
    """The second driver would add them, with the best drivers for that case."""
    by_aes = picks(tree, kconfig, *CHAINED, *KEYED, "CORRAL_RANDOM_BY_CTR_DRBG")
    assert GENERATOR_S_CIPHER in by_aes and "RANDOM" not in by_aes
    chosen = picks(tree, kconfig, *CHAINED, *KEYED)
    assert GENERATOR_S_CIPHER not in chosen
    of_aes, of_hash = (
        score(
            tree, kconfig, {name: picked.driver.name for name, picked in found.items()} | generator
        )
        for found, generator in ((by_aes, {"RANDOM": "ctr_drbg"}), (chosen, {}))
    )
    assert chosen["RANDOM"].runner_up is not None
    assert chosen["RANDOM"].runner_up.name == "ctr_drbg"
    extra = chosen["RANDOM"].extra
    assert extra is not None and of_aes == (*of_hash[:2], of_hash[2] + extra)


def test_reason_names_the_next_best(tmp_path: Path) -> None:
    app = "../bench/apps/ecdsa"
    settled = api.configure(ROOT, app, BOARD, tmp_path, {})
    rows = [row for row in explain_rows(solve(settled)) if row.mechanism == "SHA_256"]
    assert [row.driver for row in rows] == ["mbedtls"]
    assert re.fullmatch(r"least flash \(bearssl \d+ bytes more\)", rows[0].reason)


def test_reason_says_what_is_known_of_an_element(tmp_path: Path) -> None:
    app, settings = "../bench/apps/hash", {"CORRAL_DRIVER_BEARSSL": "n"}
    rows = explain_rows(solve(api.configure(ROOT, app, BOARD, tmp_path, settings)))
    (reason,) = (row.reason for row in rows if row.mechanism == "SHA_256")
    assert reason.startswith("least flash (else atecc608, in the chip: ")


def test_reason_does_not_boast_of_time_that_may_vary(tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    (app / "app.config").write_text("".join(f"{want}=y\n" for want in COUNTER))
    (app / "main.c").write_text("int main(void) { return 0; }\n")
    settings = {VARIABLE_TIME: "y"}
    rows = explain_rows(solve(api.configure(ROOT, str(app), BOARD, tmp_path / "out", settings)))
    reasons = [row.reason for row in rows if row.mechanism == "CTR_AES_128"]
    assert reasons[0].startswith("least flash")
    assert not any("secrets" in reason for reason in reasons)


def calls(function: Callable[[], object]) -> int:
    """How many functions are called, which is the same on all machines."""
    count = 0

    def note(_frame: object, event: str, _of: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def test_choice_takes_few_steps(tree: Tree, kconfig: Kconfig) -> None:
    """For all that there is to want: twice as many as it takes are two seconds."""
    text = Places(ROOT).presets()["everything"].read_text(encoding="utf-8")
    wants = re.findall(r"^(PSA_WANT_\w+)=y$", text, re.M)
    settle(kconfig, wants)
    board = tree.boards[BOARD]
    candidates = find_candidates(tree, board)
    picks: dict[str, Pick] = {}
    assert calls(lambda: picks.update(pick(tree, board, kconfig, candidates))) < 4_000_000
    assert len(picks) > 100


AVR = "avr-gcc -mmcu=atmega2560"
CORTEX_M0 = "arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb"


def test_figures_stand_for_processors_like_it() -> None:
    measured = {REFERENCE, CORTEX_M0, AVR}
    assert most_like(CORTEX_M0, measured) == CORTEX_M0
    assert most_like("arm-none-eabi-gcc -mcpu=cortex-m7 -mthumb", measured) == REFERENCE
    assert most_like("avr-gcc -mmcu=atmega328p", measured) == AVR
    assert most_like("gcc", measured) == REFERENCE
    assert most_like("gcc", set()) == ""


@pytest.mark.parametrize("own", ["", '[toolchain]\nprefix = "riscv64-unknown-elf-"\n'])
def test_microcontrollers_are_for_little_flash_and_computers_for_speed(
    own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if a user's project brings a compiler without figures."""
    board = tmp_path / "mine"
    board.mkdir()
    text = f'title = "Mine"\n\n[capabilities]\nHAS_ENTROPY = true\n\n{own}'
    (board / "board.toml").write_text(text)
    small = api.configure(ROOT, "hmac", str(board), tmp_path / "small", {})
    assert small.is_on("CORRAL_PREFER_SIZE") and small.picks
    assert api.figures_of(solve(small)) == REFERENCE
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    fast = api.configure(ROOT, "hmac", "native", tmp_path / "fast", {})
    assert fast.is_on("CORRAL_PREFER_SPEED") and fast.picks
    assert api.figures_of(solve(fast)) == "x86_64-gcc"
    monkeypatch.setattr(platform, "machine", lambda: "of which nobody knows")
    by_rank = api.configure(ROOT, "hmac", "native", tmp_path / "by-rank", {})
    assert by_rank.is_on("CORRAL_PREFER_SPEED") and not by_rank.picks
    assert api.figures_of(solve(by_rank)) == ""
