# SPDX-License-Identifier: Apache-2.0
"""The library and OpenSSL do the same, on what was drawn at random: other numbers in each run."""

from __future__ import annotations

import secrets

import pytest
from harness import areas

from differential import experiments, programs
from differential.chance import Chance
from differential.subject import DifferenceError, Subject

#: All together take a minute, with --long an hour.
SECONDS = areas.campaign(60, 3600) / len(programs.CONFIGURATIONS)


@pytest.mark.parametrize("configuration", programs.CONFIGURATIONS)
def test_against_openssl(configuration: str) -> None:
    made = experiments.explore(programs.build(configuration), secrets.randbits(32), SECONDS)
    assert set(made) == {experiments.name_of(one) for one in experiments.EXPERIMENTS}


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
