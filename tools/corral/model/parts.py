# SPDX-License-Identifier: Apache-2.0
""" "corral/parts" of a driver.json: files under a name, with the parts that they use.

A capability names the parts that it is built from, so that no file has to be named for each
mechanism that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from corral.model.node import C_IDENTIFIER, Node, nearest

PART_KEYS = ("sources", "packages", "defines", "uses")
#: A file of a driver, as its description names it: in its folder, and of a name that is C text.
OWN_FILE = re.compile(r"\w[\w.+-]*(?:/\w[\w.+-]*)*", re.ASCII)


def check_own_file(node: Node) -> None:
    if isinstance(node.value, str) and node.value and not OWN_FILE.fullmatch(node.value):
        node.complain(f'"{node.value}" is no file of the driver', "name one of its folder")


def read_sources(node: Node, key: str) -> tuple[str, ...]:
    """A list of files of the driver."""
    for child in node.items(key):
        check_own_file(child)
    return node.strings(key)


@dataclass(frozen=True)
class Part:
    """Files of the driver, files of its packages, and definitions that both are compiled with.

    where: the prefix of its keys' names in messages.
    """

    where: str
    sources: tuple[str, ...] = ()
    package_sources: dict[str, tuple[str, ...]] = field(default_factory=dict)
    defines: dict[str, str] = field(default_factory=dict)
    uses: tuple[str, ...] = ()


def read_defines(node: Node, key: str) -> dict[str, str]:
    """A table of macros for the compiler."""
    return {name: _define(name, child) for name, child in node.table(key).items()}


def _define(name: str, node: Node) -> str:
    if not C_IDENTIFIER.fullmatch(name):
        node.complain(f'"{name}" is no C identifier', "use letters, digits and _")
    if isinstance(node.value, bool) or not isinstance(node.value, (int, str)):
        node.complain("the value of a define is a string or an integer", "write one of these")
    return str(node.value)


def read_package_sources(
    node: Node, key: str, packages: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Files by package; each package is one of the driver's."""
    known = set(packages)
    found: dict[str, tuple[str, ...]] = {}
    for name, child in node.table(key).items():
        if name not in known:
            child.complain(
                f'"{name}" is not in the driver\'s "corral/packages"',
                nearest(name, known) if known else "add it there",
            )
        found[name] = node.child(key).strings(name)
    return found


def read_part_names(node: Node, key: str, parts: Iterable[str]) -> tuple[str, ...]:
    """A list of parts, each of which there is."""
    known = set(parts)
    for item in node.items(key):
        if item.is_a(str) and item.value not in known:
            item.complain(
                f'"{item.value}" is none of the driver\'s "corral/parts"',
                nearest(item.value, known) if known else "add it there",
            )
    return tuple(name for name in node.strings(key) if name in known)


def load_parts(node: Node, packages: Iterable[str]) -> dict[str, Part]:
    """The parts of a driver; their faults go to the node's problems."""
    children = node.table("corral/parts")
    parts: dict[str, Part] = {}
    for name, child in children.items():
        if not child.is_a(dict):
            continue
        child.only(PART_KEYS)
        parts[name] = Part(
            where=f"{child.where}.",
            sources=read_sources(child, "sources"),
            package_sources=read_package_sources(child, "packages", packages),
            defines=read_defines(child, "defines"),
            uses=read_part_names(child, "uses", children),
        )
    for name, part in parts.items():
        if name in _reached(parts, part.uses):
            children[name].complain("this part uses itself", 'break the circle of "uses"')
    return parts


def _reached(parts: Mapping[str, Part], names: Iterable[str]) -> dict[str, None]:
    """The named parts and all that they use, directly or not, in the order of first use."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name in parts and name not in found:
            found[name] = None
            waiting += parts[name].uses
    return found


def all_of(parts: Mapping[str, Part], names: Iterable[str]) -> list[Part]:
    """The parts named, and those that they use."""
    return [parts[name] for name in _reached(parts, names)]
