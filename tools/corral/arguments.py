# SPDX-License-Identifier: Apache-2.0
"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from corral import ROOT
from corral.build import image as building
from corral.errors import fail
from corral.model.places import VARIABLE, Places


def settings(words: Sequence[str]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for word in words:
        symbol, equals, value = word.partition("=")
        if not word.isprintable():
            raise fail(f"--set {word!a}", "a line break or the like", "write it in one line")
        if not equals or not symbol:
            raise fail(
                f"--set {word}", "not of the form SYMBOL=VALUE", "for example CORRAL_THREADS=n"
            )
        if settings.setdefault(symbol, value) != value:
            what = f"contradicts --set {symbol}={settings[symbol]}"
            raise fail(f"--set {word}", what, "leave out one of them")
    return settings


def folder(word: str) -> str:
    """A folder to write to; a variable of a script that is not set does not mean the current."""
    above = next((p for p in (Path(word), *Path(word).parents) if p.exists()), None)
    if not word:
        raise argparse.ArgumentTypeError("an empty word names no folder: name one")
    if above is not None and not above.is_dir():
        raise argparse.ArgumentTypeError(f"{above} is a file: name a folder")
    return word


def named(word: str) -> str:
    """A word that a variable of a script, which is not set, does not leave empty."""
    if not word:
        raise argparse.ArgumentTypeError("an empty word: name something, or leave the option out")
    return word


def count(word: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", word):
        raise argparse.ArgumentTypeError(f"{word!r} is no number of things")
    return int(word)


#: A shell takes such a word unchanged. bash expands words that are offered for completion.
_PLAIN = re.compile(r"\w[\w.+-]*", re.ASCII)


class Suggestions(list[str]):
    """Words that completion offers. Others are taken too: a project has folders of its own."""

    def __init__(self, words: Iterable[str]) -> None:
        super().__init__(word for word in words if _PLAIN.fullmatch(word))

    def __contains__(self, _word: object) -> bool:
        return True


def add_app_and_board(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    for name in ("app", "board"):
        known = Suggestions(Places(ROOT).names(f"{name}s"))
        text = f"a path, or a folder of {name}s/: {', '.join(known)}"
        parser.add_argument(name, metavar=name.upper(), choices=known, help=text)


def add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--path",
        metavar="DIR",
        action="append",
        type=folder,
        default=[],
        help="search this folder for boards/, drivers/, packages/ and so on before Corral's own;"
        f" may be repeated; {VARIABLE} is a list of such folders",
    )


def add_set(parser: argparse.ArgumentParser, has_presets: bool = True) -> None:
    parser.add_argument(
        "--set",
        metavar="SYMBOL=VALUE",
        action="append",
        default=[],
        help="set a configuration symbol in this run only; may be repeated",
    )
    if has_presets:
        add_preset(parser)


def add_preset(parser: argparse.ArgumentParser) -> None:
    known = Suggestions(Places(ROOT).presets())
    parser.add_argument(
        "--preset",
        metavar="NAME",
        choices=known,
        action="append",
        default=[],
        help=f"start from a configuration of config/presets; may be repeated: {', '.join(known)}",
    )


def add_path_and_set(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    add_set(parser, has_presets=False)  # a configuration of a library includes them itself


def add_lto(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lto",
        action=argparse.BooleanOptionalAction,
        help="turn link-time optimisation on or off [the board's lto: docs/porting/BOARD.md]",
    )


def add_sanitize(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sanitize",
        metavar="LIST",
        type=named,
        help="compile with -fsanitize=LIST, such as address,undefined; native only",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_config_and_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "config", metavar="CONFIG", help="NAME.config, which lists what the application needs"
    )
    parser.add_argument("board", metavar="BOARD", help="a folder of boards/, or the path of one")


def add_prefix(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--prefix", metavar="FOLDER", type=folder, required=True, help="install below this folder"
    )


def build_options(arguments: argparse.Namespace) -> building.Options:
    return building.Options(
        settings=settings(arguments.set),
        presets=tuple(arguments.preset),
        sanitize=getattr(arguments, "sanitize", "") or "",
        lto=getattr(arguments, "lto", None),
        debug=getattr(arguments, "debug", False),
    )
