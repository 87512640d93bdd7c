# SPDX-License-Identifier: Apache-2.0
"""Running what the client of a wall tries."""

from __future__ import annotations

from functools import cache

from corral.build import image as build
from corral.run import program as run
from corral.run.chips import running
from harness import programs, waiting
from harness.program import Result, judge


@cache
def built(transport: str) -> build.Build:
    return programs.behind_wall(transport).build()


def attack(transport: str, name: str) -> tuple[int, str]:
    """One that ends the run, or comes back: status and output."""
    done = run.run(built(transport), (f"attack={name}",), capture=True)
    return done.returncode, done.stdout


def answered(transport: str, shift: str | None = None) -> Result:
    """Those that are answered; shift: with instructions as time, so long ones."""
    with running((), built(transport).folder, True) as channel:
        repeats = shift is not None
        command = run.command_of(built(transport), channel, None, False, ("attack=all",), repeats)
        if shift is not None:
            command[command.index("-icount") + 1] = shift
        done = waiting.run(command, capture_output=True, text=True)
    return judge(done.stdout, done.returncode)
