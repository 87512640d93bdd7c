# SPDX-License-Identifier: Apache-2.0
"""The crate psa-crypto, linked to this library instead of its own, runs its tests as a client.

See README.md beside this file for how it is linked.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as corral_build
from corral.common import system
from corral.packages import fetch as packages
from harness import waiting
from harness.program import NATIVE, TESTS, WITHOUT_ELEMENTS

HERE = TESTS / "clients" / "rust"
BUILD = TESTS.parent / "build" / "tests" / "client-rust"
#: Their programs, and how many tests each has at least: all of them pass.
PROGRAMS = {
    "--lib": 14,
    "--test=aead": 5,
    "--test=hash": 6,
    "--test=key_agreement": 3,
    "--test=key_derivation": 2,
    "--test=mac": 14,
    "--test=mod": 33,
    "--doc": 32,  # the examples of their documentation
}

_RESULT = re.compile(r"^test (\S.*?) \.\.\. (\w+)", re.M)


def _link(name: Path, target: Path) -> None:
    name.parent.mkdir(parents=True, exist_ok=True)
    name.unlink(missing_ok=True)
    name.symlink_to(target)


def _include(folder: Path) -> Path:
    """One folder with all headers: ours, the generated ones, and those that the client adds."""
    include = BUILD / "include"
    shutil.rmtree(include, ignore_errors=True)
    for root in (folder / "gen", TESTS.parent / "include"):
        for header in root.rglob("*.h"):
            _link(include / header.relative_to(root), header)
    for name in ("mbedtls/build_info.h", "psa/crypto_se_driver.h"):
        _link(include / name, HERE / "legacy.h")
    return include


def _archive(folder: Path) -> Path:
    """Library, board and the functions of legacy.h in one archive, by the name the client
    expects."""
    library = BUILD / "lib" / "libmbedcrypto.a"
    library.parent.mkdir(parents=True, exist_ok=True)
    library.unlink(missing_ok=True)
    objects = sorted((folder / "cmake" / "CMakeFiles").rglob("*.o"))
    subprocess.run(["ar", "rcs", library, *objects], check=True)
    return library.parent


@cache
def environment() -> Mapping[str, str]:
    """Build the library for the client. Returns the variables that point the client to it."""
    built = corral_build.build(
        "../tests/clients/rust",
        NATIVE,
        corral_build.Options(
            settings={"CORRAL_THREADS": "y", **WITHOUT_ELEMENTS}, name="tests/client-rust"
        ),
    )
    return {
        **os.environ,
        "MBEDTLS_LIB_DIR": str(_archive(built.folder)),
        "MBEDTLS_INCLUDE_DIR": str(_include(built.folder)),
        "MBEDCRYPTO_STATIC": "1",
        "CARGO_TARGET_DIR": str(BUILD / "target"),
        # Its shim is compiled with -Werror, and our macros need fewer of their arguments.
        "CFLAGS": "-Wno-unused-parameter",
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_INCREMENTAL": "0",
    }


def _cargo(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return waiting.run(
        ["cargo", *arguments],
        cwd=packages.ensure(TESTS.parent, "psa_crypto"),
        env={**environment(), **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@cache
def compiled() -> None:
    """Fetch what Cargo.lock of the crate names, and compile offline."""
    system.ensure(["cargo"])
    offline = ("--locked", "--offline")
    for arguments in (
        ("fetch", "--locked"),
        # Cargo does not see when our headers change.
        ("clean", "-p", "psa-crypto-sys", *offline),
        ("test", "--lib", "--tests", "--no-run", *offline),
    ):
        done = _cargo(*arguments)
        assert done.returncode == 0, done.stdout[-6000:]


@pytest.mark.parametrize("program", PROGRAMS)
def test_client(program: str, tmp_path: Path) -> None:
    compiled()
    # Each example is a process, and the storage belongs to one at a time.
    threads = 1 if program == "--doc" else 8
    done = _cargo(
        "test",
        "--locked",
        "--offline",
        "--no-fail-fast",
        program,
        "--",
        "--include-ignored",  # tests that Mbed TLS would fail
        f"--test-threads={threads}",
        CORRAL_STORAGE=str(tmp_path),
    )
    results = dict(_RESULT.findall(done.stdout))
    assert done.returncode == 0, done.stdout[-6000:]
    assert {name for name, result in results.items() if result != "ok"} == set()
    assert len(results) >= PROGRAMS[program], done.stdout[-6000:]
