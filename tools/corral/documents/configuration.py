# SPDX-License-Identifier: Apache-2.0
"""docs/CONFIGURATION.md: every symbol that a configuration can set, from the rows and Kconfig."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corral.configure.candidates import find_candidates
from corral.configure.fragments import write_fragments
from corral.configure.kconfig import Kconfig
from corral.model.places import Places
from corral.model.tree import Tree, load_tree

_HEAD = """\
# Configuration

Made by `./corral documents` from `dispatch/mechanisms.toml`, `config/Kconfig` and the `Kconfig` of
each driver. A configuration is a file of lines `SYMBOL=value` (`y`, `n` or a number); `app.config`
of an application is one. A line `include NAME` reads a preset, `include ./FILE` another file. Later
lines replace earlier ones, and files are read in this order: presets of `--preset`, `app.config`,
`BOARD.config` beside it, what `menuconfig` changed, `--set`.

A symbol that is set and has no effect is an error that says why. A symbol with a condition exists
only where that holds. A want selects everything that it needs.
"""
_CHOICES = """\
## Which driver does the work

Each build has a choice for each mechanism, among the drivers that support it on the board.
`./corral explain APP BOARD` prints the choices
([how drivers are selected](DESIGN.md#how-drivers-are-selected)).

| Symbol | Meaning |
|---|---|
| `CORRAL_DEFAULT_BY_COST` | for mechanisms without another choice: the least flash together |
| `CORRAL_DEFAULT_BY_SPEED` | the same: the fewest instructions |
| `CORRAL_DEFAULT_BY_<DRIVER>` | this library, for mechanisms without another choice that it supports |
| `CORRAL_<GROUP>_BY_<DRIVER>` | the default for a group of mechanisms, such as `AES_128` |
| `CORRAL_<MECHANISM>_BY_<DRIVER>` | the driver of one mechanism, for example `CORRAL_SHA_256_BY_BEARSSL` |
| `CORRAL_<DRIVER>_KEYLESS_DEVICE` | the element, counted from 0, that runs mechanisms without a key |
"""  # noqa: E501


def markdown(root: Path) -> str:
    """The whole document."""
    tree = load_tree(root)
    board = next(iter(tree.boards.values()))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_fragments(tree, board, find_candidates(tree, board), folder)
        top = Kconfig(root, folder).raw.top_node
    lines = [_HEAD, *_presets(root)]
    for menu in _children(top):
        # Those of a board and of its mechanisms depend on the build.
        if menu.prompt and _is_the_same_for_all(menu):
            lines += _menu(menu, 2)
    return "\n".join([*lines, *_boards(tree), _CHOICES])


def _children(node: Any) -> Iterator[Any]:
    child = node.list
    while child is not None:
        yield child
        child = child.next


def _is_the_same_for_all(menu: Any) -> bool:
    file = Path(menu.filename)
    return file.name in ("Kconfig", "Kconfig.wants", "Kconfig.drivers")


def _menu(menu: Any, level: int) -> list[str]:
    if not menu.prompt:
        return []
    rows = [row for node in _children(menu) for row in _rows(node)]
    lines = [f"{'#' * level} {menu.prompt[0]}", ""]
    if rows:
        lines += ["| Symbol | Meaning | Default | Where |", "|---|---|---|---|", *rows, ""]
    for node in _children(menu):
        if node.list is not None and not hasattr(node.item, "name"):
            lines += _menu(node, level + 1)
    return lines


def _rows(node: Any) -> list[str]:
    """A symbol; for a choice its members; for one with symbols below it, these, too."""
    if not hasattr(node.item, "name"):
        return []
    below = [row for child in _children(node) for row in _rows(child)]
    if not node.prompt or hasattr(node.item, "syms"):
        return below
    meaning = [node.prompt[0]]
    if node.help and node.help.strip() != node.prompt[0]:
        meaning.append(" ".join(node.help.split()))
    if node.orig_selects:
        meaning.append(f"Selects {', '.join(_code(symbol) for symbol, _ in node.orig_selects)}")
    default = ", ".join(_default(value, condition) for value, condition in node.orig_defaults)
    for low, high, condition in node.orig_ranges:
        only = "" if condition is low.kconfig.y else f" if `{_text(condition)}`"
        default += f" ({low.name} to {high.name}{only})"
    if node.item.choice is not None:
        default = "a choice"
    words = [_code(node.item), ". ".join(part.rstrip(".") for part in meaning), default]
    words.append(_conditions(node))
    return [f"| {' | '.join(word.replace('|', chr(92) + '|') for word in words)} |", *below]


def _conditions(node: Any) -> str:
    # That a choice offers it is no condition to be met.
    text = _text(node.dep).rpartition(" && <choice ")[0] or _text(node.dep)
    return "" if node.dep is node.kconfig.y else f"`{text}`"


def _code(symbol: Any) -> str:
    return f"`{symbol.name}`"


def _text(expression: Any) -> str:
    # Here, because the command line explains itself before there is an environment.
    from kconfiglib import expr_str  # type: ignore[import-untyped]  # noqa: PLC0415

    return str(expr_str(expression))


def _default(value: Any, condition: Any) -> str:
    text = _text(value)
    text = f"`{text}`" if text.startswith("CORRAL_") else text
    return text if condition is value.kconfig.y else f"{text} if `{_text(condition)}`"


def _presets(root: Path) -> list[str]:
    """The presets, as their own first comment says."""
    lines = ["## Presets", "", "| Preset | For |", "|---|---|"]
    for name, path in Places(root).presets().items():
        about: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            if not line.startswith("#"):
                break
            about.append(line.lstrip("# "))
        place = Places(root).label(path)
        lines.append(f"| [{name}](../{place}) | {' '.join(about)} |")
    boot = "[for boot loaders](BENCH.md#verification-at-boot)"
    taken = f"The cost [of presets](BENCH.md#presets), and {boot}."
    return [*lines, "", taken, ""]


def _boards(tree: Tree) -> list[str]:
    lines = ["## What boards have", "", "Set by `board.toml`, and not by a configuration."]
    lines += ["", "| Symbol | Boards |", "|---|---|"]
    for symbol in tree.board_capabilities:
        have = [name for name, board in tree.boards.items() if board.capabilities.get(symbol)]
        lines.append(f"| `{symbol}` | {', '.join(have) or 'none of these'} |")
    return [*lines, ""]
