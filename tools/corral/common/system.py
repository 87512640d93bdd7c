# SPDX-License-Identifier: Apache-2.0
"""Programs that come from Debian packages: which are missing, and installing them."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping

from corral.common.progress import run_quietly, step
from corral.errors import fail

_CMAKE = {"cmake": "cmake", "ninja-build": "ninja"}

#: Debian packages by purpose, each with a program or file that tells whether it is there. Ports and
#: simulators name theirs themselves: port.toml, sim.toml.
#: "a|b": the first that this release of Debian has.
PACKAGES: dict[str, dict[str, str]] = {
    "cmake": _CMAKE,
    "host": {
        **_CMAKE,
        "gcc": "gcc",
        "libc6-dev": "/usr/include/stdio.h",
        "binutils": "nm",
    },
    "c++": {"g++": "g++"},
    "openssl": {"openssl": "openssl", "libssl-dev": "/usr/include/openssl/evp.h"},
    # Clients of the registries that packages come from; Debian's own is there, PyPI's in .venv.
    # Debian 12 has a newer cargo by the name of cargo-web, and the older wants a copy of the whole
    # index first.
    "cargo": {"cargo-web|cargo": "cargo"},
    "maven": {"default-jre-headless": "java", "ivy": "/usr/share/java/ivy.jar"},
    "npm": {"npm": "npm"},
    "gdb": {"gdb": "gdb"},
    "test": {
        "ccache": "ccache",
        "clang": "clang",
        "clang-format": "clang-format",
        "clang-tidy": "clang-tidy",
        "libclang-rt-dev": ("/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.asan-*.a"),
        "git": "git",
        "pkg-config": "pkg-config",
        "valgrind": "/usr/include/valgrind/memcheck.h",
    },
}

PURPOSES = frozenset(PACKAGES)


def _is_there(witness: str) -> bool:
    """Whether a file (its name may be a pattern) or a program is there."""
    if witness.startswith("/"):
        return bool(glob.glob(witness))
    return shutil.which(witness) is not None


def missing(purposes: Iterable[str], further: Mapping[str, str] | None = None) -> list[str]:
    """Debian packages that these purposes need, or that are asked for, and that are not there."""
    wanted = [item for purpose in purposes for item in PACKAGES[purpose].items()]
    wanted += (further or {}).items()
    return list(dict.fromkeys(name for name, witness in wanted if not _is_there(witness)))


#: Set to 0, nothing is installed: builds of others that call these tools did not ask for it.
MAY_INSTALL = "CORRAL_INSTALL"


def _as_root() -> list[str]:
    if os.geteuid() == 0:
        return []
    return ["sudo"] if shutil.which("sudo") else []


def _pick(package: str) -> str:
    """The first of the alternatives that this release has; needs up-to-date lists."""
    is_asked = "|" in package and shutil.which("apt-cache")
    for name in package.split("|") if is_asked else ():
        if subprocess.run(["apt-cache", "show", name], capture_output=True, check=False).stdout:
            return name
    return package.split("|", maxsplit=1)[0]


#: Seconds to wait for another apt-get: the machine may upgrade itself, and tests run side by side.
_PATIENCE = 600
_PATIENT = ("-o", f"DPkg::Lock::Timeout={_PATIENCE}")


def _update() -> None:
    """Update the list of packages. One mirror of several may fail; the installation shows that."""
    command = [*_as_root(), "env", "LC_ALL=C", "apt-get", "update", "-q"]
    for _ in range(_PATIENCE):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if "Could not get lock" not in done.stderr:  # apt-get waits for no lock of its list
            return
        time.sleep(1)


def ensure(purposes: Iterable[str], further: Mapping[str, str] | None = None) -> None:
    """Install what is missing, after naming it; if that is impossible, the error says how.

    further: other packages, each with a program or file that tells whether it is there.
    """
    wanted = missing(purposes, further)
    if not wanted:
        return
    if shutil.which("apt-get") is None:
        raise fail(
            "system",
            f"the files of these Debian packages are missing: {' '.join(wanted)}",
            "install the packages of your system that have the same content",
        )
    forbidden = os.environ.get(MAY_INSTALL) == "0"
    if forbidden or (os.geteuid() != 0 and not _as_root()):
        names = " ".join(_pick(package) for package in wanted)
        raise fail(
            "system",
            f"these Debian packages are missing: {names}",
            f"as root: apt-get install {names}",
        )
    with step("updating the list of Debian packages"):
        _update()
    wanted = [_pick(package) for package in wanted]
    print(f"Debian packages to install: {' '.join(wanted)}", file=sys.stderr)
    words = ["--yes", "--no-install-recommends", *wanted]
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", *_PATIENT, *words]
    with step(f"installing {' '.join(wanted)}"):
        run_quietly(
            [*_as_root(), *command],
            "system",
            f"check the network connection, or as root: apt-get install {' '.join(words)}",
        )
    still = missing(purposes, further)
    if still:
        raise fail(
            "system",
            f"still missing after the installation: {' '.join(still)}",
            "install what provides it",
        )
