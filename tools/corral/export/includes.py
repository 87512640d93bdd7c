# SPDX-License-Identifier: Apache-2.0
"""Which files sources include, by their text: on every compiler and processor, not on this one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corral.errors import fail

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)
#: Files that may be included by a macro's name, written anywhere.
_DEFINED = re.compile(r'^[ \t]*#[ \t]*define[ \t]+\w+[ \t]+["<]([^">\n]+\.h)[">]', re.M)
#: Files that the assembler itself includes, also in C.
_ASSEMBLED = re.compile(r'\.(?:incbin|include)[ \t]*\\?"')


@dataclass
class Closure:
    """The files that some sources need, and which folder each was found in."""

    #: Each file, the sources themselves too.
    files: set[Path] = field(default_factory=set)
    #: For a file found in a searched folder: its name there, its users, and the file.
    searched: set[tuple[str, str, Path]] = field(default_factory=set)
    #: For a file found beside the including file: that file, the name, and the file.
    beside: set[tuple[Path, str, Path]] = field(default_factory=set)

    def add(
        self,
        sources: Iterable[Path],
        folders: Sequence[Path],
        defines: Iterable[str] = (),
        driver: str = "",
    ) -> None:
        """Follow the includes of these sources, which are looked for in these folders.

        A missing file is the system's, or of no use here. `defines` are definitions as
        a command line has them: some are names of headers. The sources are those of
        `driver`, if they are of one.
        """
        left = [Path(os.path.abspath(source)) for source in sources]
        said = "".join(f"#define {define.replace('=', ' ', 1)}\n" for define in defines)
        left += self._named(said, folders, driver)
        seen: set[Path] = set()
        while left:
            file = left.pop()
            if file in seen:
                continue
            seen.add(file)
            self.files.add(file)
            text = _text(file)
            if taken := _ASSEMBLED.search(text):
                what = f"the assembler takes in another file by {taken[0].rstrip()}"
                raise fail(str(file), what, "write #include, or the bytes as data of C")
            left += self._named(text, folders, driver)
            for quoted, angled in _INCLUDE.findall(text):
                found = self._find(file if quoted else None, quoted or angled, folders, driver)
                if found is not None:
                    left.append(found)

    def _named(self, text: str, folders: Sequence[Path], driver: str) -> list[Path]:
        found = (self._find(None, name, folders, driver) for name in _DEFINED.findall(text))
        return [path for path in found if path is not None]

    def _find(
        self, file: Path | None, name: str, folders: Sequence[Path], driver: str
    ) -> Path | None:
        if file is not None and (file.parent / name).is_file():
            found = Path(os.path.abspath(file.parent / name))
            self.beside.add((file, name, found))
            return found
        for folder in folders:
            if (folder / name).is_file():
                found = Path(os.path.abspath(folder / name))
                self.searched.add((os.path.normpath(name), driver, found))
                return found
        return None


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
