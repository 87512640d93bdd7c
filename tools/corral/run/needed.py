# SPDX-License-Identifier: Apache-2.0
"""Debian packages that a command needs from begin to end, so that one message names them all."""

from __future__ import annotations

from collections.abc import Iterable

from corral import ROOT
from corral.generate import api
from corral.model.board import port_of
from corral.model.simulator import load_simulator
from corral.model.tree import load_tree


def by_boards(boards: Iterable[str]) -> dict[str, str]:
    """To compile for these boards and run there, each with a program or file that tells of it."""
    needed: dict[str, str] = {}
    for board in boards:
        described = api.load_board(ROOT, board)
        port = port_of(ROOT, described)
        needed |= {**port.compiled_with, **port.run_with}
        simulators = {described.simulator, *(one.simulator for one in described.elements)}
        for name in filter(None, simulators):
            needed |= load_simulator(ROOT, name).debian
        drivers = load_tree(ROOT, described).drivers if described.elements else {}
        for element in described.elements:
            needed |= drivers[element.driver].debian if element.driver in drivers else {}
    return needed
