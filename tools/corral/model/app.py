# SPDX-License-Identifier: Apache-2.0
"""What an application has beside its folder: app.toml, where there is one.

It names folders of the tree, such as fleet/device, that are compiled with the application. Such a
folder may have ports/NAME, for boards of that port alone, or of the ports with such a part. And it
has macros that application and folders are compiled with, on boards of a port.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem, fail
from corral.model.node import Node, read_toml
from corral.model.parts import read_defines
from corral.model.places import Places
from corral.model.port import load_port

FILE = "app.toml"
_OF_PORTS = "ports"
_WORDS, _DEFINES = "with", "defines"


@dataclass(frozen=True)
class Beside:
    """A folder of the tree that an application is compiled with."""

    name: str  # of its part of the build
    place: Path  # the tree that it was found in: includes begin there
    sources: tuple[Path, ...]


def _beside(places: Places, word: str, port: str, label: str) -> Beside | None:
    found = [place for place in places.all if (place / word).is_dir()]
    if not found or Path(word).is_absolute() or ".." in Path(word).parts:
        return None
    folder = found[0] / word
    sources = sorted(folder.glob("*.c"))
    if (folder / _OF_PORTS).is_dir():
        if not (folder / _OF_PORTS / port).is_dir():
            ports = places.names("ports")
            known = sorted(p.name for p in (folder / _OF_PORTS).iterdir() if p.name in ports)
            what = f'"{word}" has nothing for boards with port {port}'
            raise fail(label, what, f"use a board with one of: {', '.join(known)}")
        parts = (port, *(path.name for path in load_port(places.root, port).shared))
        sources += [p for part in parts for p in sorted((folder / _OF_PORTS / part).glob("*.c"))]
    return Beside(word.replace("/", "_"), found[0], tuple(sources))


def _read(places: Places, folder: Path, problems: list[Problem]) -> Node | None:
    if not (folder / FILE).is_file():
        return None
    node = read_toml(folder / FILE, places.label(folder / FILE), problems)
    node.only((_WORDS, _DEFINES))
    return node


def load_beside(root: Path, folder: Path, port: str) -> tuple[Beside, ...]:
    """The folders that the application in `folder` names, for a board of a port."""
    places = Places.of(root)
    problems: list[Problem] = []
    node = _read(places, folder, problems)
    found = []
    for word in node.strings(_WORDS) if node else ():
        beside = _beside(places, word, port, places.label(folder / FILE))
        if beside is not None:
            found.append(beside)
        elif node:
            node.child(_WORDS).complain(f'"{word}" is no folder of the tree', "correct the name")
    if problems:
        raise CorralError(problems)
    return tuple(found)


def load_defines(root: Path, folder: Path, port: str) -> tuple[str, ...]:
    """The macros that the application in `folder` is compiled with, for a board of a port."""
    places = Places.of(root)
    problems: list[Problem] = []
    node = _read(places, folder, problems)
    known, found = places.names("ports"), []
    for name, child in node.table(_DEFINES).items() if node else ():
        if name not in known:
            child.complain(f'"{name}" is no port', f"use one of: {', '.join(known)}")
        elif name == port and node:
            of_port = read_defines(node.child(_DEFINES), port)
            found = [f"{macro}={value}" for macro, value in of_port.items()]
    if problems:
        raise CorralError(problems)
    return tuple(found)
