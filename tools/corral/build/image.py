# SPDX-License-Identifier: Apache-2.0
"""From application and board to a linked image: configure, generate, fetch, compile."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from corral import ROOT
from corral.build import symbols, together
from corral.common import cmake, system
from corral.common.progress import alone, step
from corral.common.style import print_warning
from corral.configure.configuration import app_folder, menu_of
from corral.configure.fragments import RANDOM
from corral.errors import CorralError, fail
from corral.generate import api
from corral.generate.build import Build as Generated
from corral.generate.sources import CXX_SUFFIXES, app_sources, core_sources, own_sources
from corral.model.app import load_beside, load_packages
from corral.model.board import Board, port_of
from corral.model.places import Places, builds_of_tree
from corral.model.tree import SEEDED_BY
from corral.packages import fetch as packages

#: Set in the environment by the tests: builds compile what they can so that others have the same
#: of it, and an application's warnings are errors.
TESTING = "CORRAL_TESTING"

#: Below a build, files that include several sources of the core, or of a driver.
TOGETHER = "together"
CORE = "core"  # how CMake calls core with storage
#: How the linker is asked to redirect calls of a function.
_WRAP = "-Wl,--wrap="

#: Below a build, where its board names another whose trusted side runs beside it: of that side.
BEHIND = "trusted"

#: Settings of a trusted side that keeps keys, for whole messages, which reach the
#: client in any form.
_SERVED = ("CORRAL_ENCRYPT_IN_PARTS", "CORRAL_DECRYPT_IN_PARTS")

#: With which the linker script of the board places an image in RAM: it defines this name then.
LOADED = "CORRAL_UPDATE_LOADED"

#: For C++ on a board, which has no run-time library for it.
_CXX_FLAGS = "-fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit"


@dataclass(frozen=True)
class Options:
    """Options of a build besides application and board."""

    settings: Mapping[str, str] = field(default_factory=dict)
    presets: tuple[str, ...] = ()  # names of config/presets
    sanitize: str = ""  # for -fsanitize=, on the native board
    compiler: str = ""  # another C compiler for the native board
    sources: tuple[Path, ...] = ()  # further sources of the application (tests)
    shared_sources: tuple[Path, ...] = ()  # the same, but they see no folder of the application
    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()  # to link: names or files
    compile_flags: tuple[str, ...] = ()
    app_flags: tuple[str, ...] = ()  # to compile application and port with, and nothing else
    library_flags: tuple[str, ...] = ()  # to compile third-party libraries with, and nothing else
    link_flags: tuple[str, ...] = ()
    name: str = ""  # of the build folder, if not <app>-<board>
    lto: bool | None = None  # link-time optimisation; None: as the board says
    debug: bool = False  # optimised for a debugger
    #: Compile these as a few files, if their size does not matter.
    together: Literal["", "core", "core and glue"] = ""


@dataclass(frozen=True)
class Build:
    """A finished build."""

    app: str
    board: Board
    folder: Path
    image: Path
    uses_elements: bool  # whether the image talks to the board's secure elements
    trusted: Path | None = None  # the image of the trusted side, where that is another one


def folder_of(app: str, board: str, name: str = "") -> Path:
    """The folder in which an application is built for a board.

    Below the tree of ours if application, board and all else are; else below the user's.
    """
    places = Places.of(ROOT)
    of_app, of_board = places.find("apps", app), places.find("boards", board)
    if of_app is None or of_board is None:
        return builds_of_tree(ROOT) / (name or f"{Path(app).name}-{Path(board).name}")
    builds = places.builds_of(of_app, of_board)
    names = places.name("apps", of_app, builds), places.name("boards", of_board, builds)
    return builds / (name or "-".join(names))


def prepare(app: str, board: str, options: Options, menu: bool = False) -> api.Bindings:
    """Configure and generate; nothing is fetched or compiled."""
    folder = folder_of(app, board, options.name)
    with alone(folder):  # half of another command's Kconfig would be read as all of it
        return api.generate_for(
            api.configure(ROOT, app, board, folder, options.settings, menu, options.presets)
        )


def has_two_images(build: Build) -> bool:
    """Whether the application is in an image of its own, apart from the trusted side's."""
    return build.trusted is not None and build.board.wall is not None


def inputs_of(build: Build) -> list[Path]:
    """Files that a build has written and CMake reads, and those that a menu would leave there."""
    kinds = (".cmake", ".config", ".json", ".txt")
    found = [path for path in build.folder.iterdir() if path.suffix in kinds]
    written = [path for path in (build.folder / "gen").rglob("*") if path.is_file()]
    return sorted({*found, *written, build.folder / "user.config", build.folder / "kconfig"})


def compiler_of(board: Board, options: Options) -> str:
    """The C compiler that a board is compiled with."""
    prefix = board.toolchain.prefix
    return f"{prefix}gcc" if prefix else options.compiler or "gcc"


def _cxx_compiler(board: Board, options: Options) -> str:
    """Of the same kind as the C compiler: g++ beside gcc, clang++ beside clang."""
    path = Path(compiler_of(board, options))
    name = path.name.replace("clang", "clang++") if "clang" in path.name else ""
    return str(path.with_name(name or path.name.replace("gcc", "g++")))


def toolchain_cmake(board: Board, options: Options) -> list[str]:
    """The compiler of a board, and how it is asked."""
    compiler, cxx = compiler_of(board, options), _cxx_compiler(board, options)
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        f"# Made from {board.label} by corral; do not edit.",
        f"set(CMAKE_C_COMPILER {cmake.quote([compiler])})",
        f"set(CMAKE_CXX_COMPILER {cmake.quote([cxx])})",
    ]
    if board.toolchain.prefix:
        lines += [
            "set(CMAKE_SYSTEM_NAME Generic)",
            "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)",
            f"set(PKG_CONFIG_EXECUTABLE {cmake.quote([f'{board.toolchain.prefix}pkg-config'])})",
            f'set(CMAKE_CXX_FLAGS "{_CXX_FLAGS}")',
        ]
    return lines


def own_cflags(board: Board) -> list[str]:
    chain = board.toolchain
    return [*chain.cflags, *(f"-D{name}={value}" for name, value in chain.defines.items())]


def has_lto(board: Board, options: Options) -> bool:
    """Whether an image is optimised at the link; for a debugger only on request."""
    return board.lto and not options.debug if options.lto is None else options.lto


def build_type(board: Board, options: Options) -> str:
    """In CMake's words; image.cmake says which flags each has."""
    if options.sanitize or options.debug:
        return "Debug"
    return "Release" if board.speed else "MinSizeRel"


def _own_parts(bindings: api.Bindings, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Core with storage, and the glue of each driver: how CMake calls it, and its sources."""
    generated, drivers = Generated(bindings), bindings.configuration.tree.drivers
    yield CORE, core_sources(generated, folder / "gen")
    for name, used in bindings.drivers.items():
        yield f"driver_{name}", own_sources(drivers[name], used)


def _together(folder: Path, bindings: api.Bindings, options: Options) -> list[str]:
    """Settings by which our own sources are compiled as a few files.

    Glue not wherever the core is: some tests look whether its wipers reach over the frames that it
    has in a product, where each file is compiled by itself.
    """
    asked = "core and glue" if options.sanitize else options.together
    if not (asked and os.environ.get(TESTING)):
        return []
    wrapped = [f.removeprefix(_WRAP) for f in options.link_flags if f.startswith(_WRAP)]
    (folder / TOGETHER).mkdir(exist_ok=True)
    apart: list[str] = []
    lines = []
    for part, sources in _own_parts(bindings, folder):
        if part != CORE and asked == CORE:
            continue
        written = [p for p in map(Path, sources) if p.suffix == ".c" and folder not in p.parents]
        files = []
        for number, group in enumerate(together.groups(written, wrapped)):
            files.append(folder / TOGETHER / f"{part}_{number}.c")
            write_if_changed(files[-1], together.text(group, files[-1].parent))
        apart += map(str, written)
        lines.append(f"set(CORRAL_TOGETHER_{part} {cmake.quote([str(path) for path in files])})")
    return [f"set(CORRAL_APART {cmake.quote(apart)})", *lines]


def _board_cmake(build: Build, options: Options) -> str:
    toolchain = build.board.toolchain
    cross = bool(toolchain.prefix)
    cflags = own_cflags(build.board)
    ldflags = [*toolchain.ldflags]
    # Subfolders of an application include its headers as itself does.
    includes = [app_folder(ROOT, build.app), *options.includes]
    if has_lto(build.board, options):
        cflags.append("-flto")
        # The linker compiles again, and drops unused functions only if each has its section.
        ldflags += ["-ffunction-sections", "-fdata-sections"]
    if options.sanitize:
        if cross:
            raise fail(build.board.label, "sanitizers run on the host only", "use board native")
        cflags += [f"-fsanitize={options.sanitize}", "-fno-sanitize-recover=all"]
    cflags += options.compile_flags
    lines = [
        *toolchain_cmake(build.board, options),
        f"set(CMAKE_BUILD_TYPE {build_type(build.board, options)})",
        f"set(CORRAL_IMAGE {cmake.quote([build.image.name])})",
        f"set(CORRAL_BOARD_CFLAGS {cmake.quote(cflags)})",
        f"set(CORRAL_BOARD_LDFLAGS {cmake.quote(ldflags)})",
        f"set(CORRAL_LIBRARY_OPTIONS {cmake.quote(options.library_flags)})",
        f"set(CORRAL_LINK_OPTIONS {cmake.quote(options.link_flags)})",
        f"set(CORRAL_TESTING {cmake.quote([os.environ.get(TESTING, '')])})",
        f"set(CORRAL_LINK_LIBRARIES {cmake.quote(options.libraries)})",
        f"set(CORRAL_APP_INCLUDES {cmake.quote([str(p) for p in includes])})",
        f"set(CORRAL_APP_DEFINES {cmake.quote(options.defines)})",
        f"set(CORRAL_APP_OPTIONS {cmake.quote(options.app_flags)})",
        f"set(CORRAL_APP_EXTRA_SOURCES {cmake.quote([str(p) for p in options.sources])})",
        f"set(CORRAL_APP_SHARED_SOURCES {cmake.quote([str(p) for p in options.shared_sources])})",
    ]
    if build.board.linker_script:
        script = build.board.folder / build.board.linker_script
        lines.append(f"set(CORRAL_LINKER_SCRIPT {cmake.quote([str(script)])})")
        if build.board.wall and build.trusted:
            client = build.board.folder / build.board.wall.linker_script
            lines.append(f"set(CORRAL_CLIENT_LINKER_SCRIPT {cmake.quote([str(client)])})")
            lines.append(f"set(CORRAL_TRUSTED_IMAGE {cmake.quote([build.trusted.name])})")
        ports = [str(place / "ports") for place in Places.of(ROOT).all]
        lines.append(f"set(CORRAL_PORT_FOLDERS {cmake.quote(ports)})")
    if build.board.trusted:
        lines.append(f"set(CORRAL_BEHIND {cmake.quote([str(build.folder / BEHIND)])})")
    return "\n".join(lines) + "\n"


def write_if_changed(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)


def build(
    app: str,
    board: str,
    options: Options | None = None,
    prepared: api.Bindings | None = None,
) -> Build:
    """Build an application for a board; only what changed is compiled again.

    `prepared`: the result of prepare() for the same arguments.
    """
    options = options or Options()
    with alone(folder_of(app, board, options.name)):
        return _build(app, board, options, prepared or prepare(app, board, options))


def title(app: str, board: str) -> str:
    """The title of the step of a build."""
    return f"building {app} for {board}"


def _warn(bindings: api.Bindings) -> None:
    for note in bindings.notes:
        if note.is_warning:
            print_warning(f"{note.subject}: {note.text}")


def _build(app: str, board: str, options: Options, bindings: api.Bindings) -> Build:
    _warn(bindings)
    description = api.load_board(ROOT, board)
    folder = folder_of(app, board, options.name)
    sources = app_folder(ROOT, app)
    stem = sources.name
    image = folder / (f"{stem}.elf" if description.toolchain.prefix else stem)
    drivers = bindings.configuration.tree.drivers
    uses_elements = any(drivers[used].is_opaque for used in bindings.drivers)
    trusted = folder / f"{stem}-trusted.elf" if description.wall else None
    result = Build(app, description, folder, image, uses_elements, trusted)
    own, port = app_sources(sources), port_of(ROOT, description)
    beside = load_beside(ROOT, sources, port.name)
    if not any((own, beside, options.sources)):
        label = Places.of(ROOT).label(sources)
        raise fail(label, "no C or C++ source in it", "write main.c there")
    has_cxx = any(path.suffix in CXX_SUFFIXES for path in own)
    on_host = ["host", "c++"] if has_cxx else ["host"]
    compiled_with = port.compiled_with
    debian = {**compiled_with, **bindings.debian}
    system.ensure(["cmake", *([] if compiled_with else on_host)], debian)
    packages.ensure_for(ROOT, bindings)
    more = [p for part in beside for p in part.packages]
    more += [p for part in description.beside_port for p in load_packages(ROOT, part)]
    packages.ensure_all(ROOT, sorted({package.name for package in more}))
    if description.trusted:
        result = replace(result, trusted=_build_trusted(result, bindings, options))
    if bindings.configuration.is_on(LOADED):
        more_flags = (*options.link_flags, f"-Wl,--defsym={LOADED}=1")
        options = replace(options, link_flags=more_flags)
    with step(title(app, board)):
        _compile(result, options, parts=_together(folder, bindings, options))
    return result


def _keeps_keys(bindings: api.Bindings) -> bool:
    """True if keys are made at a location, which takes random numbers there and none here."""
    return any(b.unit == "generate_key" and b.location for _, b in bindings.all())


def prepare_trusted(client: Build, of_client: api.Bindings, options: Options) -> api.Bindings:
    """prepare() for the trusted side that runs beside an image with a core of its own. It is
    configured for the other board and for the wants of the same application, from its files, the
    menu or the command line. If it makes keys, it has random numbers, and messages in parts of both
    directions. of_client: the result of prepare() for that image. Its warnings are said, too."""
    board = api.load_board(ROOT, client.board.trusted)
    # Only this board knows the elements: settings about them would have no effect.
    drivers = of_client.configuration.tree.drivers
    names = "|".join(drivers[element.driver].symbol for element in client.board.elements)
    of_elements = re.compile(rf"CORRAL_(PROTECTED_KEY_SLOTS|DRIVER_({names})|\w+_BY_({names}))")
    said = {**menu_of(client.folder), **options.settings}
    settings = {n: v for n, v in said.items() if not of_elements.fullmatch(n)}
    if _keeps_keys(of_client):
        settings |= dict.fromkeys(_SERVED, "y")
        if board.has([SEEDED_BY]):
            settings[RANDOM] = "y"
    folder = client.folder / BEHIND
    name = str(board.folder)
    configuration = api.configure(ROOT, client.app, name, folder, settings, presets=options.presets)
    bindings = api.generate_for(configuration)
    _warn(bindings)
    return bindings


def _build_trusted(client: Build, of_client: api.Bindings, options: Options) -> Path:
    """The image of the trusted side that prepare_trusted() prepares."""
    bindings = prepare_trusted(client, of_client, options)
    packages.ensure_for(ROOT, bindings)
    board, folder = bindings.configuration.board, client.folder / BEHIND
    stem = client.image.stem
    trusted = folder / f"{stem}-trusted.elf"
    side = Build(client.app, board, folder, folder / f"{stem}.elf", False, trusted)
    with step(f"building the trusted side of {client.app} for {client.board.name}"):
        _compile(side, Options(debug=options.debug, lto=options.lto), "trusted")
    return trusted


def _compile(
    build: Build, options: Options, target: str = "all", parts: Sequence[str] = ()
) -> None:
    """Compile and link what is generated; without an image afterwards if that fails.

    `parts`: settings of _together().
    """
    board = build.board
    settings = _board_cmake(build, options) + "".join(f"{line}\n" for line in parts)
    write_if_changed(build.folder / "board.cmake", settings)
    what = f"{build.app} for {board.name}"
    remedy = "correct what the compiler names, then run the same command again"
    # Beside a core the trusted side is in a folder of its own.
    are_two = has_two_images(build)
    try:
        cmake.Folder(
            ROOT,
            build.folder / "cmake",
            compiler_of(board, options),
            f"{board.label}: toolchain.prefix",
            (f"CORRAL_BUILD={build.folder}",),
        ).build(what, remedy, target)
        problems = symbols.problems(build.folder, board.toolchain.prefix, are_two)
        if problems:
            raise CorralError(problems)
    except CorralError:
        build.image.unlink(missing_ok=True)
        raise


def shell(command: Sequence[str]) -> str:
    """A command as one would type it."""
    return shlex.join(command)
