# SPDX-License-Identifier: Apache-2.0
"""Files that tell build systems how to compile an export: README.md and a file for each of them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

from corral import ROOT
from corral.build.image import own_cflags
from corral.common.version import version
from corral.export.folder import TAG
from corral.export.layout import BOARD, HEADERS, SOURCES
from corral.export.licences import expression
from corral.export.sources import FLAGS, SPDX, Export

#: So unused functions are not in the program.
_SMALL = ("-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")
#: The sources that link-time optimisation has to leave as they are, and the file among them whose
#: symbol it does not see.
_APART, _UNSEEN = f"{SOURCES}/drivers", f"{SOURCES}/generated/configuration.c"
_COLUMNS = ("Library", "Package", "Licence")
_TITLE = "PSA Crypto API 1.5"


def texts(made: Export, name: str) -> Mapping[str, str]:
    """The files, by name; `name` is that of the configuration."""
    return {
        "README.md": _readme(made, name),
        "CMakeLists.txt": _cmake(made, name),
        "library.json": _platformio(name, expression(made.packages)),
        "library.properties": _arduino(name),
        f"{SOURCES}/{_header(name)}": f"/* {SPDX} */\n#include <psa/crypto.h>\n",
        "idf_component.yml": _idf(name, expression(made.packages)),
    }


def _has_port(made: Export) -> bool:
    return bool(made.board.port)


def _patterns(made: Export) -> list[str]:
    """Of the names of sources."""
    names = (*made.copies, *made.texts)
    has_assembler = any(name.startswith(f"{SOURCES}/") and name.endswith(".S") for name in names)
    return ["*.c", "*.S"] if has_assembler else ["*.c"]


def _line(made: Export) -> str:
    """One line of the board's compiler."""
    chain = made.board.toolchain
    compiler = f"{chain.prefix}gcc" if chain.prefix else "cc"
    words = [compiler, *map(shlex.quote, own_cflags(made.board)), *_SMALL, *FLAGS]
    words += [f"-I{SOURCES}", f"-I{HEADERS}", "main.c", *([] if _has_port(made) else ["port.c"])]
    words.append(f"$(find {SOURCES} -name {' -o -name '.join(map(shlex.quote, _patterns(made)))})")
    if made.board.linker_script:
        words.append(f"-L{BOARD} -T {BOARD}/memory.ld")
    words += map(shlex.quote, chain.ldflags)
    if made.modules:
        words.append(f"$({chain.prefix}pkg-config --cflags --libs {' '.join(made.modules)})")
    return " ".join([*words, "-o app"])


def _readme(made: Export, name: str) -> str:
    port = (
        "The port of the board is among them."
        if _has_port(made)
        else "The port is yours: `include/corral/port.h` says what its functions have to do."
    )
    rows = [(p.title, f"{p.known_as} {p.source.version}", p.licence) for p in made.packages]
    lines = [f"| {' | '.join(row)} |" for row in (_COLUMNS, ["---"] * len(_COLUMNS), *rows)]
    if made.modules:
        modules = ", ".join(f"`{name}`" for name in made.modules)
        port += f"\n\nDrivers call libraries of the system, by pkg-config: {modules}."
    table = "\n".join(["", *lines, ""]) if rows else ""
    return f"""# PSA Crypto for {name}

Sources of Corral {version(ROOT)}, configured for `{name}.config` and the board {made.board.name}.
Nothing here is edited by hand: to change the configuration, export it anew.

With a `main.c` in this folder, which includes `psa/crypto.h`:

    {_line(made)}

{port}

Any build system compiles, as C11, each source below `{SOURCES}` with the folders `{SOURCES}` and
`{HEADERS}` and no definition. It compiles nothing below `libraries`: files of `{SOURCES}` include
that. Applications need only `{HEADERS}`. A compiler other than GCC and Clang needs its own
options with the meaning of `{" ".join(FLAGS)}`. GCC may optimise at link time; others keep the
sources below `{_APART}` out of it, where the stack of libraries is overwritten.

- CMake: `add_subdirectory()` gives the target `{_target(name)}`.
- PlatformIO: a folder of `lib`, by `library.json`.
- Arduino: a folder of `libraries`, by `library.properties`. A sketch includes `{_header(name)}`.
- ESP-IDF: a folder of `components`, by `CMakeLists.txt` and `idf_component.yml`.
- Its components, with hashes and licences: `sbom.cdx.json`; their texts: `licences`,
  `LICENSE`. Hashes of these files: `{TAG}`.
- Which known vulnerabilities of these libraries concern it, as OpenVEX: `openvex.json`.
{table}"""


def _target(name: str) -> str:
    """A name that every build system accepts."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)


def _header(name: str) -> str:
    """Arduino looks for libraries by headers outside any folder."""
    return f"corral-{_target(name)}.h"


def _cmake(made: Export, name: str) -> str:
    patterns = _patterns(made)
    globs = " ".join(f"${{CMAKE_CURRENT_LIST_DIR}}/{SOURCES}/{pattern}" for pattern in patterns)
    languages = "C ASM" if len(patterns) > 1 else "C"
    flags = " ".join(FLAGS)
    target = _target(name)
    system = ""
    if made.modules:
        system = f"""
find_package(PkgConfig REQUIRED)
pkg_check_modules({target} REQUIRED IMPORTED_TARGET GLOBAL {" ".join(made.modules)})
target_link_libraries({target} PUBLIC PkgConfig::{target})
"""
    return f"""# {SPDX}
cmake_minimum_required(VERSION 3.18)

file(GLOB_RECURSE sources {globs})
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    file(GLOB_RECURSE apart ${{CMAKE_CURRENT_LIST_DIR}}/{_APART}/*.c)
    list(APPEND apart ${{CMAKE_CURRENT_LIST_DIR}}/{_UNSEEN})
    set_source_files_properties(${{apart}} PROPERTIES COMPILE_OPTIONS -fno-lto)
endif()
if(ESP_PLATFORM)
    idf_component_register(SRCS ${{sources}} INCLUDE_DIRS {HEADERS} PRIV_INCLUDE_DIRS {SOURCES})
    target_compile_options(${{COMPONENT_LIB}} PRIVATE {flags})
    return()
endif()

project({target} {languages})
# A C library asks the port for its console, after the linker has looked into the archive.
set(port ${{sources}})
list(FILTER port INCLUDE REGEX "/{SOURCES}/ports/")
list(FILTER sources EXCLUDE REGEX "/{SOURCES}/ports/")
add_library({target} STATIC ${{sources}})
set(targets {target})
if(port)
    add_library({target}-port OBJECT ${{port}})
    target_sources({target} INTERFACE $<TARGET_OBJECTS:{target}-port>)
    list(APPEND targets {target}-port)
endif()
foreach(target IN LISTS targets)
    target_compile_features(${{target}} PRIVATE c_std_11)
    target_include_directories(${{target}} PUBLIC {HEADERS} PRIVATE {SOURCES})
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(${{target}} PRIVATE {flags})
    endif()
endforeach()
{system}"""


def _platformio(name: str, licence: str) -> str:
    said = {
        "name": f"corral-{_target(name)}",
        "version": version(ROOT),
        "description": f"{_TITLE}, configured for {name}",
        "license": licence,
        "frameworks": "*",
        "platforms": "*",
        "headers": "psa/crypto.h",
        "build": {
            "srcDir": SOURCES,
            "includeDir": HEADERS,
            "flags": list(FLAGS),
            # Not out of an archive: link-time optimisation does not see that all ask for a symbol
            # of generated/configuration.c.
            "libArchive": False,
        },
    }
    return json.dumps(said, indent=2) + "\n"


def _arduino(name: str) -> str:
    said = {
        "name": f"corral-{_target(name)}",
        "version": version(ROOT),
        "author": "The Corral authors",
        "maintainer": "The Corral authors",
        "sentence": f"{_TITLE}, configured for {name}.",
        "paragraph": "Keys and cryptographic operations.",
        "category": "Other",
        "url": "",
        "architectures": "*",
        "includes": _header(name),
    }
    return "".join(f"{key}={value}\n" for key, value in said.items())


def _idf(name: str, licence: str) -> str:
    return f"""# {SPDX}
version: "{version(ROOT)}"
description: {_TITLE}, configured for {name}
license: {licence}
"""
