# SPDX-License-Identifier: Apache-2.0
"""Instructions of one use of each mechanism with each driver that could serve it.

A program for each driver (bench/apps/uses) has what it and another one serve, since where there is
no choice nothing has to be known. It calls the API once for each mechanism and reads the counter of
the emulated board before and after: 40 instructions a tick. A construction is counted over each
library that it can be made over. drivers/*/costs.json keeps the figures, beside sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from corral import build, run
from corral.build import ROOT, Options
from corral.config.candidates import COMPOSE_RANK, Candidates, find_candidates, is_hardware
from corral.errors import CorralError, fail
from corral.model.costs import FILE, costs_of, figure_of, processor_of, write_costs
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism
from corral.model.tree import Tree, load_tree
from corral.progress import step

from corral_bench.capabilities import algorithm_of, wants_of
from corral_bench.record import BY_RANK
from corral_bench.rsa import private_key
from corral_bench.signatures import ENTROPY, INSTRUCTIONS

BOARD = "mps2-an386"
_APP = "../bench/apps/uses"
_LINE = re.compile(r"^use (\w+) (\d+)$", re.M)
#: Of an HMAC key.
_BITS = 256


@dataclass(frozen=True)
class Program:
    """The mechanisms that one driver serves, if it is a construction over one other."""

    driver: Driver
    over: Driver | None
    mechanisms: tuple[Mechanism, ...]
    settings: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.driver.name + (f"-over-{self.over.name}" if self.over else "")


def _software(candidates: Candidates, mechanism: Mechanism) -> list[Driver]:
    return [d for d in candidates.of(mechanism) if not d.is_opaque and not is_hardware(d)]


def chosen_among(tree: Tree, candidates: Candidates) -> list[Mechanism]:
    """The mechanisms that several drivers could serve in software."""
    every = tree.mechanisms.mechanisms.values()
    return [m for m in every if len(_software(candidates, m)) > 1]


def _need(tree: Tree, candidates: Candidates, mechanism: Mechanism, driver: Driver) -> Mechanism:
    """What a construction is made over."""
    table = tree.mechanisms
    needs = candidates.reasons[mechanism.name, driver.name].needs
    (name,) = {n for need in needs for n in table.needed(mechanism, need)}
    return table.mechanisms[name]


def programs(tree: Tree, candidates: Candidates) -> Iterator[Program]:
    every = chosen_among(tree, candidates)
    for driver in tree.drivers.values():
        own = [m for m in every if driver in _software(candidates, m)]
        if not own:
            continue
        if driver.rank < COMPOSE_RANK:
            settings = {candidates.symbols_of(m, driver): "y" for m in own}
            yield Program(driver, None, tuple(own), settings | _wants(own, tree))
            continue
        needed = {m.name: _need(tree, candidates, m, driver) for m in own}
        for over in tree.drivers.values():
            made = [m for m in own if over in _software(candidates, needed[m.name])]
            if made:
                chosen = [(m, driver) for m in made] + [(needed[m.name], over) for m in made]
                settings = {candidates.symbols_of(m, d): "y" for m, d in chosen}
                yield Program(driver, over, tuple(made), settings | _wants(made, tree))


def _wants(mechanisms: Iterable[Mechanism], tree: Tree) -> dict[str, str]:
    """Also of what comes before: who verifies needs a signature, and the key that made it."""
    wants: set[str] = set()
    for mechanism in mechanisms:
        wants |= wants_of(mechanism, tree)
        if "has_pair" in mechanism.value:
            pair = str(mechanism.value["has_pair"])
            wants |= {pair, pair.replace("_BASIC", "_IMPORT"), str(mechanism.value["has_public"])}
    return dict.fromkeys(sorted(wants), "y")


def _key_of(mechanism: Mechanism) -> tuple[str, int, bytes]:
    """Type, bits and material of the key that a mechanism is used with."""
    value = mechanism.value
    if "pair" in value:
        bits = int(value["bits"])
        size = int(value["private_size"])
        # Below the order of any group.
        scalar = b"\x01" + bytes([2]) * (size - 1)
        return str(value["pair"]), bits, private_key(bits) if "rsa" in value else scalar
    keys = mechanism.services[0].keys
    if not keys:
        return "PSA_KEY_TYPE_NONE", 0, b""
    bits = keys[0].bits or _BITS
    return str(keys[0].type), bits, bytes(range(bits // 8))


def _row(mechanism: Mechanism) -> str:
    """For the table of the program."""
    service = mechanism.services[0]
    found = algorithm_of(service)
    alg = str(found.algorithm).replace("ANY_HASH", "SHA_256") if found else "PSA_ALG_NONE"
    key_type, bits, key = _key_of(mechanism)
    material = f"(const uint8_t[]){{{', '.join(map(str, key))}}}" if key else "NULL"
    function = f"use_{service.units[0]}"
    words = (f'"{mechanism.name}"', function, alg, key_type, str(bits), material, str(len(key)))
    return f"{{{', '.join(words)}}},\n"


def count(program: Program) -> dict[str, int]:
    """Instructions of each mechanism."""
    name = f"bench/uses-{program.name}"
    folder = ROOT / "build" / "bench" / "uses" / program.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "uses_rows.h").write_text("".join(map(_row, program.mechanisms)), encoding="utf-8")
    source, wrap = ENTROPY
    settings = {"CORRAL_DRIVER_ATECC608": "n", program.driver.enabled_by: "y"}
    options = Options(
        settings={**BY_RANK, **settings, **program.settings},
        sources=(source,),
        includes=(folder,),
        defines=("USES_ROWS=<uses_rows.h>",),
        link_flags=(wrap,),
        name=name,
        lto=False,
    )
    done = run.run(build.build(_APP, BOARD, options), capture=True)
    found = {m[1]: int(m[2]) * INSTRUCTIONS for m in _LINE.finditer(done.stdout)}
    if done.returncode or set(found) != {m.name for m in program.mechanisms}:
        raise fail(program.name, f"the program failed: {done.stdout[-500:]}", "run it by hand")
    return found


def measure_all(keep: bool) -> list[str]:
    """Measure the drivers of the tree; what went wrong.

    keep: also write costs.json of each driver, in which nothing else changes.
    """
    problems: list[str] = []
    tree = load_tree(ROOT)
    board = tree.boards[BOARD]
    candidates = find_candidates(tree, board)
    counts: dict[str, dict[str, int]] = {}
    for program in programs(tree, candidates):
        try:
            with step(f"counting instructions: {program.name}"):
                found = count(program)
        except CorralError as error:
            problems.append(f"{program.name}: {error}")
            continue
        over = program.over.name if program.over else ""
        counts.setdefault(program.driver.name, {}).update(
            {figure_of(mechanism, over): number for mechanism, number in found.items()}
        )
        for mechanism, number in found.items():
            print(f"{program.name}: {mechanism}: {number:,} instructions", flush=True)
    for name in counts if keep and not problems else ():
        keep_counts(tree.drivers[name], processor_of(board), counts[name])
    return problems


def keep_counts(driver: Driver, processor: str, counts: Mapping[str, int]) -> None:
    """Write instructions; the sizes stay."""
    every = costs_of(driver.folder)
    if processor not in every:
        what = f"sizes of {driver.name} are not measured"
        raise fail(f"{driver.place}/{FILE}", what, "./corral bench --only capabilities first")
    kept = replace(every[processor], instructions=counts)
    write_costs(driver.folder / FILE, every | {processor: kept})
