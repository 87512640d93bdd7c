# SPDX-License-Identifier: Apache-2.0
"""Curves of AWS-LC: a heap and a generator that fail at each call, and secrets in memory."""

from __future__ import annotations

import pytest
from harness.program import NATIVE, WITHOUT_ELEMENTS, Program

WRAPPED = ("malloc", "free", "corral_random")


@pytest.mark.parametrize("sanitize", ["address,undefined", ""], ids=["sanitized", "plain"])
def test_curves_fail_cleanly_and_leave_no_secret(sanitize: str) -> None:
    """Sanitizers enlarge frames, so only the plain program looks at its stack."""
    Program(
        "driver/awslc",
        NATIVE,
        f"awslc-{'sanitized' if sanitize else 'plain'}",
        WITHOUT_ELEMENTS,
        sanitize=sanitize,
        link_flags=tuple(f"-Wl,--wrap={name}" for name in WRAPPED),
    ).run().check(4 if sanitize else 5)
