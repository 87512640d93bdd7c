# SPDX-License-Identifier: Apache-2.0
"""The version, as include/corral/version.h says it."""

from __future__ import annotations

import re
from pathlib import Path

_PART = re.compile(r"^#define CORRAL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", re.M)


def version(root: Path) -> str:
    text = (root / "include" / "corral" / "version.h").read_text(encoding="utf-8")
    return ".".join(_PART.findall(text))
