# SPDX-License-Identifier: Apache-2.0
"""CMake and Ninja: a folder is begun anew where something has changed that CMake asks only once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corral.common.progress import run_quietly, warnings
from corral.errors import fail

#: CMake reads these from the environment when it first sees a folder, and never again;
#: it does so with many names that begin as its own.
_ENVIRONMENT = ("ASMFLAGS", "CFLAGS", "CXXFLAGS", "LDFLAGS")
_OF_CMAKE = "CMAKE_"
#: Where compiler and linker look, too: Ninja does not see that another header or library is found.
_SEARCHED = (
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "SDKROOT",
)
_STAMP = "begun-with"


def quote(values: Sequence[str]) -> str:
    """These values as arguments of a command of CMake, whatever characters are in them."""
    return " ".join('"' + _escape(value) + '"' for value in values)


def _escape(value: str) -> str:
    for special in ("\\", '"', "$", ";"):
        value = value.replace(special, "\\" + special)
    return value


@dataclass(frozen=True)
class Folder:
    """A folder in which CMake and Ninja work, and their tools."""

    source: Path
    path: Path
    compiler: str = "cc"
    compiler_named_by: str = "system"  # for messages: the file that says which compiler it is
    definitions: tuple[str, ...] = ()

    def build(self, what: str, remedy: str, target: str = "all") -> None:
        """Configure and compile `what`; the remedy is for mistakes that the compiler names."""
        self._begin()
        definitions = [f"-D{definition}" for definition in self.definitions]
        folders = ["-S", str(self.source), "-B", str(self.path)]
        run_quietly(["cmake", "-G", "Ninja", *folders, *definitions], what, remedy)
        said = run_quietly(["ninja", "-C", str(self.path), target], what, remedy)
        print(warnings(said), end="", file=sys.stderr)

    def _begin(self) -> None:
        begun = [f"{self.source} {self.path}", *self.definitions]
        begun += [self._version("cmake", "system")]
        begun += [self._version(self.compiler, self.compiler_named_by)]
        of_cmake = sorted(name for name in os.environ if name.startswith(_OF_CMAKE))
        names = [*_ENVIRONMENT, *_SEARCHED, *of_cmake]
        begun += [f"{name}={os.environ.get(name, '')}" for name in names]
        text = "\n".join(begun) + "\n"
        stamp = self.path / _STAMP
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == text:
            return
        if self.path.exists():
            shutil.rmtree(self.path)
        self.path.mkdir(parents=True)
        stamp.write_text(text, encoding="utf-8")

    def _version(self, program: str, label: str) -> str:
        """Where a program is, and which version: an update keeps the place."""
        path = shutil.which(program)
        if path is None:
            raise fail(label, f"{program} is not installed", "install it, or name another")
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        first, _, _ = done.stdout.partition("\n")
        return f"{path} is {Path(path).resolve()}, {first}"
