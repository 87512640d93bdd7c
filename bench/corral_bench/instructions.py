# SPDX-License-Identifier: Apache-2.0
"""Instructions of one use of each mechanism with each driver that supports it.

A program for each driver (bench/apps/uses) has the mechanisms that it and another one support,
because without a choice no figure is needed. It calls the API once for each mechanism. On the
emulated board it reads a counter before and after: 40 instructions a tick. On this computer
Callgrind counts, which has the processor's instructions for AES, too. A construction is counted
over each library that it can be made over. drivers/*/costs.json keeps the figures, beside sizes.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from corral import ROOT
from corral.build import image as build
from corral.build.image import Build, Options
from corral.common import system
from corral.common.progress import step
from corral.configure.candidates import COMPOSE_RANK, Candidates, find_candidates, is_hardware
from corral.errors import CorralError, fail
from corral.model.costs import FILE, Costs, costs_of, figure_of, processor_of, write_costs
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism
from corral.model.tree import Tree, load_tree
from corral.run import program as run

from corral_bench import hash_trees, versions
from corral_bench.capabilities import algorithm_of, wants_of
from corral_bench.record import BY_RANK
from corral_bench.rsa import private_key
from corral_bench.signatures import ENTROPY, INSTRUCTIONS

BOARD = "mps2-an386"
COMPUTER = "native"
#: The boards on which instructions are counted.
BOARDS = (BOARD, COMPUTER)
_APP = "../bench/apps/uses"
_LINE = re.compile(r"^use (\w+) (\d+)$", re.M)
#: In the output of Callgrind.
_TOTAL = re.compile(r"^totals: (\d+)$", re.M)
#: The C library fills memory by one instruction, of which Callgrind counts each byte.
_NO_BYTE_LOOPS = "glibc.cpu.hwcaps=-ERMS"
#: How often each mechanism is used for its time.
_ROUNDS = 12
_TICKS = ("USES_METER=<ticks.h>",)
_CALLGRIND = ("USES_METER=<callgrind.h>",)
_NANOSECONDS = ("USES_METER=<nanoseconds.h>", f"USES_ROUNDS={_ROUNDS}")
#: Of an HMAC key.
_BITS = 256
#: As the program has it.
_MESSAGE = bytes([1, 2, 3]).ljust(1024, b"\0")
#: Verified only: the table of the program has a signature, too.
_SIGNED = {"LMS": hash_trees.signed, "HSS": hash_trees.signed_by_chain}


@dataclass(frozen=True)
class Program:
    """The mechanisms that one driver supports, if it is a construction over one other."""

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
    """The mechanisms that several drivers support in software."""
    every = tree.mechanisms.mechanisms.values()
    return [m for m in every if len(_software(candidates, m)) > 1]


def _need(tree: Tree, candidates: Candidates, mechanism: Mechanism, driver: Driver) -> Mechanism:
    """The mechanisms below a construction."""
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
    """Also of the steps before: verification needs a signature, and the key that made it."""
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


def _bytes(data: bytes) -> str:
    material = f"(const uint8_t[]){{{', '.join(map(str, data))}}}" if data else "NULL"
    return f"{material}, {len(data)}"


def _row(mechanism: Mechanism) -> str:
    """For the table of the program."""
    service = mechanism.services[0]
    found = algorithm_of(service)
    alg = str(found.algorithm).replace("ANY_HASH", "SHA_256") if found else "PSA_ALG_NONE"
    key_type, bits, key = _key_of(mechanism)
    signature = b""
    if sign := _SIGNED.get(str(mechanism.value.get("scheme"))):
        key, signature = sign(bits // 8, _MESSAGE)
    function = f"use_{service.units[0]}"
    words = (f'"{mechanism.name}"', function, alg, key_type, str(bits))
    return f"{{{', '.join((*words, _bytes(key), _bytes(signature)))}}},\n"


def count(program: Program, board: str = BOARD) -> dict[str, int]:
    """Instructions of each mechanism."""
    if board == COMPUTER:
        system.ensure(["test"])  # Valgrind, and the header by which a program talks to it
        return _checked(program, _by_callgrind(_build(program, board, _CALLGRIND)))
    found = _taken(run.run(_build(program, board, _TICKS), capture=True))
    return _checked(program, {name: ticks * INSTRUCTIONS for name, ticks in found.items()})


def time(program: Program) -> dict[str, int]:
    """Nanoseconds of each mechanism on this computer: the least of several uses."""
    made = _build(program, COMPUTER, _NANOSECONDS, "times")
    return _checked(program, _taken(run.run(made, capture=True)))


def _checked(program: Program, found: dict[str, int]) -> dict[str, int]:
    missing = {m.name for m in program.mechanisms} - set(found)
    if missing:
        raise fail(program.name, f"not measured: {missing}", "run the program by hand")
    return found


def _build(program: Program, board: str, meter: tuple[str, ...], kind: str = "uses") -> Build:
    folder = ROOT / "build" / "bench" / "uses" / program.name
    folder.mkdir(parents=True, exist_ok=True)
    rows = "".join(map(_row, program.mechanisms))
    (folder / f"{board}.h").write_text(rows, encoding="utf-8")
    source, wrap = ENTROPY
    settings = {"CORRAL_DRIVER_ATECC608": "n", program.driver.enabled_by: "y"}
    options = Options(
        settings={**BY_RANK, **settings, **program.settings},
        sources=(source,),
        includes=(folder,),
        defines=(f"USES_ROWS=<{board}.h>", *meter),
        link_flags=(wrap,),
        name=f"bench/{kind}-{board}-{program.name}",
        lto=False,
    )
    return build.build(_APP, board, options)


def _taken(done: subprocess.CompletedProcess[str]) -> dict[str, int]:
    """The program's figure of each mechanism: the least."""
    if done.returncode:
        raise fail(_APP, f"it failed: {done.stdout[-500:]}", "run it by hand")
    found: dict[str, int] = {}
    for said in _LINE.finditer(done.stdout):
        found[said[1]] = min(int(said[2]), found.get(said[1], int(said[2])))
    return found


def _by_callgrind(made: Build) -> dict[str, int]:
    """The program says which of the files is whose."""
    out = made.image.parent / "callgrind"
    for file in out.parent.glob(f"{out.name}.*"):
        file.unlink()
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(made.image)]
    environment = {**os.environ, "GLIBC_TUNABLES": _NO_BYTE_LOOPS}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return {name: _total(Path(f"{out}.{file}")) for name, file in _taken(done).items()}


def _total(file: Path) -> int:
    found = _TOTAL.search(file.read_text(encoding="utf-8"))
    if found is None:
        raise fail(str(file), "has no total", "see which version of Valgrind wrote it")
    return int(found[1])


def measure_all(keep: bool) -> list[str]:
    """Measure the drivers of the tree on each board; returns the errors.

    keep: also write costs.json of each driver, in which nothing else changes.
    """
    return [problem for board in BOARDS for problem in measure(board, keep)]


def measure(name: str, keep: bool) -> list[str]:
    """Measure the drivers of the tree on one board."""
    problems: list[str] = []
    tree = load_tree(ROOT)
    board = tree.boards[name]
    counts: dict[str, dict[str, int]] = {}
    for program in programs(tree, find_candidates(tree, board)):
        try:
            with step(f"counting instructions on {name}: {program.name}"):
                found = count(program, name)
            times = time(program) if name == COMPUTER else {}
        except CorralError as error:
            problems.append(f"{name}: {program.name}: {error}")
            continue
        over = program.over.name if program.over else ""
        counts.setdefault(program.driver.name, {}).update(
            {figure_of(mechanism, over): number for mechanism, number in found.items()}
        )
        for mechanism, number in found.items():
            took = f", {times[mechanism]:,} ns" if times else ""
            print(f"{name}: {program.name}: {mechanism}: {number:,} instructions{took}", flush=True)
    compiler = versions.compiler(board)
    for driver in counts if keep and not problems else ():
        keep_counts(tree.drivers[driver], processor_of(board), compiler, counts[driver])
    return problems


def keep_counts(driver: Driver, processor: str, compiler: str, counts: Mapping[str, int]) -> None:
    """Write instructions; the sizes stay."""
    every = costs_of(driver.folder)
    kept = replace(every.get(processor, Costs(compiler)), instructions=counts)
    write_costs(driver.folder / FILE, every | {processor: kept})
