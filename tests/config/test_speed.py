# SPDX-License-Identifier: Apache-2.0
"""Drivers by measured speed: figures of all candidates, and the choice of the fastest."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from corral.configure.candidates import find_candidates, is_hardware
from corral.configure.cheapest import Choices, Pick
from corral.configure.fragments import VARIABLE_TIME, write_fragments
from corral.configure.kconfig import Kconfig
from corral.configure.pick import choices_of, pick
from corral.configure.solve import solve
from corral.errors import CorralError
from corral.generate import api
from corral.generate.explain import cost_reason, explain_rows
from corral.model.costs import FILE, REFERENCE, costs_of, write_costs
from corral.model.places import Places
from corral.model.tree import Tree
from harness import areas
from test_costs import BOARD, COUNTER, CURVES, calls, kconfig, picks, settle, tree
from test_random_configurations import draw

__all__ = ["kconfig", "tree"]  # fixtures

ROOT = Path(__file__).resolve().parents[2]
SPEED = "CORRAL_PREFER_SPEED"
FASTEST = (SPEED, VARIABLE_TIME)
SEEDS = range(areas.campaign(12, 400))
#: Made over another mechanism, whose driver its figures name.
CONSTRUCTIONS = {"compose", "ctr_drbg"}
P256 = (
    "ECDSA_SIGN_SECP_R1_256",
    "ECDSA_VERIFY_SECP_R1_256",
    "ECDH_SECP_R1_256",
    "ECC_GENERATE_SECP_R1_256",
)


@cache
def figures() -> dict[str, dict[str, int]]:
    """By driver, from the files."""
    found = {}
    for file in sorted(ROOT.glob(f"drivers/*/{FILE}")):
        of = json.loads(file.read_text(encoding="utf-8"))["processors"][REFERENCE]
        found[file.parent.name] = of.get("instructions", {})
    return found


def counted_with(of_drivers: Mapping[str, Mapping[str, int]]) -> dict[str, set[str]]:
    """Of each mechanism whose instructions are known, and of each construction, with whom."""
    known: dict[str, set[str]] = {}
    for driver, of in of_drivers.items():
        for name in of:
            mechanism, _, over = name.partition(" over ")
            assert bool(over) == (driver in CONSTRUCTIONS), name
            known.setdefault(mechanism, set()).add(driver)
            if over:
                known.setdefault(f"{driver}: {mechanism}", set()).add(over)
    return known


def served_by(tree: Tree, board: str) -> dict[str, set[str]]:
    """The drivers that support each mechanism in software."""
    candidates = find_candidates(tree, tree.boards[board])
    return {
        m.name: {d.name for d in candidates.of(m) if not d.is_opaque and not is_hardware(d)}
        for m in tree.mechanisms.mechanisms.values()
    }


def of_each(mechanism: str) -> dict[str, int]:
    return {name: of[mechanism] for name, of in figures().items() if mechanism in of}


def test_instructions_are_known_of_all_who_could_serve(tree: Tree) -> None:
    """Wherever software has a choice; a construction's over all that it can be made over."""
    software = served_by(tree, BOARD)
    known = counted_with(figures())
    alone = {name: drivers for name, drivers in known.items() if ":" not in name}
    assert alone == {name: drivers for name, drivers in software.items() if len(drivers) > 1}
    assert len(alone) > 100
    assert known["compose: HMAC_SHA_512"] == software["SHA_512"]
    assert known["compose: CMAC_AES_128"] == software["ECB_NO_PADDING_AES_128"]
    assert known["ctr_drbg: RANDOM"] == software["ECB_NO_PADDING_AES_256"]


def test_cortex_m4_gets_the_p_256_that_was_measured_fastest(tree: Tree, kconfig: Kconfig) -> None:
    """Whatever its time tells, where that is allowed; the ranks have the slowest of all."""
    chosen = picks(tree, kconfig, *FASTEST, *CURVES)
    for name in P256:
        known = of_each(name)
        assert chosen[name].driver.name == min(known, key=lambda driver: known[driver])
    known = of_each(P256[0])
    slowest = max(known, key=lambda driver: known[driver])
    settle(kconfig, CURVES)
    board = tree.boards[BOARD]
    by_rank = choices_of(tree, board, kconfig, find_candidates(tree, board))
    assert by_rank.plans[P256[0]][0].driver.name == slowest


def test_secrets_come_before_speed(tree: Tree, kconfig: Kconfig) -> None:
    """On a microcontroller without being asked to."""
    settle(kconfig, [SPEED, *CURVES, *COUNTER])
    assert not kconfig.is_on(VARIABLE_TIME)
    board = tree.boards[BOARD]
    chosen = pick(tree, board, kconfig, find_candidates(tree, board))
    signs, counts = chosen["ECDSA_SIGN_SECP_R1_256"], chosen["CTR_AES_128"]
    assert (signs.driver.name, signs.leak) == ("p256m", 0)
    known = of_each(P256[0])
    assert signs.leaking is not None and signs.leaking.name == "micro_ecc"
    assert signs.saved == known["p256m"] - known["micro_ecc"]
    assert (counts.driver.name, counts.leak) == ("bearssl", 0)
    free = picks(tree, kconfig, *FASTEST, *COUNTER)["CTR_AES_128"]
    assert free.driver.name == "mbedtls" and free.leak > 0


def test_runner_up_is_told_with_what_it_would_take(tree: Tree, kconfig: Kconfig) -> None:
    signs = picks(tree, kconfig, *FASTEST, *CURVES)["ECDSA_SIGN_SECP_R1_256"]
    (_, first), (name, second), *_ = sorted(of_each(P256[0]).items(), key=lambda of: of[1])
    assert signs.runner_up is not None and signs.runner_up.name == name
    assert signs.extra == second - first


def test_construction_counts_by_what_it_is_made_over(tree: Tree, kconfig: Kconfig) -> None:
    """Over the fast hash it is the fastest, over the other one it is not."""
    wants = (*FASTEST, "PSA_WANT_ALG_SHA_256", "PSA_WANT_ALG_HMAC")
    made = figures()["compose"]
    alone = of_each("HMAC_SHA_256")
    assert made["HMAC_SHA_256 over bearssl"] < min(alone.values())
    assert made["HMAC_SHA_256 over mbedtls"] > min(alone.values())
    free = picks(tree, kconfig, *wants)
    assert free["SHA_256"].driver.name == "bearssl"
    assert free["HMAC_SHA_256"].driver.name == "compose"
    bound = picks(tree, kconfig, *wants, "CORRAL_SHA_256_BY_MBEDTLS")
    assert bound["HMAC_SHA_256"].driver.name == min(alone, key=lambda driver: alone[driver])


def changed(
    tree: Tree, folder: Path, change: Callable[[str, Mapping[str, int]], Mapping[str, int]]
) -> Tree:
    """The tree with other instructions in copies of its figures."""
    drivers = {}
    for name, driver in tree.drivers.items():
        copy = folder / name
        copy.mkdir(parents=True)
        if (driver.folder / FILE).is_file():
            shutil.copy(driver.folder / FILE, copy / FILE)
            every = costs_of(copy)
            of = every[REFERENCE]
            other = replace(of, instructions=change(name, of.instructions))
            write_costs(copy / FILE, every | {REFERENCE: other})
        drivers[name] = replace(driver, folder=copy)
    return replace(tree, drivers=drivers)


def test_another_figure_is_another_choice(tree: Tree, kconfig: Kconfig, tmp_path: Path) -> None:
    def slower(driver: str, of: Mapping[str, int]) -> Mapping[str, int]:
        return {m: 100 * n for m, n in of.items()} if driver == "micro_ecc" else of

    before = picks(tree, kconfig, *FASTEST, *CURVES)
    after = picks(changed(tree, tmp_path, slower), kconfig, *FASTEST, *CURVES)
    name = "ECDSA_VERIFY_SECP_R1_256"
    assert (before[name].driver.name, after[name].driver.name) == ("micro_ecc", "bearssl")
    name = "ECDH_MONTGOMERY_255"
    assert before[name].driver.name == after[name].driver.name == "monocypher"


def test_ranks_decide_what_was_not_counted(tree: Tree, kconfig: Kconfig, tmp_path: Path) -> None:
    """The only driver without a count is not selected, although its rank is best."""

    def fewer(driver: str, of: Mapping[str, int]) -> Mapping[str, int]:
        without = {"SHA_256", *(("SHA_384",) if driver == "mbedtls" else ())}
        return {name: count for name, count in of.items() if name not in without}

    wants = (*FASTEST, "PSA_WANT_ALG_SHA_256", "PSA_WANT_ALG_SHA_384")
    chosen = picks(changed(tree, tmp_path, fewer), kconfig, *wants)
    assert chosen["SHA_256"].driver.name == "mbedtls" and chosen["SHA_256"].is_by_rank
    assert chosen["SHA_384"].driver.name == "bearssl" and chosen["SHA_384"].extra is None


def taken(choices: Choices, chosen: Mapping[str, Pick]) -> int:
    """Instructions of one use of each wanted mechanism, from the files; others by rank."""

    def driver(name: str) -> str:
        by_rank = choices.plans[name][0].driver.name if name in choices.plans else ""
        return chosen[name].driver.name if name in chosen else by_rank

    total = 0
    for name in choices.wanted:
        of = figures().get(driver(name), {})
        if name in of:
            total += of[name]
        elif any(figure.startswith(f"{name} over ") for figure in of):
            plans = {plan.driver.name: plan for plan in choices.plans[name]}
            (need,) = plans[driver(name)].needs
            total += of.get(f"{name} over {driver(need)}", 0)
    return total


@pytest.mark.parametrize("seed", SEEDS)
def test_no_configuration_is_slower_than_by_rank(tree: Tree, kconfig: Kconfig, seed: int) -> None:
    wants = [*draw(ROOT, BOARD, random.Random(seed)), *FASTEST]
    try:
        chosen = picks(tree, kconfig, *wants)
    except CorralError:
        pytest.skip("wants that contradict each other")
    board = tree.boards[BOARD]
    settle(kconfig, wants)
    choices = choices_of(tree, board, kconfig, find_candidates(tree, board))
    assert taken(choices, chosen) <= taken(choices, {})
    assert picks(tree, kconfig, *wants) == chosen, "not the same twice"


def test_choice_takes_few_steps(tree: Tree, kconfig: Kconfig) -> None:
    """For all that there is to want: twice as many as it takes are two seconds."""
    text = Places(ROOT).presets()["everything"].read_text(encoding="utf-8")
    settle(kconfig, [*FASTEST, *re.findall(r"^(PSA_WANT_\w+)=y$", text, re.M)])
    board = tree.boards[BOARD]
    candidates = find_candidates(tree, board)
    found: dict[str, Pick] = {}
    assert calls(lambda: found.update(pick(tree, board, kconfig, candidates))) < 4_000_000
    assert len(found) > 100


def test_reason_says_what_was_counted(tmp_path: Path) -> None:
    settled = api.configure(ROOT, "../bench/apps/ecdsa", BOARD, tmp_path, {SPEED: "y"})
    bindings = solve(settled)
    (reason,) = (row.reason for row in explain_rows(bindings) if row.mechanism == "SHA_256")
    assert re.fullmatch(r"fewest instructions \(mbedtls \d+ instructions more\)", reason)
    assert api.figures_of(bindings) == REFERENCE


@pytest.mark.parametrize("unit", ["bytes", "instructions"])
def test_reason_speaks_of_what_was_measured(tree: Tree, unit: str) -> None:
    """Also where nothing was, or the next best is a chip, as good, or tells of secrets."""
    one, other, chip = (tree.drivers[name] for name in ("bearssl", "mbedtls", "atecc608"))
    command = {"bytes": "capabilities", "instructions": "instructions"}[unit]
    expected = [
        (Pick(one, is_by_rank=True, leak=1), f"by rank: nobody's {unit} were counted"),
        (Pick(one), "least in constant time"),
        (Pick(one, leak=1), "least of those whose time tells least of secrets"),
        (Pick(one, runner_up=other, extra=0), "least (mbedtls as many)"),
        (Pick(one, runner_up=other, extra=5), f"least (mbedtls 5 {unit} more)"),
        (
            Pick(one, runner_up=other),
            f"least (else mbedtls, not measured: ./corral bench --only {command})",
        ),
        (
            Pick(one, runner_up=chip),
            f"least (else atecc608, in the chip: {unit} of elements are not measured)",
        ),
        (
            Pick(one, leaking=other, saved=7),
            f"least (mbedtls 7 {unit} less, but its time tells of secrets)",
        ),
    ]
    for found, said in expected:
        assert cost_reason(found, False, "least", unit) == said


@pytest.mark.parametrize(
    ("prefer", "board", "time_may_vary"),
    [
        *(("SIZE", BOARD, False), ("SPEED", BOARD, False), ("RANK", BOARD, True)),
        *(("SIZE", "native", False), ("SPEED", "native", True), ("RANK", "native", True)),
    ],
)
def test_secrets_come_first_unless_ranks_or_a_pc_decide(
    tree: Tree, tmp_path: Path, prefer: str, board: str, time_may_vary: bool
) -> None:
    of = tree.boards[board]
    write_fragments(tree, of, find_candidates(tree, of), tmp_path)
    kconfig = Kconfig(ROOT, tmp_path)
    settle(kconfig, [f"CORRAL_PREFER_{prefer}"])
    assert kconfig.is_on(VARIABLE_TIME) == time_may_vary
