# SPDX-License-Identifier: Apache-2.0
"""Under which conditions an export may be given on: one expression, and the texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from cyclonedx.spdx import is_expression, is_supported_id

from corral import ROOT
from corral.errors import fail
from corral.packages.fetch import Package

OURS = "Apache-2.0"
_FILES = ("licen", "copying", "copyright", "notice")


def expression(packages: Iterable[Package]) -> str:
    """Ours and those of the packages, all of which hold, as SPDX says it."""
    names = dict.fromkeys([OURS, *sorted(_as_spdx(package.licence) for package in packages)])
    return " AND ".join(f"({n})" if " OR " in n and len(names) > 1 else n for n in names)


def _as_spdx(licence: str) -> str:
    """A vendor's own may be called anything."""
    if is_supported_id(licence) or is_expression(licence) or licence.startswith("LicenseRef-"):
        return licence
    return "LicenseRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", licence)


def licence_files(package: Package) -> dict[str, Path]:
    """The files of a package, or beside its description, that say how it is licensed."""
    folder = package.folder(ROOT)
    above = [folder / package.root, *(folder / package.root).parents]
    within = [*(path for path in above if path.is_relative_to(folder)), package.described]
    found = [p for f in within for p in sorted(f.iterdir()) if p.is_file() and _is_licence(p)]
    if not found:
        what = f"{package.title} has no file of its licence ({package.licence})"
        raise fail(package.label, what, "put its text beside package.toml, as LICENSE")
    return {f"licences/{package.name}/{path.name}": path for path in reversed(found)}


def _is_licence(path: Path) -> bool:
    return path.name.lower().startswith(_FILES)
