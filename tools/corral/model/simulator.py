# SPDX-License-Identifier: Apache-2.0
"""sim/<name>/sim.toml: a simulator of chips or of a whole board (sim/README.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.debian import read_debian
from corral.model.node import read_toml
from corral.model.places import Places

SIMULATOR_KEYS = ("title", "program", "debian", "chip", "board")


@dataclass(frozen=True)
class Simulator:
    """A simulator's description."""

    name: str
    folder: Path
    label: str
    title: str
    program: str  # that its CMakeLists.txt makes
    debian: dict[str, str]  # packages it is built with, and a file or program of each
    fields: tuple[str, ...] | None  # of an element, that its chip gets; None: has no chips
    inside: tuple[str, ...]  # of a board: the simulators whose chips it has in its own process
    # Its chips are on no bus: the board's program finds them by these variables.
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def has_sockets(self) -> bool:
        """Whether they have sockets of their own; if not, they are files, and it is no server."""
        return any("{socket}" in value for value in self.environment.values())


def load_simulator(root: Path, name: str) -> Simulator:
    """Read one simulator. Boards are built without theirs, so this is the first to miss it."""
    places = Places.of(root)
    folder = places.find("sim", name)
    if folder is None:
        raise places.missing("sim", name, "no such file")
    label = places.label(folder / "sim.toml")
    problems: list[Problem] = []
    node = read_toml(folder / "sim.toml", label, problems)
    node.only(SIMULATOR_KEYS)
    fields: tuple[str, ...] | None = None
    inside: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    if node.has("chip") and node.child("chip").is_a(dict):
        node.child("chip").only(("fields", "environment"))
        fields = node.child("chip").strings("fields")
        environment = node.child("chip").string_table("environment")
    if node.has("board") and node.child("board").is_a(dict):
        node.child("board").only(("chips",))
        inside = node.child("board").strings("chips")
    simulator = Simulator(
        name=name,
        folder=folder,
        label=label,
        title=node.title(),
        program=node.string("program"),
        debian=read_debian(node, "debian"),
        fields=fields,
        inside=inside,
        environment=environment,
    )
    if problems:
        raise CorralError(problems)
    return simulator
