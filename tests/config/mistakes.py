# SPDX-License-Identifier: Apache-2.0
"""Making a mistake in a description, and reading the tree that has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from corral.errors import CorralError
from corral.model.tree import load_tree

Change = Callable[[Any], None]
#: Of a member that is not there.
DROPPED = object()


def set_at(*path: str | int, to: Any) -> Change:
    """Set a member of nested objects and lists."""

    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


def steps(place: str) -> list[str | int]:
    """The keys and indices of a place, as messages write it: `a[1].b`."""
    found = re.findall(r"\[(\d+)\]|([^.\[]+)", place)
    return [int(index) if index else key for index, key in found]


def place_of(path: Sequence[str | int]) -> str:
    """The other way round."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def put(place: str, to: object) -> Change:
    """Set what is at a place, or drop it."""
    *parents, last = steps(place)

    def drop(value: Any) -> None:
        for step in parents:
            value = value[step]
        del value[last]

    return drop if to is DROPPED else set_at(*parents, last, to=to)


def fails(root: Path) -> CorralError:
    """The error that reading the tree ends with; it names a remedy for each problem."""
    with pytest.raises(CorralError) as caught:
        load_tree(root)
    for problem in caught.value.problems:
        assert problem.where and problem.what and problem.remedy, problem
    return caught.value
