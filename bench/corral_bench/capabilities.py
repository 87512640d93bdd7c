# SPDX-License-Identifier: Apache-2.0
"""The cost of each mechanism with each driver, by object: drivers/*/costs.json.

A mechanism is configured only with its wants and given to the driver. The linker gets
the driver's objects and the functions that dispatch would call, drops what those do not
need, and its map says what is left. A shared part of several mechanisms is one piece of
an object, so it counts once in a build that has several of them.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from corral import ROOT
from corral.build.image import own_cflags
from corral.configure.assignments import Assignment
from corral.configure.bindings import Bindings
from corral.configure.candidates import Candidates, could_serve, find_candidates
from corral.configure.configuration import Configuration
from corral.configure.fragments import write_fragments
from corral.configure.kconfig import Kconfig
from corral.configure.solve import solve
from corral.errors import CorralError, fail
from corral.generate.build import Build as GeneratorBuild
from corral.generate.sources import DriverParts, driver_parts
from corral.generate.write import write_build
from corral.measure.image import is_ram, is_rom, sections
from corral.model.costs import FILE, Costs, Piece, costs_of, processor_of, write_costs
from corral.model.driver import Driver
from corral.model.mechanisms import Mechanism, Service, WantedAlgorithm
from corral.model.tree import Tree, load_tree
from corral.packages import fetch as packages

from corral_bench import versions
from corral_bench.record import BY_RANK

#: The measured boards, one for each processor.
BOARDS = ("mps2-an386",)
#: Any application: nothing of it is compiled.
_APP = "../bench/apps/hash"
#: As cmake/image.cmake and cmake/corral.cmake compile for an image.
_FLAGS = ("-Os", "-g0", "-w", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections")
_GLUE = ("-std=c11", "-fno-strict-aliasing")
_LIBRARY = ("-std=gnu11",)
_SHA_256 = "PSA_WANT_ALG_SHA_256"

#: Section of an object to its bytes of flash and of RAM.
Sizes = dict[tuple[str, str], tuple[int, int]]


@dataclass
class _Measured:
    """The size of a driver for each mechanism, as linked."""

    sizes: dict[str, Sizes] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def _first(wants: Iterable[Sequence[str]]) -> set[str]:
    return {group[0] for group in wants}


def algorithm_of(service: Service) -> WantedAlgorithm | None:
    """One of its algorithms, with SHA-256 if it has any such."""
    of_sha_256 = (a for a in service.algorithms if "PSA_ALG_SHA_256" in str(a.algorithm))
    return next(of_sha_256, next(iter(service.algorithms), None))


def _wants_of_service(service: Service) -> set[str]:
    wants = _first(service.wants)
    found = algorithm_of(service)
    if found is not None:
        wants |= _first(found.wants)
        if found.algorithm.is_pattern:
            wants.add(_SHA_256)
    return wants


def wants_of(mechanism: Mechanism, tree: Tree) -> set[str]:
    """The wants of a mechanism, with as few others as possible."""
    wants = _first(mechanism.wants)
    for service in mechanism.services:
        if service.is_local and not service.optional:
            wants |= _wants_of_service(service)
            names = {str(key.type).partition("(")[0] for key in service.keys[:1]}
            wants |= {name.replace("PSA_KEY", "PSA_WANT_KEY") for name in names}
    pairs = {w for w in wants if w.endswith("_KEY_PAIR")}
    known = set(tree.mechanisms.wants)
    return {w for w in wants if w in known} | {
        f"{w}_IMPORT" for w in pairs if f"{w}_IMPORT" in known
    }


class _Bench:
    """Configures, compiles and links for one board."""

    def __init__(self, board: str) -> None:
        self.folder = ROOT / "build" / "bench" / "capabilities" / board
        self.tree = load_tree(ROOT)
        self.board = self.tree.boards[board]
        self.candidates = find_candidates(self.tree, self.board)
        write_fragments(self.tree, self.board, self.candidates, self.folder / "kconfig")
        self.kconfig = Kconfig(ROOT, self.folder / "kconfig")
        self.compiler = f"{self.board.toolchain.prefix}gcc"
        self.objects = self.folder / "objects"
        self.objects.mkdir(parents=True, exist_ok=True)

    def bindings(self, mechanism: Mechanism, driver: Driver) -> Bindings:
        self.kconfig.raw.unset_values()
        choice = self.candidates.symbols_of(mechanism, driver)
        elements = {self.tree.drivers[e.driver].enabled_by for e in self.board.elements}
        # Other needs are met by rank: figures do not depend on figures.
        values = dict.fromkeys([*sorted(wants_of(mechanism, self.tree)), *BY_RANK], "y")
        # Those too that are off by default: a construction may be over mechanisms that
        # only they support.
        software = [d.enabled_by for d in self.tree.drivers.values() if not d.is_opaque]
        values |= {name: "y" for name in software if self.kconfig.is_available(name)}
        values |= dict.fromkeys(sorted(elements), "n") | {choice: "y"}
        given = [Assignment(name, value, mechanism.name, "bench") for name, value in values.items()]
        self.kconfig.assign(given)
        configuration = Configuration(
            self.tree,
            _APP,
            self.board,
            self.folder / "build",
            self.kconfig,
            self.candidates,
            tuple(given),
        )
        return solve(configuration)

    def measure(self, mechanism: Mechanism, driver: Driver) -> Sizes:
        bindings = self.bindings(mechanism, driver)
        roots = _roots(bindings, mechanism, driver)
        if not roots:
            raise fail(mechanism.name, f"{driver.name} serves nothing of it", "look at explain")
        packages.ensure_all(ROOT, bindings.packages)
        write_build(bindings, self.folder / "build")
        used = bindings.drivers[driver.name]
        parts = driver_parts(GeneratorBuild(bindings), driver, used, [])
        return self._link(self._compile(parts), roots)

    def _command(self, parts: DriverParts, is_glue: bool) -> list[str]:
        ours = [f"-I{self.folder / 'build' / 'gen'}", f"-I{ROOT / 'include'}"]
        first, *others = [f"-I{folder}" for folder in parts.includes]
        # As corral_driver() has them: a library has headers of the same names as ours.
        own = [first, *ours, *(f"-isystem{flag[2:]}" for flag in others)]
        return [
            self.compiler,
            *(_GLUE if is_glue else _LIBRARY),
            *_FLAGS,
            *own_cflags(self.board),
            *(own if is_glue else [first, *others, *ours]),
            *(f"-D{define}" for define in parts.defines),
        ]

    def _compile(self, parts: DriverParts) -> list[Path]:
        jobs = [(self._command(parts, is_glue=True), source) for source in parts.sources]
        jobs += [(self._command(parts, is_glue=False), source) for source in parts.package_sources]
        with ThreadPoolExecutor(2) as workers:
            return list(workers.map(lambda job: self._object(*job), jobs))

    def _object(self, command: Sequence[str], source: str) -> Path:
        """An object of the same text and flags as before is the same."""
        text = _run([*command, "-E", "-P", source])
        options = [word for word in command if not word.startswith(("-I", "-D", "-isystem"))]
        key = hashlib.sha256("\n".join([*options, source]).encode() + text).hexdigest()
        # The map shows the name of the file.
        found = self.objects / key / f"{Path(source).stem}.o"
        if not found.is_file():
            found.parent.mkdir(exist_ok=True)
            _run([*command, "-c", "-o", str(found), source])
        return found

    def _link(self, objects: Sequence[Path], roots: Sequence[str]) -> Sizes:
        chain = self.board.toolchain
        map_file = self.folder / "image.map"
        command = [
            self.compiler,
            *chain.cflags,
            *chain.ldflags,
            "-nostartfiles",
            "-Wl,--gc-sections,--unresolved-symbols=ignore-all",
            f"-Wl,-e,{roots[0]},-Map={map_file}",
            *(f"-Wl,-u,{root}" for root in roots),
            *map(str, objects),
            "-o",
            str(self.folder / "image"),
        ]
        _run(command)
        found: Sizes = {}
        for one in sections(map_file):
            flash, ram = found.get((name := _name(one.file), one.section), (0, 0))
            flash += one.size if is_rom(one.section) else 0
            ram += one.size if is_ram(one.section) else 0
            found[name, one.section] = flash, ram
        return found


def _run(command: Sequence[str]) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise fail(command[-1], "\n".join(lines[:5]), "look at what the compiler says")
    return done.stdout


def _name(file: str) -> str:
    """lib/libgcc.a(_udivmoddi4.o) and build/.../sha2small.o, shortly."""
    archive, _, member = file.partition("(")
    if member:
        return f"{Path(archive).stem}/{Path(member.rstrip(')')).stem}"
    return Path(file).stem


def _roots(bindings: Bindings, mechanism: Mechanism, driver: Driver) -> list[str]:
    """The functions that dispatch calls for a mechanism, and the constants that it hands them."""
    table = bindings.configuration.tree.entry_points
    found: dict[str, None] = {}
    for binding in bindings.outcomes[mechanism.name].bindings:
        for capability in binding.chain:
            if capability.driver != driver.name:
                continue
            for row in table.expand(binding.unit):
                if capability.has(row.name):
                    function = capability.function(row.name)
                    names = (function.name, *(c.lstrip("&") for c in function.constants))
                    found.update(dict.fromkeys(n for n in names if not n.isdigit()))
    init = [c.function("init").name for c in driver.capabilities if "init" in c.entry_points]
    return [*found, *init] if found else []


def can_be_built(tree: Tree, candidates: Candidates, mechanism: Mechanism) -> bool:
    """Whether a driver supports it, and the mechanisms below it; nothing depends on itself."""
    table = tree.mechanisms
    return any(
        all(
            can_be_built(tree, candidates, table.mechanisms[name])
            for need in candidates.reasons[mechanism.name, driver.name].needs
            for name in table.needed(mechanism, need)
        )
        for driver in candidates.of(mechanism)
        if not driver.is_opaque
    )


def _measure(bench: _Bench, driver: Driver) -> _Measured:
    found = _Measured()
    for mechanism in bench.tree.mechanisms.mechanisms.values():
        if driver not in bench.candidates.of(mechanism) or not could_serve(driver, mechanism):
            continue
        if not can_be_built(bench.tree, bench.candidates, mechanism):
            continue
        try:
            found.sizes[mechanism.name] = bench.measure(mechanism, driver)
        except CorralError as error:
            found.problems.append(f"{driver.name}: {mechanism.name}: {error}")
    return found


def _pieces(sizes: Mapping[str, Sizes]) -> Iterator[tuple[Piece, frozenset[str]]]:
    """Sections of one object that the same mechanisms need, and which; the largest first."""
    users: dict[tuple[str, str], set[str]] = {}
    largest: Sizes = {}
    for mechanism, found in sizes.items():
        for section, (flash, ram) in found.items():
            users.setdefault(section, set()).add(mechanism)
            before = largest.get(section, (0, 0))
            largest[section] = max(before[0], flash), max(before[1], ram)
    pieces: dict[tuple[str, frozenset[str]], tuple[int, int]] = {}
    for section, mechanisms in users.items():
        # Members of an archive are the same for every driver, and identified by name.
        group = frozenset(sizes) if "/" in section[0] else frozenset(mechanisms)
        flash, ram = pieces.get((section[0], group), (0, 0))
        pieces[section[0], group] = flash + largest[section][0], ram + largest[section][1]
    numbers: dict[str, int] = {}
    for (name, together), (flash, ram) in sorted(
        pieces.items(), key=lambda item: (item[0][0], -item[1][0], sorted(item[0][1]))
    ):
        numbers[name] = number = numbers.get(name, 0) + 1
        label = name if number == 1 else f"{name}#{number}"
        users_of = together
        if "/" in name:
            users_of = frozenset(m for m, s in sizes.items() if any(k[0] == name for k in s))
        yield Piece(label, flash, ram), users_of


def _costs(sizes: Mapping[str, Sizes], compiler: str) -> Costs:
    pieces: dict[str, Piece] = {}
    mechanisms: dict[str, list[str]] = {name: [] for name in sizes}
    for piece, users in _pieces(sizes):
        pieces[piece.name] = piece
        for name in users:
            mechanisms[name].append(piece.name)
    return Costs(compiler, pieces, {name: tuple(sorted(of)) for name, of in mechanisms.items()})


def measure_all(keep: bool, drivers: Sequence[str] = ()) -> list[str]:
    """Measure the drivers of the tree, or those named, on each processor; returns the errors.

    keep: also write costs.json of each driver, in which nothing else changes.
    """
    problems: list[str] = []
    for name in BOARDS:
        bench = _Bench(name)
        for driver in bench.tree.drivers.values():
            if driver.is_opaque or (drivers and driver.name not in drivers):
                continue
            if not bench.kconfig.is_available(driver.enabled_by):
                missing = " and ".join(driver.requires) or "what it depends on"
                print(f"{driver.name}: {name} is without {missing}", flush=True)
                continue
            measured = _measure(bench, driver)
            problems += measured.problems
            costs = _costs(measured.sizes, versions.compiler(bench.board))
            print(_line(driver, name, costs), flush=True)
            if keep and costs.mechanisms:
                keep_sizes(driver, processor_of(bench.board), costs)
    return problems


def keep_sizes(driver: Driver, processor: str, costs: Costs) -> None:
    """Write sizes; the instructions stay."""
    every = costs_of(driver.folder)
    counted = every[processor].instructions if processor in every else {}
    write_costs(driver.folder / FILE, every | {processor: replace(costs, instructions=counted)})


def _line(driver: Driver, board: str, costs: Costs) -> str:
    total = sum(piece.flash for piece in costs.pieces.values())
    return (
        f"{driver.name} on {board}: {len(costs.mechanisms)} mechanisms, "
        f"{len(costs.pieces)} pieces, {total} bytes of flash together"
    )
