# SPDX-License-Identifier: Apache-2.0
"""Messages of commits as CONTRIBUTING asks for them.

usage: python tools/checks/commits.py [REVISION-RANGE | --latest]   (default: unpublished commits)

A subject is at most 72 characters long and ends without a full stop. A commit that
touches the core, the storage, the update, the wall or a driver has a body with the reason
and the cost. --latest looks at the latest commits, as many as a clone has. Merges and the first
commit of a clone, whose parent may be missing, are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 72
#: Folders whose changes, but for documents, need a reason, and their cost where they have one.
EXPLAINED = ("core/", "storage/", "update/", "drivers/", "wall/")
#: A word by which a cost is said, also that there is none.
_COST = re.compile(r"\b(bytes?|flash|RAM|stack|instructions?|costs?|nothing)\b", re.I)
#: Commits that were written before did not have to say one: seconds since 1970, here
#: 2026-11-24 17:00 UTC.
COSTED_SINCE = 1795539600
LATEST = 200


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def problems(message: str, files: Sequence[str], written: int = COSTED_SINCE) -> list[str]:
    """The faults of a commit of these files; an empty list if there are none. written:
    its time, in seconds since 1970."""
    subject, _, rest = message.strip("\n").partition("\n")
    found = []
    if len(subject) > LONGEST:
        found.append(f"subject of {len(subject)} characters: at most {LONGEST}")
    if subject.endswith("."):
        found.append("subject ends with a full stop")
    if rest and not rest.startswith("\n"):
        found.append("no empty line behind the subject")
    if any(name.startswith(EXPLAINED) and not name.endswith(".md") for name in files):
        if not rest.strip():
            found.append("no body: say why, and what it costs")
        elif written >= COSTED_SINCE and not _COST.search(rest):
            found.append("no cost: say bytes of flash, RAM and stack, instructions, or nothing")
    return found


def main(words: Sequence[str]) -> int:
    wrong = 0
    which = [words[0]] if words else ["@{upstream}.."]
    if which == ["--latest"]:
        which = [f"--max-count={LATEST}", "HEAD"]
    listed = _git("rev-list", "--no-merges", "--min-parents=1", *which)
    for commit in listed.split():
        hashed, written, message = _git("show", "-s", "--format=%h%n%at%n%B", commit).split("\n", 2)
        files = _git("show", "--format=", "--name-only", commit).splitlines()
        for problem in problems(message, files, int(written)):
            wrong += 1
            print(f"{hashed} {message.splitlines()[0]}\n    {problem}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
