# SPDX-License-Identifier: Apache-2.0
"""The remote call over the loopback transport: the suites of the API, and the wall itself."""

from __future__ import annotations

import pytest
from api.test_api import SUITES as API_SUITES
from harness import programs

SUITES = {name: count for name, count in programs.wall().suites().items() if name not in API_SUITES}


@pytest.mark.parametrize("suite", SUITES)
def test_wall(suite: str) -> None:
    programs.wall().run().check(SUITES[suite], suite)


def test_stored_entries_and_keys_have_owners() -> None:
    result = programs.wall_stored().run()
    result.check(12, "entries")
    result.check(4, "recovery")


def test_suites_of_the_api_over_messages() -> None:
    programs.wall().run().check_each({**API_SUITES, **SUITES})
