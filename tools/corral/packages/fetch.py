# SPDX-License-Identifier: Apache-2.0
"""Third-party sources: fetched by the registry's ordinary client, checked, unpacked.

packages/<name>/package.toml says registry, exact version and SHA-256 of the archive. An archive
whose hash differs is refused and kept aside. Existing files are used without a request.

Sources are tried in this order: CORRAL_ARCHIVES, the user's cache, which all clones share, the
registry if its client is installed, upstream's own archive by HTTPS, and at last the registry
with its client installed. The hash is the same, so it does not matter which one it was.

Instead of a registry it may name a folder or an archive of one's own, such as a vendor's SDK. A
folder is used where it is.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from corral.common import system
from corral.common.progress import alone, remedy_for, step
from corral.configure.bindings import Bindings
from corral.errors import CorralError, Problem, fail
from corral.model.node import read_toml
from corral.model.package import LOCAL, local_path, misfit, unpacked
from corral.model.places import Places, builds_of_tree
from corral.packages import registries
from corral.packages.registries import Source

#: Folders and archives of the user's, as PATH is written.
ARCHIVES = "CORRAL_ARCHIVES"
_KEYS = {
    "": ("title", "licence", "licence_note", "consent", "source", "files", "upstream"),
    "source": ("registry", "name", "version", "release", "sha256", "url", "path"),
    "files": ("root",),
    "upstream": ("title", "version", "cpe"),
}
_REQUIRED = {
    "": ("title", "licence"),
    "source": ("registry", "name", "version", "sha256"),
    "upstream": ("title", "version"),
}


@dataclass(frozen=True)
class Upstream:
    """The content of a package, if its name and version are not those of the registry."""

    title: str
    version: str
    cpe: str = ""  # by which advisories name it, without the version: "cpe:2.3:a:arm:mbed_tls"


@dataclass(frozen=True)
class Package:
    """One third-party source, as its description says."""

    name: str
    title: str
    licence: str
    note: str
    consent: str
    source: Source
    root: str
    label: str
    described: Path  # the folder of the description
    local: Path | None  # a folder or archive of one's own
    upstream: Upstream | None = None

    @property
    def known_as(self) -> str:
        """Its name at its origin. A local folder or archive has the name of its package."""
        return self.name if self.local is not None else self.source.name

    @property
    def is_folder(self) -> bool:
        """True if there is nothing to unpack."""
        return self.local is not None and not self.local.is_file()

    def folder(self, root: Path) -> Path:
        """Where the archive is unpacked, or the folder of one's own."""
        if self.local is not None and self.is_folder:
            return self.local
        return unpacked(Places.of(root), self.described, self.source.version)

    def archive(self, root: Path) -> Path:
        """Where the archive is kept, once it was found to be the right one."""
        folder = self.folder(root)
        return folder.parents[1] / "downloads" / f"{folder.name}.archive"

    def is_there(self, root: Path) -> bool:
        """Whether the package can be used without fetching or unpacking."""
        folder = self.folder(root)
        if self.is_folder:
            return (folder / self.root).is_dir()
        stamp = folder / ".complete"
        is_ours = stamp.is_file() and stamp.read_text(encoding="utf-8") == self.source.sha256
        return is_ours and (folder / self.root).is_dir()


def names(root: Path) -> list[str]:
    """The packages of the tree."""
    return Places.of(root).names("packages")


def load(root: Path, name: str) -> Package:
    """Read packages/<name>/package.toml."""
    places = Places.of(root)
    described = places.find("packages", name)
    if described is None:
        raise places.missing("packages", name, "no such package")
    label = places.label(described / "package.toml")
    problems: list[Problem] = []
    data: dict[str, Any] = read_toml(described / "package.toml", label, problems).value
    source = data.get("source", {})
    path = str(source.get("path", "")) if isinstance(source, dict) else ""
    local = local_path(described, path) if path else None
    _check_keys(label, data, local)
    return Package(
        name=name,
        title=data["title"],
        licence=data["licence"],
        note=data.get("licence_note", ""),
        consent=data.get("consent", ""),
        source=_local_source(label, source, local) if local else _source(label, source),
        root=data.get("files", {}).get("root", ""),
        label=label,
        described=described,
        local=local,
        upstream=Upstream(**data["upstream"]) if "upstream" in data else None,
    )


def _local_source(label: str, source: dict[str, str], local: Path) -> Source:
    others = [key for key in ("registry", "name", "release", "url") if key in source]
    if others:
        what = f'the keys "path" and "{others[0]}" contradict each other'
        raise fail(label, what, "leave one of them out")
    sha256 = source.get("sha256", "")
    if sha256 and local.is_dir():
        what = 'the key "sha256" is of an archive, and "path" names a folder'
        raise fail(label, what, "leave it out: a folder is not hashed")
    if sha256:
        _check_hash(label, sha256)
    return Source("local", source["path"], source.get("version", LOCAL), sha256)


def _check_hash(label: str, sha256: str) -> None:
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise fail(label, '"sha256" is not 64 hexadecimal digits', "copy it from sha256sum")


def _source(label: str, source: dict[str, str]) -> Source:
    if source["registry"] not in registries.CLIENTS:
        known = ", ".join(sorted(registries.CLIENTS))
        raise fail(label, f'registry "{source["registry"]}" is unknown', f"use one of {known}")
    if source.get("release") and not source["registry"].startswith("debian"):
        what = f'the key "release" is for Debian, and the registry is "{source["registry"]}"'
        raise fail(label, what, "leave it out")
    if source["registry"] == "debian-binary" and not source.get("release"):
        what = 'the key "release" is missing'
        raise fail(label, what, 'name the release of Debian, such as "trixie"')
    _check_hash(label, source["sha256"])
    return Source(**source)


def _required(section: str, local: Path | None) -> Sequence[str]:
    if section == "source" and local is not None:
        return ("sha256",) if local.is_file() else ()
    return _REQUIRED.get(section, ())


def _check_keys(label: str, data: dict[str, Any], local: Path | None) -> None:
    for section, known in _KEYS.items():
        table = data.get(section, {}) if section else data
        if not isinstance(table, dict):
            raise fail(label, f'"{section}" is no table', f"write [{section}]")
        for key, value in table.items():
            if key not in known:
                raise fail(label, f'unknown key "{key}"', f"known are {', '.join(known)}")
            if key not in _KEYS and not isinstance(value, str):
                raise fail(label, f'the key "{key}" is no string', "put it in quotes")
            if section and (wrong := misfit(key, str(value))):
                raise fail(label, *wrong)
        for key in _required(section, local) if section != "upstream" or table else ():
            if not table.get(key):
                where = f" in [{section}]" if section else ""
                raise fail(label, f'the key "{key}" is missing{where}', "add it")


def load_all(root: Path) -> list[Package]:
    """All packages of the tree, by name."""
    return [load(root, name) for name in names(root)]


def ensure(root: Path, name: str) -> Path:
    """Make the sources of a package available; returns the folder that file names start from."""
    return ensure_all(root, [name])[name]


def ensure_all(root: Path, wanted: Iterable[str]) -> dict[str, Path]:
    """ensure() for several packages, installing the clients of their registries if needed."""
    packages = [load(root, name) for name in wanted]
    if not all(package.is_there(root) for package in packages):
        with alone(builds_of_tree(root) / "packages"):
            _complete(root, [p for p in packages if not p.is_there(root)])
    return {p.name: p.folder(root) / p.root for p in packages}


def ensure_for(root: Path, bindings: Bindings) -> None:
    """ensure() for the packages of a build, which have the files that its drivers name."""
    folders = ensure_all(root, sorted(bindings.packages))
    problems: list[Problem] = []
    for name, used in bindings.drivers.items():
        driver = bindings.configuration.tree.drivers[name]
        named: list[tuple[str, str, Sequence[str]]] = []
        for package, of in driver.packages.items():
            where = f"{driver.label}: corral/packages.{package}"
            named += [(where, package, of.sources), (where, package, of.include)]
        for part in (part for capability in used for part in capability.parts):
            where = part.where.removesuffix(".").removesuffix(".corral/")
            named += [(where, package, files) for package, files in part.package_sources.items()]
        for where, package, files in named:
            missing = [file for file in files if not (folders[package] / file).exists()]
            what = f"package {package} has no {', '.join(missing)}"
            problems += [Problem(where, what, f"look into {folders[package]}")] if missing else []
    if problems:
        raise CorralError(problems)


def _complete(root: Path, absent: list[Package]) -> None:
    for package in absent:
        _check_consent(package)
    for package in absent:
        if package.is_folder:
            what = f"no such folder: {package.folder(root) / package.root}"
            raise fail(package.label, what, "put it there, or correct source.path or files.root")
        archive = package.local or _fetched(root, package)
        _check_archive(root, package, archive)
        if package.local is None:
            _keep(archive, package.source.sha256)
        with step(f"unpacking {package.title}"):
            _unpack(package, archive, package.folder(root))


def _check_consent(package: Package) -> None:
    if package.consent and os.environ.get(package.consent) != "1":
        raise fail(
            package.label,
            f"{package.title} has a licence of its own ({package.note.rstrip('.')})",
            f"if you accept it, set {package.consent}=1 in the environment",
        )


def _has_hash(archive: Path, sha256: str) -> bool:
    try:
        with archive.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except OSError:
        return False


def _named() -> Iterator[Path]:
    """The archives that the user names, and those in folders that the user names."""
    for word in filter(None, os.environ.get(ARCHIVES, "").split(os.pathsep)):
        path = Path(word)
        if not path.exists():
            raise fail(ARCHIVES, f"no such file or folder: {path}", "correct or unset it")
        yield from sorted(p for p in path.iterdir() if p.is_file()) if path.is_dir() else [path]


def _cached(sha256: str) -> Path | None:
    """Where the user's cache keeps this archive; none if there is no place for a cache."""
    home = os.environ.get("HOME", "")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = f"{home}/.cache" if os.path.isabs(home) else ""
    return Path(base) / "corral" / "archives" / sha256 if base else None


def _keep(archive: Path, sha256: str) -> None:
    """Put an archive into the user's cache. One that cannot be written is no reason to stop."""
    place = _cached(sha256)
    if place is None or _has_hash(place, sha256):
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="keep-", dir=place.parent) as scratch:
            shutil.copyfile(archive, Path(scratch) / sha256).replace(place)
    except OSError:
        return


def _known(sha256: str) -> Path | None:
    """The archive with this hash on this machine, if the user named it or it was cached."""
    for path in _named():
        if _has_hash(path, sha256):
            return path
    place = _cached(sha256)
    return place if place is not None and _has_hash(place, sha256) else None


def _from_outside(package: Package, scratch: Path) -> Path:
    """From the registry or from upstream: see the order above."""
    source = package.source
    clients = sorted({source.registry} & system.PURPOSES)
    ways = [registries.CLIENTS[source.registry]]
    if source.url:
        # A client that would have to be installed first is the last thing to try.
        ways.insert(0 if system.missing(clients) else 1, registries.from_upstream)
    errors: list[CorralError] = []
    for number, way in enumerate(ways):
        folder = scratch / str(number)
        folder.mkdir()
        try:
            if way is not registries.from_upstream:
                system.ensure(clients)
            return way(package.label, source, folder)
        except CorralError as error:
            # The archive was changed: to go on elsewhere would hide that.
            if registries.MISMATCH in str(error):
                raise
            errors.append(error)
    raise CorralError([problem for error in errors for problem in error.problems])


def _fetched(root: Path, package: Package) -> Path:
    """The archive, fetched if it is not there."""
    final = package.archive(root)
    if final.is_file():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    source = package.source
    with tempfile.TemporaryDirectory(prefix="fetch-", dir=final.parent) as scratch:
        known = _known(source.sha256)
        if known is not None:
            return shutil.copyfile(known, Path(scratch) / "archive").replace(final)
        text = f"fetching {package.title} ({source.registry}: {source.name} {source.version})"
        with step(text):
            return _from_outside(package, Path(scratch)).replace(final)


def _check_archive(root: Path, package: Package, archive: Path) -> None:
    """Refuse an archive that is not the one described; a fetched one is kept aside."""
    with archive.open("rb") as file:
        actual = hashlib.file_digest(file, "sha256").hexdigest()
    if actual == package.source.sha256:
        return
    what = (
        f"{registries.MISMATCH}: the archive of {package.source.name} {package.source.version} has "
        f"SHA-256 {actual}, expected {package.source.sha256}"
    )
    if package.local is not None:
        raise fail(package.label, what, "do not use it before you know who changed it")
    aside = archive.with_suffix(".refused")
    archive.replace(aside)
    raise fail(
        package.label,
        f"{what}; it is kept as {Places.of(root).label(aside)}",
        "do not use it before you know who changed it; the next command fetches it anew",
    )


def _unpack(package: Package, archive: Path, folder: Path) -> None:
    """Unpack beside the destination and rename, so that nothing half-done is ever used."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        with _files_of(package, archive) as tar:
            for member in tar:
                # Links between files of a Debian package are left out: none is needed here.
                if not (package.source.registry == "debian-binary" and member.issym()):
                    _extract(tar, member, part)
        if not (part / package.root).is_dir():
            raise OSError(f"there is no folder {package.root} in it")
        # Of which archive: a description may come to name another one of the same version.
        (part / ".complete").write_text(package.source.sha256, encoding="utf-8")
        part.chmod(0o755)
        shutil.rmtree(folder, ignore_errors=True)
        part.replace(folder)
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        reason = " ".join(str(error).split())
        remedy = f"delete {archive.parent.name}/{archive.name} below build and try again"
        if package.local is not None:
            remedy = "pack it as a tar archive without links"
        raise fail(
            package.label,
            f"the archive {archive.name} cannot be unpacked: {reason}",
            remedy_for(reason, remedy),
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _tar_of_one(file: Path, name: str) -> tarfile.TarFile:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        member = tarfile.TarInfo(name)
        member.size = file.stat().st_size
        with file.open("rb") as content:
            tar.addfile(member, content)
    made.seek(0)
    return tarfile.open(fileobj=made)


def _files_of(package: Package, archive: Path) -> tarfile.TarFile:
    """The packed content, as a tar archive; Debian's own tool opens a binary package of Debian.

    A jar is used as it is, under the name that its registry gives it.
    """
    if package.source.registry == "maven":
        name = f"{package.source.name.rpartition(':')[2]}-{package.source.version}.jar"
        return _tar_of_one(archive, name)
    if package.source.registry != "debian-binary":
        return tarfile.open(archive)
    try:
        command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError as error:
        what = f"{package.title} is a binary package of Debian, and dpkg-deb is not installed"
        raise fail(package.label, what, "install dpkg, which other systems have too") from error
    if done.returncode != 0:
        raise OSError(done.stderr.decode(errors="replace").strip())
    return tarfile.open(fileobj=io.BytesIO(done.stdout))


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """One file or folder; a name that leads outside, a link or a device is an error."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        raise OSError(f"{member.name} would lie outside the folder")
    target = folder / name
    if member.isdir():
        target.mkdir(parents=True, exist_ok=True)
        return
    content = tar.extractfile(member) if member.isfile() else None
    if content is None:
        raise OSError(f"{member.name} is neither a file nor a folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with content, target.open("wb") as file:
        shutil.copyfileobj(content, file)
    target.chmod(0o755 if member.mode & 0o100 else 0o644)
