# SPDX-License-Identifier: Apache-2.0
"""Random configurations: each is generated and right, or ends with clear messages.

With --long a hundred are tried; a failure names its seed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from corral.configure.assignments import Assignment
from corral.configure.candidates import could_serve, could_serve_opaque
from corral.configure.kconfig import Kconfig
from corral.errors import CorralError
from corral.generate import api
from corral.generate.sources import ONLY_WITH
from corral.model.mechanisms import Mechanism
from corral.model.tree import load_tree
from harness import areas
from oracle import check_dispatch
from trees import (
    APP,
    PLAIN,
    RICH,
    ROOT,
    Built,
    build,
    compile_everything,
    compile_text,
    make_real_tree,
    write_app,
)

SEEDS = range(areas.campaign(8, 100))
# Unknown families end with the same message each time: one in twenty is enough.
UNKNOWN = 0.05


def servable(root: Path, board: str) -> list[Mechanism]:
    """Mechanisms that at least one driver supports on a board."""
    tree = load_tree(root)
    attached = {element.driver for element in tree.boards[board].elements}
    usable = [
        driver
        for driver in tree.drivers.values()
        if (not driver.is_opaque or driver.name in attached)
        and tree.boards[board].has(driver.requires)
    ]
    found = {
        name: mechanism
        for name, mechanism in tree.mechanisms.mechanisms.items()
        if any(could_serve(d, mechanism) or could_serve_opaque(d, mechanism) for d in usable)
    }
    return [m for m in found.values() if m.value.get("hash", m.name) in found]


def draw(root: Path, board: str, dice: random.Random) -> list[str]:
    """The wants of some mechanisms, and sometimes an unknown one."""
    mechanisms = servable(root, board)
    wants: dict[str, None] = {}
    for mechanism in dice.sample(mechanisms, dice.randint(1, 12)):
        wants.update((dice.choice(group), None) for group in mechanism.wants)
    if dice.random() < 0.9:
        wants["PSA_WANT_GENERATE_RANDOM"] = None
    if dice.random() < UNKNOWN:
        wants[dice.choice(["PSA_WANT_KEY_TYPE_ARC4", "PSA_WANT_ALG_HKDF"])] = None
    return list(wants)


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


def attempt(tree: Path, seed: int, boards: Sequence[str] = (PLAIN, RICH)) -> Built | CorralError:
    """The build of a random configuration, or its error."""
    dice = random.Random(seed)
    board = dice.choice(boards)
    lines = [f"{want}=y" for want in draw(tree, board, dice)]
    folder = tree / "build" / f"{APP}-{board}"
    write_app(tree, *lines)
    kconfig = api.configure(tree, APP, board, folder, {}).kconfig
    lines = accepted(Kconfig(tree, folder / "kconfig"), [*lines, *choices(kconfig, dice)])
    try:
        return build(tree, *lines, board=board)
    except CorralError as error:
        return error


def is_refused(result: Built | CorralError) -> bool:
    """Whether a configuration came to nothing; then its messages are complete."""
    if isinstance(result, CorralError):
        for problem in result.problems:
            assert problem.where and problem.what and problem.remedy, problem
        return True
    return False


@pytest.mark.parametrize("seed", SEEDS)
def test_random_configuration_of_real_drivers(tmp_path: Path, seed: int) -> None:
    """The core compiles with the code generated for the drivers of this tree."""
    result = attempt(make_real_tree(tmp_path), seed, ("native", "mps2-an386"))
    if not is_refused(result):
        assert isinstance(result, Built)
        compile_everything(result)
        configuration = result.bindings.configuration
        off = {ROOT / name for name, on in ONLY_WITH.items() if not configuration.is_on(on)}
        for source in sorted({*(ROOT / "core").rglob("*.c")} - off):
            compile_text(result, f'#include "{source}"\n')


@pytest.mark.parametrize("seed", SEEDS)
def test_random_configuration(tree: Path, seed: int) -> None:
    result = attempt(tree, seed)
    if not is_refused(result):
        assert isinstance(result, Built)
        compile_everything(result)
        assert check_dispatch(result, random.Random(seed)) > 0


def test_random_configurations_are_not_all_refused(tree: Path) -> None:
    """Otherwise the test above would check only error messages."""
    results = [attempt(tree, seed) for seed in range(12)]
    built = [result for result in results if isinstance(result, Built)]
    assert 3 <= len(built) < len(results)
