# SPDX-License-Identifier: Apache-2.0
"""Keys on the trusted side of a wall, for an application with a core of its own."""

from __future__ import annotations

from harness import programs


def test_driver_with_the_trusted_side() -> None:
    programs.remote().run().check(14, "remote")
