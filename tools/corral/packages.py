# SPDX-License-Identifier: Apache-2.0
"""Third-party sources: fetched by the registry's ordinary client, checked, unpacked.

packages/<name>/package.toml says registry, exact version and SHA-256 of the archive. An archive
whose hash differs is refused and kept aside. What is there is used without asking anybody.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corral import system
from corral.errors import CorralError, fail
from corral.progress import run_quietly, step

_OFFLINE = "check the network connection to the package registry, then run the command again"


@dataclass(frozen=True)
class Package:
    """One third-party source, as its description says."""

    name: str
    title: str
    licence: str
    note: str
    consent: str
    registry: str
    source: str
    version: str
    sha256: str
    root: str
    is_wheel: bool
    description: Path

    def folder(self, root: Path) -> Path:
        """Where the archive is unpacked."""
        return root / "build" / "packages" / f"{self.name}-{self.version}"


def load(root: Path, name: str) -> Package:
    """Read packages/<name>/package.toml."""
    path = root / "packages" / name / "package.toml"
    label = f"packages/{name}/package.toml"
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text())
    except FileNotFoundError as error:
        raise fail(label, "no such package", "check the name in driver.json") from error
    except tomllib.TOMLDecodeError as error:
        raise fail(label, f"not valid TOML: {error}", "correct the file") from error
    source = data.get("source", {})
    for table, key in ((data, "title"), (data, "licence"), *((source, k) for k in _SOURCE_KEYS)):
        if not isinstance(table.get(key), str) or not table[key]:
            raise fail(label, f'the key "{key}" is missing or no string', "see packages/mbedtls")
    if source["registry"] not in _FETCHERS:
        known = ", ".join(sorted(_FETCHERS))
        raise fail(label, f'registry "{source["registry"]}" is unknown', f"one of {known}")
    if not re.fullmatch(r"[0-9a-f]{64}", source["sha256"]):
        raise fail(label, '"sha256" is not 64 hexadecimal digits', "copy it from sha256sum")
    return Package(
        name,
        data["title"],
        data["licence"],
        data.get("licence_note", ""),
        data.get("consent", ""),
        source["registry"],
        source["name"],
        source["version"],
        source["sha256"],
        data.get("files", {}).get("root", ""),
        bool(source.get("wheel", False)),
        path,
    )


def load_all(root: Path) -> list[Package]:
    """All packages of the tree, by name."""
    return [load(root, path.parent.name) for path in sorted(root.glob("packages/*/package.toml"))]


def ensure(root: Path, name: str) -> Path:
    """Make the sources of a package available; returns the folder that file names start from."""
    package = load(root, name)
    folder = package.folder(root)
    if not (folder / ".complete").is_file():
        _check_consent(package)
        archive = _archive(root, package)
        with step(f"unpacking {package.title}"):
            _unpack(archive, folder)
    return folder / package.root


def _check_consent(package: Package) -> None:
    if package.consent and os.environ.get(package.consent) != "1":
        raise fail(
            f"packages/{package.name}/package.toml",
            f"{package.title} has a licence of its own: {package.note}",
            f"if you accept it, set {package.consent}=1 in the environment",
        )


def _archive(root: Path, package: Package) -> Path:
    downloads = root / "build" / "downloads"
    final = downloads / f"{package.name}-{package.version}.archive"
    if not final.is_file():
        downloads.mkdir(parents=True, exist_ok=True)
        with step(
            f"fetching {package.title} ({package.source} {package.version}, {package.registry})"
        ):
            found = _FETCHERS[package.registry](package, downloads / f"{package.name}.fetch")
        shutil.copyfile(found, final.with_suffix(".part"))
        final.with_suffix(".part").rename(final)
    actual = hashlib.sha256(final.read_bytes()).hexdigest()
    if actual != package.sha256:
        aside = final.with_suffix(".refused")
        final.rename(aside)
        raise fail(
            f"packages/{package.name}/package.toml",
            f"the archive has another hash than the pinned one: expected {package.sha256}, "
            f"got {actual} (kept as {aside.relative_to(root)})",
            "somebody changed the archive: do not use it before you know why",
        )
    return final


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack beside the destination and rename, so that nothing half-done is ever used."""
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, part)
        else:
            with tarfile.open(archive) as tar:
                tar.extractall(part, filter="data")
    except (tarfile.TarError, zipfile.BadZipFile, OSError) as error:
        raise fail(
            str(archive.name), f"cannot be unpacked: {error}", "delete it and try again"
        ) from error
    (part / ".complete").touch()
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def _unpack_zip(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as bundle:
        for name in bundle.namelist():
            if not (folder / name).resolve().is_relative_to(folder.resolve()):
                raise zipfile.BadZipFile(f"{name} lies outside the archive")
        bundle.extractall(folder)


def _only(folder: Path, pattern: str, package: Package) -> Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise fail(
            f"packages/{package.name}/package.toml",
            f"{package.registry} delivered no {pattern} for {package.source} {package.version}",
            _OFFLINE,
        )
    return found[0]


def _from_cargo(package: Package, scratch: Path) -> Path:
    scratch.mkdir(parents=True, exist_ok=True)
    run_quietly(
        ["cargo", "info", "--registry", "crates-io", f"{package.source}@{package.version}"],
        f"packages/{package.name}/package.toml",
        _OFFLINE + " (the client is cargo, 1.82 or newer)",
        cwd=scratch,
        env={**os.environ, "CARGO_HOME": str(scratch)},
    )
    return _only(scratch, f"registry/cache/*/{package.source}-{package.version}.crate", package)


def _from_pypi(package: Package, scratch: Path) -> Path:
    run_quietly(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
            *("--only-binary" if package.is_wheel else "--no-binary", ":all:"),
            *("--dest", str(scratch)),
            f"{package.source}=={package.version}",
        ],
        f"packages/{package.name}/package.toml",
        _OFFLINE,
    )
    return _only(scratch, "*.whl" if package.is_wheel else "*.tar.gz", package)


def _from_npm(package: Package, scratch: Path) -> Path:
    scratch.mkdir(parents=True, exist_ok=True)
    run_quietly(
        ["npm", "pack", "--silent", f"{package.source}@{package.version}"],
        f"packages/{package.name}/package.toml",
        _OFFLINE,
        cwd=scratch,
    )
    return _only(scratch, "*.tgz", package)


def _source_lists() -> str:
    """The machine's own package sources, asked for sources instead of binaries."""
    text = []
    for path in [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*.list")]:
        if path.is_file():
            lines = path.read_text().splitlines()
            text += [
                re.sub(r"^deb\s", "deb-src ", line) for line in lines if line.startswith("deb ")
            ]
    return "\n".join(text) + "\n"


def _source_stanzas() -> str:
    stanzas = []
    for path in sorted(Path("/etc/apt/sources.list.d").glob("*.sources")):
        for stanza in re.split(r"\n\s*\n", path.read_text()):
            lines = [line for line in stanza.splitlines() if not line.startswith("#")]
            if any(line.startswith("Types:") for line in lines) and "debian" in stanza:
                stanzas.append("\n".join(re.sub(r"^Types:.*", "Types: deb-src", x) for x in lines))
    return "\n\n".join(stanzas) + "\n"


def _from_debian(package: Package, scratch: Path) -> Path:
    """Ask the machine's own Debian mirrors for a source package, without touching its settings."""
    parts = scratch / "sources.d"
    for folder in (
        parts,
        scratch / "lists" / "partial",
        scratch / "cache" / "archives" / "partial",
    ):
        folder.mkdir(parents=True, exist_ok=True)
    (scratch / "sources.list").write_text(_source_lists())
    (parts / "debian.sources").write_text(_source_stanzas())
    options = [
        *("-q", "-o", f"Dir::Etc::sourcelist={scratch}/sources.list"),
        *("-o", f"Dir::Etc::sourceparts={parts}", "-o", f"Dir::State::lists={scratch}/lists"),
        *("-o", f"Dir::Cache={scratch}/cache", "-o", "APT::Sandbox::User=root"),
    ]
    where = f"packages/{package.name}/package.toml"
    # A mirror without sources makes this fail although Debian's own answered.
    with contextlib.suppress(CorralError):
        run_quietly(["apt-get", *options, "update"], where, _OFFLINE)
    run_quietly(
        ["apt-get", *options, "source", "--download-only", f"{package.source}={package.version}"],
        where,
        _OFFLINE + " (the version is that of Debian 12)",
        cwd=scratch,
    )
    return _only(scratch, f"{package.source}_*.orig.tar.*", package)


_SOURCE_KEYS = ("registry", "name", "version", "sha256")
_FETCHERS: dict[str, Callable[[Package, Path], Path]] = {
    "cargo": _from_cargo,
    "debian": _from_debian,
    "npm": _from_npm,
    "pypi": _from_pypi,
}
#: Debian packages with the clients, for those who fetch.
CLIENTS = "fetch"


def ensure_all(root: Path, names: list[str]) -> dict[str, Path]:
    """ensure() for several packages, with the clients installed if anything has to be fetched."""
    absent = [n for n in names if not (load(root, n).folder(root) / ".complete").is_file()]
    if absent:
        system.ensure([CLIENTS])
    return {name: ensure(root, name) for name in names}
