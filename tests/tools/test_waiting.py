# SPDX-License-Identifier: Apache-2.0
"""Timeouts of tests: they forgive a slow machine, and no other fault."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from harness import waiting


class Clock:
    """Time as a test has it: each attempt takes what is next."""

    def __init__(self, *durations: float) -> None:
        self.now = 0.0
        self.left = list(durations)

    def attempt(self, outcome: str) -> str:
        """Take time; only the last one succeeds."""
        self.now += self.left.pop(0)
        assert not self.left, "not yet"
        return outcome


def _within(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(time, "monotonic", lambda: clock.now)
    return waiting.within(4)(clock.attempt)("done")


def test_attempt_that_fails_late__is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(5, 20, 4, 1)
    assert _within(clock, monkeypatch) == "done"
    assert clock.now == 30


def test_attempt_that_fails_in_time__has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(5, 3.9, 1)
    with pytest.raises(AssertionError, match="not yet"):
        _within(clock, monkeypatch)
    assert clock.left == [1]


def test_attempt_that_always_fails_late__fails_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(*[waiting.PATIENCE / 2 + 1] * 4)
    with pytest.raises(AssertionError, match="not yet"):
        _within(clock, monkeypatch)
    assert len(clock.left) == 2


def test_first__of_attempts__is_the_first_that_is_enough_or_else_the_last() -> None:
    made = []

    def attempts() -> Iterator[int]:
        for number in (1, 8, 64):
            made.append(number)
            yield number

    assert waiting.first(attempts(), lambda number: number > 1) == 8
    assert made == [1, 8]
    assert waiting.first(attempts(), lambda number: number > 64) == 64
