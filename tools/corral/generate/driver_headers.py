# SPDX-License-Identifier: Apache-2.0
"""drivers/<name>/: the headers of a driver for others; its folder is its own.

Its entry points, as its description and the table of entry points have them, and copies of the
headers that operations, keys and devices are laid out by. An application includes them through
psa/crypto.h, so they include nothing but psa/, corral/ and C.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corral.errors import CorralError, Problem
from corral.generate.build import Build
from corral.generate.c.nodes import Declaration, File, Group, Item, Parameter, Prototype
from corral.generate.c.printer import LICENCE, comment_lines, printed
from corral.generate.c.terms import Type
from corral.model import prototypes as model
from corral.model.capability import ENTRY_POINTS_HEADER
from corral.model.driver import Driver
from corral.model.entry_points import parameter_name, parameter_type
from corral.model.node import read_text
from corral.model.parts import OWN_FILE

_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
_OF_C = re.compile(r"(?:psa|corral)/[\w./]+|(?:std\w+|inttypes|limits|string)\.h")


def driver_files(build: Build) -> dict[str, str]:
    """Name below gen/corral/ to content, of the drivers of a build."""
    used = {*build.bindings.drivers, *(driver.name for driver in build.device_drivers)}
    problems: list[Problem] = []
    files: dict[str, str] = {}
    for name in sorted(used):
        driver = build.tree.drivers[name]
        files[f"drivers/{name}/{ENTRY_POINTS_HEADER}"] = _entry_points(build, driver)
        for copied, text in _copies(driver, problems).items():
            files[f"drivers/{name}/{copied}"] = f"{_banner(build, driver, copied)}{text}"
    if problems:
        raise CorralError(problems)
    return files


def _banner(build: Build, driver: Driver, name: str) -> str:
    about = f"Copied from drivers/{driver.name}/{name}. {build.origin} Made by {__name__}."
    return "\n".join([LICENCE, *comment_lines(about), ""])


def _copies(driver: Driver, problems: list[Problem]) -> dict[str, str]:
    """The public headers, and those of the same folder that they include."""
    found: dict[str, str] = {}
    waiting = list(driver.public_headers)
    while waiting:
        name = waiting.pop()
        path = driver.folder / name
        if name in found or not path.is_file():
            continue  # the check of the sources reports missing files
        text = read_text(path, f"drivers/{driver.name}/{name}")
        lines = text.splitlines(keepends=True)
        found[name] = "".join(lines[1:] if lines[:1] == [f"{LICENCE}\n"] else lines)
        for quote, included in _INCLUDE.findall(found[name]):
            is_own = quote == '"' and OWN_FILE.fullmatch(included)
            if is_own and (driver.folder / included).is_file():
                waiting.append(included)
            elif not _OF_C.fullmatch(included):
                problems.append(
                    Problem(
                        f"{driver.place}/{name}",
                        f"applications see this header, and cannot include {included}",
                        "repeat what it is needed for, and prove that it fits: CORRAL_REPEATS()",
                    )
                )
    return found


def _prototype(prototype: model.Prototype) -> Prototype:
    parameters = [
        Parameter(Type(parameter_type(declaration)), parameter_name(declaration))
        for declaration in prototype.parameters
    ]
    return Prototype(Type("psa_status_t"), prototype.name, tuple(parameters))


def _items(build: Build, driver: Driver) -> Iterator[Item]:
    objects = dict.fromkeys(c.declared for c in driver.constants.values() if c.declared)
    if objects:
        declared = [Declaration(Type(kind), name) for kind, name in objects]
        yield Group(tuple(declared), "First arguments of some of the functions.")
    for row in build.tree.entry_points.rows.values():
        mine = [_prototype(p) for p in driver.prototypes.values() if p.entry_point.name == row.name]
        if mine:
            yield Group(tuple(mine), f"{row.name}. {row.contract}")


def _entry_points(build: Build, driver: Driver) -> str:
    about = (
        f"The functions of drivers/{driver.name} that dispatch calls. Each source that defines one "
        "includes this, so that one which is not as it is called does not compile. Dispatch has "
        "matched location, algorithm, type and size, the core has checked policy and arguments. "
        "Lengths are written on success only; PSA_ERROR_BUFFER_TOO_SMALL and "
        "PSA_ERROR_NOT_SUPPORTED mean that nothing was written.\n"
        f"{build.origin} Made by {__name__} of dispatch/entry_points.toml."
    )
    headers = [driver.path_of(name) for name in driver.public_headers]
    headers += ["corral/derivation.h", "corral/pake.h", "psa/crypto.h"]
    guard = f"CORRAL_DRIVERS_{driver.symbol}_ENTRY_POINTS_H"
    return printed(File(about, tuple(_items(build, driver)), guard, tuple(headers)))
