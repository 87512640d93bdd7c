# SPDX-License-Identifier: Apache-2.0
"""dispatch/unserved.toml: reasons why no driver supports parts of the specification."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import read_toml

LABEL = "dispatch/unserved.toml"


@dataclass(frozen=True)
class Unserved:
    """Mechanisms and wants, as patterns, that no driver supports for one reason."""

    mechanisms: tuple[str, ...]
    wants: tuple[str, ...]
    reason: str

    @property
    def patterns(self) -> tuple[str, ...]:
        return (*self.mechanisms, *self.wants)

    def has_mechanism(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.mechanisms)

    def has_want(self, symbol: str) -> bool:
        return any(fnmatchcase(symbol, f"PSA_WANT_{pattern}") for pattern in self.wants)


def load_unserved(root: Path) -> tuple[Unserved, ...]:
    """The rows of the file; none in a tree without it."""
    if not (root / LABEL).is_file():
        return ()
    problems: list[Problem] = []
    top = read_toml(root / LABEL, LABEL, problems)
    top.only(("unserved",))
    rows = []
    for node in top.items("unserved"):
        node.only(("mechanisms", "wants", "reason"))
        rows.append(
            Unserved(node.strings("mechanisms"), node.strings("wants"), node.string("reason"))
        )
    if problems:
        raise CorralError(problems)
    return tuple(rows)


def reason_of_mechanism(rows: Iterable[Unserved], name: str) -> str:
    """Why no driver supports a mechanism, if the file has a reason."""
    return next((row.reason for row in rows if row.has_mechanism(name)), "")


def reason_of_want(rows: Iterable[Unserved], symbol: str) -> str:
    """Why a symbol leads to no mechanism, if the file says so."""
    return next((row.reason for row in rows if row.has_want(symbol)), "")
