# SPDX-License-Identifier: Apache-2.0
"""Projects of users, each in its own folder, that use the library."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corral.common.version import version
from harness import waiting

ROOT = Path(__file__).resolve().parents[2]
SPECS = "/usr/lib/picolibc/arm-none-eabi/picolibc.specs"

CONFIG = """\
PSA_WANT_ALG_ECDSA=y
PSA_WANT_ALG_SHA_256=y
PSA_WANT_ECC_SECP_R1_256=y
PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE=y
"""
BOARD = """\
title = "A board of mine"

[capabilities]
HAS_ENTROPY = true
"""
PORT = """\
#include <corral/port.h>

/* Of no use but to a test: the same numbers at each start. */
psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    static uint32_t state = 1;

    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        output[i] = (uint8_t)(state >> 24);
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}
"""
_QEMU = "qemu-system-arm -M {} -nographic -monitor none -serial stdio -semihosting-config"
#: Prints "signed" if a signature of a new key verifies, and exits with the error otherwise.
MAIN = """\
#include <stdio.h>

#include <psa/crypto.h>

int main(void)
{
    static const uint8_t message[] = "a message";
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t signature[64];
    size_t length = 0;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_set_key_algorithm(&attributes, alg);
    if (psa_crypto_init() != PSA_SUCCESS || psa_generate_key(&attributes, &key) != PSA_SUCCESS) {
        return 2;
    }
    if (psa_sign_message(key, alg, message, sizeof message, signature, sizeof signature,
                         &length) != PSA_SUCCESS ||
        psa_verify_message(key, alg, message, sizeof message, signature, length) != PSA_SUCCESS) {
        return 3;
    }
    puts("signed");
    return 0;
}
"""


@dataclass(frozen=True)
class Project:
    """A folder with a CMakeLists.txt, and out/, which CMake makes of it."""

    folder: Path

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return waiting.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            env={**os.environ, "CMAKE_GENERATOR": "Ninja"},
        )

    def done(self, *command: str | Path) -> str:
        """Run a command that must succeed. Returns its output."""
        done = self.run(*command)
        assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout

    def configure(self, *options: str) -> None:
        self.done("cmake", "-S", ".", "-B", "out", *options)

    def build(self, *targets: str) -> str:
        return self.done("cmake", "--build", "out", *(w for t in targets for w in ("-t", t)))


def qemu(machine: str, program: str) -> list[str]:
    """The command that runs a program on a machine of QEMU, which our boards are named after."""
    return [*_QEMU.format(machine).split(), "enable=on,target=native", "-kernel", program]


def user(folder: Path) -> dict[str, str]:
    """The environment of a user of an installed tree that has all packages of this tree."""
    cache = folder / "cache" / "corral" / version(ROOT)
    cache.mkdir(parents=True)
    for shared in ("build", ".venv"):
        (cache / shared).symlink_to(ROOT / shared)
    return {"XDG_CACHE_HOME": str(folder / "cache")}


def cmake_lists(*lines: str) -> str:
    head = ["cmake_minimum_required(VERSION 3.18)", "project(mine C)"]
    return "\n".join([*head, f"add_subdirectory({ROOT} corral)", *lines, ""])


def project(folder: Path, *lines: str, **files: str) -> Project:
    """The usual files, and `lines` in the CMakeLists.txt; keywords are further sources."""
    made = Project(folder)
    made.write({"crypto.config": CONFIG, "boards/mine/board.toml": BOARD, "main.c": MAIN})
    made.write({f"{name}.c": text for name, text in files.items()})
    made.write({"CMakeLists.txt": cmake_lists(*lines)})
    return made
