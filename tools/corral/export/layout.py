# SPDX-License-Identifier: Apache-2.0
"""The place in an export of a file of the tree, of a driver's folder or of a package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from corral import ROOT
from corral.errors import fail
from corral.export.includes import Closure
from corral.generate.sources import DriverParts
from corral.model.port import load_port
from corral.packages import fetch as packages

#: The compiler's search path, for the sources, and for applications.
SOURCES, HEADERS = "src", "include"
#: Scripts of the linker.
BOARD = "board"
#: Third-party files as they came; nothing compiles them by themselves.
LIBRARIES = "libraries"
#: Defined in what is compiled. Sources that others include are empty without it: a
#: compiler all sources compiles these, too.
UNIT = "CORRAL_EXPORTED"
#: Folders of the tree whose sources every export may have.
_OWN = ("core", "storage", "update", "wall")


class Layout:
    """Folders of an export, and their content."""

    def __init__(
        self,
        gen: Path,
        port: str,
        used: Iterable[DriverParts],
        fetched: Iterable[packages.Package],
        files: Iterable[Path],
    ) -> None:
        places = [(gen / "corral", f"{HEADERS}/corral"), (gen, f"{SOURCES}/generated")]
        places += [(ROOT / "include", HEADERS)]
        places += [(ROOT / name, f"{SOURCES}/{name}") for name in _OWN]
        places += [(parts.folder, f"{SOURCES}/drivers/{parts.name}") for parts in used]
        if port:
            own = load_port(ROOT, port)
            places += [(f, f"{SOURCES}/ports/{f.name}") for f in (own.folder, *own.shared)]
        for package in fetched:
            above = _above(package.folder(ROOT), package.folder(ROOT) / package.root, files)
            places.append((above, f"{LIBRARIES}/{package.name}"))
        self._places = sorted(places, key=lambda place: -len(place[0].parts))

    def place(self, file: Path) -> str:
        for above, below in self._places:
            if file.is_relative_to(above):
                return (Path(below) / file.relative_to(above)).as_posix()
        raise fail(str(file), "is in no folder that is exported", "move it into its driver's")

    def forwards(self, closure: Closure) -> dict[str, str]:
        """For each header that is found by searching, a file in SOURCES that includes it. So one
        folder is searched, although each driver has folders of its own: a name that means one file
        for a driver and another for the next includes the one that is whose source is compiled."""
        meant: dict[str, dict[str, str]] = {}
        for name, driver, file in sorted(closure.searched):
            place = self.place(file)
            if meant.setdefault(name, {}).setdefault(driver, place) != place:
                raise fail(place, f"{name} is two headers for one source", "rename one of them")
        for file, name, found in sorted(closure.beside):
            here = os.path.normpath(Path(self.place(file)).parent / name)
            if here != self.place(found):
                raise fail(self.place(file), f"includes {name} of another folder", "move it")
        texts = {}
        for name, places in meant.items():
            there = f"{SOURCES}/{name}"
            if set(places.values()) != {there}:
                texts[there] = _forward(there, places)
        return texts


def exported_for(driver: str) -> str:
    """The macro that is defined for sources of a driver."""
    return f"{UNIT}_FOR_{driver.upper()}"


def _forward(name: str, places: Mapping[str, str]) -> str:
    if len(set(places.values())) == 1:
        lines = _include(name, next(iter(places.values())))
    elif "" in places:
        what = f"{name.removeprefix(SOURCES + '/')} is a header of a driver or package, and ours"
        raise fail(name, what, "use corral_library(), where each has its folders")
    else:
        lines = []
        for driver, place in places.items():
            lines += [f"#ifdef {exported_for(driver)}", *_include(name, place), "#endif"]
    if not name.endswith(".h"):
        # An object of assembly without the section has the linker make the stack executable.
        nothing = ["#else", "typedef int corral_nothing;"]
        if name.endswith(".S"):
            nothing = ["#elif defined(__ELF__)", '.section .note.GNU-stack, "", %progbits']
        lines = [f"#ifdef {UNIT}", *lines, *nothing, "#endif"]
    return "".join(f"{line}\n" for line in lines)


def _include(name: str, place: str) -> list[str]:
    line = f'#include "{os.path.relpath(place, os.path.dirname(name))}"'
    # Headers of libraries, and those that configure them, are exempt from warnings.
    if place.startswith(f"{HEADERS}/"):
        return [line]
    return ["#ifdef __GNUC__", "#pragma GCC system_header", "#endif", line]


def _above(folder: Path, root: Path, files: Iterable[Path]) -> Path:
    """The innermost folder of a package with all of its files that are used."""
    used = [str(file.parent) for file in files if file.is_relative_to(folder)]
    return Path(os.path.commonpath([str(root), *used]))
