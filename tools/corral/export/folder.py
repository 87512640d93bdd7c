# SPDX-License-Identifier: Apache-2.0
"""The folder itself: made anew only where nothing of anybody else's is lost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from corral.build import ROOT
from corral.errors import fail
from corral.version import version

#: The list of what was written, with hashes: what may be replaced, and by what to check a copy.
TAG = "corral-export.json"


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write these files, by name; what an earlier export left there goes, unless it was edited."""
    if folder.exists() and not folder.is_dir():
        raise fail(str(folder), "is no folder", "name a new one")
    if folder.exists() and any(folder.iterdir()):
        _clear(folder, files)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    said = json.dumps({"corral": version(ROOT), "sha256": hashes}, indent=1) + "\n"
    # First, so that a folder which was not finished can be made anew.
    for name, data in {TAG: said.encode(), **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _clear(folder: Path, files: Mapping[str, bytes]) -> None:
    """Remove what was exported here; refuse if that or writing these files would lose anything."""
    try:
        made = json.loads((folder / TAG).read_text(encoding="utf-8"))["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise fail(str(folder), "is not empty, and no export", "name a new folder") from error
    there = [name for name in {*made, *files} if (folder / name).exists()]
    others = sorted(name for name in there if not _is_as_made(folder / name, made.get(name)))
    if others:
        what = f"was edited, or is not of an export: {', '.join(others[:5])}"
        raise fail(str(folder), what, "move these files away, or name a new folder")
    for name in there:
        (folder / name).unlink()
    # What is left empty by that; folders with files of others stay.
    below = sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True)
    for path in below:
        if not path.is_symlink() and not any(path.iterdir()):
            path.rmdir()


def _is_as_made(path: Path, sha256: str | None) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256
