# SPDX-License-Identifier: Apache-2.0
"""pip, kept from running anything that a source archive brings.

pip asks the build backend of a source archive for metadata even if the archive is only to be
downloaded. The archive names that backend, which may be a module of its own. pip starts backends by
sys.executable. Here that is a program of ours, which answers from PKG-INFO and imports nothing; an
answer that pip does not understand is pip's error, not a reason to run a backend.

    python sdist.py pip PROGRAM ARGUMENT...     run pip with PROGRAM in the place of backends
    python sdist.py answer SCRIPT HOOK FOLDER   what PROGRAM runs, with the words that pip gives it
"""

from __future__ import annotations

import json
import re
import runpy
import shlex
import sys
from pathlib import Path


def command(folder: Path) -> list[str]:
    """The beginning of a command that runs pip so; the program is made in this folder."""
    program = folder / "backend"
    words = shlex.join([sys.executable, "-I", __file__, "answer"])
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return [sys.executable, "-I", __file__, "pip", str(program)]


def _prepare_metadata(folder: Path) -> str:
    """PEP 517: write <name>-<version>.dist-info/METADATA; returns that folder's name."""
    text = Path("PKG-INFO").read_text(encoding="utf-8", errors="replace")
    name, version = (
        re.findall(rf"(?m)^{field}:[ \t]*([\w.+!-]+)", text)[0] for field in ("Name", "Version")
    )
    info = f"{re.sub(r'[-.]+', '_', name)}-{version}.dist-info"
    (folder / info).mkdir(parents=True)
    content = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (folder / info / "METADATA").write_text(content, encoding="utf-8")
    return info


def _answer(hook: str, control: Path) -> int:
    """One question of pip's: input.json of this folder holds it, output.json the answer."""
    if hook != "prepare_metadata_for_build_wheel":
        return 1
    question = json.loads((control / "input.json").read_text(encoding="utf-8"))
    name = _prepare_metadata(Path(question["kwargs"]["metadata_directory"]))
    answer = {"unsupported": False, "return_val": name}
    (control / "output.json").write_text(json.dumps(answer), encoding="utf-8")
    return 0


def _main(role: str, first: str, *words: str) -> int:
    if role == "answer":
        hook, control = words
        return _answer(hook, Path(control))
    sys.executable = first
    sys.argv[:] = ["pip", *words]
    runpy.run_module("pip", run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
