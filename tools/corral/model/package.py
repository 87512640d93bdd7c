# SPDX-License-Identifier: Apache-2.0
"""What the configuration has to know of packages/<name>/package.toml; fetching reads the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import read_toml


@dataclass(frozen=True)
class PackageInfo:
    """Where the files of a package are, below the folder of builds."""

    name: str
    version: str
    root: str
    consent: str

    @property
    def folder(self) -> str:
        """Relative to the root of the tree."""
        base = f"build/packages/{self.name}-{self.version}"
        return f"{base}/{self.root}" if self.root else base


def load_package(root: Path, name: str) -> PackageInfo:
    label = f"packages/{name}/package.toml"
    problems: list[Problem] = []
    node = read_toml(root / label, label, problems)
    version = node.child("source").string("version") if node.has("source") else ""
    if not version:
        node.complain('the key "source.version" is missing', "name the exact version")
    files = node.child("files").string("root", "") if node.has("files") else ""
    consent = node.string("consent", "")
    if problems:
        raise CorralError(problems)
    return PackageInfo(name, version, files.strip("/"), consent)
