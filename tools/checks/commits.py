# SPDX-License-Identifier: Apache-2.0
"""Messages of commits as CONTRIBUTING asks for them.

usage: python tools/checks/commits.py [REVISION-RANGE]     (default: what upstream has not)

A subject is at most 72 characters long and ends without a full stop. What touches the core, the
storage or a driver says why in a body.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 72
#: Folders whose changes need a reason, and their cost where they have one.
EXPLAINED = ("core/", "storage/", "drivers/", "wall/")


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def problems(message: str, files: Sequence[str]) -> list[str]:
    """What is wrong with a commit of these files; nothing: an empty list."""
    subject, _, rest = message.strip("\n").partition("\n")
    found = []
    if len(subject) > LONGEST:
        found.append(f"subject of {len(subject)} characters: at most {LONGEST}")
    if subject.endswith("."):
        found.append("subject ends with a full stop")
    if rest and not rest.startswith("\n"):
        found.append("no empty line behind the subject")
    if not rest.strip() and any(name.startswith(EXPLAINED) for name in files):
        found.append("no body: say why, and what it costs")
    return found


def main(words: Sequence[str]) -> int:
    wrong = 0
    for commit in _git("rev-list", "--no-merges", words[0] if words else "@{upstream}..").split():
        message = _git("show", "-s", "--format=%B", commit)
        files = _git("show", "--format=", "--name-only", commit).splitlines()
        for problem in problems(message, files):
            wrong += 1
            print(f"{commit[:10]} {message.splitlines()[0]}\n    {problem}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
