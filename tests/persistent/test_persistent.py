# SPDX-License-Identifier: Apache-2.0
"""Persistent keys in local memory, sealed and not, with power cut at every step."""

from __future__ import annotations

import pytest
from harness import programs
from harness.program import EMULATED, NATIVE

SUITES = {"keys": 11, "stored": 11, "seal": 4, "cuts": 1, "pake": 3}
STATUSES = 14  # only on a PC
ROLLBACK = 14
ADVERSARY = 2
#: Numbers of corral/lock.h, in a build without elements.
LOCKS = {"storage": "1", "rollback": "2", "persistent": "3", "protected": "5"}


@pytest.mark.parametrize("board", [NATIVE, EMULATED])
def test_sealed(board: str) -> None:
    result = programs.persistent(board).run()
    for suite, count in SUITES.items():
        result.check(count, suite)
    if board == NATIVE:
        result.check(ROLLBACK, "rollback")
        result.check(ADVERSARY, "adversary")
        result.check(STATUSES, "statuses")
    result.check(sum(SUITES.values()))


@pytest.mark.parametrize("lock", sorted(LOCKS))
def test_lock_left_out__is_noticed(lock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRAL_TEST_WITHOUT_LOCK", LOCKS[lock])
    result = programs.persistent(NATIVE).run()
    assert result.status != 0
    assert "locks.c" in result.output, result.complaints()


def test_in_elements() -> None:
    result = programs.persistent_elements().run()
    result.check(11, "elements")
    result.check(7, "absent")
    result.check(8, "builtin")
    result.check(26)


def test_in_clear() -> None:
    """Where the board has no key of its own; three tests of the seal are left out."""
    result = programs.persistent_in_clear().run()
    result.check(SUITES["keys"], "keys")
    result.check(SUITES["stored"] - 3, "stored")
    result.check(3, "records")
    result.check(1, "cuts")
    result.check(STATUSES - 1, "statuses")
