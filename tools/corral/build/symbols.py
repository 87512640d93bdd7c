# SPDX-License-Identifier: Apache-2.0
"""Which names the parts of a build export, and whether each may.

Every part of a build is an object library of its own (cmake/corral.cmake). These are core,
wall and client (the two sides of the remote call), remote (the client's beside a core),
port, app, driver_<name> (our glue) and library_<name> (third-party code below it). Only
the core, or the client in front of it, may define psa_ names. Only these, remote, the
wall and the port may define corral_ names, and glue only <name>_ names. No two backends
may define the same name: they would not link together, or one would replace the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from corral.common.progress import run_quietly
from corral.errors import Problem

#: Global symbols that are defined there: code, data, constants, common, weak and unique ones.
_DEFINED = "TDBRGSCVWui"
_PART = re.compile(
    r"CMakeFiles/corral_((?:driver|library)_[^/]+|core|wall|client|remote|port|app)\.dir/"
)

Exports = dict[str, dict[str, Path]]


def exports(build_dir: Path, prefix: str = "") -> Exports:
    """For each part of a finished build, the names it defines and the object that does."""
    objects = sorted((build_dir / "cmake" / "CMakeFiles").glob("*.dir/**/*.o*"))
    objects = [path for path in objects if path.suffix in (".o", ".obj")]
    if not objects:
        return {}
    output = run_quietly(
        [f"{prefix}nm", "--print-file-name", "--extern-only", "--defined-only", *map(str, objects)],
        str(build_dir),
        "build it first",
    )
    found: Exports = {}
    for line in output.splitlines():
        file, _, rest = line.rpartition(":")
        words = rest.split()
        part = _PART.search(file)
        if part and len(words) >= 2 and words[-2] in _DEFINED and not words[-1].startswith("__"):
            found.setdefault(part[1], {})[words[-1]] = Path(file)
    return found


def _may_define(part: str, name: str) -> bool:
    kind, _, backend = part.partition("_")
    if kind in ("core", "client"):
        return name.startswith(("psa_", "corral_"))
    if kind == "remote":
        return name.startswith("corral_")
    if kind == "wall":  # a program of its own begins with main()
        return name.startswith("corral_") or name == "main"
    if kind == "driver":
        return name.startswith(f"{backend}_")
    if kind == "port":
        return not name.startswith("psa_")
    return kind == "app" or not name.startswith(("psa_", "corral_"))


def check(parts: Mapping[str, Mapping[str, Path]]) -> list[Problem]:
    """The faults in the exports of one build, or of several builds together."""
    problems = [
        Problem(
            path.name,
            f"{part} defines {name}",
            "make it static, or give it the prefix of its part",
        )
        for part, names in parts.items()
        for name, path in names.items()
        if not _may_define(part, name)
    ]
    owners: dict[str, str] = {}
    for part, names in parts.items():
        for name, path in names.items():
            if owners.setdefault(name, part) != part:
                problems.append(
                    Problem(
                        path.name,
                        f"{part} and {owners[name]} both define {name}",
                        'rename one of them with "corral/defines" in driver.json',
                    )
                )
    return problems


def images(parts: Exports, are_two: bool) -> list[Exports]:
    """The parts of each image: the application with its side of the wall may be one of its own."""
    theirs = {part: names for part, names in parts.items() if part in ("client", "app")}
    ours = {part: names for part, names in parts.items() if part not in theirs}
    return [ours, theirs] if are_two else [parts]


def problems(build_dir: Path, prefix: str, are_two: bool) -> list[Problem]:
    """The faults in the names of a finished build, whose application may be in an image
    of its own."""
    parts = images(exports(build_dir, prefix), are_two)
    return [problem for image in parts for problem in check(image)]


def merge(builds: Iterable[Exports]) -> Exports:
    """The exports of several builds of the library, without what belongs to one board or app."""
    found: Exports = {}
    for build in builds:
        for part, names in build.items():
            if part not in ("port", "app"):
                found.setdefault(part, {}).update(names)
    return found
