# SPDX-License-Identifier: Apache-2.0
"""./corral new: an application, a board, a port, a driver or an element to begin with.

The written files are those of tools/templates, under another name; docs/porting
explains the same files. A board begins as one of those that are there.
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from corral import ROOT
from corral.errors import fail
from corral.model.board import load_board
from corral.model.driver import NO_DRIVER, is_driver_name
from corral.model.places import Places, usable

TEMPLATES = ROOT / "tools" / "templates"
#: The board that is copied.
LIKE = "mps2-an386"


@dataclass(frozen=True)
class _Kind:
    """The kinds of new folders; in the commands {name} is its name and {place} the
    folder it is in."""

    folder: str  # where folders of its name are looked for
    word: str  # the word for the name in the template
    commands: tuple[str, ...]  # with which one goes on
    is_identifier: bool = False  # of C: the name becomes part of functions and symbols


SCAFFOLDS = {
    "app": _Kind("apps", "first", ("run {name} native --path {place}",)),
    "board": _Kind(
        "boards",
        "",
        ("run hmac {name} --path {place}", "test --board {place}/boards/{name}"),
    ),
    "port": _Kind(
        "ports",
        "slate",
        ("run hmac {name} --path {place}", "test --board {place}/boards/{name}"),
    ),
    "driver": _Kind(
        "drivers",
        "acme",
        (
            "explain hmac native --path {place} --set CORRAL_HMAC_SHA_256_BY_COMPOSE=y"
            " --set CORRAL_SHA_256_BY_{NAME}=y",
            "test --driver {place}/drivers/{name}",
        ),
        True,
    ),
    "element": _Kind(
        "drivers",
        "vault",
        (
            "provision native-{name} --path {place}",
            "run {name}s native-{name} --path {place}",
            "test --driver {place}/drivers/{name}",
        ),
        True,
    ),
}


def new(kind: str, name: str, place: Path, like: str = LIKE) -> list[str]:
    """Write a scaffold below `place`; returns the commands with which one goes on."""
    scaffold = SCAFFOLDS[kind]
    _check_name(kind, name)
    usable(place, str(place))
    if kind == "board":
        files = _of_board(name, like)
    else:
        template = TEMPLATES / kind
        sources = sorted(path for path in template.rglob("*") if path.is_file())
        files = {
            _renamed(str(path.relative_to(template)), scaffold.word, name): path for path in sources
        }
    for file in files:
        if (place / file).exists():
            raise fail(str(place / file), "is there already", "take another name")
        folder = Path(*Path(file).parts[:2])
        if (ROOT / folder).exists():
            raise fail(name, f"would take the place of {folder}", "take another name")
    for file, source in files.items():
        path = place / file
        path.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        path.write_text(_text(kind, text, name), encoding="utf-8")
        shutil.copymode(source, path)
    values = {"name": name, "NAME": name.upper(), "place": shlex.quote(str(place))}
    # As one types it where this was typed.
    program = "./corral" if Path.cwd() == ROOT else shlex.quote(str(ROOT / "corral"))
    return [f"{program} {command}".format(**values) for command in scaffold.commands]


def _check_name(kind: str, name: str) -> None:
    scaffold = SCAFFOLDS[kind]
    separators = "_" if scaffold.is_identifier else "_-"
    is_name = bool(re.fullmatch(rf"[a-z][a-z0-9{separators}]*", name)) and name not in NO_DRIVER
    if not is_name or (scaffold.is_identifier and not is_driver_name(name)):
        what = f'"{name}" is no name for a new {kind}'
        remedy = f"begin with a small letter; also digits and {separators}"
        raise fail(name, what, remedy + "; no header of C" * scaffold.is_identifier)
    there = Places(ROOT).find(scaffold.folder, name)
    if there is not None:
        label = Places(ROOT).label(there)
        raise fail(name, f"would take the place of {label}", "take another name")


def _renamed(text: str, word: str, name: str) -> str:
    return (
        text.replace(word, name)
        .replace(word.upper(), name.upper())
        .replace(word.capitalize(), name.capitalize())
    )


def _of_board(name: str, like: str) -> dict[str, Path]:
    """The files of an existing board, without its descriptions."""
    board = load_board(ROOT, like)
    files = [path for path in board.folder.iterdir() if path.is_file() and path.suffix != ".md"]
    return {f"boards/{name}/{path.name}": path for path in sorted(files)}


def _text(kind: str, text: str, name: str) -> str:
    if kind != "board":
        return _renamed(text, SCAFFOLDS[kind].word, name)
    # Elements are the other board's own.
    text = text.partition("\n[[element]]")[0].rstrip("\n") + "\n"
    return re.sub(r"(?m)^title = .*$", f'title = "{name}"', text)
