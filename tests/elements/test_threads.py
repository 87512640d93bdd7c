# SPDX-License-Identifier: Apache-2.0
"""Threads over an element that has one state for all hashes in parts."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from corral.build import image as build
from corral.run import program as run
from corral.run import provision

#: As main.c has them.
THREADS, OPERATIONS, UPDATES, STEP = 2, 3, 8, 41


def expected() -> list[str]:
    """The expected output of the program."""
    said = []
    for thread in range(THREADS):
        texts = (
            b"".join(bytes([100 * thread + 10 * i + n]) * STEP for n in range(UPDATES))
            for i in range(OPERATIONS)
        )
        hashes = [sha256(text).hexdigest() for text in (b"abc", *texts)]
        said += ["status 0", *hashes]
    return said


def test_hashes_in_parts__of_two_threads_over_one_engine__are_each_their_own(
    tmp_path: Path,
) -> None:
    options = build.Options(sanitize="thread", name="tests/elements-threads")
    built = build.build("../tests/elements/threads", "native", options)
    provision.prepare_virtual_chips("native", tmp_path)
    done = run.run(built, images=tmp_path, capture=True, repeats=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines() == expected()
