# SPDX-License-Identifier: Apache-2.0
"""No branch and no address depends on a secret: Valgrind watches undefined memory."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from pathlib import Path

import pytest
from corral.build import image as build
from corral.common import system
from harness import areas, waiting
from harness.program import NATIVE, WITHOUT_ELEMENTS

HERE = Path(__file__).resolve().parent
FOUND = 42
TIME_LIMIT = 900

#: The tested drivers: the libraries that promise constant time, and our constructions over them.
BASE = {"CORRAL_DRIVER_MBEDTLS": "n", "CORRAL_DEFAULT_BY_BEARSSL": "y"}  # Mbed TLS: table AES
#: With the instructions that the processor has, and Valgrind, too, its AES has no tables.
INSTRUCTIONS = {
    "CORRAL_DRIVER_MBEDTLS": "y",
    **{
        f"CORRAL_{mechanism}_AES_256_BY_MBEDTLS": "y"
        for mechanism in ("ECB_NO_PADDING", "CBC_NO_PADDING", "CTR", "GCM")
    },
}
CONFIGURATIONS = {
    "library": BASE,
    "constructions": {
        **BASE,
        "CORRAL_HMAC_SHA_256_BY_COMPOSE": "y",
        "CORRAL_HMAC_SHA_512_BY_COMPOSE": "y",
        "CORRAL_CBC_NO_PADDING_AES_128_BY_COMPOSE": "y",
        "CORRAL_CTR_AES_128_BY_COMPOSE": "y",
        "CORRAL_ECDH_MONTGOMERY_255_BY_MONOCYPHER": "y",
        **(INSTRUCTIONS if platform.machine() == "x86_64" else {}),
    },
}


@cache
def program(configuration: str, lto: bool = False) -> Path:
    system.ensure(["test"])
    settings = {**WITHOUT_ELEMENTS, **CONFIGURATIONS[configuration]}
    name = f"tests/constant-time-{configuration}{'-lto' if lto else ''}"
    options = build.Options(settings=settings, name=name, lto=lto)
    return build.build("../tests/constant_time", NATIVE, options).image


def watch(image: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return waiting.run(
        [
            "valgrind",
            "--quiet",
            f"--error-exitcode={FOUND}",
            f"--suppressions={HERE / 'public.supp'}",
            str(image),
            *arguments,
        ],
        TIME_LIMIT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_time_does_not_depend_on_secrets(configuration: str) -> None:
    done = watch(program(configuration))
    assert done.returncode == 0, done.stdout[-6000:]
    assert "0 failed" in done.stdout


@pytest.mark.skipif(not areas.is_long(), reason="part of the long run")
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_time_does_not_depend_on_secrets_with_lto(configuration: str) -> None:
    """Nor where the compiler sees core, constructions and libraries at once."""
    done = watch(program(configuration, lto=True))
    assert done.returncode == 0, done.stdout[-6000:]
    assert "0 failed" in done.stdout


@pytest.mark.parametrize("lto", [False, *([True] if areas.is_long() else [])])
def test_a_branch_on_a_secret_is_reported(lto: bool) -> None:
    done = watch(program("library", lto), "leaky")
    assert done.returncode == FOUND, done.stdout
    assert "depends on uninitialised value" in done.stdout


def test_time_of_wolfcrypt_does_not_depend_on_secrets() -> None:
    system.ensure(["test"])
    options = build.Options(settings=WITHOUT_ELEMENTS, name="tests/constant-time-wolfcrypt")
    done = watch(build.build("../tests/constant_time/wolfcrypt", NATIVE, options).image)
    assert done.returncode == 0, done.stdout[-6000:]
    assert "0 failed" in done.stdout
