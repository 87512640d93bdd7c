# SPDX-License-Identifier: Apache-2.0
"""The one exception that the tools end with: it says where, what and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where (file, key, symbol), what, and how it is put right."""

    where: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}"
        # What another program said has lines of its own.
        between = "" if text.endswith("\n") else ": "
        return f"{text}{between}{self.remedy}" if self.remedy else text


class CorralError(Exception):
    """Raised for everything that a user can put right. str() has one line for each problem."""

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def fail(where: str, what: str, remedy: str = "") -> CorralError:
    """An error with a single problem, to be raised by the caller."""
    return CorralError(Problem(where, what, remedy))
