# SPDX-License-Identifier: Apache-2.0
"""The library in tasks of FreeRTOS, on an emulated Cortex-M4."""

from __future__ import annotations

import re

import pytest
from harness import programs


def test_race_of_four_tasks() -> None:
    programs.race("default", {}, programs.FREERTOS).run().check(3)


@pytest.mark.parametrize("suite", ["waiting", "deleted"])
def test_tasks(suite: str) -> None:
    program = programs.tasks("default", {})
    program.run().check(program.suites()[suite], suite)


def test_without_marks_a_deleted_task_leaves_locks() -> None:
    """The test above would notice."""
    result = programs.tasks("unmarked", {"CORRAL_MARK_CALLS": "n"}).run()
    assert result.status != 0
    left = re.search(r"(tasks_locks|corral_holds)\(\) == 0", result.output)
    assert left, result.complaints()
