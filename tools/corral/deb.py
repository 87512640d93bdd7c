# SPDX-License-Identifier: Apache-2.0
"""Debian's binary packages: an ar archive, in which a tar archive holds the files."""

from __future__ import annotations

import io
from pathlib import Path

_MAGIC = b"!<arch>\n"
_HEADER = 60


def is_deb(archive: Path) -> bool:
    """Whether the file is an ar archive."""
    with archive.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def files(archive: Path) -> io.BytesIO:
    """The tar archive with the files of the package."""
    with archive.open("rb") as file:
        file.seek(len(_MAGIC))
        while len(header := file.read(_HEADER)) == _HEADER:
            name, size = header[:16].decode("ascii", "replace").strip(), header[48:58]
            if not size.strip().isdigit():
                raise OSError("a member of it has no length")
            length = int(size)
            if name.rstrip("/").startswith("data.tar"):
                return io.BytesIO(file.read(length))
            file.seek(length + length % 2, io.SEEK_CUR)
    raise OSError("there is no data.tar in it")
