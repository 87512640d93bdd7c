# SPDX-License-Identifier: Apache-2.0
"""Random configurations: each is generated and right, or ends with clear messages.

CORRAL_SEEDS=100 tries a hundred; a failure names its seed.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from corral import api
from corral.config.assignments import Assignment
from corral.config.configure import load_configuration
from corral.config.kconfig import Kconfig
from corral.errors import CorralError
from corral.model.tree import load_tree
from oracle import check_dispatch
from trees import APP, PLAIN, RICH, build, compile_everything, write_app

SEEDS = range(int(os.environ.get("CORRAL_SEEDS", "12")))
# Families that are worth combining: the others end with the same message each time.
KNOWN = 0.97


def known_wants(root: Path) -> list[str]:
    tree = load_tree(root)
    served: set[str] = set()
    for mechanism in tree.mechanisms.mechanisms.values():
        from corral.config.candidates import could_serve, could_serve_opaque  # noqa: PLC0415

        if any(
            could_serve(d, mechanism) or could_serve_opaque(d, mechanism)
            for d in tree.drivers.values()
        ):
            served.update(symbol for group in mechanism.wants for symbol in group)
    return sorted(served)


def draw(root: Path, dice: random.Random) -> list[str]:
    """Wants, and values for other symbols."""
    wants = [w for w in known_wants(root) if dice.random() < dice.choice((0.2, 0.6, 0.95))]
    if dice.random() > KNOWN:
        wants.append(dice.choice(["PSA_WANT_ALG_GCM", "PSA_WANT_ALG_HKDF"]))
    return wants


def choices(kconfig: Kconfig, dice: random.Random) -> list[str]:
    """Entries of choices, drivers and numbers, as far as they can be set now."""
    found = []
    for symbol in kconfig.names():
        if not kconfig.has_prompt(symbol) or not kconfig.is_available(symbol):
            continue
        if symbol.startswith("CORRAL_DRIVER_"):
            if dice.random() < 0.1:
                found.append(f"{symbol}=n")
        elif "_BY_" in symbol and symbol.startswith("CORRAL_"):
            if dice.random() < 0.3:
                found.append(f"{symbol}=y")
        elif symbol.endswith("_SLOTS") and dice.random() < 0.3:
            found.append(f"{symbol}={dice.choice((0, 1, 9))}")
    return found


def accepted(kconfig: Kconfig, lines: list[str]) -> list[str]:
    """Those that have an effect, one after the other."""
    kept: list[Assignment] = []
    for line in lines:
        symbol, _, value = line.partition("=")
        attempt = [*kept, Assignment(symbol, value, line, "test")]
        try:
            kconfig.assign(attempt)
        except CorralError:
            kconfig.assign(kept)
        else:
            kept = attempt
    return [f"{a.symbol}={a.value}" for a in kept]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_configuration(tree: Path, seed: int) -> None:
    dice = random.Random(seed)
    board = dice.choice((PLAIN, RICH))
    lines = [f"{want}=y" for want in draw(tree, dice)]
    folder = tree / "build" / f"{APP}-{board}"
    write_app(tree, *lines)
    api.configure(tree, APP, board, folder, {})
    kconfig = load_configuration(tree, APP, board, folder).kconfig
    lines = lines + choices(kconfig, dice)
    lines = accepted(Kconfig(tree, folder / "kconfig"), lines)
    try:
        built = build(tree, *lines, board=board)
    except CorralError as error:
        for problem in error.problems:
            assert problem.where and problem.what and problem.remedy, (seed, problem)
        return
    compile_everything(built)
    assert check_dispatch(built) > 0
