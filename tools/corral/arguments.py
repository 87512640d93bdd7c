# SPDX-License-Identifier: Apache-2.0
"""Arguments of commands: those that several have, and those that take some words."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from corral import ROOT
from corral.errors import fail
from corral.extend import scaffold
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


#: A shell takes such a word as it stands. bash expands what it is offered for completion.
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
        help="a folder of yours with boards/, drivers/, packages/ and so on, which are found before"
        f" ours; may be repeated; {VARIABLE} is a list of such folders",
    )


def add_set(parser: argparse.ArgumentParser, has_presets: bool = True) -> None:
    parser.add_argument(
        "--set",
        metavar="SYMBOL=VALUE",
        action="append",
        default=[],
        help="set a configuration symbol for this time; may be repeated",
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
        help=f"begin with a configuration of config/presets; may be repeated: {', '.join(known)}",
    )


def add_path_and_set(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    add_set(parser, has_presets=False)  # a configuration of a library includes them itself


def add_lto(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lto",
        action=argparse.BooleanOptionalAction,
        help="with link-time optimisation, or without; else as the board says (see docs/BOARDS.md)",
    )


def add_sanitize(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sanitize",
        metavar="LIST",
        type=named,
        help="for -fsanitize=, for example address,undefined; native",
    )


def add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="the file to sign and encrypt")


def add_fleet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", choices=["demo"], help="demo")
    parser.add_argument("--json", action="store_true", help="the figures alone, as one object")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the same for programs, as JSON")


def add_drivers(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    add_json(parser)
    known = Suggestions(Places(ROOT).names("drivers"))
    parser.add_argument(
        "driver",
        metavar="DRIVER",
        nargs="?",
        default="",
        choices=known,
        help=f"only this one: {', '.join(known)}",
    )


def add_provision(parser: argparse.ArgumentParser) -> None:
    add_path(parser)
    parser.add_argument("board", metavar="BOARD", help="a board with elements")
    parser.add_argument("--element", metavar="NAME", help="only this one, for example SE0")
    parser.add_argument(
        "--lock",
        metavar="SERIAL",
        help="write and lock one chip for good; SERIAL is the number that the plan shows for it",
    )


def add_new(parser: argparse.ArgumentParser) -> None:
    kinds = list(scaffold.SCAFFOLDS)
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument("name", metavar="NAME", help="how it is called")
    parser.add_argument(
        "--in",
        metavar="DIR",
        dest="place",
        type=folder,
        required=True,
        help="a folder of yours (see --path)",
    )
    parser.add_argument(
        "--like", metavar="BOARD", default=scaffold.LIKE, help="what a board begins as"
    )


#: What ./corral bench measures, in the order of work, and what it measures when asked for by name.
#: Here, because what measures stands on libraries that are not there when only help is asked for.
BENCH_PARTS = (
    "cost",
    "curves",
    "families",
    "growth",
    "deduplication",
    "storage",
    "throughput",
    "tls",
    "presets",
    "fleet",
    "signatures",
    "sessions",
)
CAPABILITIES = "capabilities"
INSTRUCTIONS = "instructions"
#: What the choice of drivers goes by; each is asked for alone.
BENCH_CHOICE = (CAPABILITIES, INSTRUCTIONS)


def add_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only",
        metavar="PART",
        choices=Suggestions((*BENCH_PARTS, *BENCH_CHOICE)),
        action="append",
        default=[],
        help=f"only this part: {', '.join(BENCH_PARTS)}; or {' or '.join(BENCH_CHOICE)}: what the"
        " choice of drivers goes by",
    )
    parser.add_argument(
        "--compare", action="store_true", help="with the baseline; growth of the layer is an error"
    )
    parser.add_argument("--fast", action="store_true", help="with --compare: the quick part of it")
    parser.add_argument(
        "--accept", metavar="REASON", help="make what is measured now the baseline, and say why"
    )


def add_chips(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD", help="a board of this computer with elements")
    parser.add_argument(
        "program", metavar="COMMAND", nargs=argparse.REMAINDER, help="the program and its words"
    )
