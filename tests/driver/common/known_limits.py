# SPDX-License-Identifier: Apache-2.0
"""Published vectors that a library gets wrong, as its driver's README says.

Nothing here makes a forgery or a wrong result acceptable: a valid case may be refused, no more.
"""

from __future__ import annotations

import re
from dataclasses import replace

from vectors.row import Row

#: By driver: titles of valid vectors that it may refuse.
MAY_REFUSE: dict[str, re.Pattern[str]] = {
    "micro_ecc": re.compile(
        r"extreme value for k|Edge case for Shamir multiplication|edge case private key"
        r"|point with coordinate x = 0|x-coordinate that satisfies x\*\*2 = 0"
    ),
}


def apply(driver: str, row: Row) -> Row:
    """The row as this driver is held to it."""
    pattern = MAY_REFUSE.get(driver)
    if pattern is not None and row.result == "VALID" and pattern.search(row.title):
        return replace(row, result="ACCEPTABLE")
    return row
