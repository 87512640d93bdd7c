# SPDX-License-Identifier: Apache-2.0
"""Programs that come from Debian packages: which are missing, and installing them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable

from corral.errors import fail
from corral.progress import run_quietly, step

#: Debian packages by purpose, each with a program or file that tells whether it is there.
PACKAGES: dict[str, dict[str, str]] = {
    "host": {
        "gcc": "gcc",
        "g++": "g++",
        "cmake": "cmake",
        "ninja-build": "ninja",
        "openssl": "openssl",
        "libssl-dev": "/usr/include/openssl/evp.h",
        "libc6-dev": "/usr/include/stdio.h",
        "binutils": "nm",
    },
    "fetch": {
        "cargo": "cargo",
        "dpkg-dev": "dpkg-source",
    },
    "mps2": {
        "gcc-arm-none-eabi": "arm-none-eabi-gcc",
        "picolibc-arm-none-eabi": "/usr/lib/picolibc/arm-none-eabi/picolibc.specs",
        "qemu-system-arm": "qemu-system-arm",
    },
    "test": {
        "clang": "clang",
        "clang-format": "clang-format",
        "clang-tidy": "clang-tidy",
        "libclang-rt-14-dev": "/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux",
        "gcc-avr": "avr-gcc",
        "avr-libc": "/usr/lib/avr/include/avr/io.h",
    },
}


def _is_there(witness: str) -> bool:
    return os.path.exists(witness) if witness.startswith("/") else shutil.which(witness) is not None


def missing(purposes: Iterable[str]) -> list[str]:
    """Debian packages that these purposes need and that are not there."""
    return [
        package
        for purpose in purposes
        for package, witness in PACKAGES[purpose].items()
        if not _is_there(witness)
    ]


def _as_root() -> list[str]:
    if os.geteuid() == 0:
        return []
    return ["sudo"] if shutil.which("sudo") else []


def ensure(purposes: Iterable[str]) -> None:
    """Install what is missing, after naming it; if that is impossible, the error says how."""
    wanted = missing(purposes)
    if not wanted:
        return
    names = " ".join(wanted)
    command = f"apt-get install --yes --no-install-recommends {names}"
    if shutil.which("apt-get") is None:
        raise fail(
            "system", f"these Debian packages or their like are missing: {names}", "install them"
        )
    if os.geteuid() != 0 and not _as_root():
        raise fail("system", f"these Debian packages are missing: {names}", f"as root: {command}")
    print(f"Debian packages to install: {names}", file=sys.stderr)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with step("updating the list of Debian packages"):
        subprocess.run([*_as_root(), "apt-get", "update", "-q"], check=False, capture_output=True)
    with step(f"installing {len(wanted)} Debian packages"):
        run_quietly(
            [*_as_root(), *command.split()],
            "system",
            f"as root: {command}",
            env=environment,
        )
    still = missing(purposes)
    if still:
        raise fail("system", f"still missing after the installation: {' '.join(still)}", command)
