# SPDX-License-Identifier: Apache-2.0
"""Making a mistake in a description, and reading the tree that has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from corral.errors import CorralError
from corral.model.tree import load_tree

Change = Callable[[Any], None]


def set_at(*path: str | int, to: Any) -> Change:
    """Set a member of nested objects and lists."""

    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


def drop(*path: str | int) -> Change:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        del value[path[-1]]

    return change


def fails(root: Path) -> CorralError:
    """The error that reading the tree ends with; it names a remedy for each problem."""
    with pytest.raises(CorralError) as caught:
        load_tree(root)
    for problem in caught.value.problems:
        assert problem.where and problem.what and problem.remedy, problem
    return caught.value
