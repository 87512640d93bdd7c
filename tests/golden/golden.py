# SPDX-License-Identifier: Apache-2.0
"""What the generator makes of one preset, kept so that a reviewer can read it.

Run as a program, this writes the files again:

    .venv/bin/python tests/golden/golden.py
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent / "ecdsa-native"
sys.path.insert(0, str(ROOT / "tools"))

from corral.generate import api  # noqa: E402

APP, BOARD = "ecdsa", "native"
# Two elements and two libraries, so that every kind of dispatch is seen.
# Checks of pointers are a function for each one of the API, whatever the preset.
SETTINGS = {
    "CORRAL_PROTECTED_KEY_SLOTS": "2",
    "CORRAL_SECP_R1_256_BY_MICRO_ECC": "y",
    "CORRAL_CHECK_POINTERS": "n",
    # Figures are of some processors, and change.
    "CORRAL_PREFER_RANK": "y",
}

#: One file of each kind, to be read, and the names of all. What the others are like, builds show.
READ = (
    "bindings.json",
    "gen/configuration.c",
    "gen/devices.c",
    "gen/corral/bindings.h",
    "gen/corral/contexts/hash.h",
    "gen/corral/devices.h",
    "gen/corral/dispatch/hash.h",
    "gen/corral/dispatch/serves.h",
    "gen/corral/dispatch/sign.h",
    "gen/corral/drivers/micro_ecc/entry_points.h",
    "gen/corral/locations.h",
)
LIST = "files.txt"

# What changes with every new symbol or driver and says nothing about the generator.
_LISTING = re.compile(r"^#define CORRAL_\w+_SERVES_\w+ 0\n", re.M)
_FINGERPRINT = re.compile(r"(?<=corral_configuration_)[0-9a-f]{16}|(?<=CONFIG_HASH 0x)[0-9a-f]{8}")


def _zeros(match: re.Match[str]) -> str:
    return "0" * len(match.group())


def _format(path: Path) -> None:
    """As our own code is laid out, which the generator does not care about."""
    style = f"--style=file:{ROOT / '.clang-format'}"
    subprocess.run(["clang-format", "-i", style, str(path)], check=True)


def generate() -> dict[str, str]:
    """The files to read, with what changes from day to day taken out, and the list of all."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve() / "build"
        api.configure(ROOT, APP, BOARD, folder, SETTINGS)
        api.generate(ROOT, APP, BOARD, folder)
        for name in READ:
            if name.endswith((".c", ".h")):
                _format(folder / name)
        made = sorted(path for path in (folder / "gen").rglob("*") if path.is_file())
        # Other headers of drivers are copies of those in their folders.
        copies = [p for p in made if p.parents[1].name == "drivers" and p.name != "entry_points.h"]
        names = [str(path.relative_to(folder)) for path in made if path not in copies]
        files = {
            name: _FINGERPRINT.sub(_zeros, _LISTING.sub("", (folder / name).read_text()))
            for name in READ
        }
        return {**files, LIST: "".join(f"{name}\n" for name in names)}


def kept() -> dict[str, str]:
    """The files as they are kept."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.is_file())
    return {str(path.relative_to(FOLDER)): path.read_text() for path in paths}


def write() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name, text in generate().items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    write()
