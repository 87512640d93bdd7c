# SPDX-License-Identifier: Apache-2.0
""" "corral/each" of a capability: one description for mechanisms that differ in little."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from corral.model.node import Node, nearest

# The keys of one row of "corral/each"; the rest is common to all.
EACH_KEYS = (
    "algorithms",
    "key_types",
    "key_sizes",
    "names",
    "corral/base",
    "corral/constants",
    "corral/context",
    "corral/parts",
    "corral/sources",
    "corral/package_sources",
    "corral/defines",
    "corral/needs",
    "corral/devices",
    "corral/time",
    "corral/told_with",
    "corral/limits",
    "corral/refuses",
)

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def load_lists(node: Node) -> dict[str, list[Node]]:
    """ "corral/lists" of a driver: rows that several capabilities are repeated for."""
    if not node.has("corral/lists"):
        return {}
    return {name: node.child("corral/lists").items(name) for name in node.table("corral/lists")}


def rows_of(node: Node, lists: Mapping[str, list[Node]]) -> list[Node]:
    """A capability, or what "corral/each" makes of it: the same with each row's own keys.

    Parts of a row are added to those of the capability; other keys are in one of the two.
    Further members of a row are texts for placeholders: "{hash}" in the capability.
    """
    if not node.has("corral/each"):
        return [node]
    common = {key: value for key, value in node.value.items() if key != "corral/each"}
    return [_row(node, common, row) for row in _each(node, lists) if row.is_a(dict)]


def _row(node: Node, common: dict[str, Any], row: Node) -> Node:
    """The capability that one row makes."""
    texts = {k: v for k, v in row.value.items() if "/" not in k and k not in EACH_KEYS}
    row.only((*EACH_KEYS, *texts))
    for key in row.value:
        if key in common and key != "corral/parts":
            row.child(key).complain("is in the capability, too", "leave it out of one")
        if key in texts:
            row.child(key).is_a(str)
    own = {key: value for key, value in row.value.items() if key not in texts}
    parts = [*node.strings("corral/parts"), *row.strings("corral/parts")]
    merged = {**common, **own, **({"corral/parts": parts} if parts else {})}
    return Node(_filled(row, merged, texts), row.file, row.path, row.problems)


def _each(node: Node, lists: Mapping[str, list[Node]]) -> list[Node]:
    """The rows of "corral/each": a list, or the name of one of the driver's lists."""
    name = node.value["corral/each"]
    if not isinstance(name, str):
        return node.items("corral/each")
    if name not in lists:
        node.child("corral/each").complain(
            f'"{name}" is none of the driver\'s "corral/lists"',
            nearest(name, lists) if lists else "add it there",
        )
    return lists.get(name, [])


def _filled(row: Node, value: Any, texts: Mapping[str, Any]) -> Any:
    """The value with its placeholders replaced, at any depth."""

    def text_of(match: re.Match[str]) -> str:
        if match[1] not in texts:
            row.complain(f'"{match[0]}" has no text in this row', nearest(match[1], texts))
        return str(texts.get(match[1], ""))

    if isinstance(value, str):
        return _PLACEHOLDER.sub(text_of, value)
    if isinstance(value, list):
        return [_filled(row, item, texts) for item in value]
    if isinstance(value, dict):
        return {key: _filled(row, item, texts) for key, item in value.items()}
    return value
