# SPDX-License-Identifier: Apache-2.0
"""Texts of others, before they are shown."""

from __future__ import annotations

#: How much of a reason is shown, in characters.
_REASON_MAX = 200


def printable(text: str) -> str:
    """Text of a device or a server, without control of the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def reason(text: str) -> str:
    """The begin of a reason from elsewhere: short, because other lines follow."""
    shown = printable(text[: _REASON_MAX + 1])
    return shown if len(shown) <= _REASON_MAX else f"{shown[:_REASON_MAX]}…"
