# SPDX-License-Identifier: Apache-2.0
"""How an archive is fetched from each registry, with that registry's ordinary client.

Every fetcher takes the label of the package's description (for messages), the source and an empty
scratch folder. It returns the archive, which lies in that folder. packages.py compares the hash
before it unpacks; a client that looks into archives itself gets the hash, and compares it before.
No unchecked bytes are therefore unpacked, and nothing from them is run.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corral.common.progress import remedy_for
from corral.errors import CorralError, fail
from corral.packages import crate_index, ivy, sdist

_REMEDY = "check the network connection, then run the same command again"
#: The begin of an error about a changed archive.
MISMATCH = "hash mismatch"
#: To connect to upstream, and to wait for its next bytes.
_SECONDS = 5
#: Messages of pip and cargo if an archive is not the requested one.
_MISMATCH = re.compile(r"DO NOT MATCH THE HASHES|failed to verify the checksum")
#: The first cargo that knows sparse indices.
_CARGO = (1, 68)


@dataclass(frozen=True)
class Source:
    """The requested package, and its registry."""

    registry: str
    name: str
    version: str
    sha256: str
    release: str = ""  # of Debian
    url: str = ""  # of upstream's own archive, if its hash is the same


def _run(
    label: str,
    source: Source,
    command: Sequence[str],
    scratch: Path,
    env: dict[str, str] | None = None,
    may_fail: bool = False,
) -> None:
    """Run a client in the scratch folder. Its last words become part of the message."""
    environment = {**os.environ, **(env or {})}
    try:
        done = subprocess.run(
            command,
            cwd=scratch,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError as error:
        raise fail(
            label,
            f"{source.name} {source.version} is fetched with {command[0]}, which is not installed",
            f"install {command[0]}",
        ) from error
    if done.returncode != 0 and not may_fail:
        if _MISMATCH.search(done.stdout):
            got = re.search(r"Got\s+([0-9a-f]{64})", done.stdout)
            raise _mismatch(label, source, f"SHA-256 {got[1]}" if got else "another SHA-256")
        remedy = remedy_for(done.stdout, _REMEDY)
        raise fail(label, _complaint(command[0], source, done.stdout), remedy)


def _mismatch(label: str, source: Source, actual: str) -> CorralError:
    what = f"the archive of {source.name} {source.version} has {actual}, expected {source.sha256}"
    remedy = "find out who changed it; nothing of it was kept"
    return fail(label, f"{MISMATCH}: {what}", remedy)


def _complaint(client: str, source: Source, output: str) -> str:
    words = [line.strip() for line in output.splitlines() if line.strip()]
    beginning = re.compile(r"(?i)(error|e:|err:|could not)")
    # cargo says what happened, then each cause in a line of its own.
    errors = [
        word
        for before, word in zip(["", *words], words, strict=False)
        if before == "Caused by:" or beginning.match(word)
    ]
    said = "; ".join((errors or words)[-2:]) or "nothing"
    client = "pip" if Path(client).name.startswith("python") else client
    return f"{client} could not fetch {source.name} {source.version} (it says: {said})"


def _one(label: str, source: Source, scratch: Path, pattern: str) -> Path:
    found = sorted(scratch.glob(pattern))
    if not found:
        what = f"{source.registry} delivered no {pattern} of {source.name} {source.version}"
        raise fail(label, what, _REMEDY)
    return found[0]


def _cargo_version() -> tuple[int, int]:
    try:
        done = subprocess.run(["cargo", "--version"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return _CARGO  # that it is missing is said when it is run
    found = re.search(r"(\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def from_cargo(label: str, source: Source, scratch: Path) -> Path:
    """Only a crate, without the crates that it names; nothing of it is compiled."""
    version = _cargo_version()
    if version < _CARGO:
        what = f"cargo {version[0]}.{version[1]} is too old to fetch {source.name} safely"
        remedy = f"install cargo {_CARGO[0]}.{_CARGO[1]} or newer (in Debian 12: cargo-web)"
        raise fail(label, what, remedy)
    wanted = f'{{ version = "={source.version}", registry = "pinned" }}'
    manifest = scratch / "Cargo.toml"
    manifest.write_text(
        '[package]\nname = "corral-fetch"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n'
        f"[workspace]\n[dependencies]\n{source.name} = {wanted}\n"
    )
    (scratch / "lib.rs").touch()
    with crate_index.serving(source.name, source.version, source.sha256) as index:
        words = ["fetch", "--manifest-path", str(manifest)]
        _run(label, source, ["cargo", *words], scratch, {"CARGO_HOME": str(scratch), **index})
    return _one(label, source, scratch, f"registry/cache/*/{source.name}-{source.version}.crate")


def from_pypi(label: str, source: Source, scratch: Path) -> Path:
    """A source archive, of which nothing is run: see sdist.py."""
    files = scratch / "files"
    wanted = scratch / "requirements.txt"
    wanted.write_text(f"{source.name}=={source.version} --hash=sha256:{source.sha256}\n")
    command = [*sdist.command(scratch), "--disable-pip-version-check", "download"]
    command += ["--no-cache-dir", "--no-deps", "--dest", str(files)]
    command += ["--no-binary", ":all:", "--no-build-isolation", "--use-pep517"]
    _run(label, source, [*command, "--require-hashes", "-r", str(wanted)], scratch)
    return _one(label, source, files, "*.tar.gz")


def from_npm(label: str, source: Source, scratch: Path) -> Path:
    """A published package as npm keeps it, which it has not looked into."""
    cache = scratch / "cache"
    words = ["cache", "add", "--cache", str(cache), "--ignore-scripts"]
    _run(label, source, ["npm", *words, f"{source.name}@{source.version}"], scratch)
    # Beside the archive lies what the registry says of it, likewise named by its hash.
    kept = [path for path in cache.glob("_cacache/content-v2/*/*/*/*") if path.is_file()]
    for path in kept:
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == source.sha256:
                return path
    if not kept:
        raise fail(label, f"npm delivered no {source.name} {source.version}", _REMEDY)
    raise _mismatch(label, source, "another SHA-256")


def from_maven(label: str, source: Source, scratch: Path) -> Path:
    """A jar, which was not inspected; the source's name is group:artifact. See ivy.py."""
    group, colon, artifact = source.name.partition(":")
    if not colon:
        what = f'"{source.name}" is no name of Maven\'s'
        raise fail(label, what, 'write "group:artifact"')
    _run(label, source, ivy.command(scratch, group, artifact, source.version), scratch)
    return _one(label, source, scratch / "files", f"{artifact}-{source.version}.jar")


def _debian_lists(folder: Path) -> list[tuple[str, str]]:
    """One-line entries of the machine's Debian mirrors: "[options] address", and the request."""
    found = []
    for path in [folder / "sources.list", *sorted((folder / "sources.list.d").glob("*.list"))]:
        if path.is_file():
            entry = r"(?m)^deb\s+((?:\[.*?\]\s*)?\S*/debian\S*)(\s.*)$"
            found += re.findall(entry, path.read_text())
    return found


def _debian_stanzas(folder: Path) -> list[str]:
    """The same of deb822 files, stanza by stanza."""
    found = []
    for path in sorted((folder / "sources.list.d").glob("*.sources")):
        for stanza in re.split(r"\n\s*\n", path.read_text()):
            lines = [line for line in stanza.splitlines() if not line.startswith("#")]
            text = "\n".join(lines)
            if re.search(r"(?m)^Types:", text) and re.search(r"(?m)^URIs:.*/debian", text):
                found.append(text)
    return found


def _apt(scratch: Path, lists: list[str], stanzas: list[str]) -> list[str]:
    """apt-get with these mirrors and folders of its own: the machine's settings stay."""
    for name in ("parts", "lists/partial", "cache/archives/partial"):
        (scratch / name).mkdir(parents=True)
    (scratch / "sources.list").write_text("".join(f"{line}\n" for line in lists))
    (scratch / "parts" / "debian.sources").write_text("\n\n".join(stanzas) + "\n")
    options = {
        "Dir::Etc::sourcelist": scratch / "sources.list",
        "Dir::Etc::sourceparts": scratch / "parts",
        "Dir::State::lists": scratch / "lists",
        "Dir::Cache": scratch / "cache",
        "APT::Sandbox::User": "root",
    }
    return ["apt-get", "-q", *(word for key, v in options.items() for word in ("-o", f"{key}={v}"))]


def of_release(stanza: str, release: str, kind: str = "deb") -> str:
    """A stanza of apt's settings that asks the same mirror for another release."""
    for key, value in (("Types", kind), ("Suites", release), ("Components", "main")):
        stanza = re.sub(rf"(?m)^{key}:.*(\n[ \t].*)*", f"{key}: {value}", stanza)
    return stanza


def _of_release(label: str, source: Source, kind: str) -> tuple[list[str], list[str]]:
    """The machine's own Debian mirrors, asked for the release that the source names."""
    settings = Path("/etc/apt")
    lists = {
        f"{kind} {mirror} {source.release} main"
        for mirror, _ in _debian_lists(settings)
        if "/debian-security" not in mirror
    }
    stanzas = [
        of_release(text, source.release, kind)
        for text in _debian_stanzas(settings)
        if "/debian-security" not in text
    ]
    if not lists and not stanzas:
        raise fail(
            label,
            f"{source.name} {source.version} comes from Debian, and apt knows no mirror of it",
            "name one in /etc/apt/sources.list.d",
        )
    return sorted(lists), stanzas


def _of_machine() -> tuple[list[str], list[str]]:
    """The source packages of the machine's own release."""
    settings = Path("/etc/apt")
    lists = [f"deb-src {mirror}{asked}" for mirror, asked in _debian_lists(settings)]
    stanzas = [
        re.sub(r"(?m)^Types:.*", "Types: deb-src", text) for text in _debian_stanzas(settings)
    ]
    return lists, stanzas


def from_debian(label: str, source: Source, scratch: Path) -> Path:
    """Upstream's archive of a source package, of the machine's release if none is named.

    A release that has another revision of the package serves as well: the hash decides.
    """
    asked = _of_release(label, source, "deb-src") if source.release else _of_machine()
    apt = _apt(scratch, *asked)
    # One mirror of several may fail and the right one still have answered.
    _run(label, source, [*apt, "update"], scratch, may_fail=True)
    get = [*apt, "source", "--download-only", "--tar-only"]
    try:
        _run(label, source, [*get, f"{source.name}={source.version}"], scratch)
    except CorralError:
        _run(label, source, [*get, source.name], scratch)
    return _one(label, source, scratch, f"{source.name}_*.orig.tar.*")


def from_debian_binary(label: str, source: Source, scratch: Path) -> Path:
    """A binary package of the release that is named."""
    apt = _apt(scratch, *_of_release(label, source, "deb"))
    _run(label, source, [*apt, "update"], scratch, may_fail=True)
    _run(label, source, [*apt, "download", f"{source.name}={source.version}"], scratch)
    return _one(label, source, scratch, f"{source.name}_*.deb")


def from_upstream(label: str, source: Source, scratch: Path) -> Path:
    """Upstream's own release archive, by plain HTTPS; packages.py compares its hash."""
    found = scratch / "archive"
    try:
        with (
            urllib.request.urlopen(source.url, timeout=_SECONDS) as answer,
            found.open("wb") as file,
        ):
            shutil.copyfileobj(answer, file)
    except (OSError, http.client.HTTPException) as error:
        what = f"{source.url} could not be fetched ({' '.join(str(error).split())})"
        raise fail(label, what, remedy_for(str(error), _REMEDY)) from error
    return found


CLIENTS: dict[str, Callable[[str, Source, Path], Path]] = {
    "cargo": from_cargo,
    "debian": from_debian,
    "debian-binary": from_debian_binary,
    "maven": from_maven,
    "npm": from_npm,
    "pypi": from_pypi,
}
