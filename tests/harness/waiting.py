# SPDX-License-Identifier: Apache-2.0
"""Waiting for what comes sooner or later: how long that is, is the machine's affair."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

#: Seconds after which nothing is to come: far more than the slowest machine takes that does
#: something else, too. Only what fails takes so long.
PATIENCE = 300.0
#: What a program may take of the processor, and how much longer that is where it has to share one:
#: a hang is told in half an hour, before who runs all tests gives up.
PROCESSOR = 600
SHARED = 3


def until(holds: Callable[[], T], what: Callable[[], object] | str, every: float = 0.02) -> T:
    """The first answer that is true; `what` says what was waited for."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, what if isinstance(what, str) else what()
        time.sleep(every)
    return found


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
