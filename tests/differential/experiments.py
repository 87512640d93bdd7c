# SPDX-License-Identifier: Apache-2.0
"""Experiments drawn at random, as many as are asked for or until something is found."""

from __future__ import annotations

import importlib
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from differential.chance import Chance
from differential.subject import DifferenceError, Subject

Experiment = Callable[[Chance, Subject], None]

HERE = Path(__file__).resolve().parent


def _found() -> Iterator[tuple[Experiment, int]]:
    """The experiments of the modules beside this one."""
    for path in sorted(HERE.glob("*.py")):
        if "\nEXPERIMENTS = {" in path.read_text(encoding="utf-8"):
            module = importlib.import_module(f"differential.{path.stem}")
            yield from module.EXPERIMENTS.items()


#: Relative frequencies: quick experiments run more often.
EXPERIMENTS: dict[Experiment, int] = dict(_found())


def name_of(experiment: Experiment) -> str:
    return getattr(experiment, "__name__", "")


def until(seconds: float) -> Iterator[int]:
    """Numbers of experiments until the time is over, one of each kind at least."""
    end = time.monotonic() + seconds
    for number in itertools.count():
        if number >= len(EXPERIMENTS) and time.monotonic() >= end:
            return
        yield number


def explore(image: Path, seed: int, numbers: Iterable[int]) -> Counter[str]:
    """How often each kind of experiment was made; the first numbers are one of each.

    An experiment depends only on the seed and its number: `only` of run.py repeats one.
    """
    subject = Subject(image)
    made: Counter[str] = Counter()
    every = list(EXPERIMENTS)
    for number in numbers:
        chance = Chance(f"{seed}:{number}")
        drawn = chance.choices(every, list(EXPERIMENTS.values()))[0]
        experiment = every[number] if number < len(every) else drawn
        perform(experiment, chance, subject, f"seed {seed}, experiment {number}")
        made[name_of(experiment)] += 1
    subject.close()
    return made


def perform(experiment: Experiment, chance: Chance, subject: Subject, where: str) -> None:
    try:
        experiment(chance, subject)
        subject.release()
    except (DifferenceError, AssertionError) as problem:
        lines = [f"{where}, {name_of(experiment)}: {problem}", *subject.history()]
        raise DifferenceError("\n".join(lines)) from None
