# SPDX-License-Identifier: Apache-2.0
"""Configure Corral for an application of RIOT: called by corral/Makefile.include in each build.

Writes below --folder what the modules of the application mean by modules.toml (riot.config), the
board as Corral sees it (board/board.toml), and what ./corral export makes of both (export/).
Nothing is written if nothing changed since the last time. Files that stay the same keep their time.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TABLE = HERE / "modules.toml"

#: Folders of Corral whose files decide what is exported.
_TREE = (
    "compat",
    "config",
    "core",
    "dispatch",
    "drivers",
    "include",
    "packages",
    "storage",
    "tools",
    "update",
)
#: Variables that RIOT exports to its own sub-makes, and that other programs would misread.
_MAKES = re.compile(r"MAKE|MFLAGS|.*FLAGS$|.*CC$|CXX|LD$|AR$|AS$|LINK|RIOT|BOARD$|CPU|INCLUDES")
_DEFINE = re.compile(r"^\s*#\s*define\s+(CONFIG_\w+)\s+\(?\s*(\d+)", re.M)
_MARK = "corral_reads"
_IN_SLOT = {"ECC_KEY_PAIR": "p256", "AES": "aes128", "HMAC": "hmac"}
_LOCATIONS = {
    "PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT": "1",
    "PSA_KEY_LOCATION_VENDOR_FLAG": "0x800000",
    "PSA_KEY_LOCATION_SE_MIN": "0x800000",
}
_ATCA_SLOTS = 16
_NATIVE = ("native", "native32", "native64")


class ProblemError(Exception):
    """An error that a user can fix."""


@dataclass(frozen=True)
class Element:
    """An ATECCx08A as custom_atca_params.h describes it."""

    location: int
    bus: int
    address: int  # 7 bits
    slots: tuple[str, ...]


@dataclass
class Build:
    """Results of RIOT's make for one build."""

    board: str
    modules: Sequence[str]
    counts: Mapping[str, int]
    more: Sequence[str] = ()
    compiler: Sequence[str] = ()
    elements: Sequence[Element] = field(default_factory=list)


def table() -> dict[str, dict[str, dict[str, object]]]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _strings(row: Mapping[str, object], key: str) -> list[str]:
    value = row.get(key, [])
    return [str(word) for word in value] if isinstance(value, list) else [str(value)]


def rows_of(modules: Iterable[str]) -> dict[str, str]:
    """The rows of the table that these modules name, and the driver that a back end chooses."""
    known = table()
    found: dict[str, str] = {}
    for module in sorted(modules):
        name, _, backend = module.partition("_backend_")
        name = name.removesuffix("_custom_backend")
        if not name.startswith("psa_") or name == "psa_crypto":
            continue
        if name not in known["module"]:
            raise ProblemError(
                f"{module}: is in no row of {TABLE}: add one, or leave the module out"
            )
        if backend and backend not in known["backend"]:
            raise ProblemError(f"{module}: {TABLE} has no back end {backend}: add it to [backend]")
        driver = str(known["backend"][backend]) if backend else ""
        found[name] = driver or found.get(name, "")
        for implied in _strings(known["module"][name], "implies"):
            found.setdefault(implied, "")
    return found


def configuration(build: Build) -> list[str]:
    """The lines of a configuration of Corral."""
    known = table()
    lines: dict[str, str] = {}
    for line in _strings(known["always"], "settings"):
        lines[line.partition("=")[0]] = line
    for name, driver in rows_of(build.modules).items():
        row = known["module"][name]
        made = [f"PSA_WANT_{want}=y" for want in _strings(row, "wants")]
        made += _strings(row, "settings")
        if driver:
            made += [f"CORRAL_{choice}_BY_{driver}=y" for choice in _strings(row, "choices")]
        lines |= {line.partition("=")[0]: line for line in made}
    if "corral_mtd" in build.modules:
        lines["CORRAL_STORAGE_IN_FLASH"] = "CORRAL_STORAGE_IN_FLASH=y"
    for count, symbol in known["counts"].items():
        if count in build.counts:
            lines[str(symbol)] = f"{symbol}={build.counts[count]}"
    for line in build.more:
        lines[line.partition("=")[0].strip()] = line
    return list(lines.values())


def board(build: Build, with_chips: bool = False) -> str:
    """The text of board.toml; or of the board that ./corral chips takes, with virtual chips."""
    modules = set(build.modules)
    has = {
        "HAS_ENTROPY": True,
        "HAS_FILES": "corral_vfs" in modules,
        "HAS_FLASH": "corral_mtd" in modules,
        "HAS_I2C": "corral_i2c" in modules,
        "HAS_THREADS": True,
    }
    text = ["# SPDX-License-Identifier: Apache-2.0", f'title = "{build.board} under RIOT"']
    text += ['port = "posix"', ""] if with_chips else [""]
    text += ["[capabilities]", *(f"{name} = true" for name, is_there in has.items() if is_there)]
    if build.compiler and build.board not in _NATIVE:
        prefix = re.sub(r"(gcc|clang)[\d.-]*$", "", Path(build.compiler[0]).name)
        flags = [word for word in build.compiler[1:] if re.match(r"-m(cpu|arch|abi|thumb)", word)]
        words = ", ".join(f'"{word}"' for word in flags)
        text += ["", "[toolchain]", f'prefix = "{prefix}"', f"cflags = [{words}]"]
    if with_chips:
        words = '["-pthread"]'
        text += ["", "[toolchain]", 'prefix = ""', f"cflags = {words}", f"ldflags = {words}"]
        text += ["", "[run]", 'command = ["{elf}"]']
    for number, element in enumerate(build.elements):
        text += ["", "[[element]]", f'name = "SE{number}"', 'driver = "atecc608"']
        text += ['simulator = "atecc608"'] if with_chips else []
        text += [f"location = {element.location:#x}", f"bus = {element.bus}"]
        text += [f"address = {element.address:#x}"]
        text += ["slots = [" + ", ".join(f'"{slot}"' for slot in element.slots) + "]"]
    return "\n".join(text) + "\n"


def _number(text: str) -> int:
    """A number of a header: a literal, one of RIOT's names, or a sum of these, with casts."""
    plain = re.sub(r"\(\s*\w+_t\s*\)", "", text)
    plain = re.sub(r"\bI2C_DEV\s*\(([^()]*)\)", r"\1", plain)
    for name, value in _LOCATIONS.items():
        plain = re.sub(rf"\b{name}\b", value, plain)
    words = [word.rstrip("uUlL") for word in re.sub(r"[\s()]", "", plain).split("+")]
    try:
        return sum(int(word, 0) for word in words)
    except ValueError:
        what = f"custom_atca_params.h: {text.strip()} is no number"
        raise ProblemError(f"{what}: write one, or PSA_KEY_LOCATION_SE_MIN + 1") from None


def _slot(row: str) -> str:
    """The purpose of a row of ATCA_SLOTS_DEVn: { type, persistent, occupied }."""
    *kind, _persistent, is_occupied = row.rsplit(",", 2)
    found = re.search(r"PSA_KEY_TYPE_(ECC_KEY_PAIR|AES|HMAC)\b", "".join(kind))
    return _IN_SLOT[found[1]] if found and is_occupied.strip() == "0" else "reserved"


def elements_in(preprocessed: str) -> list[Element]:
    """Output of the preprocessor for the probe below."""
    _, _, after = preprocessed.partition(f"{_MARK}_params")
    params, _, after = after.partition(f"{_MARK}_slots")
    slots, _, _ = after.partition(f"{_MARK}_end")
    devices = re.split(r"\.\s*atca_loc\s*=", params)[1:]
    tables = [
        list(re.findall(r"\{([^{}]*)\}", one))
        for one in re.findall(r"\{\s*\{((?:[^{}]*\{[^{}]*\})+)[^{}]*\}\s*\}", slots)
    ]
    if not devices or len(tables) != len(devices) or any(len(t) > _ATCA_SLOTS for t in tables):
        what = f"ATCA_PARAMS has {len(devices)} devices, ATCA_CONFIG_LIST {len(tables)}"
        raise ProblemError(
            f"custom_atca_params.h: {what}: describe each of them, in 16 slots at most"
        )
    found = []
    for device, rows in zip(devices, tables, strict=True):
        values = {
            name: re.search(rf"\.\s*{name}\s*=([^,]*),", "." + device)
            for name in (r"atcai2c\s*\.\s*bus", r"atcai2c\s*\.\s*address")
        }
        location = device.partition(",")[0]
        bus, address = values.values()
        if bus is None or address is None:
            raise ProblemError(
                "custom_atca_params.h: a device has no .atcai2c.bus or .atcai2c.address"
            )
        eight_bits = _number(address[1])
        found.append(
            Element(
                _number(location), _number(bus[1]), eight_bits >> 1, tuple(_slot(r) for r in rows)
            )
        )
    return found


_PROBE = f"""\
#include "custom_atca_params.h"
{_MARK}_params ATCA_PARAMS
{_MARK}_slots ATCA_CONFIG_LIST
{_MARK}_end
"""
#: Headers that the application's header includes; without them names of the API stay names.
_HIDDEN = (
    "cryptoauthlib.h",
    "periph/i2c.h",
    "psa/asymmetric_signature/algorithm.h",
    "psa/crypto.h",
    "psa/key/lifetime.h",
    "psa/key/type.h",
)


def probe(folder: Path, compiler: Sequence[str]) -> list[Element]:
    """Read custom_atca_params.h as the compiler sees it, with the application's definitions."""
    hidden = folder / "probe"
    for name in _HIDDEN:
        _write(hidden / name, "/* SPDX-License-Identifier: Apache-2.0 */\n")
    command = [
        compiler[0],
        f"-I{hidden}",
        *compiler[1:],
        "-w",
        "-Wno-error",
        "-E",
        "-P",
        "-xc",
        "-",
    ]
    done = subprocess.run(command, input=_PROBE, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ProblemError(
            f"the compiler does not take custom_atca_params.h:\n{done.stderr}"
            "set CUSTOM_ATCA_PARAMS, and INCLUDES to the folder that has it, in the Makefile"
        )
    return elements_in(done.stdout)


def _write(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _state_of_tree() -> str:
    """Changes when a file of Corral's does."""
    state = hashlib.sha256()
    for above in _TREE:
        for where, folders, names in os.walk(ROOT / above):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                found = os.stat(os.path.join(where, name))
                state.update(f"{where}/{name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return state.hexdigest()


def _take_over(new: Path, old: Path, objects: Path) -> None:
    """Make `old` the same as `new`; files that are the same keep their time.

    RIOT links every object that it finds, so the object of a source that goes has to go, too.
    """
    made = {path.relative_to(new) for path in new.rglob("*") if path.is_file()}
    for path in list(old.rglob("*")) if old.is_dir() else []:
        if path.is_file() and path.relative_to(old) not in made:
            path.unlink()
            if path.is_relative_to(old / "src"):
                compiled = objects / path.relative_to(old / "src").with_suffix(".o")
                compiled.unlink(missing_ok=True)
    for name in made:
        to = old / name
        if not to.is_file() or to.read_bytes() != (new / name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(new / name, to)


_SOURCES = """\
# SPDX-License-Identifier: Apache-2.0
# Written by integrations/riot/configure.py.
MODULE := corral_library
SRC := {sources}
# RIOT's warnings are not for these sources, and contexts of drivers are handed to libraries as
# structures of theirs.
CFLAGS += -w -fno-strict-aliasing
INCLUDES := -I$(CURDIR) -I$(CURDIR)/../include $(INCLUDES)
include $(RIOTBASE)/Makefile.base
"""


def export(folder: Path) -> None:
    """Run ./corral export, and write the Makefile that compiles its sources."""
    new = folder / "new"
    shutil.rmtree(new, ignore_errors=True)
    environment = {k: v for k, v in os.environ.items() if not _MAKES.match(k)}
    words = [str(folder / "riot.config"), str(folder / "board"), str(new)]
    command = [str(ROOT / "corral"), "export", *words]
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise ProblemError(f"no configuration: see above, and {folder / 'riot.config'}")
    sources = sorted(str(path.relative_to(new / "src")) for path in (new / "src").rglob("*.c"))
    text = _SOURCES.format(sources=" \\\n    ".join(sources))
    (new / "src" / "Makefile").write_text(text, encoding="utf-8")
    _take_over(new, folder / "export", folder.parent / "corral_library")
    shutil.rmtree(new)


def _counts(headers: Sequence[Path]) -> dict[str, int]:
    found: dict[str, int] = {}
    for header in headers:
        text = header.read_text(encoding="utf-8")
        found |= {name: int(value) for name, value in _DEFINE.findall(text)}
    return found


def _more(files: Sequence[Path]) -> list[str]:
    lines = [line.strip() for path in files for line in path.read_text("utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--board", required=True)
    parser.add_argument("--module", action="append", default=[])
    parser.add_argument("--header", action="append", type=Path, default=[])
    parser.add_argument("--more", action="append", type=Path, default=[])
    parser.add_argument("compiler", nargs="*")
    asked = parser.parse_args(words)
    build = Build(asked.board, asked.module, _counts(asked.header), _more(asked.more))
    build.compiler = asked.compiler
    if "corral_i2c" in build.modules:
        build.elements = probe(asked.folder, asked.compiler)
    config = "".join(f"{line}\n" for line in configuration(build))
    state = [config, board(build), _state_of_tree(), Path(__file__).read_text(encoding="utf-8")]
    state.append(os.environ.get("CORRAL_PATH", ""))  # the export finds drivers there
    said = hashlib.sha256("\0".join(state).encode()).hexdigest() + "\n"
    stamp = asked.folder / "configured"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == said:
        return 0
    stamp.unlink(missing_ok=True)
    _write(asked.folder / "riot.config", config)
    _write(asked.folder / "board" / "board.toml", board(build))
    if build.elements and build.board in _NATIVE:
        _write(asked.folder / "chips" / "board.toml", board(build, with_chips=True))
    export(asked.folder)
    stamp.write_text(said, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ProblemError, OSError) as error:
        print(f"corral: error: {error}", file=sys.stderr)
        sys.exit(2)
