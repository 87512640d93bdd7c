# SPDX-License-Identifier: Apache-2.0
"""The library and OpenSSL do the same, on what is drawn at random: a short run is always the same.

With --long each run draws other numbers, and prints their seed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable

import pytest
from harness import areas

from differential import experiments, programs
from differential.chance import Chance
from differential.subject import DifferenceError, Subject

#: Experiments of a short run, each of a quarter of a minute.
COUNTS = {"default": 5000, "bearssl": 4000, "lto": 9000}
#: With --long, all together.
SECONDS = 3600


@pytest.mark.parametrize("configuration", programs.CONFIGURATIONS)
def test_against_openssl(
    configuration: str, record_property: Callable[[str, object], None]
) -> None:
    seed = secrets.randbits(32) if areas.is_long() else 1
    numbers: Iterable[int] = range(COUNTS[configuration])
    if areas.is_long():
        numbers = experiments.until(SECONDS / len(COUNTS))
        record_property("tells", f"differential: {configuration}, seed {seed}")
    made = experiments.explore(programs.build(configuration), seed, numbers)
    assert set(made) == {experiments.name_of(one) for one in experiments.EXPERIMENTS}


def test_every_experiment_is_made() -> None:
    text = "".join(path.read_text() for path in sorted(experiments.HERE.glob("*.py")))
    written = re.findall(r"^def ([a-z]\w*)\(chance: Chance, subject: Subject\)", text, re.M)
    assert sorted(written) == sorted(map(experiments.name_of, experiments.EXPERIMENTS))


@pytest.mark.parametrize("configuration", programs.CONFIGURATIONS)
def test_a_repeated_run_draws_the_same(configuration: str) -> None:
    said = []
    for _ in range(2):
        subject = Subject(programs.build(configuration))
        said.append(subject.take("random", 32).outputs)
        subject.close()
    assert said[0] == said[1]


def _with_a_wrong_byte(chance: Chance, subject: Subject) -> None:
    subject.expect(chance.randbytes(32), "hash1", 0x02000009, chance.data(), 32)


def _with_a_wrong_status(chance: Chance, subject: Subject) -> None:
    subject.refuse(-149, "hash1", 0x02000009, chance.data(), 32)


@pytest.mark.parametrize("experiment", [_with_a_wrong_byte, _with_a_wrong_status])
def test_a_difference_is_found_and_said(experiment: experiments.Experiment) -> None:
    subject = Subject(programs.build("default"))
    with pytest.raises(DifferenceError, match=r"seed 1, experiment 2, _with_a_wrong_.*\n.*hash1"):
        experiments.perform(experiment, Chance(1), subject, "seed 1, experiment 2")
    subject.close()
