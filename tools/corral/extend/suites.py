# SPDX-License-Identifier: Apache-2.0
"""The tests that something outside the tree inherits."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from corral.arguments import folder
from corral.errors import CorralError, Problem, fail
from corral.model.board import Board, Element
from corral.model.driver import Driver
from corral.model.places import KINDS
from corral.model.tree import Tree

#: Where the suite of each is, whose tests are named [NAME-...].
_SUITES = {"drivers": "tests/driver/common", "boards": "tests/boards/test_boards.py"}

#: Where a driver is tested that needs no hardware: on this computer and on an emulated board.
_FOR_ALL = ("native", "mps2-an386")
#: The instruction sets that the probes of the suite are written in, by toolchain prefixes.
_PROCESSORS = {"": "x86", "arm": "thumb", "riscv": "riscv"}


def processor_of(board: Board) -> str | None:
    """The instruction set of a board's programs, if the suite of drivers has probes for it."""
    return _PROCESSORS.get(board.toolchain.prefix.partition("-")[0].rstrip("3264"))


def _obstacle(board: Board, driver: Driver, elements: Sequence[Element]) -> tuple[str, str] | None:
    """Why the suite of a driver does not run on a board, or not by these elements, and
    the remedy; None if it does."""
    known = " and ".join(filter(None, _PROCESSORS))
    chips = ", ".join(e.name for e in elements if not (e.simulator or board.trusted))
    is_local = not driver.is_opaque
    lacks = (
        (not board.port, "names no port", 'add it: port = "NAME"'),
        (not board.run, "names no run.command", "add what runs its programs, such as an emulator"),
        (
            processor_of(board) is None,
            f"has the toolchain {board.toolchain.prefix}, for which the suite has no probes",
            f"use one of {known}, or add probes to tests/driver/common/probes.py",
        ),
        (is_local and board.wall, "has a wall in front of its drivers", "use one without [wall]"),
        (
            is_local and not board.has(["HAS_ENTROPY"]),
            "has no HAS_ENTROPY, and the suite draws random numbers",
            "add entropy to its port, and HAS_ENTROPY to [capabilities]",
        ),
        (
            chips,
            f"has no simulator for {chips}, so nothing answers the suite",
            f'write sim/NAME, and add simulator = "NAME" to {chips}',
        ),
    )
    return next(((why, remedy) for is_so, why, remedy in lacks if is_so), None)


def boards_of(tree: Tree, driver: Driver) -> list[str]:
    """The boards on which a driver of keys in local memory is tested."""
    if not driver.requires:
        return [*_FOR_ALL]
    able = [board for board in tree.boards.values() if board.has(driver.requires)]
    return [board.name for board in able if _obstacle(board, driver, ()) is None]


def elements_of(tree: Tree) -> Iterator[tuple[Board, Element]]:
    """The elements by which their drivers are tested; those of the smallest builds first."""
    for board in sorted(tree.boards.values(), key=lambda board: len(board.elements)):
        for element in board.elements:
            if _obstacle(board, tree.drivers[element.driver], [element]) is None:
                yield board, element


def _untested(tree: Tree, driver: Driver) -> Iterator[Problem]:
    """The boards that have what a driver is for, but on which it cannot be tested."""
    for board in tree.boards.values():
        elements = [element for element in board.elements if element.driver == driver.name]
        has_it = elements if driver.is_opaque else driver.requires and board.has(driver.requires)
        if has_it and (reason := _obstacle(board, driver, elements)):
            yield _problem(board, driver, reason)


def _problem(board: Board, driver: Driver, reason: tuple[str, str]) -> Problem:
    why, remedy = reason
    what = f"driver {driver.name} cannot be tested on this board, which {why}"
    return Problem(board.label, what, remedy)


def check_tested(tree: Tree, name: str) -> list[Problem]:
    """Boards on which a driver is not tested, and why; an error if there is no other."""
    driver = tree.drivers[name]
    found = list(_untested(tree, driver))
    is_tested = (
        any(element.driver == name for _, element in elements_of(tree))
        if driver.is_opaque
        else boards_of(tree, driver)
    )
    if is_tested:
        return found
    if found:
        raise CorralError(found)
    if driver.is_opaque:
        what, remedy = "no board has an element of it", f'add [[element]] with driver = "{name}"'
    else:
        needs = " and ".join(driver.requires)
        what = f"no board has {needs}, which corral/requires lists"
        remedy = "add it to [capabilities]"
    remedy += " of a board.toml, and name the folder above boards/ by --path"
    raise fail(driver.place, f"cannot be tested: {what}", remedy)


def outside(words: Sequence[str]) -> tuple[list[str], list[str], str]:
    """Words for pytest in place of --driver or --board, the search path in front of the tree (where
    that is, and what --path names beside it), and the name of the driver."""
    parser = argparse.ArgumentParser("./corral test", add_help=False, allow_abbrev=False)
    parser.add_argument("--driver", dest="drivers", metavar="DIR", type=folder)
    parser.add_argument("--board", dest="boards", metavar="DIR", type=folder)
    parser.add_argument("--path", metavar="DIR", type=folder, action="append", default=[])
    known, rest = parser.parse_known_args(words)
    for kind, suite in _SUITES.items():
        word = getattr(known, kind)
        if word:
            described = Path(os.path.abspath(word))
            _check(described, kind)
            places = [str(described.parents[1]), *map(os.path.abspath, known.path)]
            driver = described.name if kind == "drivers" else ""
            return [suite, *_narrowed(rest, f"[{described.name}-")], places, driver
    if known.path:
        raise fail("test --path", "only for --driver and --board", "name one of them, too")
    return _with_areas(words), [], ""


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
