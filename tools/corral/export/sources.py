# SPDX-License-Identifier: Apache-2.0
"""The configured sources in a folder of their own, for build systems that know nothing of this.

Third-party files are copied as they are. A driver's definitions for its library are in a file
with one include for each of their sources, so no definition is needed on a command line.
Another file with one include represents each searched header, so one folder of them is enough.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corral import ROOT
from corral.configure.configuration import configuration_file
from corral.errors import fail
from corral.export.includes import Closure
from corral.export.layout import BOARD, LIBRARIES, SOURCES, UNIT, Layout, exported_for
from corral.export.library import Wanted
from corral.export.licences import licence_files
from corral.export.linker import linker_parts
from corral.generate import api, pointers
from corral.generate.build import Build
from corral.generate.sources import DriverParts, all_driver_parts, core_sources, port_parts
from corral.generate.unwanted import ALLOWED
from corral.model.board import Board
from corral.packages import fetch as packages

SPDX = "SPDX-License-Identifier: Apache-2.0"
#: Options of the compiler besides the folders of headers. Contexts of drivers are
#: handed to libraries as structures of theirs.
FLAGS = ("-fno-strict-aliasing",)
#: The same where a library cannot ask for flags; and the core calls itself whatever is wanted.
_BEFORE = f"""\
#ifdef ARDUINO
#pragma GCC optimize "no-strict-aliasing"
#endif
#define {ALLOWED}
"""
_GCC = """\
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("no-strict-aliasing", "{}wrapv")
#endif
"""
#: Glue overwrites the stack below its own frame after a library has used it. With link-time
#: optimisation the library's functions would be in that frame, but GCC never puts one function into
#: another if sums overflow otherwise there; and that can be said in a source, whatever the flags.
_GLUE, _LIBRARY = _GCC.format("no-"), _GCC.format("")


@dataclass(frozen=True)
class Export:
    """The content of a folder: the text of each generated file, the origin of each copy."""

    texts: Mapping[str, str]
    copies: Mapping[str, Path]
    packages: Sequence[packages.Package]
    board: Board
    modules: Sequence[str]  # of pkg-config: libraries of the system

    def files(self) -> dict[str, bytes]:
        made = {name: text.encode() for name, text in self.texts.items()}
        return {name: path.read_bytes() for name, path in self.copies.items()} | made


def export(wanted: Wanted, work: Path) -> Export:
    """Settle the configuration in the folder `work`, and find what it consists of."""
    configuration_file(wanted.config)
    api.configure(ROOT, wanted.config, wanted.board, work, wanted.settings)
    bindings = api.generate(ROOT, wanted.config, wanted.board, work)
    packages.ensure_for(ROOT, bindings)
    fetched = [packages.load(ROOT, name) for name in sorted(bindings.packages)]
    build, gen = Build(bindings), work / "gen"
    used = all_driver_parts(build)
    core = [Path(source) for source in core_sources(build, gen)]
    port, said = _port(build.board)
    closure = _closure(gen, core, port, used)
    layout = Layout(gen, build.board.port, used, fetched, closure.files)
    copies = {layout.place(file): file for file in sorted(closure.files)}
    texts = {layout.place(path): _core_text(build, path) for path in core}
    texts |= {layout.place(path): _defined(said) + path.read_text("utf-8") for path in port}
    for parts in used:
        _add(texts, _driver_texts(layout, parts))
    _add(texts, {k: f"/* {SPDX} */\n{v}" for k, v in layout.forwards(closure).items()})
    for package in fetched:
        copies |= licence_files(package)
    for path in (ROOT / "LICENSE", *sorted((ROOT / "compat").rglob("*.h"))):
        copies[path.relative_to(ROOT).as_posix()] = path
    copies |= _linker_scripts(build.board)
    copies = {name: path for name, path in copies.items() if name not in texts}
    return Export(texts, copies, fetched, build.board, bindings.libraries)


def _port(board: Board) -> tuple[list[Path], list[str]]:
    """The sources of the board's port, and definitions for them."""
    if not board.port:
        return [], []
    sources, defines = port_parts(ROOT, board.port, board)
    return [Path(source) for source in sources], defines


def _closure(
    gen: Path, core: Sequence[Path], port: Sequence[Path], used: Sequence[DriverParts]
) -> Closure:
    closure, first = Closure(), [ROOT / "include", gen]
    headers = [*sorted((ROOT / "include").rglob("*.h")), *sorted((gen / "corral").rglob("*.h"))]
    closure.add([*core, *headers], first)
    # Ports outside the tree find <common/flash_model.h> and the like.
    closure.add(port, [*first, ROOT / "ports"])
    for parts in used:
        folders = [*first, *map(Path, parts.includes)]
        sources = [*parts.sources, *parts.package_sources]
        closure.add([Path(source) for source in sources], folders, parts.defines, parts.name)
    return closure


def _linker_scripts(board: Board) -> dict[str, Path]:
    if not board.linker_script:
        return {}
    script = board.folder / board.linker_script
    parts = {f"{BOARD}/{name}": path for name, path in linker_parts(script).items()}
    return {**parts, f"{BOARD}/memory.ld": script}


def _add(texts: dict[str, str], more: Mapping[str, str]) -> None:
    for name, text in more.items():
        if texts.setdefault(name, text) != text:
            what = "would be two files of one name"
            raise fail(name, what, "use corral_library(), where each has its folder")


def _core_text(build: Build, path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    checks = pointers.is_used(build.configuration)
    return _BEFORE + ("#include <corral/unchecked.h>\n" if checks else "") + text


def _defined(defines: Iterable[str]) -> str:
    pairs = (define.split("=", 1) for define in defines)
    return "".join(f"#ifndef {name}\n#define {name} {value}\n#endif\n" for name, value in pairs)


def _driver_texts(layout: Layout, parts: DriverParts) -> dict[str, str]:
    """Glue with its definitions before it, and a file for each source of a library."""
    units = f"#define {UNIT}\n#define {exported_for(parts.name)}\n"
    before = f"#define {ALLOWED}\n{units}{_defined(parts.defines)}"
    texts = {}
    for source in map(Path, parts.sources):
        texts[layout.place(source)] = _GLUE + before + source.read_text(encoding="utf-8")
    for source in map(Path, parts.package_sources):
        place = layout.place(source)
        flat = place.removeprefix(f"{LIBRARIES}/").replace("/", "_")
        # Two drivers may compile the same source, each with definitions of its own.
        name = f"{SOURCES}/{LIBRARIES}/{parts.name}/{flat}"
        up = os.path.relpath(place, os.path.dirname(name))
        texts[name] = f'/* {SPDX} */\n{_LIBRARY}{before}#include "{up}"\n'
    return texts
