# SPDX-License-Identifier: Apache-2.0
"""Builds that several tests of the tools look at."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from corral.build import image as build
from corral.common.progress import alone
from corral.model.tree import Tree, load_tree

#: These builds only list the names of objects and compiled sources: no one runs or debugs them.
NAMES_ONLY = ("-O0", "-g0")
#: Drivers that are in one build.
Together = tuple[str, ...]


def _chosen(wanted: Mapping[str, str]) -> set[str]:
    """The mechanisms for which settings select a driver."""
    return {symbol.rpartition("_BY_")[0] for symbol in wanted if "_BY_" in symbol}


def _packed(wanted: Mapping[str, Mapping[str, str]]) -> list[Together]:
    """As few builds as will do: in each, no two drivers are chosen for the same."""
    builds: list[list[str]] = []
    for name in sorted(wanted, key=lambda name: len(_chosen(wanted[name])), reverse=True):
        free = (b for b in builds if not any(_chosen(wanted[n]) & _chosen(wanted[name]) for n in b))
        found = next(free, None)
        if found is None:
            builds.append([name])
        else:
            found.append(name)
    return [tuple(names) for names in builds]


def _with(tree: Tree, driver: str) -> str:
    """A board of this computer's port with an element of this driver, and few others."""
    boards = [board for board in tree.boards.values() if board.port == "posix"]
    boards.sort(key=lambda board: len(board.elements))
    return next(b.name for b in boards if any(e.driver == driver for e in b.elements))


@pytest.fixture(scope="session")
def driver_builds(root: Path) -> dict[Together, build.Build]:
    """Every driver that this computer can have, compiled for all its mechanisms."""
    sys.path.insert(0, str(root / "tests" / "driver" / "common"))
    from driver_subject import Subject, bound, settings_for  # noqa: PLC0415

    tree = load_tree(root)
    native = tree.boards["native"]
    drivers = [driver for driver in tree.drivers.values() if native.has(driver.requires)]
    wanted = {driver.name: settings_for(tree, native, Subject(driver)) for driver in drivers}
    # Constructions need what they are made of: they take the place of a library's own.
    wanted["compose"] = {
        symbol.replace("_BY_MBEDTLS", "_BY_COMPOSE")
        if symbol.replace("_BY_MBEDTLS", "_BY_COMPOSE") in wanted["compose"]
        else symbol: "y"
        for symbol in wanted["mbedtls"]
    }
    opaque = [driver.name for driver in drivers if driver.is_opaque]
    local = {name: wanted[name] for name in wanted if name not in opaque}
    builds = {}
    # Two test files ask for them, perhaps at once in two processes.
    with alone(root / "build" / "tests" / "drivers"):
        for names in [*_packed(local), *((name,) for name in opaque)]:
            # An element's driver is there when the application has keys in elements.
            app, board = (
                ("zoo", _with(tree, names[0])) if names[0] in opaque else ("hmac", native.name)
            )
            settings = {symbol: "y" for name in names for symbol in wanted[name]}
            # The application has no slots for the further wants of these.
            settings["CORRAL_KEY_PAIR_SLOTS"] = "1"
            options = build.Options(
                settings=settings,
                compile_flags=NAMES_ONLY,
                name=f"tests/drivers/{names[0]}",
            )
            prepared = build.prepare(app, board, options)
            assert all(bound(prepared, Subject(tree.drivers[n])) for n in names if n in local)
            builds[names] = build.build(app, board, options, prepared)
    return builds
