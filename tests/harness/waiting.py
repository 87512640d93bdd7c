# SPDX-License-Identifier: Apache-2.0
"""Waiting for events that come sooner or later: the time depends on the machine."""

from __future__ import annotations

import functools
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds after which nothing is to come: far more than the slowest machine takes that does
#: something else, too. Only what fails takes so long.
PATIENCE = 300.0
#: The processor time of a program, and the longer limit if it has to share a processor:
#: a hang is reported in half an hour, before the runner of all tests gives up.
PROCESSOR = 600
SHARED = 3
#: Seconds that a program waits for events that come at once on an idle machine itself:
#: the next where these were too few.
RISING = (1, 8, 64)


def until(holds: Callable[[], T], what: Callable[[], object] | str, every: float = 0.02) -> T:
    """The first answer that is true; `what` says what was waited for."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, what if isinstance(what, str) else what()
        time.sleep(every)
    return found


def first(attempts: Iterable[T], is_enough: Callable[[T], object]) -> T:
    """The first of some attempts for which there was time enough; else the last, to be judged."""
    for attempt in attempts:
        if is_enough(attempt):
            break
    return attempt


def within(seconds: float) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """For tests with something that lasts for so many seconds and waits for no other program.

    An early failure fails. A late failure may be a delay of the machine, and is tried again.
    """

    def decorate(attempt: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(attempt)
        def repeated(*arguments: P.args, **named: P.kwargs) -> T:
            end = time.monotonic() + PATIENCE
            while True:
                begun = time.monotonic()
                try:
                    return attempt(*arguments, **named)
                except Exception:
                    now = time.monotonic()
                    if now - begun < seconds or now > end:
                        raise

        return repeated

    return decorate


def limited(command: Sequence[object], processor: int = PROCESSOR) -> list[str]:
    """A command that ends when it has taken so many seconds of processor time, by SIGXCPU."""
    return ["/bin/sh", "-c", f'ulimit -S -t {processor} && exec "$@"', "sh", *map(str, command)]


def run(
    command: Sequence[object], processor: int = PROCESSOR, **more: Any
) -> subprocess.CompletedProcess[Any]:
    """subprocess.run() for a program that may take so many seconds of processor time.

    A program that works is not ended because others work, too; one that hangs is, later.
    """
    timeout = SHARED * processor
    return subprocess.run(limited(command, processor), check=False, timeout=timeout, **more)
