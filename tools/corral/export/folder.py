# SPDX-License-Identifier: Apache-2.0
"""The folder itself: it is replaced only if no file of another origin is lost."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from corral import ROOT
from corral.common.version import version
from corral.errors import fail

#: The list of written files, with hashes: these may be replaced, and a copy can be checked by them.
TAG = "corral-export.json"
#: Behind the name of a file that is not yet whole.
_PART = ".corral-part"


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write these files, by name; files that an earlier export left there go, unless
    they were edited."""
    if folder.exists() and not folder.is_dir():
        raise fail(str(folder), "is no folder", "name a new one")
    if folder.exists() and any(path.name != TAG + _PART for path in folder.iterdir()):
        _clear(folder, files)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    said = json.dumps({"corral": version(ROOT), "sha256": hashes}, indent=1) + "\n"
    # First, so that a folder which was not finished can be made anew.
    for name, data in {TAG: said.encode(), **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        # Each whole or not at all: half a file would be one that was edited.
        part = folder / (name + _PART)
        part.unlink(missing_ok=True)
        part.write_bytes(data)
        part.replace(folder / name)


def _clear(folder: Path, files: Mapping[str, bytes]) -> None:
    """Remove what was exported here; refuse if that or writing these files would lose anything."""
    made = _made(folder)
    names = {*made, *files}
    others = sorted({path for name in names for path in _of_others(folder, name, made.get(name))})
    if others:
        what = f"was edited, or is not of an export: {', '.join(others[:5])}"
        raise fail(str(folder), what, "move these files away, or name a new folder")
    for name in names:
        (folder / name).unlink(missing_ok=True)
        (folder / (name + _PART)).unlink(missing_ok=True)
    # Folders that become empty by that; all other folders stay, empty or not.
    for above in sorted(_parents(made), reverse=True):
        path = folder / above
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def _made(folder: Path) -> Mapping[str, str]:
    """The files of an earlier export, by name, and their hashes. The content is not trusted."""
    try:
        made = json.loads((folder / TAG).read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise fail(str(folder), "is not empty, and no export", "name a new folder") from error
    if not isinstance(made, dict) or not all(isinstance(value, str) for value in made.values()):
        raise fail(str(folder / TAG), "is no list of an export", "name a new folder")
    for name in made:
        if not _is_below(name):
            raise fail(str(folder / TAG), f"lists {name!r}", "name a new folder")
    return made


def _is_below(name: str) -> bool:
    path = PurePosixPath(name)
    is_plain = name.isprintable() and path.name and ".." not in path.parts
    return bool(is_plain) and not path.is_absolute()


def _parents(names: Iterable[str]) -> set[PurePosixPath]:
    return {above for name in names for above in PurePosixPath(name).parents if above.name}


def _of_others(folder: Path, name: str, sha256: str | None) -> Iterator[str]:
    """Obstacles of a file: itself, unless it is unedited, and links to folders."""
    for above in _parents([name]):
        path = folder / above
        if os.path.lexists(path) and (path.is_symlink() or not path.is_dir()):
            yield str(above)
    path = folder / name
    if os.path.lexists(path) and not _is_as_made(path, sha256):
        yield name


def _is_as_made(path: Path, sha256: str | None) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == sha256
