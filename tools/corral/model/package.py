# SPDX-License-Identifier: Apache-2.0
"""The fields of packages/<name>/package.toml for the configuration; fetching reads the rest."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import read_toml
from corral.model.places import Places

#: The version of an archive of one's own that says none: its hash says which it is.
LOCAL = "local"


#: The characters of names and versions: no registry's client takes one for an option,
#: and no folder that one is in the name of lies elsewhere.
_WORD = r"[A-Za-z0-9][A-Za-z0-9.+~:_-]*"
_CHARACTERS = "letters and digits, and after the first of them any of . + ~ : _ -"
_FORMS = {
    "name": (re.compile(rf"(@{_WORD}/)?{_WORD}"), _CHARACTERS),
    "version": (re.compile(_WORD), _CHARACTERS),
    "release": (re.compile(r"[a-z0-9-]*"), "small letters"),
    "url": (re.compile(r"https://[A-Za-z0-9./_+%-]+"), "https:// and a path"),
    "cpe": (re.compile(r"cpe:2\.3:[ao]:[a-z0-9_.-]+:[a-z0-9_.-]+"), "cpe:2.3:a:<vendor>:<product>"),
    "root": (re.compile(r"(?!/)(?!.*(^|/)\.\.(/|$)).*"), "a path inside the archive"),
}


def misfit(key: str, text: str) -> tuple[str, str] | None:
    """The fault in the value of a key in a table, and the correct form."""
    if key not in _FORMS or _FORMS[key][0].fullmatch(text):
        return None
    return f'"{text}" is no {key} of a package', f"use {_FORMS[key][1]}"


@dataclass(frozen=True)
class PackageInfo:
    """Where the files of a package are, or will be."""

    folder: Path
    consent: str


def local_path(described: Path, path: str) -> Path:
    """A folder or archive of one's own, as the description in a folder names it."""
    return Path(os.path.abspath(described / path))


def unpacked(places: Places, described: Path, version: str) -> Path:
    """Where the archive of a package is unpacked, which is described in a folder."""
    return places.builds_in(places.owner(described)) / "packages" / f"{described.name}-{version}"


def load_package(root: Path, name: str) -> PackageInfo:
    places = Places.of(root)
    described = places.find("packages", name)
    if described is None:
        raise places.missing("packages", name, "no such package")
    problems: list[Problem] = []
    label = places.label(described / "package.toml")
    node = read_toml(described / "package.toml", label, problems)
    source = node.child("source") if node.has("source") else node
    path = source.string("path", "")
    version = source.string("version", LOCAL if path else "")
    if not version:
        node.complain('the key "source.version" is missing', "name the exact version")
    files = node.child("files").string("root", "") if node.has("files") else ""
    for key, text in (("version", version or LOCAL), ("root", files)):
        if wrong := misfit(key, text):
            node.complain(*wrong)
    base = local_path(described, path) if path else described
    if not path or base.is_file():
        base = unpacked(places, described, version)
    consent = node.string("consent", "")
    if problems:
        raise CorralError(problems)
    return PackageInfo(base / files.strip("/"), consent)
