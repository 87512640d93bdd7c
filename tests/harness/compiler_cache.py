# SPDX-License-Identifier: Apache-2.0
"""The compiler cache of the tests: ccache, in the user's cache folder, so that a new clone is warm.

Objects that another clone compiled are taken, too: paths below the tree count from the folder in
which the compiler runs, and lines of traces name them so.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from corral import ROOT
from corral.build.image import TESTING

#: All that the tests compile for two compilers and four kinds of processors takes half of it.
MAX_SIZE = "5G"


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def folder() -> Path:
    """Where ccache keeps objects: in the user's cache folder, or in the tree if that is closed."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(cache) if os.path.isabs(cache) else Path(os.path.expanduser("~/.cache"))
    wanted = base / "corral" / "ccache"
    return wanted if _can_write(wanted) else ROOT / "build" / "tests" / "ccache"


def use() -> None:
    """Have all builds that this process starts use it, unless the environment says otherwise.

    Without ccache they compile everything.
    """
    os.environ.setdefault(TESTING, "1")
    program = shutil.which("ccache")
    if program is None:
        return
    settings = {
        "CMAKE_C_COMPILER_LAUNCHER": program,
        "CMAKE_CXX_COMPILER_LAUNCHER": program,
        "CCACHE_DIR": str(folder()),
        # A cache that the user named has a size that the user chose.
        **({} if "CCACHE_DIR" in os.environ else {"CCACHE_MAXSIZE": MAX_SIZE}),
        "CCACHE_BASEDIR": str(ROOT),
        "CCACHE_NOHASHDIR": "1",
    }
    for name, value in settings.items():
        os.environ.setdefault(name, value)
