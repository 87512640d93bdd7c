# SPDX-License-Identifier: Apache-2.0
"""The search path: where applications, boards, drivers, packages, ports and simulators are found.

Folders of one's own come first, the project's tree last. A folder of one's own is arranged as the
tree is: boards/NAME, drivers/NAME and so on. Builds with any part of it are built below
it, so nothing of the tree changes.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, fail
from corral.model.node import nearest

#: The environment's list of folders, as PATH is written. --path puts its folders in front of it.
VARIABLE = "CORRAL_PATH"
_OWN = f"--path or {VARIABLE}"

#: Folders of a tree, and the description of each folder in them.
KINDS = {
    "apps": "app.config",
    "boards": "board.toml",
    "drivers": "driver.json",
    "packages": "package.toml",
    "ports": "port.toml",
    "sim": "sim.toml",
}

#: A folder of builds says that it is one by this file, for those who make copies, too.
BUILDS_TAG = "CACHEDIR.TAG"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Made by corral; it can be removed.\n"

#: Characters at which build tools split paths (see ./corral, which checks the tree for the same).
_UNUSABLE = re.compile(r"[][:;$%,|'\"\\`*?\n]")


def _is_path(word: str) -> bool:
    return os.sep in word or word in (".", "..")


#: In a tree that `./corral install` put somewhere: its users may not be allowed to write there.
INSTALLED = ".installed"
#: Where such a tree is built and fetched for: ./corral says it.
CACHE = "CORRAL_CACHE"


def builds_of_tree(root: Path) -> Path:
    """The folder of builds of the tree itself."""
    cache = os.environ.get(CACHE)
    return (Path(cache) if cache and (root / INSTALLED).is_file() else root) / "build"


def usable(folder: Path, where: str) -> Path:
    """The folder, unless build tools would take its path apart."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise fail(where, "a path that is no text in UTF-8", "rename the folder") from None
    if _UNUSABLE.search(str(folder)):
        what = "a path with : ; , | $ % * ? [ ] quotes or line breaks is taken apart by build tools"
        raise fail(where, what, "move or rename the folder")
    return folder


def _check_level(folder: Path, where: str) -> None:
    """Nothing would be found in the folder of one board, or in that of all boards."""
    if any((folder / kind).is_dir() for kind in KINDS):
        return
    for kind, file in KINDS.items():
        if (folder / file).is_file() or (folder.name == kind and any(folder.glob(f"*/{file}"))):
            above = folder.parent if folder.name == kind else folder.parent.parent
            raise fail(where, f"is in a folder of {kind}", f"name the folder above it: {above}")


#: The content of a folder's description.
_SAYS = {
    "apps": "the application's needs, in lines such as PSA_WANT_ALG_SHA_256=y",
    "boards": "the board's port and capabilities",
    "drivers": "the driver's capabilities and sources",
    "packages": "the package's source and hash",
    "ports": "the port's title and needs",
    "sim": "the simulator's title and fields",
}


def _undescribed(kind: str, file: Path, label: str) -> CorralError:
    """The error for a folder of a kind that has no description."""
    if file.is_dir():
        return fail(label, "is a folder", f"make it a file that lists {_SAYS[kind]}")
    return fail(label, "no such file", f"write it: it lists {_SAYS[kind]}")


@dataclass(frozen=True)
class Places:
    """The search path of a tree."""

    root: Path
    own: tuple[Path, ...] = ()

    @staticmethod
    def of(root: Path) -> Places:
        """The tree, behind the folders that the environment names."""
        own = []
        for word in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
            folder = Path(os.path.abspath(word))
            if not folder.is_dir():
                raise fail(f"{_OWN}: {word}", "no such folder", "correct the path")
            _check_level(folder, f"{_OWN}: {word}")
            own.append(usable(folder, f"{_OWN}: {word}"))
        return Places(root, tuple(own))

    @property
    def all(self) -> tuple[Path, ...]:
        return (*self.own, self.root)

    def folders(self, kind: str) -> dict[str, Path]:
        """Every folder of a kind that has a description, by name, the first that is found."""
        found: dict[str, Path] = {}
        for place in self.all:
            for described in (place / kind).glob(f"*/{KINDS[kind]}"):
                if described.is_file():
                    found.setdefault(described.parent.name, described.parent)
        return dict(sorted(found.items()))

    def names(self, kind: str) -> list[str]:
        return list(self.folders(kind))

    def find(self, kind: str, word: str) -> Path | None:
        """The folder that a word means: a name, or a path from the current or a listed folder."""
        candidates = [place / kind / word for place in self.all]
        if _is_path(word):
            candidates.insert(0, Path.cwd() / word)
        for candidate in candidates:
            folder = Path(os.path.abspath(candidate))
            if (folder / KINDS[kind]).is_file():
                return usable(folder, word)
        return None

    def presets(self) -> dict[str, Path]:
        """The files of config/presets, by name, the first that is found."""
        found: dict[str, Path] = {}
        for place in self.all:
            for file in (place / "config" / "presets").glob("*.config"):
                found.setdefault(file.stem, file)
        return dict(sorted(found.items()))

    def missing(self, kind: str, word: str, what: str) -> CorralError:
        """The error for a word that find() knows nothing for."""
        file = KINDS[kind]
        for folder in (Path(word), *(place / kind / word for place in self.all)):
            if word and (_is_path(word) or folder != Path(word)) and folder.is_dir():
                return _undescribed(kind, folder / file, self.label(folder / file))
        if _is_path(word):
            return fail(f"{word}/{file}", what, "correct the path")
        remedy = nearest(word, self.names(kind))
        for here in (Path(word), Path(kind) / word):
            if (here / KINDS[kind]).is_file():
                remedy = f"write ./{here} for the folder that is here"
        return fail(f"{kind}/{word}/{KINDS[kind]}", what, remedy)

    def label(self, path: Path) -> str:
        """A file or folder as a user would type it."""
        for base in (self.root, Path.cwd()):
            if path.is_relative_to(base):
                return str(path.relative_to(base))
        return str(path)

    def from_root(self, path: Path) -> Path:
        """A file as tools find it that work in the tree."""
        return path.relative_to(self.root) if path.is_relative_to(self.root) else path

    def owner(self, folder: Path) -> Path:
        """Where a folder belongs: the innermost place that it is in, or it is on its own."""
        around = [place for place in self.all if folder.is_relative_to(place)]
        return max(around, key=lambda place: len(place.parts), default=folder)

    def builds_of(self, *folders: Path) -> Path:
        """The folder of builds for objects made of these: the first owner that is not the tree."""
        owners = [*map(self.owner, folders), *self.own]
        return self.builds_in(next((o for o in owners if o != self.root), self.root))

    def builds_in(self, owner: Path) -> Path:
        """The folder of builds of an owner. Outside the tree it contains a tag; a
        folder of that name without the tag is not changed."""
        builds = builds_of_tree(owner) if owner == self.root else owner / "build"
        if owner != self.root and builds.is_dir() and not (builds / BUILDS_TAG).is_file():
            builds = builds / "corral"
        if owner != self.root and not (builds / BUILDS_TAG).is_file():
            builds.mkdir(parents=True, exist_ok=True)
            (builds / ".gitignore").write_text("*\n", encoding="utf-8")
            (builds / BUILDS_TAG).write_text(_TAG, encoding="utf-8")
        return builds

    def name(self, kind: str, folder: Path, builds: Path) -> str:
        """The name of a folder in a folder of builds.

        Its own name is enough if the search finds it, and in the builds that are its
        own; others of one name are distinguished by their paths.
        """
        if self.find(kind, folder.name) == folder or builds.parent == folder:
            return folder.name
        return f"{folder.name}-{hashlib.sha256(self.label(folder).encode()).hexdigest()[:8]}"
