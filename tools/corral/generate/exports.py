# SPDX-License-Identifier: Apache-2.0
"""exports.txt: the names that a library exports. All others stay its own, so it links
beside another copy of its parts."""

from __future__ import annotations

import re
from pathlib import Path

from corral.model.absent import functions

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_OURS = re.compile(r"\b(corral_\w+)(?=\(|\[\];)")


def exports(root: Path, configuration: str) -> str:
    """A name a line: of the API, of the headers in include/corral, and of the configuration."""
    present, _ = functions(root)
    ours = {
        name
        for header in (root / "include" / "corral").glob("*.h")
        for name in _OURS.findall(_COMMENT.sub("", header.read_text(encoding="utf-8")))
    }
    return "".join(f"{name}\n" for name in sorted({*present, *ours, configuration}))
