# SPDX-License-Identifier: Apache-2.0
"""The library in tasks of FreeRTOS, on an emulated Cortex-M4."""

from __future__ import annotations

from harness import programs


def test_race_of_four_tasks() -> None:
    programs.race("default", {}, programs.FREERTOS).run().check(3)
