# SPDX-License-Identifier: Apache-2.0
"""The fuzz targets: how each is built, and the inputs that are kept of it.

The inputs that a target has learned are in its corpus.txt, one a line in hexadecimal.
"""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corral.build import image as corral_build
from harness import waiting
from harness.program import NATIVE, TESTS, WITHOUT_ELEMENTS

FOLDER = TESTS / "fuzz"


@dataclass(frozen=True)
class Target:
    """The content of target.toml in the folder of a target."""

    runs: int  # in a short run: some seconds
    max_len: int
    settings: Mapping[str, str] = field(default_factory=dict)
    has_elements: bool = False
    wrapped: Sequence[str] = ()  # functions of the port that the target has instead
    sources: Sequence[str] = ()  # beside its folder


TARGETS = {
    path.parent.name: Target(**tomllib.loads(path.read_text(encoding="utf-8")))
    for path in sorted(FOLDER.glob("*/target.toml"))
}


def build(name: str) -> Path:
    """Build a target with Clang and its sanitizers."""
    target = TARGETS[name]
    wrapped = ("corral_port_entropy", *target.wrapped)
    elements = {} if target.has_elements else WITHOUT_ELEMENTS
    return corral_build.build(
        f"../tests/fuzz/{name}",
        NATIVE,
        corral_build.Options(
            settings={"CORRAL_THREADS": "y", **elements, **target.settings},
            sanitize="address,undefined,fuzzer",
            compiler="clang",
            sources=(
                FOLDER / "common" / "initialize.c",
                TESTS / "harness" / "entropy.c",
                TESTS / "harness" / "material.c",
                TESTS / "harness" / "rsa_keys.c",
                *(TESTS.parent / source for source in target.sources),
            ),
            compile_flags=("-fno-sanitize-coverage=stack-depth",),  # depends on addresses
            link_flags=tuple(f"-Wl,--wrap={function}" for function in wrapped),
            name=f"tests/fuzz-{name}",
        ),
    ).image


def unpack(name: str, folder: Path) -> list[Path]:
    """Write the kept inputs of a target as files."""
    corpus = FOLDER / name / "corpus.txt"
    lines = corpus.read_text(encoding="utf-8").splitlines() if corpus.is_file() else []
    paths = [folder / f"{i:03}" for i in range(len(lines))]
    for path, line in zip(paths, lines, strict=True):
        path.write_bytes(bytes.fromhex(line))
    return paths


def pack(name: str, folder: Path) -> int:
    """Keep the inputs in a folder, the short ones first. Returns their number."""
    kept = sorted({path.read_bytes() for path in folder.iterdir()}, key=lambda b: (len(b), b))
    text = "".join(data.hex() + "\n" for data in kept if data)
    (FOLDER / name / "corpus.txt").write_text(text, encoding="utf-8")
    return len(kept)


def repeatable(runs: int, kept: Sequence[Path], folder: Path) -> list[str]:
    """Arguments with which a target does the same each time, as far as libFuzzer can.

    So many executions, those of the kept inputs among them, with the same choices. The inputs
    are listed, since the order in a folder is the file system's; new inputs are not kept.
    Nothing depends on addresses, which are others in each run: neither what the target compares
    nor how deep the stack is (build()) guides the choices, nor does libFuzzer look for leaks.
    """
    listed = folder / "kept"
    listed.write_text(",".join(map(str, kept)), encoding="utf-8")
    return [
        f"-runs={runs}",
        "-seed=1",
        "-use_cmp=0",
        "-detect_leaks=0",
        f"-seed_inputs=@{listed}",
    ]


def run(
    name: str, image: Path, arguments: Sequence[str], processor: int = waiting.PROCESSOR
) -> subprocess.CompletedProcess[str]:
    """Run a target; the artefact of a crash goes where the arguments say."""
    options = [f"-max_len={TARGETS[name].max_len}", *arguments]
    return waiting.run(
        [image, *options],
        processor,
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        capture_output=True,
        text=True,
        errors="replace",
    )
