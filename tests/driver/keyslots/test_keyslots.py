# SPDX-License-Identifier: Apache-2.0
"""Key slots: what the part refuses by itself, and power and bus that fail at each transfer."""

from __future__ import annotations

from harness import programs


def test_part_and_driver() -> None:
    result = programs.keyslots().run()
    result.check(10, "slots")
    result.check(5, "cuts")
    result.check(15)
