# SPDX-License-Identifier: Apache-2.0
"""Which files name a family of the API, and have to be edited for another one like it.

usage: python tools/checks/named.py WORD...

A word is part of identifiers: xof, encapsul. Files that carry it in their own names are new ones
for a new family; drivers, generated files and vectors are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The parts of a product, and the tools that make it.
LIBRARY = ("config", "core", "dispatch", "include", "storage", "tools", "update", "wall")
TESTS = ("apps", "bench", "examples", "tests")
_SUFFIXES = (".c", ".h", ".py", ".toml", ".config", "Kconfig")
_MADE = re.compile(r"/golden/|/vectors/|/headers/|crypto_lengths\.h$|tools/checks/|/bench/results")


def naming(word: str, folders: Sequence[str], root: Path = ROOT) -> list[str]:
    """The files below the folders that have the word, but for those of its own."""
    done = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=root, check=True, capture_output=True, text=True
    )
    found = []
    for name in filter(None, done.stdout.split("\0")):
        path = root / name
        if _MADE.search(name) or not name.endswith(_SUFFIXES) or not path.is_file():
            continue
        if word not in name and word in path.read_text(encoding="utf-8").lower():
            found.append(name)
    return found


def main(words: Sequence[str]) -> int:
    for word in words:
        for title, folders in (("library and tools", LIBRARY), ("tests", TESTS)):
            found = naming(word, folders)
            print(f"{word}: {len(found)} files of {title}", *found, sep="\n  ")
    return 0 if words else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
