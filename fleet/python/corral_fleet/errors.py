# SPDX-License-Identifier: Apache-2.0
"""Errors: an object is rejected, a peer does not answer, a setting is wrong."""

from __future__ import annotations

from enum import Enum


class FleetError(Exception):
    """Every error of this package."""


class Reason(Enum):
    """Why an object is not believed; the names are those of the server."""

    MALFORMED = "malformed"
    NOT_TRUSTED = "not trusted"
    FOREIGN_KEY = "foreign key"
    BAD_SIGNATURE = "bad signature"
    BAD_SIGNATURE_OF_LOW_BITS = "bad signature of low bits"
    REPLAYED = "replayed"
    BEYOND_THRESHOLD = "beyond threshold"
    NO_FULL_NUMBER = "no full number yet"
    CONTENT_FORMAT = "content format"


class RefusedError(FleetError):
    """An object or a description that is not what it claims to be."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason


class UnreachableError(FleetError):
    """A peer did not answer, or not with the requested content."""


class WrongSettingError(FleetError):
    """Something that the user wrote, and how to put it right."""


class CommandError(FleetError):
    """A command without a result; `__cause__` has why, if another error is.

    may_be_done: whether it may have been carried out all the same: look before commanding again.
    """

    def __init__(self, detail: str, *, may_be_done: bool) -> None:
        unknown = ": it is not known whether it carried the command out" if may_be_done else ""
        super().__init__(f"{detail}{unknown}")
        self.may_be_done = may_be_done
