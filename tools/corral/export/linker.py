# SPDX-License-Identifier: Apache-2.0
"""The linker script of a board, and the files that it includes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from corral import ROOT
from corral.errors import fail
from corral.model.places import Places

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_INCLUDE = re.compile(r'\bINCLUDE\s+(?:"([^"\n]+)"|([^\s";{}]+))')


def linker_parts(script: Path) -> Mapping[str, Path]:
    """The files that a script includes, directly or not, by name: of ports/, as
    cmake/image.cmake permits."""
    places = Places.of(ROOT)
    found: dict[str, Path] = {}
    left = [script]
    while left:
        file = left.pop()
        text = _COMMENT.sub(" ", file.read_text(encoding="utf-8"))
        for name in (quoted or plain for quoted, plain in _INCLUDE.findall(text)):
            if name in found:
                continue
            candidates = [place / "ports" / name for place in places.all]
            part = next((path for path in candidates if path.is_file()), None)
            if part is None or name.startswith("/") or ".." in PurePosixPath(name).parts:
                what = f"includes {name}, which is no file of ports/"
                raise fail(places.label(file), what, "put it there, or correct the name")
            found[name] = part
            left.append(part)
    return found
