# SPDX-License-Identifier: Apache-2.0
"""ports/<name>/port.toml: what a port's boards are compiled and run with (docs/PORTING.md)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem, fail
from corral.model.node import Node, nearest, read_toml

PORT_KEYS = ("title", "compile", "run")


@dataclass(frozen=True)
class Port:
    """A port's description. Debian packages come with a file or a program of each."""

    name: str
    label: str
    title: str
    compiled_with: dict[str, str]  # none: with what this computer's own programs are
    run_with: dict[str, str]


def port_names(root: Path) -> list[str]:
    return sorted(path.parent.name for path in (root / "ports").glob("*/port.toml"))


def _debian(node: Node, key: str) -> dict[str, str]:
    if not node.has(key) or not node.child(key).is_a(dict):
        return {}
    child = node.child(key)
    child.only(("debian",))
    return child.string_table("debian")


def load_port(root: Path, name: str) -> Port:
    """Read one port."""
    label = f"ports/{name}/port.toml"
    names = port_names(root)
    if name not in names:
        raise fail(label, "no such file", nearest(name, names))
    problems: list[Problem] = []
    node = read_toml(root / "ports" / name / "port.toml", label, problems)
    node.only(PORT_KEYS)
    port = Port(name, label, node.string("title"), _debian(node, "compile"), _debian(node, "run"))
    if problems:
        raise CorralError(problems)
    return port


def debian_of_all(root: Path) -> dict[str, str]:
    """What the boards of all ports are compiled and run with."""
    ports = [load_port(root, name) for name in port_names(root)]
    return {k: v for port in ports for k, v in {**port.compiled_with, **port.run_with}.items()}
