# SPDX-License-Identifier: Apache-2.0
"""The tests that something outside the tree inherits."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from corral.errors import fail
from corral.model.places import KINDS

#: Where the suite of each is, whose tests are named [NAME-...].
_SUITES = {"drivers": "tests/driver/common", "boards": "tests/boards/test_boards.py"}


def outside(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words for pytest in place of --driver or --board, and the search path in front of the tree:
    where that is, and what --path names beside it."""
    parser = argparse.ArgumentParser("./corral test", add_help=False, allow_abbrev=False)
    parser.add_argument("--driver", dest="drivers", metavar="DIR", default="")
    parser.add_argument("--board", dest="boards", metavar="DIR", default="")
    parser.add_argument("--path", metavar="DIR", action="append", default=[])
    known, rest = parser.parse_known_args(words)
    for kind, suite in _SUITES.items():
        word = getattr(known, kind)
        if word:
            folder = Path(os.path.abspath(word))
            _check(folder, kind)
            places = [str(folder.parents[1]), *map(os.path.abspath, known.path)]
            return [suite, *_narrowed(rest, f"[{folder.name}-")], places
    if known.path:
        raise fail("test --path", "only for --driver and --board", "name one of them, too")
    return _with_areas(words), []


def _with_areas(words: Sequence[str]) -> list[str]:
    """Names of areas in one word with their option: pytest takes a word of its own for a folder
    where there is one of that name, and does not get to know what areas are."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--area", dest="areas", action="append", default=[])
    known, rest = parser.parse_known_args(words)
    return [*(f"--area={name}" for name in known.areas), *rest]


def _check(folder: Path, kind: str) -> None:
    if not (folder / KINDS[kind]).is_file():
        raise fail(f"{folder}/{KINDS[kind]}", "no such file", "name the folder of its description")
    if folder.parent.name != kind:
        what = f"is not in a folder that is called {kind}"
        raise fail(str(folder), what, f"move it to {folder.parent}/{kind}/{folder.name}")


def _narrowed(words: Sequence[str], name: str) -> list[str]:
    """The tests of that name, of those that a -k chooses."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("-k", dest="chosen", default="")
    known, rest = parser.parse_known_args(words)
    return [*rest, "-k", f"{name} and ({known.chosen})" if known.chosen else name]
