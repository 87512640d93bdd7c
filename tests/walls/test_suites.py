# SPDX-License-Identifier: Apache-2.0
"""The suites of the API on the client's side of each wall that protects."""

from __future__ import annotations

import pytest
from api.test_api import SUITES as API_SUITES
from harness import programs
from walls.attacks import attack

#: Tests of these suites that make the entropy source fail, which is in the other image.
ENTROPY = {"cipher": 1, "create": 1, "encapsulation": 1, "random": 3, "sign": 1, "statuses": 1}


@pytest.mark.parametrize("transport", programs.WALLS)
def test_suites_of_the_api(transport: str) -> None:
    result = programs.behind_wall(transport).run()
    for suite, count in API_SUITES.items():
        result.check(count - ENTROPY.get(suite, 0), suite)
    result.check(sum(API_SUITES.values()) - sum(ENTROPY.values()))


@pytest.mark.parametrize("transport", programs.WALLS)
def test_attack_that_does_nothing__goes_on(transport: str) -> None:
    assert attack(transport, "nothing") == (0, "begins\ngoes on\n")


@pytest.mark.parametrize("transport", programs.WALLS)
def test_client__that_was_reset__leaves_nothing_behind(transport: str) -> None:
    assert attack(transport, "restart") == (0, "begins\nbegins\nnothing left\ngoes on\n")
