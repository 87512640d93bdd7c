# SPDX-License-Identifier: Apache-2.0
"""Run MCUboot's simulator over Corral, against a checkout of MCUboot, and count passed tests.

Bootutil and the simulator's tests are those of the checkout. Only the build script of the simulator
is replaced, in a copy below build/mcuboot: it compiles bootutil with the options of PSA Crypto, and
links a library of Corral. Nothing is written into the checkout.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "mcuboot"
BOARD = HERE / "simulator" / "board"

#: Folders of the checkout that the simulator reads, and files at its top.
_FOLDERS = ("boot/bootutil", "ext/mbedtls-asn1", "sim")
_FILES = ("Cargo.*", "*.pem", "*.b64")
#: A file that only a checkout with a back end for PSA Crypto has.
_MARK = "boot/bootutil/src/encrypted_psa.c"
#: Initializes the crypto library before the first image.
_INITIALIZES = "mcuboot-sys/psa-crypto-api"
_RESULT = re.compile(r"^test result: ok\. (\d+) passed; 0 failed", re.M)


@dataclass(frozen=True)
class Judge:
    """A build of the simulator: its features, and the configuration of Corral for them."""

    features: str
    configs: tuple[str, ...]
    settings: tuple[str, ...] = ()


_P256 = "sign-ecdsa-p256"
_RSA = "sign-rsa-2048"
_EC256 = "encrypt-ec256"
_X25519 = "encrypt-x25519"
#: Two images are decrypted at once.
_TWO_IMAGES = ("CORRAL_SINGLE_KEY_SLOTS=5",)

JUDGES = (
    Judge("sig-ecdsa-psa", (_P256,)),
    Judge("sig-ecdsa-psa sig-p384", ("sign-ecdsa-p384",)),
    Judge("sig-ed25519", ("sign-ed25519",)),
    Judge("sig-ed25519 sig-second-key", ("sign-ed25519",)),
    Judge("sig-rsa", (_RSA,)),
    Judge("sig-rsa3072", ("sign-rsa-3072",)),
    Judge("sig-ecdsa-psa enc-ec256", (_P256, _EC256)),
    Judge("sig-ecdsa-psa enc-aes256-ec256", (_P256, _EC256)),
    Judge("sig-ed25519 enc-x25519", ("sign-ed25519", _X25519)),
    Judge("sig-ed25519 enc-aes256-x25519", ("sign-ed25519", _X25519)),
    Judge("sig-rsa enc-rsa", (_RSA, "encrypt-rsa")),
    Judge("sig-rsa enc-aes256-rsa", (_RSA, "encrypt-rsa")),
    Judge("sig-ecdsa-psa enc-ec256 swap-move validate-primary-slot", (_P256, _EC256)),
    Judge(
        "sig-ed25519 enc-x25519 swap-offset validate-primary-slot max-align-16",
        ("sign-ed25519", _X25519),
    ),
    Judge("sig-rsa enc-rsa ram-load multiimage", (_RSA, "encrypt-rsa"), _TWO_IMAGES),
    Judge("sig-ecdsa-psa overwrite-only downgrade-prevention", (_P256,)),
    Judge("sig-ecdsa-psa hw-rollback-protection multiimage", (_P256,)),
    Judge("sig-ed25519 direct-xip", ("sign-ed25519",)),
)


class BadEndError(Exception):
    """A command that failed."""


def run(command: Sequence[str | Path], environment: dict[str, str], folder: Path) -> str:
    """The output of a command; BadEndError if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise BadEndError(done.stdout)
    return done.stdout


def copy_of(mcuboot: Path) -> Path:
    """A copy of the folders that the simulator needs, with our build script."""
    copy = WORK / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    for name in _FOLDERS:
        shutil.copytree(mcuboot / name, copy / name, ignore=shutil.ignore_patterns("target"))
    for pattern in _FILES:
        for path in mcuboot.glob(pattern):
            shutil.copy2(path, copy)
    shutil.copy2(HERE / "simulator" / "build.rs", copy / "sim" / "mcuboot-sys" / "build.rs")
    return copy


def features_of(mcuboot: Path) -> set[str]:
    """The features of the simulator of a checkout, which differ from version to version."""
    text = (mcuboot / "sim" / "Cargo.toml").read_text("utf-8")
    return set(tomllib.loads(text)["features"])


def library(one: Judge) -> Path:
    """Corral for the features of a judge: the folder where it is installed."""
    name = "-".join((*one.configs, *one.settings)).replace("=", "-").lower()
    config = WORK / f"{name}.config"
    texts = [(HERE / "configs" / f"{part}.config").read_text("utf-8") for part in one.configs]
    config.write_text("\n".join((*texts, *one.settings, "")), encoding="utf-8")
    prefix = WORK / name
    run([ROOT / "corral", "library", config, BOARD, "--prefix", prefix], {}, ROOT)
    return prefix


def mbedtls() -> Path:
    """Mbed TLS as the drivers of RSA use it."""
    described = tomllib.loads((ROOT / "packages" / "mbedtls" / "package.toml").read_text("utf-8"))
    folder = ROOT / "build" / "packages" / f"mbedtls-{described['source']['version']}"
    return folder / str(described["files"]["root"])


def judge(copy: Path, one: Judge, is_quick: bool) -> int:
    """Build and run the simulator; the number of tests that passed. BadEndError if one failed."""
    environment = {
        "CORRAL_INTEGRATION": str(HERE),
        "CORRAL_PREFIX": str(library(one)),
        "CORRAL_MBEDTLS": str(mbedtls()),
        "CARGO_TARGET_DIR": str(WORK / "target"),
        "CARGO_INCREMENTAL": "0",
    }
    if is_quick:
        environment["MCUBOOT_SKIP_SLOW_TESTS"] = "1"
    features = f"{one.features} {_INITIALIZES}"
    command = ["cargo", "test", "--locked", "--test", "core", "--features", features]
    text = run([*command, "--", "--test-threads=1"], environment, copy / "sim")
    result = _RESULT.search(text)
    if result is None or result[1] == "0":
        raise BadEndError(f"no test ran: {text}")
    return int(result[1])


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mcuboot", metavar="MCUBOOT", type=Path, help="a checkout of MCUboot")
    parser.add_argument("--only", metavar="FEATURES", action="append", help="a row [all rows]")
    parser.add_argument("--quick", action="store_true", help="leave out the simulator's slow tests")
    asked = parser.parse_args(words)
    mcuboot = asked.mcuboot.resolve()
    missing = [name for name in (*_FOLDERS, _MARK) if not (mcuboot / name).exists()]
    if missing:
        text = f"{mcuboot} is no checkout of MCUboot 2.4 or newer ({missing[0]} is missing)"
        print(f"check.sh: error: {text}: name one", file=sys.stderr)
        return 2
    if shutil.which("cargo") is None:
        print("check.sh: error: no cargo, which builds the simulator: install it", file=sys.stderr)
        return 2
    rows = {one.features: one for one in JUDGES}
    unknown = [name for name in asked.only or () if name not in rows]
    if unknown:
        text = f"no such row: {unknown[0]}: name one of {', '.join(rows)}"
        print(f"check.sh: error: {text}", file=sys.stderr)
        return 2
    chosen = [rows[name] for name in asked.only or rows]
    WORK.mkdir(parents=True, exist_ok=True)
    copy = copy_of(mcuboot)
    known = features_of(copy)
    print("| Features of the simulator | Passed | Seconds |\n|---|---|---|", flush=True)
    failed = 0
    for one in chosen:
        absent = [name for name in one.features.split() if name not in known]
        if absent:
            print(f"| `{one.features}` | absent: {', '.join(absent)} | 0 |", flush=True)
            continue
        start = time.monotonic()
        try:
            result = str(judge(copy, one, asked.quick))
        except BadEndError as failure:
            failed += 1
            result = "FAILED"
            print("\n".join(str(failure).splitlines()[-40:]), file=sys.stderr, flush=True)
        print(f"| `{one.features}` | {result} | {time.monotonic() - start:.0f} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
