# SPDX-License-Identifier: Apache-2.0
"""Three consumers that bring a library each, against the same three over one API."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as building
from corral.build.image import Build, Options
from corral.common.progress import step
from corral.errors import fail
from corral.generate import api
from corral.measure.image import Image
from corral.measure.size import image_of
from corral.packages import fetch as packages

from corral_bench.bus import Bus
from corral_bench.emulator import Emulator

BOARD = "mps2-an386"
_APP = "../bench/apps/shared"
_SETTINGS = {
    "CORRAL_SECP_R1_256_BY_MICRO_ECC": "y",
    "CORRAL_DEFAULT_BY_BEARSSL": "y",
}
_FLAGS = ["-std=gnu11", "-Os", "-g", "-ffunction-sections", "-fdata-sections"]
_DEFINES = [
    '-DMBEDTLS_CONFIG_FILE="own_mbedtls_config.h"',
    "-D_UECC_PLATFORM_SPECIFIC_H_=1",
    "-DuECC_SUPPORT_COMPRESSED_POINT=0",
]
#: The assumed content of each library; the linker drops unused functions.
_LIBRARIES = {
    "bearssl": (
        ("src", "inc"),
        (
            "src/hash/sha2small.c",
            "src/mac/hmac.c",
            "src/rand/hmac_drbg.c",
            "src/codec/*.c",
            "src/symcipher/aes_ct*.c",
            "src/symcipher/aes_common.c",
            "src/int/i31_*.c",
            "src/int/i32_div32.c",
            "src/ec/ec_p256_m31.c",
            "src/ec/ec_secp*r1.c",
            "src/ec/ec_keygen.c",
            "src/ec/ecdsa_i31_*.c",
            "src/ec/ecdsa_i31_bits.c",
        ),
    ),
    "micro_ecc": ((".",), ("uECC.c",)),
    "mbedtls": (
        ("include", "library"),
        ("library/aes.c", "library/sha256.c", "library/platform_util.c"),
    ),
}


def _package_root(name: str) -> Path:
    return packages.ensure(ROOT, name)


def _sources(folder: Path, generated: Path) -> dict[Path, str]:
    """Each source with the name of its object, which tells the part that it belongs to."""
    found = {p: f"apps/{p.name}" for p in (ROOT / "bench" / "own").glob("*.c")}
    found[ROOT / "bench" / "apps" / "shared" / "main.c"] = "apps/main.c"
    found |= {p: f"ports/{p.name}" for p in (ROOT / "ports" / "mps2").glob("*.c")}
    # The port's objects ask for the fingerprint of the headers that they were compiled with.
    found[generated / "configuration.c"] = "ports/configuration.c"
    for name, (_, patterns) in _LIBRARIES.items():
        root = _package_root(name)
        for pattern in patterns:
            found |= {p: f"packages/{name}/{p.name}" for p in root.glob(pattern)}
    (folder / "o").mkdir(parents=True, exist_ok=True)
    return found


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise fail("bench/own", done.stderr[-2000:], "correct what the compiler names")


def _build_own(shared: Build) -> Image:
    """Compile the consumers with their own libraries: no core, no dispatch, no glue."""
    folder = ROOT / "build" / "bench" / "own"
    toolchain = api.load_board(ROOT, BOARD).toolchain
    compiler = f"{toolchain.prefix}gcc"
    includes = [ROOT / "bench" / "own", ROOT / "include", shared.folder / "gen"]
    for name, (folders, _) in _LIBRARIES.items():
        includes += [_package_root(name) / inner for inner in folders]
    flags = [*toolchain.cflags, *_FLAGS, *_DEFINES, *(f"-I{path}" for path in includes)]
    objects = []
    with step("building the consumers with a library each"):
        for source, name in _sources(folder, shared.folder / "gen").items():
            target = folder / "o" / f"{name}.o"
            target.parent.mkdir(parents=True, exist_ok=True)
            _run([compiler, *flags, "-c", str(source), "-o", str(target)])
            objects.append(str(target))
        elf = folder / "own.elf"
        script = shared.board.folder / shared.board.linker_script
        link = ["-Wl,--gc-sections", f"-Wl,-Map={elf}.map", "-T", str(script)]
        _run([compiler, *toolchain.cflags, *toolchain.ldflags, *objects, *link, "-o", str(elf)])
    return Image(elf, elf.with_name("own.elf.map"))


def _passes(image: Image, bus: Bus | None = None) -> bool:
    emulator = Emulator(image, bus)
    emulator.run()
    return emulator.exit_code == 0


def measure() -> dict[str, Any]:
    """Both builds' bytes by part; both are run, and have to pass."""
    shared = building.build(_APP, BOARD, Options(settings=_SETTINGS, name="bench/shared"))
    images = {"a library each": _build_own(shared), "one API": image_of(shared)}
    measured = {}
    for name, image in images.items():
        if not _passes(image):
            raise fail("bench/apps/shared", f"{name}: the program failed", "see bench/README.md")
        measured[name] = {"rom": image.rom(), "ram": image.ram()}
    return measured
