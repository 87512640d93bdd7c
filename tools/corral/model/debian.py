# SPDX-License-Identifier: Apache-2.0
"""Debian packages in descriptions, each with a file or a program that shows it is installed."""

from __future__ import annotations

import re

from corral.model.node import Node

#: "a|b": the first that a release of Debian has.
_PACKAGES = re.compile(r"[a-z0-9][a-z0-9+.-]+(?:\|[a-z0-9][a-z0-9+.-]+)*")
#: A path from the root, whose parts may be patterns, or the name of a program.
_WITNESS = re.compile(r"(?:/[^\s/]+)+|[\w.+-]+", re.ASCII)


def read_debian(node: Node, key: str) -> dict[str, str]:
    """A table of packages. A name or a witness that cannot be one would never be there."""
    for name, child in node.table(key).items():
        if not _PACKAGES.fullmatch(name):
            child.complain(f'"{name}" is no package of Debian', "correct the name")
        if isinstance(child.value, str) and not _WITNESS.fullmatch(child.value):
            what = f'"{child.value}" is neither a path from / nor a program'
            child.complain(what, "name a file or a program of the package")
    return node.string_table(key)
