# SPDX-License-Identifier: Apache-2.0
"""Experiments drawn at random, as many as are asked for or until something is found."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from differential import curves, derivation, plain, rsa_and_lattices, sealed
from differential.chance import Chance
from differential.subject import DifferenceError, Subject

Experiment = Callable[[Chance, Subject], None]

#: How often, compared with the others: what is quick is tried more often.
EXPERIMENTS: dict[Experiment, int] = {
    plain.hash_function: 12,
    plain.extendable_output: 4,
    plain.mac: 16,
    sealed.cipher: 24,
    sealed.aead: 24,
    sealed.wrapping: 4,
    sealed.padding_is_checked: 4,
    curves.ecdsa: 2,
    curves.ecdh: 4,
    curves.montgomery: 4,
    curves.eddsa: 4,
    curves.point_that_is_none: 3,
    curves.generated: 1,
    curves.random_bytes: 2,
    rsa_and_lattices.rsa_signature: 2,
    rsa_and_lattices.rsa_encryption: 2,
    rsa_and_lattices.ml_kem: 3,
    rsa_and_lattices.ml_dsa: 2,
    derivation.hkdf_function: 6,
    derivation.hkdf_halves: 6,
    derivation.pbkdf2_function: 3,
    derivation.tls12_prf: 3,
    derivation.counter_mode: 3,
}


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

    An experiment depends on the seed and its number alone: `only` of run.py repeats one.
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
