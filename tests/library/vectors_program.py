# SPDX-License-Identifier: Apache-2.0
"""A user's program that runs the published vectors of one driver, with any build of the library.

The Cortex-M0 is that of a microbit, whose memory is too small for most: its code runs on the
processor of another board, which takes the same instructions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corral import ROOT
from corral.build.image import own_cflags
from corral.export import library
from corral.generate import api
from harness import suites
from vectors import tables

from .project import Project

sys.path.append(str(ROOT / "tests" / "driver" / "common"))

import known_limits
import test_drivers as inherited
from driver_subject import Subject, bound, settings_for

BUILD_TYPES = library.BUILD_TYPES
#: No elements, and keys as long as those of vectors.
_SIZES = (
    "CORRAL_DRIVER_ATECC608=n",
    "CORRAL_HMAC_KEY_MAX_SIZE=200",
    "CORRAL_RAW_KEY_MAX_SIZE=264",
    "CORRAL_DERIVATION_INPUT_MAX_SIZE=512",
)
#: The harness asks for two counts that a library keeps to itself.
_MAIN = """\
#include "{root}/tests/harness/harness.h"

unsigned corral_holds(void);
unsigned test_operations_left(void);
extern const struct test_suite suite_vectors;

__attribute__((weak)) unsigned corral_holds(void)
{{
    return 0;
}}

unsigned test_operations_left(void)
{{
    return 0;
}}

int main(void)
{{
    const struct test_suite *const suites[] = {{&suite_vectors}};

    return test_initialise_and_run(suites, 1);
}}
"""


@dataclass(frozen=True)
class Machine:
    """The target of a program: its compiler and its emulator."""

    name: str
    board: str
    processor: str  # CMAKE_SYSTEM_PROCESSOR
    #: Of the board's flags, those that are others here.
    flags: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_native(self) -> bool:
        return self.board == "native"

    def cflags(self) -> list[str]:
        given = own_cflags(api.load_board(ROOT, self.board))
        return [self.flags.get(flag, flag) for flag in given]

    def compiler(self) -> str:
        return f"{api.load_board(ROOT, self.board).toolchain.prefix}gcc"

    def link_options(self) -> list[str]:
        if self.is_native:
            return []
        script = f"{ROOT}/boards/{self.board}/memory.ld"
        return ["-nostartfiles", f"-L{ROOT}/ports", "-T", script, "-Wl,--gc-sections"]

    def port(self) -> str:
        return api.load_board(ROOT, self.board).port

    def command(self, image: Path) -> list[str]:
        """How the board's description runs a program, without its elements and options."""
        words = api.load_board(ROOT, self.board).run
        found = []
        for word in words:
            kept = [part for part in word.split(",") if "{" not in part or part == "arg={elf}"]
            found.append(word if word == "{elf}" else ",".join(kept))
        return [word.replace("{elf}", str(image)) for word in found]


MACHINES = (
    Machine("native", "native", "x86_64"),
    Machine("riscv32", "riscv32-virt", "riscv32"),
    Machine("cortex-m4", "mps2-an386", "arm"),
    Machine("cortex-m0", "mps2-an386", "arm", {"-mcpu=cortex-m4": "-mcpu=cortex-m0"}),
)


@dataclass(frozen=True)
class Combination:
    """One way to compile the library, and whose vectors it has to pass."""

    driver: str
    way: str  # library, corral_library, export
    build_type: str
    compiler: str
    has_lto: bool
    machine: Machine

    def __str__(self) -> str:
        lto = "lto" if self.has_lto else "plain"
        words = (self.driver, self.way, self.build_type, self.compiler, lto, self.machine.name)
        return "-".join(words)


def combinations() -> Iterator[Combination]:
    """All of them. `./corral library` compiles with the board's own compiler and flags."""
    for driver in inherited.transparent_drivers():
        if inherited.whole_tree().drivers[driver].requires or not inherited.takes_inputs(driver):
            continue  # a device of one board; a generator, for which nothing is published
        for build_type in BUILD_TYPES:
            for machine in MACHINES:
                if not machine.flags:
                    yield Combination(driver, "library", build_type, "gcc", False, machine)
                for compiler in ("gcc", "clang") if machine.is_native else ("gcc",):
                    for has_lto in (False, True):
                        how = (build_type, compiler, has_lto, machine)
                        yield Combination(driver, "corral_library", *how)
                        yield Combination(driver, "export", *how)


def write(mine: Project, driver: str, board: str) -> list[str]:
    """Write the configuration and the program; returns the program's sources."""
    tree = inherited.whole_tree()
    subject = Subject(tree.drivers[driver])
    keys = inherited.ON_BOARD.keys
    settings = settings_for(tree, tree.boards[board], subject, keys)
    common = (inherited.COMMON / "app.config").read_text(encoding="utf-8")
    lines = [f"{name}={value}" for name, value in settings.items()]
    mine.write({"crypto.config": common + "\n".join([*lines, *_SIZES, ""])})
    config = str(mine.folder / "crypto.config")
    bindings = library.configure(config, board, mine.folder / "settled", {})
    needs = bound(bindings, subject, keys)
    enabled = bindings.configuration.kconfig.enabled()
    rows = [
        row
        for row in inherited.vectors_for(needs)
        if inherited.has_hash(enabled, row) and subject.takes(tree, row)
    ]
    chosen = [known_limits.apply(driver, row) for row in inherited.ON_BOARD.select(rows, needs)]
    header = ROOT / "tests" / "vectors" / "vectors.h"
    tables.write(chosen, header, mine.folder / "rows.c")
    claims = suites.heads(inherited.VECTORS, "TEST_FUNCTION")
    mine.write(
        {"suite.c": suites.suite("vectors", claims), "main.c": _MAIN.format(root=ROOT)},
    )
    buffers = "buffers_heap.c" if board == "native" else "buffers_arena.c"
    harness = [inherited.TESTS / "harness" / name for name in ("harness.c", buffers)]
    own = [mine.folder / name for name in ("main.c", "suite.c", "rows.c")]
    return [str(path) for path in (*own, *harness, *inherited.VECTORS)]
