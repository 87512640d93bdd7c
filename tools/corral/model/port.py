# SPDX-License-Identifier: Apache-2.0
"""ports/<name>/port.toml: the settings by which a port's boards are compiled and run
(docs/porting/PORT.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.debian import read_debian
from corral.model.node import Node, read_toml
from corral.model.places import Places

PORT_KEYS = ("title", "with", "parameters", "compile", "run")

#: The settings of the tree itself for compiling every port.
_COMMON = "common"
_FOLDER = re.compile(r"\w[\w.-]*")
_PARAMETER = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Port:
    """A port's description. Debian packages come with a file or a program of each."""

    name: str
    folder: Path
    label: str
    title: str
    shared: tuple[Path, ...]  # folders of ports/ whose sources are its own, too
    parameters: dict[str, str]  # numbers of its boards, such as addresses; and their meaning
    compiled_with: dict[str, str]  # none: the flags of this computer's own programs
    run_with: dict[str, str]

    def macro(self, parameter: str) -> str:
        """The name of a parameter in the port's sources."""
        return f"{self.name}_{parameter}".replace("-", "_").upper()


def _debian(node: Node, key: str) -> dict[str, str]:
    if not node.has(key) or not node.child(key).is_a(dict):
        return {}
    child = node.child(key)
    child.only(("debian",))
    return read_debian(child, "debian")


def named_folders(places: Places, node: Node) -> tuple[Path, ...]:
    """The folders of ports/ that "with" names."""
    found = []
    for word in node.strings("with"):
        folders = [place / "ports" / word for place in places.all]
        folder = next((folder for folder in folders if folder.is_dir()), None)
        if folder and _FOLDER.fullmatch(word):
            found.append(folder)
        else:
            node.child("with").complain(f'"{word}" is no folder of ports/', "correct the name")
    return tuple(found)


def _shared(places: Places, node: Node) -> tuple[Path, ...]:
    """The folders of ports/ that are no ports, but parts of several."""
    return tuple(dict.fromkeys((places.root / "ports" / _COMMON, *named_folders(places, node))))


def load_port(root: Path, name: str) -> Port:
    """Read one port."""
    places = Places.of(root)
    folder = places.find("ports", name)
    if folder is None:
        raise places.missing("ports", name, "no such file")
    label = places.label(folder / "port.toml")
    problems: list[Problem] = []
    node = read_toml(folder / "port.toml", label, problems)
    node.only(PORT_KEYS)
    compiled_with, run_with = _debian(node, "compile"), _debian(node, "run")
    for parameter, child in node.table("parameters").items():
        if not _PARAMETER.fullmatch(parameter):
            child.complain(f'"{parameter}" is no name', "use small letters, digits and _")
    parameters = node.string_table("parameters")
    title, shared = node.title(), _shared(places, node)
    port = Port(name, folder, label, title, shared, parameters, compiled_with, run_with)
    if problems:
        raise CorralError(problems)
    return port


def debian_of_all(root: Path) -> dict[str, str]:
    """The settings by which the boards of all ports are compiled and run."""
    ports = [load_port(root, name) for name in Places.of(root).names("ports")]
    return {k: v for port in ports for k, v in {**port.compiled_with, **port.run_with}.items()}
