# SPDX-License-Identifier: Apache-2.0
"""Run RIOT's own tests over Corral, against a checkout of RIOT, and print what they take.

Nothing is written into the checkout. Element tests run against Corral's virtual chips. The table of
sizes builds each application twice, with Corral and with RIOT's own module: that needs a compiler
for the board and the packages of RIOT, which RIOT fetches by git unless PKG_SOURCE_LOCAL_<NAME>
names a folder of yours. A row that cannot be built is reported as skipped.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
_TESTS = "tests/sys/"
_EXAMPLE = "examples/advanced/psa_crypto"
_SECONDS = 300.0
_DONE = re.compile(r"^(All Done|OK \(\d+ tests\))$", re.M)
_END = re.compile(r"^(All Done|OK \(\d+ tests\)|Tests failed|run \d+ failures)")


@dataclass(frozen=True)
class Judge:
    """An application of RIOT that says itself whether all is well."""

    title: str
    folder: str
    settings: Mapping[str, str]
    has_chips: bool = False
    #: A part that fails with RIOT's own module, too: hashes that the example leaves out.
    fails: str = ""


JUDGES = (
    *(
        Judge(name, _TESTS + name, {"BOARD": "native64"})
        for name in (
            "psa_crypto",
            "psa_crypto_hashes",
            "psa_crypto_aead",
            "psa_crypto_cipher",
            "psa_crypto_ecdsa",
            "psa_crypto_eddsa",
            "psa_crypto_mac",
        )
    ),
    # Its list of boards has native, which is native64 on a PC of 64 bits.
    Judge(
        "psa_crypto_persistent_storage",
        _TESTS + "psa_crypto_persistent_storage",
        {"BOARD": "native"},
    ),
    *(
        Judge(name, _TESTS + name, {"BOARD": "native64"}, has_chips=True)
        for name in (
            "psa_crypto_se",
            "psa_crypto_se_cipher",
            "psa_crypto_se_ecdsa",
            "psa_crypto_se_mac",
        )
    ),
    Judge("example", _EXAMPLE, {"BOARD": "native64"}),
    Judge(
        "example, one element", _EXAMPLE, {"BOARD": "native64", "SECURE_ELEMENT": "1"}, True, "Hash"
    ),
    Judge(
        "example, two elements",
        _EXAMPLE,
        {"BOARD": "native64", "SECURE_ELEMENT": "2"},
        True,
        "Hash",
    ),
)

#: Applications of the table of sizes.
ROWS = {
    "hashes": _TESTS + "psa_crypto_hashes",
    "HMAC": _TESTS + "psa_crypto_mac",
    "AES-CBC, ChaCha20": _TESTS + "psa_crypto_cipher",
    "AES-CCM": _TESTS + "psa_crypto_aead",
    "ECDSA": _TESTS + "psa_crypto_ecdsa",
    "Ed25519": _TESTS + "psa_crypto_eddsa",
    "example": _EXAMPLE,
}
#: An application without any crypto, whose bytes are taken off all others. It prints as they do.
_EMPTY = {
    "Makefile": """\
APPLICATION = corral_empty
RIOTBASE ?= {riot}
USEMODULE += ztimer ztimer_usec
DEVELHELP ?= 1
DEFAULT_MODULE += test_utils_interactive_sync test_utils_print_stack_usage
include $(RIOTBASE)/Makefile.include
""",
    "main.c": """\
#include <stdio.h>

#include "ztimer.h"

int main(void)
{
    ztimer_acquire(ZTIMER_USEC);
    printf("took %d us: %s\\n", (int)ztimer_now(ZTIMER_USEC), "no crypto");
    ztimer_release(ZTIMER_USEC);
    puts("All Done");
    return 0;
}
""",
}
_BOARDS = {"same54-xpro": "arm-none-eabi-gcc", "hifive1b": "riscv64-unknown-elf-gcc"}


class BadEndError(Exception):
    """A build or a run that did not end well."""


def unknown_modules(riot: Path) -> list[str]:
    """RIOT's modules of PSA Crypto that modules.toml does not have."""
    table = tomllib.loads((HERE / "modules.toml").read_text(encoding="utf-8"))
    unknown = []
    for name in ("sys/psa_crypto/Makefile.include", "pkg/cryptoauthlib/Makefile.include"):
        text = (riot / name).read_text(encoding="utf-8")
        for module in re.findall(r"^PSEUDOMODULES \+= (psa_\w+)$", text, re.M):
            base, _, backend = module.partition("_backend_")
            known = base.removesuffix("_custom_backend") in table["module"]
            if not known or (backend and backend not in table["backend"]):
                unknown.append(module)
    return unknown


def build(riot: Path, app: Path, out: Path, settings: Mapping[str, str], ours: bool) -> Path:
    """Build an application in a folder of its own; the program."""
    environment = {
        **{k: v for k, v in os.environ.items() if k not in ("EXTERNAL_MODULE_DIRS", "MAKEFLAGS")},
        **settings,
        "RIOTBASE": str(riot),
        "BINDIRBASE": str(out),
    }
    if ours:
        environment["EXTERNAL_MODULE_DIRS"] = str(HERE)
    command = ["make", "-C", str(app), "-j2", "all"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    programs = sorted(out.glob("*/*.elf"))
    if done.returncode != 0 or len(programs) != 1:
        raise BadEndError("\n".join((done.stdout + done.stderr).splitlines()[-12:]))
    return programs[0]


def judge(riot: Path, one: Judge, out: Path) -> None:
    """Build and run a judge; BadEndError unless it is content."""
    program = build(riot, riot / one.folder, out, one.settings, ours=True)
    command = [str(program)]
    if one.has_chips:
        chips = program.parent / "corral_configured" / "chips"
        command = [str(ROOT / "corral"), "chips", str(chips), str(program)]
    process = subprocess.Popen(
        command,
        cwd=out,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = _said_by(process)
    failed = re.findall(r"^(.+) failed: ", said, re.M)
    if not _DONE.search(said) and (not one.fails or failed != [one.fails]):
        raise BadEndError("\n".join(said.splitlines()[-12:]))


def _said_by(process: subprocess.Popen[str]) -> str:
    """The output of a program until it reports its end; RIOT's programs go on after that."""
    assert process.stdout is not None
    watch = threading.Timer(_SECONDS, process.terminate)
    watch.start()
    lines = []
    for line in process.stdout:
        lines.append(line)
        if _END.search(line):
            break
    watch.cancel()
    process.terminate()
    process.wait()
    return "".join(lines)


def size(program: Path, compiler: str) -> tuple[int, int]:
    """Bytes of ROM and RAM."""
    tool = compiler.removesuffix("gcc") + "size"
    text = subprocess.run([tool, program], capture_output=True, text=True, check=True).stdout
    code, data, zeros = (int(word) for word in text.splitlines()[1].split()[:3])
    return code + data, data + zeros


def _settings_for(board: str, compiler: str) -> dict[str, str]:
    named = [compiler, "-print-file-name=nano.specs"]
    specs = subprocess.run(named, capture_output=True, text=True, check=True).stdout.strip()
    has_newlib = "/" in specs
    settings = {"BOARD": board, "TARGET_ARCH": compiler.removesuffix("-gcc")}
    if not has_newlib and "FEATURES_BLACKLIST" not in os.environ:
        settings["FEATURES_BLACKLIST"] = "newlib"
    return settings


def table(riot: Path, board: str, work: Path, rows: Sequence[str]) -> list[str]:
    """The table of sizes for a board, less those of a program without crypto."""
    compiler = _BOARDS[board]
    if shutil.which(compiler) is None:
        return [f"skipped: {board}: no {compiler}"]
    settings = _settings_for(board, compiler)
    empty = work / "empty"
    empty.mkdir(exist_ok=True)
    for name, text in _EMPTY.items():
        (empty / name).write_text(text.replace("{riot}", str(riot)), encoding="utf-8")
    try:
        base = size(build(riot, empty, work / f"{board}-empty", settings, ours=False), compiler)
    except BadEndError as failure:
        return [f"skipped: {board}: nothing can be built for it:", str(failure)]
    lines = [
        f"{board}, {compiler}; bytes beyond a program without crypto",
        "| Application | ROM | RIOT | of it | RAM | RIOT |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        sizes = []
        for ours in (True, False):
            out = work / f"{board}-{row.partition(',')[0]}-{ours}"
            try:
                program = build(riot, riot / ROWS[row], out, settings, ours)
            except BadEndError as failure:
                if ours:
                    return [*lines, f"FAILED: {board}: {row}:", str(failure)]
                sizes.append((0, 0))
                continue
            rom, ram = size(program, compiler)
            sizes.append((rom - base[0], ram - base[1]))
        (rom, ram), (their_rom, their_ram) = sizes
        if their_rom == 0:
            lines.append(f"| {row} | {rom} | skipped | | {ram} | skipped |")
        else:
            share = f"{rom / their_rom:.2f}"
            lines.append(f"| {row} | {rom} | {their_rom} | {share} | {ram} | {their_ram} |")
    return lines


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("riot", metavar="RIOTBASE", type=Path, help="a checkout of RIOT")
    parser.add_argument("--only", metavar="WORD", help="judges whose title has this in it [all]")
    parser.add_argument("--sizes", choices=_BOARDS, action="append", help="also the table for")
    parser.add_argument("--rows", choices=ROWS, action="append", help="rows of the table [all]")
    asked = parser.parse_args(words)
    riot = asked.riot.resolve()
    if not (riot / "sys" / "psa_crypto" / "Makefile.dep").is_file():
        print(f"check.sh: error: {riot} is no checkout of RIOT: name one", file=sys.stderr)
        return 2
    failed = 0
    for module in unknown_modules(riot):
        failed += 1
        print(f"FAILED: {module} is in no row of modules.toml")
    with tempfile.TemporaryDirectory(prefix="corral-riot-") as folder:
        for number, one in enumerate(JUDGES):
            if asked.only is not None and asked.only not in one.title:
                continue
            out = Path(folder) / str(number)
            out.mkdir()
            try:
                judge(riot, one, out)
                print(f"passed: {one.title}", flush=True)
            except BadEndError as failure:
                failed += 1
                print(f"FAILED: {one.title}\n{failure}", flush=True)
        for board in asked.sizes or []:
            lines = table(riot, board, Path(folder), asked.rows or list(ROWS))
            failed += any(line.startswith("FAILED") for line in lines)
            print("\n".join(lines), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
