# SPDX-License-Identifier: Apache-2.0
"""Which functions of the API the library defines, and which it does not define yet."""

from __future__ import annotations

import re
from pathlib import Path

_PROTOTYPE = re.compile(r"^(?:psa_status_t|void)\s+(psa_\w+)\s*\(", re.M)
_INLINE = re.compile(r"^static inline [\w\s*]*?\b(psa_\w+)\s*\(", re.M)


def functions(root: Path) -> tuple[list[str], list[str]]:
    """Names of the functions that are there, and of those declared by psa/crypto.h but absent."""
    declared: set[str] = set()
    present: set[str] = set()
    for header in (root / "include" / "psa").glob("crypto*.h"):
        text = header.read_text()
        declared.update(_PROTOTYPE.findall(text))
        present.update(_INLINE.findall(text))
    for source in (root / "core").glob("*.c"):
        present.update(_PROTOTYPE.findall(source.read_text()))
    declared |= present
    return sorted(present & declared), sorted(declared - present)
