# SPDX-License-Identifier: Apache-2.0
"""The menus of dispatch/mechanisms.toml: the wants of an application, symbol by symbol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corral.model.node import Node, nearest

PREFIX = "PSA_WANT_"
WANT_KEYS = ("title", "help", "over")
PAIR_KEYS = ("title", "families", "can")
PAIR_WANT_KEYS = ("title", "help", "is_core")
#: The operations that every key pair supports; all others depend on them.
BASIC = "BASIC"


#: Of a size of asymmetric keys: whether there are pairs, or only public keys.
PAIRS = "CORRAL_KEY_PAIRS_"


def pairs_symbol(symbol: str) -> str:
    """Whether keys of the size or curve that a want names come in pairs, too."""
    return f"{PAIRS}{symbol.removeprefix(PREFIX)}"


def own_symbol(symbol: str) -> str:
    """The symbol that code of this library asks for in its place: always defined, 0 or 1."""
    return f"CORRAL_WANT_{symbol.removeprefix(PREFIX)}"


@dataclass(frozen=True)
class Want:
    """A PSA_WANT_ symbol."""

    symbol: str
    title: str
    help: str
    selects: tuple[str, ...] = ()
    is_core: bool = False  # the core supports it without a driver


@dataclass(frozen=True)
class Menu:
    """Symbols under one title."""

    title: str
    wants: tuple[Want, ...]


def _want(name: str, node: Node) -> Want | None:
    if not node.is_a(dict):
        return None
    node.only(WANT_KEYS)
    if node.has("over") and node.string("over") != "hash":
        node.child("over").complain(f'"{node.value["over"]}" is unknown', 'write "hash"')
    constant = f"PSA_{name}() over each wanted hash" if node.has("over") else f"PSA_{name}"
    return Want(PREFIX + name, node.title(), node.string("help", constant))


def _pair(name: str, node: Node, pair_wants: Mapping[str, Node]) -> list[Want]:
    """The symbols of a type of asymmetric keys: public ones, pairs, and operations of pairs."""
    if not node.is_a(dict):
        return []
    node.only(PAIR_KEYS)
    title = node.title()
    parameter = "()" if node.boolean("families", False) else ""
    public, pair = f"KEY_TYPE_{name}_PUBLIC_KEY", f"KEY_TYPE_{name}_KEY_PAIR"
    found = [Want(PREFIX + public, f"{title} public keys", f"PSA_{public}{parameter}")]
    for item in node.items("can"):
        if item.value not in pair_wants or item.value == BASIC:
            item.complain(f'"{item.value}" is unknown', nearest(str(item.value), pair_wants))
    for ability in (BASIC, *node.strings("can")):
        if ability in pair_wants:
            row = pair_wants[ability]
            above = public if ability == BASIC else f"{pair}_{BASIC}"
            found.append(
                Want(
                    f"{PREFIX}{pair}_{ability}",
                    f"{title} key pairs: {row.string('title')}",
                    row.string("help").replace("{pair}", f"PSA_{pair}{parameter}"),
                    (PREFIX + above,),
                    row.boolean("is_core", False),
                )
            )
    return found


def _of_list(fields: Mapping[str, Any], wants: tuple[tuple[str, ...], ...]) -> Want | None:
    """The symbol of a list's value, if it has one of its own."""
    if "title" not in fields or not wants:
        return None
    return Want(wants[-1][0], str(fields["title"]), str(fields.get("help", "")))


def _pair_wants(top: Node) -> dict[str, Node]:
    rows = {name: row for name, row in top.table("pair_wants").items() if row.is_a(dict)}
    for row in rows.values():
        row.only(PAIR_WANT_KEYS)
    if BASIC not in rows:
        top.complain(
            f"[pair_wants] has no {BASIC}", "add it: all other uses of key pairs select it"
        )
    return rows


def load_menus(
    top: Node, values: Mapping[str, Iterable[tuple[Mapping[str, Any], tuple[tuple[str, ...], ...]]]]
) -> tuple[Menu, ...]:
    """Read [[menu]]; values: fields and wants of each list's rows."""
    pair_wants = _pair_wants(top)
    menus: list[Menu] = []
    seen: set[str] = set()
    for node in top.items("menu"):
        if not node.is_a(dict):
            continue
        node.only(("title", "lists", "pairs", "wants"))
        wants = [want for name, row in node.table("wants").items() if (want := _want(name, row))]
        for name, row in node.table("pairs").items():
            wants += _pair(name, row, pair_wants)
        for item in node.items("lists"):
            if item.value not in values:
                item.complain(f'"{item.value}" is no list', nearest(str(item.value), values))
            rows = values.get(item.value, ())
            wants += [want for fields, of in rows if (want := _of_list(fields, of))]
        for want in wants:
            if want.symbol in seen:
                node.complain(f"{want.symbol} appears twice", "remove one")
            seen.add(want.symbol)
        menus.append(Menu(node.title(), tuple(wants)))
    return tuple(menus)
