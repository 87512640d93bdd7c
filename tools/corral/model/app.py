# SPDX-License-Identifier: Apache-2.0
"""The optional description of an application besides its folder: app.toml.

It names folders of the tree, such as fleet/device, that are compiled with the application.
Such a folder may have ports/NAME, only for boards of that port, or of the ports with
such a part. For a port the application may name another folder, which replaces it. A
part.toml in ports/NAME says what of packages it is compiled with. And app.toml has
macros that application and folders are compiled with, on boards of a port.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem, fail
from corral.model.driver import Package, read_packages
from corral.model.node import Node, nearest, read_toml
from corral.model.parts import read_defines
from corral.model.places import Places
from corral.model.port import load_port

FILE = "app.toml"
PART = "part.toml"
_OF_PORTS = "ports"
_WORDS, _DEFINES = "with", "defines"
_PACKAGES = "packages"


@dataclass(frozen=True)
class Beside:
    """A folder of the tree that an application is compiled with."""

    name: str  # of its part of the build
    place: Path  # the tree that it was found in: includes begin there
    sources: tuple[Path, ...]
    packages: tuple[Package, ...] = ()
    settings: Path = Path()  # the folder of part.toml, where the packages' settings are


def _packages(places: Places, folder: Path, problems: list[Problem]) -> tuple[Package, ...]:
    """The content of part.toml of a folder of ports."""
    if not (folder / PART).is_file():
        return ()
    label = places.label(folder / PART)
    node = read_toml(folder / PART, label, problems)
    node.only((_PACKAGES,))
    packages = read_packages(node, _PACKAGES)
    for name in packages:
        if places.find("packages", name) is None:
            remedy = nearest(name, places.names("packages"))
            node.child(_PACKAGES).child(name).complain("no such package", remedy)
    return tuple(packages.values())


def _beside(
    places: Places, word: str, port: str, chosen: str, label: str, problems: list[Problem]
) -> Beside | None:
    found = [place for place in places.all if (place / word).is_dir()]
    if not found or Path(word).is_absolute() or ".." in Path(word).parts:
        return None
    folder = found[0] / word
    sources = sorted(folder.glob("*.c"))
    is_chosen = bool(chosen) and (folder / _OF_PORTS / chosen).is_dir()
    own = folder / _OF_PORTS / (chosen if is_chosen else port)
    if is_chosen:
        sources += sorted(own.glob("*.c"))
    elif (folder / _OF_PORTS).is_dir():
        if not (folder / _OF_PORTS / port).is_dir():
            ports = places.names("ports")
            known = sorted(p.name for p in (folder / _OF_PORTS).iterdir() if p.name in ports)
            what = f'"{word}" has nothing for boards with port {port}'
            raise fail(label, what, f"use a board with one of: {', '.join(known)}")
        parts = (port, *(path.name for path in load_port(places.root, port).shared))
        sources += [p for part in parts for p in sorted((folder / _OF_PORTS / part).glob("*.c"))]
    packages = _packages(places, own, problems)
    return Beside(word.replace("/", "_"), found[0], tuple(sources), packages, own)


def _read(places: Places, folder: Path, problems: list[Problem]) -> Node | None:
    if not (folder / FILE).is_file():
        return None
    node = read_toml(folder / FILE, places.label(folder / FILE), problems)
    node.only((_WORDS, _DEFINES, _OF_PORTS))
    return node


def _chosen(places: Places, node: Node, port: str) -> str:
    """The application's replacement for the folders' files for a port; "" if none."""
    known = places.names("ports")
    chosen = node.string_table(_OF_PORTS)
    for name in chosen:
        if name not in known:
            where = node.child(_OF_PORTS).child(name)
            where.complain(f'"{name}" is no port', f"use one of: {', '.join(known)}")
    return chosen.get(port, "")


def load_beside(root: Path, folder: Path, port: str) -> tuple[Beside, ...]:
    """The folders that the application in `folder` names, for a board of a port."""
    places = Places.of(root)
    problems: list[Problem] = []
    node = _read(places, folder, problems)
    found = []
    chosen = _chosen(places, node, port) if node else ""
    label = places.label(folder / FILE)
    for word in node.strings(_WORDS) if node else ():
        beside = _beside(places, word, port, chosen, label, problems)
        if beside is not None:
            found.append(beside)
        elif node:
            node.child(_WORDS).complain(f'"{word}" is no folder of the tree', "correct the name")
    if node and chosen and not any(part.settings.name == chosen for part in found):
        what = f'no folder of "{_WORDS}" has {_OF_PORTS}/{chosen}'
        node.child(_OF_PORTS).child(port).complain(what, "correct the name")
    if problems:
        raise CorralError(problems)
    return tuple(found)


def load_packages(root: Path, folder: Path) -> tuple[Package, ...]:
    """Packages with which a folder of ports/ is compiled that a board names."""
    problems: list[Problem] = []
    found = _packages(Places.of(root), folder, problems)
    if problems:
        raise CorralError(problems)
    return found


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
