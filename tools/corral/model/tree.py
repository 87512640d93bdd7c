# SPDX-License-Identifier: Apache-2.0
"""Everything that the tree describes, read once and checked against each other.

A build reads its board and the drivers that can have work there. Faults of the others
matter to their authors, and to commands about the whole tree (documents, tests).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.board import Board, can_use, load_boards
from corral.model.capability import ECB, Capability
from corral.model.driver import Driver, load_driver
from corral.model.entry_points import EntryPointTable, load_entry_points
from corral.model.expression import Expression, Vocabulary, load_vocabulary
from corral.model.mechanisms import MechanismTable, load_mechanisms
from corral.model.node import nearest, read_text
from corral.model.places import KINDS, Places

# The requirement of a driver with a seed for boards, which it does not list.
SEEDED_BY = "HAS_ENTROPY"
_CAPABILITY = re.compile(r"\bHAS_\w+")


@dataclass(frozen=True)
class Tree:
    """The descriptions of a source tree."""

    places: Places
    vocabulary: Vocabulary
    entry_points: EntryPointTable
    mechanisms: MechanismTable
    drivers: dict[str, Driver]
    boards: dict[str, Board]
    asked: frozenset[str]  # the HAS_* symbols that the core asks boards for, or some driver
    left_out: tuple[Problem, ...] = ()  # of drivers that the board of a build has no work for

    @property
    def root(self) -> Path:
        return self.places.root

    @property
    def board_capabilities(self) -> list[str]:
        """Every HAS_* symbol, in alphabetical order.

        A driver may come without a board that it is for: then there is nothing for it to do.
        """
        return sorted(self.asked)


def _named(file: Path) -> set[str]:
    """The HAS_* symbols of a Kconfig; whether it is there is another question."""
    return set(_CAPABILITY.findall(read_text(file, str(file)))) if file.is_file() else set()


def asked_by_core(root: Path) -> set[str]:
    return {SEEDED_BY, *_named(root / "config" / "Kconfig")}


def asked_by(driver: Driver) -> set[str]:
    told = {c.told_with for c in driver.capabilities if c.told_with.startswith("HAS_")}
    return {*driver.requires, *told, *_named(driver.folder / "Kconfig")}


@dataclass(frozen=True)
class _Read:
    """A driver as it was read last, its faults, and its sources."""

    text: str
    headers: tuple[str, ...]
    label: str
    driver: Driver
    problems: tuple[Problem, ...]


#: By folder, with the table that their capabilities refer to.
_read: tuple[MechanismTable | None, dict[Path, _Read]] = (None, {})


def _drivers(
    places: Places, mechanisms: MechanismTable, vocabulary: Vocabulary, table: EntryPointTable
) -> Iterator[tuple[Driver, list[Problem]]]:
    """The drivers of all places. A process that builds many things asks for the same
    again and again."""
    global _read  # noqa: PLW0603
    if _read[0] is not mechanisms:
        _read = (mechanisms, {})
    for folder in places.folders("drivers").values():
        label = places.label(folder / "driver.json")
        text = read_text(folder / "driver.json", label)
        headers = tuple(path.name for path in folder.glob("*.h"))
        found = _read[1].get(folder)
        if found is None or (found.text, found.headers, found.label) != (text, headers, label):
            problems: list[Problem] = []
            driver = load_driver(folder, label, table, vocabulary, problems)
            found = _read[1][folder] = _Read(text, headers, label, driver, tuple(problems))
        yield found.driver, [*found.problems]


def load_tree(root: Path, board: Board | None = None) -> Tree:
    """Read dispatch/*.toml, and drivers/*/driver.json and boards/*/board.toml of all places.

    board: that of a build, which reads no other, and leaves out drivers that have no work on it and
    are described wrongly.
    """
    places = Places.of(root)
    vocabulary = load_vocabulary(root / "include" / "psa")
    table = load_entry_points(root)
    mechanisms = load_mechanisms(root, table, vocabulary)
    problems: list[Problem] = []
    drivers: dict[str, Driver] = {}
    wrong: dict[str, list[Problem]] = {}
    for kind in ("drivers",) if board else ("drivers", "boards"):
        _check_described(places, kind, problems)
    for driver, found in _drivers(places, mechanisms, vocabulary, table):
        drivers[driver.name], wrong[driver.name] = driver, found
    _check_prefixes(drivers, wrong)
    asked = frozenset(asked_by_core(root).union(*map(asked_by, drivers.values())))
    boards = {board.name: board} if board else load_boards(root)
    tree = Tree(places, vocabulary, table, mechanisms, drivers, boards, asked)
    for name, driver in drivers.items():
        _check_driver(driver, tree, wrong[name])
    for described in boards.values():
        _check_capabilities(described, asked, problems)
    idle = [n for n, found in wrong.items() if found and board and not can_use(board, drivers[n])]
    problems += [problem for n, found in wrong.items() if n not in idle for problem in found]
    if problems:
        raise CorralError(problems)
    useful = {name: driver for name, driver in drivers.items() if name not in idle}
    left_out = tuple(problem for name in idle for problem in wrong[name])
    return replace(tree, drivers=useful, left_out=left_out)


def _check_capabilities(board: Board, asked: Iterable[str], problems: list[Problem]) -> None:
    for name in board.capabilities:
        if name not in asked:
            remedy = f"{nearest(name, asked)} (or name the folder of its driver by --path)"
            where = f"{board.label}: capabilities.{name}"
            problems.append(Problem(where, "no driver and no Kconfig asks for it", remedy))


def _check_described(places: Places, kind: str, problems: list[Problem]) -> None:
    """Folders without a description would be left out without a word."""
    for folder in sorted(path for place in places.all for path in (place / kind).glob("*/")):
        file = folder / KINDS[kind]
        if folder.is_dir() and not file.is_file() and not folder.name.startswith((".", "_")):
            what = "no such file"
            problems.append(Problem(places.label(file), what, "write it, or remove the folder"))


def _check_prefixes(drivers: Mapping[str, Driver], wrong: Mapping[str, list[Problem]]) -> None:
    owners: dict[str, Driver] = {}
    for name, driver in drivers.items():
        owner = owners.setdefault(driver.prefix, driver)
        if owner is not driver and driver.prefix:
            what = f'"{driver.prefix}" is the prefix of {owner.place} already'
            wrong[name].append(Problem(f"{driver.label}: prefix", what, "take another"))
        elif driver.prefix and not f"{driver.prefix}_".startswith(f"{driver.name}_"):
            what = "the prefix does not begin with the driver's name"
            remedy = f'write "{driver.name}", or that and more words'
            wrong[name].append(Problem(f"{driver.label}: prefix", what, remedy))


def _check_driver(driver: Driver, tree: Tree, problems: list[Problem]) -> None:
    for name in driver.packages:
        if tree.places.find("packages", name) is None:
            problems.append(
                Problem(
                    f"{driver.label}: corral/packages.{name}",
                    f"no such file: packages/{name}/package.toml",
                    "describe there how the package is obtained, or correct its name",
                )
            )
    _check_kconfig(driver, problems)
    for capability in driver.capabilities:
        _check_layers(capability, list(tree.entry_points.contexts), problems)
        _check_needs(capability, tree, problems)
    for one, other in combinations(driver.capabilities, 2):
        _check_overlap(one, other, problems)


def _check_kconfig(driver: Driver, problems: list[Problem]) -> None:
    label = f"{driver.place}/Kconfig"
    path = driver.folder / "Kconfig"
    if not path.is_file():
        problems.append(Problem(label, "no such file", f"create it with {driver.enabled_by}"))
    elif f"config {driver.enabled_by}" not in path.read_text(encoding="utf-8").splitlines():
        problems.append(
            Problem(label, f"does not define {driver.enabled_by}", "add it, bool, default y")
        )
    else:
        for symbol in _depends_on(path.read_text(encoding="utf-8"), driver.enabled_by):
            if symbol not in driver.requires:
                what = f"{driver.enabled_by} depends on {symbol}, which corral/requires lacks"
                remedy = f'add "corral/requires": ["{symbol}"] to {driver.label}'
                problems.append(Problem(label, what, remedy))


def _depends_on(text: str, symbol: str) -> Iterator[str]:
    """The capabilities without which a symbol of a Kconfig is not there at all."""
    block = re.split(rf"^config {symbol}$", text.replace("\\\n", " "), maxsplit=1, flags=re.M)[-1]
    block = re.split(r"^\w", block, maxsplit=1, flags=re.M)[0]
    for condition in re.findall(r"^\s+depends on (.*)$", block, re.M):
        if "||" not in condition and "!(" not in condition:
            words = (word.strip(" \t()") for word in condition.split("&&"))
            yield from (word for word in words if _CAPABILITY.fullmatch(word))


def _layer(capability: Capability) -> str:
    """The layer of contexts that a capability is part of, or an empty string."""
    if not capability.context:
        return ""
    family = min(row.family for row in capability.entry_points.values())
    if family == "cipher" and capability.algorithms is not None and ECB in capability.algorithms:
        return "block"
    return family


def _check_needs(capability: Capability, tree: Tree, problems: list[Problem]) -> None:
    known = [*tree.mechanisms.needs, *tree.entry_points.over_hashes]
    for i, need in enumerate(capability.needs):
        if need not in known and not need.startswith("PSA_ALG_"):
            where = f"{capability.where}.corral/needs[{i}]"
            problems.append(Problem(where, f'"{need}" is unknown', nearest(need, known)))


def _check_layers(capability: Capability, layers: Sequence[str], problems: list[Problem]) -> None:
    layer = _layer(capability)
    if layer not in layers:  # it has no context, or dispatch/entry_points.toml lacks that kind
        return
    for i, used in enumerate(capability.uses):
        if used in layers and layers.index(used) >= layers.index(layer):
            problems.append(
                Problem(
                    f"{capability.where}.corral/uses[{i}]",
                    f"a {layer} operation cannot use {used}: that would be a cycle",
                    f"it may use {', '.join(layers[: layers.index(layer)]) or 'nothing'}",
                )
            )


def _check_overlap(one: Capability, other: Capability, problems: list[Problem]) -> None:
    """One case must not lead to two functions."""
    if not (
        _overlap(one.algorithms, other.algorithms)
        and _overlap(one.key_types, other.key_types)
        and _sizes_overlap(one.key_sizes, other.key_sizes)
    ):
        return
    for name in one.entry_points:
        if name in other.entry_points and one.function(name) != other.function(name):
            problems.append(
                Problem(
                    f"{other.where}",
                    f"{name} is {other.function(name).call(())} here, and "
                    f"{one.function(name).call(())} for the same case in "
                    f"{one.where.split(': ')[-1]}",
                    "narrow algorithms, key_types or key_sizes of one of them",
                )
            )


def _overlap(ones: tuple[Expression, ...] | None, others: tuple[Expression, ...] | None) -> bool:
    if ones is None or others is None:
        return True
    return any(one.overlaps(other) for one in ones for other in others)


def _sizes_overlap(ones: tuple[int, ...] | None, others: tuple[int, ...] | None) -> bool:
    return ones is None or others is None or not set(ones).isdisjoint(others)
