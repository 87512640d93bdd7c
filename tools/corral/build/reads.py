# SPDX-License-Identifier: Apache-2.0
"""Files that a command reads: a build system runs the command again after a change of one."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corral.model.places import builds_of_tree

#: Python's own: a source file represents its compiled module.
_NOT_THESE = {"__pycache__", ".venv"}
_LISTINGS = ("os.listdir", "os.scandir")


@contextmanager
def recorded() -> Iterator[set[Path]]:
    """The set that each file and folder is put into which is opened to be read from now on.

    A hook cannot be taken away again; it does nothing after the end.
    """
    found: set[Path] = set()
    ended = False

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if ended or event not in ("open", *_LISTINGS):
            return
        name = arguments[0]
        is_read = event in _LISTINGS or not set(str(arguments[1])).intersection("wax+")
        if is_read and isinstance(name, str):
            found.add(Path(os.path.abspath(name)))

    sys.addaudithook(hook)
    try:
        yield found
    finally:
        ended = True


#: Folders of the system, which belong to no project. A project may be below /usr, too.
_SYSTEM = ("/dev", "/etc", "/lib", "/proc", "/sys", "/usr/lib", "/usr/share/locale")


def _of_system() -> list[Path]:
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    environment = [sys.prefix] if sys.prefix != sys.base_prefix else []
    return [Path(name) for name in (*_SYSTEM, *python, *environment)]


def of_projects(paths: Iterable[Path], root: Path, made: Path) -> list[Path]:
    """Those that a project's own people change: the tree, its tools and other files
    outside the system's folders; nothing below `made`."""
    return [path for path in asked_for(paths, root, made) if path.exists()]


def asked_for(paths: Iterable[Path], root: Path, made: Path) -> list[Path]:
    """of_projects(), with those that were looked for and are not there."""
    ours = {
        Path(module.__file__)
        for name, module in list(sys.modules.items())
        if name.split(".")[0] == "corral" and module.__file__
    }
    system = [folder for folder in _of_system() if not root.is_relative_to(folder)]
    return sorted(
        path
        for path in {*paths, *ours}
        if not _NOT_THESE.intersection(path.parts)
        and not any(path.is_relative_to(base) for base in (made, builds_of_tree(root), *system))
    )
