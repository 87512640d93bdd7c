# SPDX-License-Identifier: Apache-2.0
"""Building a C test program with the project's own tools, running it, and judging what it says."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from corral import ROOT
from corral.build import image as corral_build
from corral.common.progress import alone
from corral.configure.bindings import Bindings
from corral.errors import CorralError
from corral.model.board import Board
from corral.run import program as corral_run
from corral.run.chips import running

from harness import reads, statuses, suites, waiting

TESTS = Path(__file__).resolve().parents[1]
HARNESS = TESTS / "harness"
EMULATED = "mps2-an386"
NATIVE = "native"
#: Drivers by the ranks of their descriptions, as on a PC.
BY_RANK = "CORRAL_PREFER_RANK"

_TELLS_PROGRAMS = re.compile("^CORRAL_|SAN_OPTIONS$")
_SUMMARY = re.compile(r"^(?:suite (\w+): )?(\d+) passed, (\d+) failed, (\d+) skipped$", re.M)


@dataclass(frozen=True)
class Count:
    """How the tests of one suite ended."""

    passed: int
    failed: int
    skipped: int


@dataclass(frozen=True)
class Result:
    """The output of a test program: of each suite, and together under the empty name."""

    counts: Mapping[str, Count]
    status: int
    output: str
    seen: statuses.Seen = frozenset()  # which functions returned which statuses, on a PC

    def complaints(self) -> str:
        """Everything but the tests that passed."""
        quiet = ("ok ", "status ")
        lines = [line for line in self.output.splitlines() if not line.startswith(quiet)]
        return "\n".join(lines)[-6000:]

    def check(self, at_least: int, suite: str = "") -> None:
        """Fail, with the program's output, unless all is well and enough tests ran."""
        count = self.counts.get(suite)
        assert count is not None, f"no result of {suite or 'the program'}\n{self.complaints()}"
        assert count.failed == 0, self.complaints()
        assert count.passed >= at_least, f"only {count} ran\n{self.complaints()}"
        if not suite:
            assert self.status == 0, f"exit status {self.status}\n{self.complaints()}"

    def check_each(self, counts: Mapping[str, int]) -> None:
        """check() of these suites, and of all together."""
        for suite, count in counts.items():
            self.check(count, suite)
        self.check(sum(counts.values()))


@dataclass(frozen=True)
class Program:
    """A test program: an application of the tree, with the harness linked to it."""

    app: str  # folder with main.c, relative to tests/
    board: str
    name: str  # of the build folder
    settings: Mapping[str, str]
    sources: tuple[Path, ...] = ()
    sanitize: str = "address,undefined"
    link_flags: tuple[str, ...] = ()
    includes: tuple[Path, ...] = ()
    #: None: as the board says. Of all but test and port: the linker leads calls between these
    #: elsewhere.
    lto: bool | None = None
    #: On an emulated board: libraries as fast as on a PC, where their size and their stack are
    #: nobody's concern.
    is_fast: bool = False
    chips: Path | None = None  # memories of the board's simulated elements; None: without them
    #: Each run watches what is read of the inputs (reads.h), so that a second one need not.
    is_watching: bool = False

    @property
    def is_native(self) -> bool:
        """True for a process of this computer, whatever its port is."""
        return not self._described.toolchain.prefix

    @property
    def _described(self) -> Board:
        return corral_build.api.load_board(ROOT, self.board)

    @property
    def has_wall(self) -> bool:
        """Whether core and drivers are in another image than the test."""
        return self._described.wall is not None

    @property
    def path(self) -> str:
        """The application as the tools name it."""
        return f"../tests/{self.app}"

    @property
    def folder(self) -> str:
        """The build folder, below build/."""
        return f"tests/{self.name}-{self.board}"

    @property
    def all_sources(self) -> list[Path]:
        return [*sorted((TESTS / self.app).glob("*.c")), *self.sources]

    @property
    def runs_all(self) -> bool:
        """Whether it runs whatever suites it has, and not those that main.c names."""
        return "test_suites" in (TESTS / self.app / "main.c").read_text(encoding="utf-8")

    def suites(self) -> dict[str, int]:
        """Its suites, and how many tests each has."""
        return suites.counts(self.all_sources)

    @property
    def all_settings(self) -> dict[str, str]:
        """The settings, with locks where the board has threads: then holds are counted.

        Elsewhere the same drivers as there, unless a program says which it wants.
        """
        has_threads = self.is_native and self._described.has(["HAS_THREADS"])
        implied = "CORRAL_THREADS" if has_threads else BY_RANK
        return {implied: "y", **self.settings}

    def build(self, prepared: Bindings | None = None) -> corral_build.Build:
        is_native = self.is_native
        has_wall = self.has_wall
        has_lto = corral_build.has_lto(self._described, corral_build.Options(lto=self.lto))
        harness = _harness(is_native, has_wall)
        harness += [path for path in self.sources if path.parent == HARNESS]
        own = [path for path in self.sources if path not in harness]
        if self.runs_all:
            own.append(suites.listed(f"suites/{self.name}-{self.board}.c", self.all_sources))
        flags = [*([] if has_wall else ["-Wl,--wrap=corral_port_entropy"]), *self.link_flags]
        if not is_native:
            # The names that scan.c looks for, in the board's linker script.
            flags += ["-Wl,--defsym=__data_start=data_start", "-Wl,--defsym=_end=bss_end"]
        else:
            flags += statuses.link_flags()
        return corral_build.build(
            self.path,
            self.board,
            corral_build.Options(
                settings=self.all_settings,
                sanitize=self.sanitize if is_native else "",
                sources=tuple(own),
                shared_sources=tuple(harness),
                includes=self.includes,
                defines=("TEST_KEYS_ARE_HERE=false",) if has_wall else (),
                link_flags=tuple(flags),
                lto=self.lto,
                app_flags=("-fno-lto",) if has_lto else (),
                library_flags=("-O2",) if self.is_fast and not is_native else (),
                name=self.folder,
                together="core and glue" if self.is_fast else "core",
            ),
            prepared,
        )

    def run(self, prepared: Bindings | None = None) -> Result:
        """Build and run; a build that fails is a result without any count.

        `prepared`: the result of corral_build.prepare() for this program.
        """
        try:
            environment = {reads.VARIABLE: "1"} if self.is_watching else {}
            return run_once(self.build(prepared), self.chips, environment)
        except CorralError as error:
            return Result({}, 1, str(error))


def _harness(is_native: bool, has_wall: bool) -> list[Path]:
    buffers = "buffers_heap.c" if is_native else "buffers_arena.c"
    entropy = "behind_wall.c" if has_wall else "entropy.c"
    names = ("harness.c", "walk.c", "material.c", "scan.c", entropy, buffers)
    recorder = [HARNESS / "reads.c", statuses.recorder()] if is_native else []
    return [*(HARNESS / name for name in names), *recorder]


def run(
    build: corral_build.Build,
    arguments: Sequence[str] = (),
    chips: Path | None = None,
    told: Mapping[str, str] = MappingProxyType({}),
) -> Result:
    """Run a built program on its board; `chips`: with its simulated elements, whose memories are
    there; `told`: by the environment."""
    environment = {**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1", **told}
    elements = build.board.elements if chips else ()
    is_emulated = bool(build.board.toolchain.prefix)
    with running(elements, chips or build.folder, is_emulated) as channel:
        command = corral_run.command_of(build, channel, None, repeats=False)
        environment.update(channel.environment)
        done = waiting.run(
            [*command, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    return judge(done.stdout, done.returncode)


def run_once(
    build: corral_build.Build,
    chips: Path | None = None,
    told: Mapping[str, str] = MappingProxyType({}),
) -> Result:
    """Run a built program, unless another process of the same test run has just done so."""
    test_run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if test_run is None:
        return run(build, chips=chips, told=told)
    record = build.folder / "result.json"
    # By these, tests make a program behave otherwise.
    environment = {**os.environ, **told}
    words = sorted(f"{k}={v}" for k, v in environment.items() if _TELLS_PROGRAMS.search(k))
    with alone(build.folder):
        of = [test_run, hashlib.sha256(build.image.read_bytes()).hexdigest(), *words]
        if record.is_file():
            found = json.loads(record.read_text(encoding="utf-8"))
            if found["of"] == of:
                return judge(found["output"], found["status"])
        result = run(build, chips=chips, told=told)
        said = {"of": of, "status": result.status, "output": result.output}
        record.write_text(json.dumps(said), encoding="utf-8")
    return result


def judge(output: str, status: int) -> Result:
    """Read the summary lines of a test program."""
    counts = {
        found[1] or "": Count(int(found[2]), int(found[3]), int(found[4]))
        for found in _SUMMARY.finditer(output)
    }
    return Result(counts, status, output, statuses.parse(output))


#: Settings by which all keys are in local memory: no virtual chip is needed.
WITHOUT_ELEMENTS = {"CORRAL_DRIVER_ATECC608": "n"}
