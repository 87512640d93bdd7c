# SPDX-License-Identifier: Apache-2.0
"""sources.cmake: the compiled files, with their folders and definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corral.common.cmake import quote
from corral.configure.configuration import app_folder, is_configuration
from corral.errors import CorralError, Problem, fail
from corral.generate import pointers
from corral.generate.build import Build
from corral.generate.builtin_keys import builtin_keys
from corral.generate.wall import files as wall
from corral.model.app import Beside, load_beside, load_defines, load_packages
from corral.model.board import Board, can_use, load_board, port_of
from corral.model.capability import Capability
from corral.model.driver import Driver
from corral.model.package import load_package
from corral.model.places import BUILDS_TAG, Places
from corral.model.port import load_port

CXX_SUFFIXES = (".cpp", ".cc", ".cxx")


def _arguments(keyword: str, values: Sequence[str]) -> list[str]:
    return [f"    {keyword}", *(f"        {quote([value])}" for value in values)] if values else []


def _defines(driver: Driver, used: Iterable[Capability], problems: list[Problem]) -> list[str]:
    merged = dict(driver.defines)
    for capability in used:
        for part in capability.parts:
            for name, value in part.defines.items():
                if merged.setdefault(name, value) != value:
                    problems.append(
                        Problem(
                            f"{part.where}defines.{name}",
                            f"{value} here, {merged[name]} in another part that this build uses",
                            "give it one value",
                        )
                    )
    return [f"{name}={value}" for name, value in merged.items()]


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def own_sources(driver: Driver, used: Sequence[Capability]) -> list[str]:
    """The glue that a build has of a driver."""
    names = [*driver.sources, *(source for capability in used for source in capability.sources)]
    return [str(driver.folder / source) for source in _unique(names)]


def _check_files(driver: Driver, problems: list[Problem]) -> None:
    """Also those of capabilities that this build does not bind: another one will."""
    named = dict.fromkeys(driver.sources, f"{driver.label}: corral/sources")
    for name in driver.own_headers:
        named.setdefault(name, f"{driver.label}: headers")
    if driver.device:
        named.setdefault(driver.device.header, f"{driver.label}: corral/device.header")
    for capability in driver.capabilities:
        for part in capability.parts:
            for source in part.sources:
                named.setdefault(source, f"{part.where}sources")
        if capability.context_header:
            named.setdefault(capability.context_header, f"{capability.where}.corral/context_header")
    for name, where in named.items():
        _check(driver, name, where, problems)


def _check(driver: Driver, name: str, where: str, problems: list[Problem]) -> None:
    folders = [driver.folder, *(driver.folder / folder for folder in driver.include)]
    if not any((folder / name).is_file() for folder in folders):
        problems.append(
            Problem(where, f"no such file: {driver.place}/{name}", "add it, or correct the name")
        )


@dataclass(frozen=True)
class DriverParts:
    """The files of a driver and its libraries that a build compiles, and how."""

    name: str
    folder: Path
    sources: list[str]
    package_sources: list[str]
    includes: list[str]
    defines: list[str]
    libraries: tuple[str, ...]


def driver_parts(
    build: Build, driver: Driver, used: Sequence[Capability], problems: list[Problem]
) -> DriverParts:
    root = build.tree.root
    packages = {name: load_package(root, name).folder for name in driver.packages}
    package_sources = [
        str(packages[name] / source)
        for name, package in driver.packages.items()
        for source in package.sources
    ]
    for capability in used:
        for part in capability.parts:
            for name, sources in part.package_sources.items():
                package_sources += [str(packages[name] / source) for source in sources]
    includes = [str(driver.folder), *(str(driver.folder / folder) for folder in driver.include)]
    includes += [
        str((packages[name] / folder) if folder != "." else packages[name])
        for name, package in driver.packages.items()
        for folder in package.include
    ]
    return DriverParts(
        driver.name,
        driver.folder,
        own_sources(driver, used),
        _unique(package_sources),
        _unique(includes),
        _defines(driver, used, problems),
        driver.libraries,
    )


def all_driver_parts(build: Build) -> list[DriverParts]:
    """The parts of all drivers of a build, with each file of a package compiled once.

    The first driver that names a file compiles it. All drivers that name it are compiled with the
    definitions of each other, so that glue and library agree on the layout of structures.
    Drivers that give one macro different values, such as a prefix of names, have a copy each.
    """
    problems: list[Problem] = []
    found: list[DriverParts] = []
    for name, used in build.bindings.drivers.items():
        parts = driver_parts(build, build.tree.drivers[name], used, problems)
        for i, other in enumerate(found):
            if not set(parts.package_sources).isdisjoint(other.package_sources):
                found[i], parts = _shared(other, parts)
        found.append(parts)
    if problems:
        raise CorralError(problems)
    return found


def _shared(owner: DriverParts, other: DriverParts) -> tuple[DriverParts, DriverParts]:
    """Two drivers that name the same files, which only the first of them compiles."""
    defines = _unique([*owner.defines, *other.defines])
    if len({define.partition("=")[0] for define in defines}) < len(defines):
        return owner, other
    taken = set(owner.package_sources)
    return (
        replace(owner, defines=defines, includes=_unique([*owner.includes, *other.includes])),
        replace(
            other,
            package_sources=[source for source in other.package_sources if source not in taken],
            defines=defines,
            includes=_unique([*other.includes, *owner.includes]),
        ),
    )


def _driver(parts: DriverParts) -> list[str]:
    return [
        "corral_driver(",
        f"    NAME {parts.name}",
        f"    FOLDER {quote([str(parts.folder)])}",
        *_arguments("SOURCES", parts.sources),
        *_arguments("PACKAGE_SOURCES", parts.package_sources),
        *_arguments("INCLUDES", parts.includes),
        *_arguments("DEFINES", parts.defines),
        *_arguments("LIBRARIES", parts.libraries),
        ")",
        "",
    ]


def _folder_sources(folder: Path, patterns: Sequence[str]) -> list[str]:
    return [str(path) for pattern in patterns for path in sorted(folder.glob(pattern))]


#: In an application's folder, in the order in which they are named.
_SUFFIXES = (".c", ".S", *CXX_SUFFIXES)


#: Subfolders that are no part of a folder: another application, or builds.
_NO_PART = ("app.config", BUILDS_TAG)


#: In names of files, which CMake and Ninja get in quotes.
_UNUSABLE = re.compile(r"[;|\\\n]")


def app_sources(folder: Path) -> list[Path]:
    """The sources of an application, also in its subfolders, which may be other applications."""
    found = list(folder.iterdir())
    for sub in [path for path in found if path.is_dir() and not path.is_symlink()]:
        if not sub.name.startswith(".") and not any((sub / name).is_file() for name in _NO_PART):
            found += app_sources(sub)
    sources = [path for path in found if path.suffix in _SUFFIXES and path.is_file()]
    for path in sources:
        if _UNUSABLE.search(path.name):
            what = "a name with ; | or \\ is taken apart by build tools"
            raise fail(str(path), what, "rename the file")
    return sorted(sources, key=lambda path: (_SUFFIXES.index(path.suffix), path))


#: Sources that nothing calls where a symbol is off. Their requirement for a port is not
#: made then: a library is linked also by linkers that keep unused functions.
ONLY_WITH = {
    "core/attestation/token.c": "CORRAL_ATTESTATION",
    "core/common/owner.c": "CORRAL_WALL",
    "core/keys/forget.c": "CORRAL_WALL",
    "core/keys/persistent.c": "CORRAL_PERSISTENT_KEYS",
    "core/keys/record.c": "CORRAL_PERSISTENT_KEYS",
    "core/keys/unique.c": "CORRAL_HARDWARE_KEY",
    "pointers/initial_attestation.c": "CORRAL_ATTESTATION",
    "pointers/internal_trusted_storage.c": "CORRAL_STORAGE",
    "pointers/protected_storage.c": "CORRAL_PROTECTED_STORAGE",
    "pointers/update.c": "CORRAL_UPDATE",
    "storage/collect.c": "CORRAL_STORAGE_IN_FLASH",
    "storage/index.c": "CORRAL_STORAGE_IN_FLASH",
    "storage/its.c": "CORRAL_STORAGE",
    "storage/live.c": "CORRAL_STORAGE_IN_FLASH",
    "storage/log.c": "CORRAL_STORAGE_IN_FLASH",
    "storage/ps.c": "CORRAL_PROTECTED_STORAGE",
    "storage/record.c": "CORRAL_STORAGE_IN_FLASH",
    "storage/rollback.c": "CORRAL_ROLLBACK_DETECTION",
    "storage/seal.c": "CORRAL_SEALED_STORAGE",
    "storage/store.c": "CORRAL_STORAGE",
    "storage/support.c": "CORRAL_PROTECTED_STORAGE",
    "storage/walk.c": "CORRAL_STORAGE_IN_FLASH",
    "update/boot.c": "CORRAL_UPDATE",
    "update/image.c": "CORRAL_UPDATE",
    "update/record.c": "CORRAL_UPDATE",
    "update/service.c": "CORRAL_UPDATE",
}


#: Files that the application has, too, if it is an image of its own.
IN_BOTH = ("core/common/cbor.c", "storage/support.c")


def _left_out(build: Build) -> list[str]:
    return [name for name, symbol in ONLY_WITH.items() if not build.configuration.is_on(symbol)]


def core_sources(build: Build, gen: Path) -> list[str]:
    """The core, storage, update and the generated files, without sources of no use here."""
    root = build.tree.root
    folders = ("core", "storage", "update")
    found = [(root, path) for f in folders for path in sorted((root / f).rglob("*.c"))]
    found += [(gen, gen / "configuration.c"), (gen, gen / "devices.c")]
    if builtin_keys(build):
        found.append((gen, gen / "builtin_keys.c"))
    if pointers.is_used(build.configuration):
        names = pointers.pointers_sources(root, build.configuration)
        found += [(gen, gen / "pointers" / name) for name in names]
    off = _left_out(build)
    return [str(path) for above, path in found if path.relative_to(above).as_posix() not in off]


def _call(function: str, arguments: Sequence[str]) -> list[str]:
    return [f"corral_{function}(", *(f"    {quote([word])}" for word in arguments), ")", ""]


def port_parts(
    root: Path, name: str, board: Board, changed: Mapping[str, int] | None = None
) -> tuple[list[str], list[str]]:
    """The sources of a port, and the board's values for it if it is the board's.

    changed: other values, if the port is another image's.
    """
    port = load_port(root, name)
    folders = (port.folder, *port.shared)
    sources = [s for folder in folders for s in _folder_sources(folder, ["*.c", "*.S"])]
    said = board.parameters | dict(changed or {}) if board.port == name else {}
    return sources, [f"{port.macro(parameter)}={value:#x}u" for parameter, value in said.items()]


def _port(
    root: Path, name: str, board: Board, changed: Mapping[str, int] | None = None
) -> list[str]:
    sources, defines = port_parts(root, name, board, changed)
    return _call("port", [name, *sources, *(["DEFINES", *defines] if defines else [])])


def _in_front(build: Build, gen: Path) -> list[str]:
    """The header that renames the core's functions, if others are in front of them."""
    found = ["corral/unchecked.h"] if pointers.is_used(build.configuration) else []
    if build.board.wall is None and build.configuration.is_on(wall.SYMBOL):
        found.append(wall.BEHIND)
    return [line for n in found for line in (f"set(CORRAL_CORE_FIRST {quote([str(gen / n)])})", "")]


def _refuse_walls(build: Build) -> None:
    """Rejects combinations without sense, and those that would leave the keys to the
    application."""
    app, board = build.configuration.app, build.board
    is_on = build.configuration.is_on(wall.SYMBOL)
    if is_on and is_configuration(app):
        what = "a library has one side of the wall, and the other is made with an application"
        raise fail(app, what, f"build an application, or turn {wall.SYMBOL} off")
    if board.trusted and is_configuration(app):
        what = "the trusted side that has its keys is made with an application"
        raise fail(app, what, "build an application, or for another board")
    if board.wall and not is_on:
        what = f"{wall.SYMBOL} is off, and the board's applications have no image without it"
        raise fail(app, what, "turn off what excludes it, or build for another board")


def _trusted(build: Build, gen: Path) -> list[str]:
    """The trusted side of the wall; its own port, where it is an image of its own."""
    if not build.configuration.is_on(wall.SYMBOL):
        return []
    root = build.tree.root
    at_board = build.board.wall
    folders = ["trusted", f"{at_board.transport}/trusted" if at_board else "loopback"]
    sources = [p for folder in folders for p in sorted((root / "wall" / folder).glob("*.c"))]
    sources += [gen / wall.TRUSTED_SOURCE, gen / wall.SHAPES_SOURCE]
    lines = _call("wall", [str(path) for path in sources])
    if at_board:
        lines = [f"set(CORRAL_TRANSPORT {at_board.transport})", "", *lines]
        lines += [*_port(root, build.board.port, build.board), "corral_begin_client()", ""]
    return lines


def _client_folders(root: Path, transport: str) -> list[Path]:
    """The handwritten part of the client's side: of messages, and of a board's transport."""
    folders = ["client", *(["gate", f"{transport}/client"] if transport else [])]
    return [p for name in folders for p in sorted((root / "wall" / name).glob("*.c"))]


def _remote(build: Build) -> list[str]:
    """Beside a core of the application's: the code by which its driver reaches the trusted side."""
    if not build.board.trusted:
        return []
    root = build.tree.root
    wall_there = load_board(root, build.board.trusted).wall
    transport = wall_there.transport if wall_there else ""
    sources = [str(path) for path in _client_folders(root, transport)]
    return [f"set(CORRAL_TRANSPORT {transport})", "", *_call("remote", sources)]


def _client(build: Build, gen: Path) -> list[str]:
    """The client's side of the wall, with which applications are linked."""
    if not build.configuration.is_on(wall.SYMBOL):
        return []
    at_board = build.board.wall
    sources = _client_folders(build.tree.root, at_board.transport if at_board else "")
    sources += [gen / wall.CLIENT_SOURCE]
    if at_board:
        sources += [gen / "configuration.c"]
        off = _left_out(build)
        sources += [build.tree.root / name for name in IN_BOTH if name not in off]
    return [
        f"set(CORRAL_CLIENT_INCLUDES {quote([str(gen / wall.CLIENT_INCLUDES)])})",
        "",
        *_call("client", [str(path) for path in sources]),
    ]


def _folder_beside(root: Path, part: Beside) -> list[str]:
    """A folder that the application is compiled with, and the packages of that."""
    lines = _call("beside", [part.name, str(part.place), *map(str, part.sources)])
    for package in part.packages:
        folder = load_package(root, package.name).folder
        lines += [
            f"corral_beside_package({part.name} {package.name}",
            *_arguments("SOURCES", [str(folder / source) for source in package.sources]),
            *_arguments(
                "INCLUDES", [str(part.settings), *(str(folder / name) for name in package.include)]
            ),
            ")",
            "",
        ]
    return lines


def _beside_port(root: Path, board: Board) -> list[str]:
    """The folders that a board names beside its port, such as an operating system, and
    the packages with which they are compiled. The application sees their headers."""
    packages = [(load_packages(root, folder), folder) for folder in board.beside_port]
    includes = [str(folder) for folder in board.beside_port]
    sources: list[str] = []
    for package in (package for found, _ in packages for package in found):
        folder = load_package(root, package.name).folder
        includes += [str(folder / name) for name in package.include]
        sources += [str(folder / source) for source in package.sources]
    if not includes:
        return []
    own = [s for folder in board.beside_port for s in _folder_sources(folder, ["*.c", "*.S"])]
    return [
        "corral_beside_port(",
        *_arguments("SOURCES", own),
        *_arguments("PACKAGE_SOURCES", sources),
        *_arguments("INCLUDES", _unique(includes)),
        ")",
        "",
    ]


def _application(build: Build) -> list[str]:
    """The application and the port of its board; a library has any port that it is linked with."""
    root = build.tree.root
    if is_configuration(build.configuration.app):
        return [
            line
            for name in Places.of(root).names("ports")
            for line in _port(root, name, build.board)
        ]
    folder = app_folder(root, build.configuration.app)
    sources = [str(p) for p in app_sources(folder)]
    cxx = any(name.endswith(CXX_SUFFIXES) for name in sources)
    port = port_of(root, build.board).name
    beside, defines = load_beside(root, folder, port), load_defines(root, folder, port)
    changed = build.board.wall.parameters if build.board.wall else None
    return [
        *(f"list(APPEND CORRAL_APP_DEFINES {quote([define])})" for define in defines),
        *_beside_port(root, build.board),
        *(line for part in beside for line in _folder_beside(root, part)),
        *(["corral_app_languages(CXX)", ""] if cxx else []),
        *_call("app", sources),
        *_port(root, build.board.port, build.board, changed),
    ]


def sources_file(build: Build, gen: Path) -> str:
    problems: list[Problem] = []
    _refuse_walls(build)
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        f"# {build.origin_with_name}",
        "",
    ]
    for driver in build.tree.drivers.values():
        if can_use(build.board, driver):
            _check_files(driver, problems)
    if problems:
        raise CorralError(problems)
    for parts in all_driver_parts(build):
        lines += _driver(parts)
    lines += _in_front(build, gen)
    lines += [*_call("core", core_sources(build, gen)), *_trusted(build, gen)]
    lines += [*_client(build, gen), *_remote(build), *_application(build)]
    return "\n".join(lines).rstrip("\n") + "\n"
