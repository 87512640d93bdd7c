# SPDX-License-Identifier: Apache-2.0
"""The log of storage/ and littlefs in the same use: one application, one board, one flash."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import unicorn
from corral import ROOT
from corral.build import image as building
from corral.build.image import Build, Options
from corral.common.progress import step
from corral.errors import fail
from corral.measure.image import Image
from corral.measure.size import image_of
from corral.packages import fetch as packages
from unicorn import arm_const

from corral_bench.emulator import Block, Emulator
from corral_bench.record import BY_RANK, Call
from corral_bench.stores import FILLING, PARTS, PHASES, REPLACE

BOARD = "mps2-an386"
_APP = "../bench/apps/entries"
_FLAGS = ["-Os", "-g", "-ffunction-sections", "-fdata-sections", "-std=gnu11"]
#: littlefs without what a small build leaves out: heap, messages, assertions.
LITTLEFS = [
    "-DLFS_NO_MALLOC",
    "-DLFS_NO_ASSERT",
    "-DLFS_NO_DEBUG",
    "-DLFS_NO_WARN",
    "-DLFS_NO_ERROR",
    "-DLFS_NAME_MAX=15",
]
#: Pages, their size and the unit of a write, for the cuts.
GEOMETRIES = (
    (2, 512, 1),
    (5, 256, 2),
    (3, 256, 4),
    (8, 4096, 4),
    (4, 512, 8),
    (2, 1024, 16),
    (3, 1024, 32),
)
#: The files of storage/ that make the log and psa_its_*.
_LOG = ("its", "store", "log", "collect", "live", "index", "walk", "record", "crc")


@dataclass
class Traffic:
    """The bytes that the flash wrote in one call."""

    written: int = 0
    cleared: int = 0  # of those, zeros over data that do not count any more


class _Storing(Emulator):
    """Counts everything but the work of the flash itself, and the requests to the flash."""

    def __init__(self, image: Image) -> None:
        super().__init__(image)
        self.traffic: list[Traffic] = []
        self._last = 0
        self._watch(image.symbols["corral_port_flash_write"][0] & ~1, self._on_write)
        for address in self._api:
            self._watch(address, self._on_call)

    def _watch(self, address: int, entered: Callable[..., None]) -> None:
        self._uc.hook_add(unicorn.UC_HOOK_CODE, entered, begin=address, end=address)

    def kind_of(self, block: Block) -> str | None:
        return "bus" if block.name.startswith("corral_port_flash_") else None

    def _on_block(self, uc: Any, address: int, size: int, data: object) -> None:
        if self._inner and address != self._inner[-1].address:
            return  # the flash works
        if address == self._last and self._call:
            # A loop of one block, of checksums: it neither calls nor returns.
            self._call.layer += self._blocks[address].instructions
            return
        self._last = address
        super()._on_block(uc, address, size, data)

    def _count_layer(self, uc: Any, block: Block, _address: int) -> None:
        assert self._call is not None
        self._call.layer += block.instructions
        depth = self._call_stack - uc.reg_read(arm_const.UC_ARM_REG_SP)
        self._call.stack = max(self._call.stack, depth)

    def _on_call(self, *_: object) -> None:
        self.traffic.append(Traffic())

    def _on_write(self, uc: Any, *_: object) -> None:
        data = uc.reg_read(arm_const.UC_ARM_REG_R1)
        size = uc.reg_read(arm_const.UC_ARM_REG_R2)
        self.traffic[-1].written += size
        self.traffic[-1].cleared += 0 if any(uc.mem_read(data, size)) else size


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise fail("bench/littlefs", done.stderr[-2000:], "correct what the compiler names")


def build_log() -> Build:
    """The application over the log, by the ordinary way."""
    return building.build(_APP, BOARD, Options(settings=BY_RANK, name="bench/entries"))


def over_littlefs(log: Build) -> Image:
    """The objects of the build over the log, but for storage/: in its place littlefs."""
    toolchain = log.board.toolchain
    compiler = f"{toolchain.prefix}gcc"
    library = packages.ensure(ROOT, "littlefs")
    folder = ROOT / "build" / "bench" / "littlefs"
    includes = [f"-I{path}" for path in (library, ROOT / "include", log.folder / "gen")]
    objects = [
        p for p in log.folder.glob("cmake/CMakeFiles/**/*.obj") if p.parent.name != "storage"
    ]
    with step("building the same over littlefs"):
        for source, part in (
            (ROOT / "bench" / "littlefs" / "its.c", "storage"),
            (library / "lfs.c", "packages"),
            (library / "lfs_util.c", "packages"),
        ):
            target = folder / part / f"{source.stem}.o"
            target.parent.mkdir(parents=True, exist_ok=True)
            flags = [*toolchain.cflags, *_FLAGS, *LITTLEFS, *includes]
            _run([compiler, *flags, "-c", source, "-o", target])
            objects.append(target)
        elf = folder / "entries.elf"
        script = log.board.folder / log.board.linker_script
        link: list[str | Path] = [
            "-Wl,--gc-sections",
            f"-Wl,-Map={elf}.map",
            f"-L{ROOT / 'ports'}",
            "-T",
            script,
            "-o",
            elf,
        ]
        _run([compiler, *toolchain.cflags, *toolchain.ldflags, *objects, *link])
    return Image(elf, elf.with_name("entries.elf.map"))


def _phase(calls: Sequence[Call], traffic: Sequence[Traffic]) -> dict[str, Any]:
    """Means of the calls of one phase, and the worst of them."""
    counts = [call.layer for call in calls]
    flash = [asdict(each) for each in traffic]
    return {
        "calls": len(calls),
        "instructions": round(sum(counts) / len(counts)),
        "most_instructions": max(counts),
        "stack": max(call.stack for call in calls),
        **{key: round(sum(each[key] for each in flash) / len(flash), 3) for key in flash[0]},
    }


def _measure(image: Image) -> dict[str, Any]:
    emulator = _Storing(image)
    emulator.run_through("bench_fill_flash")
    if emulator.exit_code != 0 or len(emulator.calls) != sum(count for _, count in PHASES):
        raise fail("bench/apps/entries", "the program failed", "see bench/README.md")
    calls, traffic = iter(emulator.calls), iter(emulator.traffic)
    phases = {}
    for name, count in PHASES:
        flash = [*islice(traffic, count + (FILLING if name == REPLACE else 0))]
        phases[name] = _phase([*islice(calls, count)], flash)
    rom, ram = image.rom(), image.ram()
    return {
        "rom": {part: rom[part] for part in PARTS},
        "ram": {part: ram[part] for part in PARTS},
        "stack": max(phase["stack"] for phase in phases.values()),
        "phases": phases,
    }


def power_cuts(
    geometry: tuple[int, int, int], name: str, folder: Path, gen: Path
) -> tuple[int, float | None]:
    """Run bench/littlefs/cuts.c on this computer.

    Returns how often power failed in it, and pages erased for each replacement of an entry, unless
    the flash is too small for that.
    """
    count, page, unit = geometry
    library = packages.ensure(ROOT, "littlefs")
    over: dict[str, list[Path]] = {
        "log": [
            *(ROOT / "storage" / f"{part}.c" for part in _LOG),
            ROOT / "core" / "common" / "memory.c",
        ],
        "littlefs": [
            ROOT / "bench" / "littlefs" / "its.c",
            *(library / f"{part}.c" for part in ("lfs", "lfs_util")),
        ],
    }
    tests = ROOT / "tests" / "storage"
    common = [ROOT / "bench" / "littlefs" / "cuts.c", tests / "cuts.c", tests / "media.c"]
    common += [ROOT / "ports" / "common" / "flash_model.c", gen / "configuration.c"]
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / f"cuts-{name}"
    defines = [f"-DPAGE_COUNT={count}", f"-DPAGE_SIZE={page}", f"-DWRITE_SIZE={unit}"]
    defines += ["-DOPERATIONS=60", f"-DMEDIA_GEOMETRY={{{page}, {count}, {unit}, false}}"]
    includes = [f"-I{path}" for path in (library, ROOT / "include", gen)]
    _run(["gcc", "-O2", *LITTLEFS, *defines, *includes, *common, *over[name], "-o", program])
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    found = re.match(r"cuts of the storage: (\d+)", done.stdout)
    if done.returncode or not found:
        raise fail(f"power cuts, {name}, {geometry}", done.stderr[-2000:], "see tests/storage")
    wear = re.search(r"pages erased: (\d+)", done.stdout)
    return int(found[1]), int(wear[1]) / 2000 if wear else None


def measure() -> dict[str, Any]:
    """Both, by name."""
    log = build_log()
    images = {"log": image_of(log), "littlefs": over_littlefs(log)}
    folder = ROOT / "build" / "bench" / "littlefs"
    measured = {}
    for name, image in images.items():
        with step(f"counting over {name}"):
            measured[name] = _measure(image)
        with step(f"cutting power over {name}"):
            cuts = [power_cuts(each, name, folder, log.folder / "gen") for each in GEOMETRIES]
        measured[name]["cuts"] = sum(count for count, _ in cuts)
        measured[name]["erased"] = cuts[GEOMETRIES.index((8, 4096, 4))][1]
    return measured
