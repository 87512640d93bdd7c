# SPDX-License-Identifier: Apache-2.0
"""A library for projects that have a build system of their own.

Their toolchain compiles what is written here (cmake/library.cmake), or it is compiled for them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corral import ROOT
from corral.build import reads
from corral.build.image import Options, build_type, own_cflags, toolchain_cmake, write_if_changed
from corral.common import cmake, system
from corral.common.progress import alone, run_quietly, step
from corral.common.style import print_warning
from corral.common.version import version
from corral.configure.configuration import configuration_file
from corral.configure.solve import solve
from corral.errors import fail
from corral.export.includes import Closure
from corral.export.vex import vex
from corral.generate import api
from corral.model.board import Board, can_use
from corral.model.package import load_package
from corral.model.places import INSTALLED, builds_of_tree
from corral.model.port import load_port
from corral.model.tree import load_tree
from corral.packages import fetch as packages

#: Folders of the tree that a library may be made of.
TREE = (
    "cmake",
    "compat",
    "config",
    "core",
    "dispatch",
    "drivers",
    "include",
    "packages",
    "ports",
    "storage",
    "update",
    "wall",
)
#: The generated header that applications include by name: it names locations of keys.
_LOCATIONS = Path("corral/locations.h")
#: CMake's words for how a library is optimised.
BUILD_TYPES = ("Debug", "MinSizeRel", "RelWithDebInfo", "Release")
_TOOLS = ("corral", "CMakeLists.txt", "LICENSE", "requirements.txt")


@dataclass(frozen=True)
class Wanted:
    """A library that is to be compiled here."""

    config: str
    board: str
    settings: Mapping[str, str] = field(default_factory=dict)
    shared: bool = False
    build_type: str = ""  # one of BUILD_TYPES; empty: as the board says

    @property
    def folder(self) -> Path:
        kind = "shared" if self.shared else "library"
        return builds_of_tree(ROOT) / kind / f"{Path(self.config).stem}-{Path(self.board).name}"


def configure(config: str, board: str, folder: Path, settings: Mapping[str, str]) -> api.Bindings:
    """Write what a library consists of into `folder`: gen/, sources.cmake, exports.txt and, for
    CMake to ask again, reads.cmake. Third-party sources are fetched."""
    configuration_file(config)
    with reads.recorded() as read:
        bindings = api.generate_for(api.configure(ROOT, config, board, folder, settings))
        packages.ensure_for(ROOT, bindings)
    for note in bindings.notes:
        if note.is_warning:
            print_warning(f"{note.subject}: {note.text}")
    again = [cmake.quote([str(path)]) for path in reads.of_projects(read, ROOT, folder)]
    text = "".join(f"    {path}\n" for path in again)
    consents = cmake.quote(_consents(bindings))
    text = f"set(CORRAL_READS\n{text})\nset(CORRAL_CONSENTS {consents})\n"
    (folder / "reads.cmake").write_text(text, encoding="utf-8")
    of_tree, of_build = map(cmake.quote, installed_headers(folder / "gen").values())
    used = [packages.load(ROOT, name) for name in sorted(bindings.packages)]
    write_if_changed(folder / "openvex.json", vex(ROOT, version(ROOT), used))
    text = f"set(CORRAL_HEADERS_OF_TREE {of_tree})\nset(CORRAL_HEADERS_OF_BUILD {of_build})\n"
    modules = cmake.quote(bindings.libraries)
    text += f"set(CORRAL_MODULES {modules})\n"
    text += f"set(CORRAL_SPEED {'ON' if bindings.configuration.board.speed else 'OFF'})\n"
    (folder / "library.cmake").write_text(text, encoding="utf-8")
    return bindings


def installed_headers(gen: Path) -> dict[Path, list[str]]:
    """By folder, the headers to install: each of `include`, and the generated ones that they
    include."""
    folders = [ROOT / "include", gen]
    closure = Closure()
    closure.add([*sorted(folders[0].rglob("*.h")), gen / _LOCATIONS], folders)
    return {
        above: sorted(
            path.relative_to(above).as_posix()
            for path in closure.files
            if path.is_relative_to(above)
        )
        for above in folders
    }


def _consents(bindings: api.Bindings) -> list[str]:
    """The consents to licences that the environment gives, of those that drivers ask for."""
    drivers = bindings.configuration.tree.drivers.values()
    named = {name for driver in drivers for name in driver.packages}
    asked = {load_package(ROOT, name).consent for name in named} - {""}
    return sorted(word for word in asked if os.environ.get(word) == "1")


def _ensure_libraries(wanted: Wanted, board: Board) -> None:
    """Install the libraries of the system that drivers call: inside a build nothing is."""
    drivers = load_tree(ROOT, board).drivers.values()
    if any(driver.debian and can_use(board, driver) for driver in drivers):
        place = wanted.folder / "settled"
        found = api.configure(ROOT, wanted.config, wanted.board, place, wanted.settings)
        system.ensure([], solve(found).debian)


def _board_cmake(wanted: Wanted, board: Board) -> str:
    settings = [f"{symbol}={value}" for symbol, value in wanted.settings.items()]
    values: dict[str, list[str]] = {
        "CONFIG": [str(Path(wanted.config).resolve())],
        "BOARD": [str(board.folder.resolve())],
        "SETTINGS": settings,
        "SHARED": ["ON" if wanted.shared else "OFF"],
        "PORT": [board.port],
        "PORT_IS_WHOLE": ["ON" if board.linker_script else "OFF"],
        "VERSION": [version(ROOT)],
        "BOARD_CFLAGS": own_cflags(board),
        "BOARD_LDFLAGS": list(board.toolchain.ldflags),
    }
    lines = toolchain_cmake(board, Options())
    lines.append(f"set(CMAKE_BUILD_TYPE {wanted.build_type or build_type(board, Options())})")
    lines += [f"set(CORRAL_{name} {cmake.quote(words)})" for name, words in values.items()]
    return "\n".join(lines) + "\n"


def install(wanted: Wanted, prefix: Path) -> list[Path]:
    """Compile a library and put it, with headers and descriptions, below `prefix`."""
    configuration_file(wanted.config)
    board = api.load_board(ROOT, wanted.board)
    if wanted.shared and not board.port:
        raise fail(board.label, 'names no "port"', "a shared library has one inside")
    compiled_with = load_port(ROOT, board.port).compiled_with if board.port else {}
    system.ensure(["cmake", *([] if compiled_with else ["host"])], compiled_with)
    with alone(wanted.folder):
        (wanted.folder).mkdir(parents=True, exist_ok=True)
        _ensure_libraries(wanted, board)
        write_if_changed(wanted.folder / "board.cmake", _board_cmake(wanted, board))
        made = cmake.Folder(
            ROOT / "cmake" / "prefix",
            wanted.folder / "cmake",
            f"{board.toolchain.prefix}gcc",
            f"{board.label}: toolchain.prefix",
            (f"CORRAL_BUILD={wanted.folder}",),
        )
        with step(f"building {Path(wanted.config).name} for {board.name}"):
            made.build(wanted.config, "correct what the compiler names")
        words = ["cmake", "--install", str(made.path), "--prefix", str(prefix)]
        run_quietly(words, str(prefix), "name a folder that may be written to")
    return sorted(path for path in (prefix / "lib").glob("libcorral*") if path.is_file())


def install_tools(prefix: Path) -> Path:
    """Put what corral_library() needs below `prefix`; returns what find_package() finds."""
    share = prefix / "share" / "corral"
    leave = shutil.ignore_patterns("__pycache__", "*.pyc")
    if share.is_relative_to(ROOT) or ROOT.is_relative_to(share):
        raise fail(str(share), "is where this tree is", "install below another prefix")
    if share.exists() and not (share / INSTALLED).is_file():
        raise fail(str(share), "was not installed by this command", "move it away")
    if share.exists():
        shutil.rmtree(share)
    share.mkdir(parents=True)
    (share / INSTALLED).write_text(f"{version(ROOT)}\n", encoding="utf-8")
    for name in (*TREE, "tools/corral", "boards"):
        shutil.copytree(ROOT / name, share / name, ignore=leave)
    for name in _TOOLS:
        shutil.copy2(ROOT / name, share / name)
    found = prefix / "lib" / "cmake" / "corral"
    found.mkdir(parents=True, exist_ok=True)
    shutil.copy2(ROOT / "cmake" / "prefix" / "corralConfig.cmake", found)
    text = _VERSION_FILE.replace("@VERSION@", version(ROOT))
    (found / "corralConfigVersion.cmake").write_text(text, encoding="utf-8")
    return found


#: Below 1.0 a new minor version may break what the last one promised.
_VERSION_FILE = """\
# SPDX-License-Identifier: Apache-2.0
set(PACKAGE_VERSION "@VERSION@")
string(REGEX MATCH "^[0-9]+.[0-9]+" _here "@VERSION@")
string(REGEX MATCH "^[0-9]+.[0-9]+" _asked "${PACKAGE_FIND_VERSION}")
if(_here STREQUAL _asked AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE ON)
endif()
if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT ON)
endif()
"""
