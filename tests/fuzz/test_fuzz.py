# SPDX-License-Identifier: Apache-2.0
"""A short run of each fuzz target. For a long one: the same program without -max_total_time."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from corral import build as corral_build
from harness.program import NATIVE, TESTS, WITHOUT_ELEMENTS

SECONDS = 10
TARGETS = {
    "keys": 256,
    "hash": 512,
    "mac": 512,
    "cipher": 512,
    "sign": 256,
    "aead": 512,
    "derivation": 512,
    "pake": 96,
    "rsa": 96,
    "storage": 1024,
}


def test_every_target_is_listed() -> None:
    assert {path.parent.name for path in (TESTS / "fuzz").glob("*/main.c")} == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_short_run(target: str, tmp_path: Path) -> None:
    built = corral_build.build(
        f"../tests/fuzz/{target}",
        NATIVE,
        corral_build.Options(
            settings={"CORRAL_THREADS": "y", **WITHOUT_ELEMENTS},
            sanitize="address,undefined,fuzzer",
            compiler="clang",
            sources=(
                TESTS / "fuzz" / "common" / "initialize.c",
                TESTS / "harness" / "entropy.c",
                TESTS / "harness" / "rsa_keys.c",
            ),
            link_flags=("-Wl,--wrap=corral_port_entropy",),
            name=f"tests/fuzz-{target}",
        ),
    )
    done = subprocess.run(
        [
            built.image,
            f"-max_total_time={SECONDS}",
            f"-max_len={TARGETS[target]}",
            "-seed=1",
            "-print_final_stats=1",
            f"-artifact_prefix={tmp_path}/",
        ],
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS + 120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    runs = [line for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    assert runs and int(runs[0].split()[-1]) > 100, done.stderr[-2000:]
