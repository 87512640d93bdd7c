# SPDX-License-Identifier: Apache-2.0
"""The one exception that ends the tools: it has the place, the error and the remedy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

#: Ends of lines, cursor movements, and bytes of names that are no text.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


#: The line of a file, or the key in it.
_PLACE = re.compile(r":(\d+| .*)$")
#: So many problems of one kind in a file are all shown.
_FEW = 2


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where (file, key, symbol), what, and how it is put right."""

    where: str
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        # Output of another program has lines of its own, and ends with one; all else is one line.
        if self.what.endswith("\n"):
            return f"{_in_one_line(self.where)}: {self.what}{self.remedy}"
        return _in_one_line(": ".join(filter(None, (self.where, self.what, self.remedy))))


def _in_one_line(text: str) -> str:
    """Users' words are in it, with any characters."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """Without repetitions: one mistake in a description may be met at each row that uses it."""
    places: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in dict.fromkeys(problems):
        file = _PLACE.sub("", problem.where)
        places.setdefault((file, problem.what, problem.remedy), []).append(problem)
    found: list[Problem] = []
    for (_, what, remedy), same in places.items():
        if len(same) <= _FEW:
            found += same
        else:
            more = f"{what} (and the same at {len(same) - 1} more places)"
            found.append(Problem(same[0].where, more, remedy))
    return found


class CorralError(Exception):
    """Raised for everything that a user can put right. str() has one line for each problem."""

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = _once([problems] if isinstance(problems, Problem) else problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def fail(where: str, what: str, remedy: str = "") -> CorralError:
    """An error with a single problem, to be raised by the caller."""
    return CorralError(Problem(where, what, remedy))
