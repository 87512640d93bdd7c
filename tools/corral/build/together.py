# SPDX-License-Identifier: Apache-2.0
"""Which sources can be compiled as one file: those that share no name that is a file's own.

Where a file defines something before it includes a header, so do the others with it.
For builds of the tests that a sanitizer looks into, where nothing depends on which functions are in
one object: the compiler starts once for many files, and reads what they include once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
#: Names that only the file sees: functions and variables, macros, types, entries of
#: enumerations. CORRAL_EXPANDED is a static function, too (core/common/inline.h).
_STATIC = re.compile(r"^(?:static|CORRAL_EXPANDED)\s[^;={(]*?\b(\w+)\s*[(=\[;]", re.MULTILINE)
_MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.MULTILINE)
_DEFINITION = re.compile(r"^\s*#\s*define\s.*$", re.MULTILINE)
_INCLUDE = re.compile(r"^\s*#\s*include\b", re.MULTILINE)
_TYPE = re.compile(r"^(?:struct|union|enum)\s+(\w+)\s*\{", re.MULTILINE)
_ENTRIES = re.compile(r"^(?:static const )?enum\b[^{;]*\{([^}]*)\}", re.MULTILINE)
#: A function that others call: it begins at the margin.
_FUNCTION = re.compile(r"^(?!static\b|CORRAL_EXPANDED\b)[a-z][\w \t*]*?\b(\w+)\(", re.MULTILINE)

_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Made by corral; do not edit. A variable of one of these files may have the name of a parameter in
 * a header that a later one includes. GCC's warnings of unset variables depend on other code in the
 * file. Both warnings stay on for files that are compiled one by one. */
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
"""


@dataclass(frozen=True)
class _Source:
    """Definitions of a file that affect others in the same object."""

    own: frozenset[str]
    offered: frozenset[str]
    words: frozenset[str]
    in_front: tuple[str, ...]  # definitions by which headers are read

    def excludes(self, other: _Source) -> bool:
        return self.in_front != other.in_front or not self.own.isdisjoint(other.own)


@cache
def _read(path: str, _changed: int) -> _Source:
    text = _COMMENT.sub("", Path(path).read_text(encoding="utf-8"))
    entries = {word for found in _ENTRIES.findall(text) for word in _WORD.findall(found)}
    named = (name for kind in (_STATIC, _MACRO, _TYPE) for name in kind.findall(text))
    ends = [found.start() for found in _INCLUDE.finditer(text)]
    in_front = _DEFINITION.findall(text[: max(ends, default=0)])
    of_headers = {name for line in in_front for name in _MACRO.findall(line)}
    return _Source(
        frozenset({*entries, *named} - of_headers),
        frozenset(_FUNCTION.findall(text)),
        frozenset(_WORD.findall(text)),
        tuple(in_front),
    )


def groups(sources: Sequence[Path], redirected: Collection[str] = ()) -> list[list[Path]]:
    """Every source once. `redirected`: functions whose calls the linker leads elsewhere.

    It does so from one object to another, so such a function and its callers are in different
    files. The other groups are as they would be: builds of one configuration share their objects.
    """
    read = {path: _read(str(path), path.stat().st_mtime_ns) for path in sources}
    found: list[list[Path]] = []
    for path in sorted(sources, key=lambda path: (-len(read[path].own), path)):
        for group in found:
            if not any(read[path].excludes(read[other]) for other in group):
                group.append(path)
                break
        else:
            found.append([path])
    alone = {
        path
        for group in found
        for path in group
        for name in read[path].offered.intersection(redirected)
        if any(name in read[other].words for other in group if other is not path)
    }
    kept = [[path for path in group if path not in alone] for group in found]
    return [*filter(None, kept), *([path] for path in sorted(alone))]


def text(group: Sequence[Path], folder: Path) -> str:
    """A file in `folder` that includes these. It names them from there on: the text is the same in
    another clone, so the compiler cache finds what that has compiled."""
    return _HEAD + "".join(f'#include "{os.path.relpath(path, folder)}"\n' for path in group)
