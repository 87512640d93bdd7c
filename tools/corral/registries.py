# SPDX-License-Identifier: Apache-2.0
"""How an archive is fetched from each registry, with that registry's ordinary client.

Every fetcher takes the label of the package's description (for messages), the source and an empty
scratch folder, and returns the archive, which lies in that folder. Nothing here checks what came:
packages.py does.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, fail

_REMEDY = "check the network connection, then run the same command again"
#: Modules that source archives name as their build backend.
_BACKENDS = ("setuptools/build_meta", "uv_build", "hatchling/build", "flit_core/buildapi")


@dataclass(frozen=True)
class Source:
    """What is asked for, and where."""

    registry: str
    name: str
    version: str
    release: str = ""  # of Debian, for binary packages


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
        raise fail(label, _complaint(command[0], source, done.stdout), _REMEDY)


def _complaint(client: str, source: Source, output: str) -> str:
    words = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [w for w in words if re.match(r"(?i)(error|e:|err:|caused by|could not)", w)]
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
        return (0, 0)
    found = re.search(r"(\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def from_cargo(label: str, source: Source, scratch: Path) -> Path:
    """A crate alone, without the crates that it names."""
    env = {"CARGO_HOME": str(scratch)}
    pattern = f"registry/cache/*/{source.name}-{source.version}.crate"
    if _cargo_version() >= (1, 82):
        words = ["info", "--registry", "crates-io", f"{source.name}@{source.version}"]
        _run(label, source, ["cargo", *words], scratch, env)
        return _one(label, source, scratch, pattern)
    # Before 1.82 there is no "info"; "install" fetches a library, then says that it is no program.
    words = ["install", "--version", f"={source.version}", "--root", str(scratch), source.name]
    _run(label, source, ["cargo", *words], scratch, env, may_fail=True)
    if not list(scratch.glob(pattern)):
        _run(label, source, ["cargo", *words], scratch, env)
    return _one(label, source, scratch, pattern)


def _backend_folder(scratch: Path) -> Path:
    """A folder with stand-ins for build backends (see sdist_backend.py)."""
    text = Path(__file__).with_name("sdist_backend.py").read_text(encoding="utf-8")
    folder = scratch / "backend"
    for name in _BACKENDS:
        module = folder / f"{name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        (module.parent / "__init__.py").touch()
        module.write_text(text, encoding="utf-8")
    return folder


def from_pypi(label: str, source: Source, scratch: Path) -> Path:
    """A source archive, of which nothing is run."""
    files = scratch / "files"
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download"]
    command += ["--no-cache-dir", "--no-deps", "--dest", str(files)]
    requirement = f"{source.name}=={source.version}"
    # pip asks the archive's backend for metadata; ours answers in its place.
    env = {"PYTHONPATH": str(_backend_folder(scratch))}
    options = ["--no-binary", ":all:", "--no-build-isolation", "--use-pep517"]
    _run(label, source, [*command, *options, requirement], scratch, env)
    return _one(label, source, files, "*.tar.gz")


def from_npm(label: str, source: Source, scratch: Path) -> Path:
    """What `npm pack` makes of a published package."""
    words = ["pack", "--silent", f"{source.name}@{source.version}"]
    _run(label, source, ["npm", *words], scratch)
    return _one(label, source, scratch, "*.tgz")


def _debian_lists(folder: Path) -> list[tuple[str, str]]:
    """One-line entries of the machine's Debian mirrors: "[options] address", and what is asked."""
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


def from_debian(label: str, source: Source, scratch: Path) -> Path:
    """Upstream's archive of a source package.

    A release that has another revision of the package serves as well: the hash decides.
    """
    settings = Path("/etc/apt")
    lists = [f"deb-src {mirror}{asked}" for mirror, asked in _debian_lists(settings)]
    stanzas = [
        re.sub(r"(?m)^Types:.*", "Types: deb-src", text) for text in _debian_stanzas(settings)
    ]
    apt = _apt(scratch, lists, stanzas)
    # One mirror of several may fail and the right one still have answered.
    _run(label, source, [*apt, "update"], scratch, may_fail=True)
    get = [*apt, "source", "--download-only"]
    try:
        _run(label, source, [*get, f"{source.name}={source.version}"], scratch)
    except CorralError:
        _run(label, source, [*get, source.name], scratch)
    return _one(label, source, scratch, f"{source.name}_*.orig.tar.*")


def of_release(stanza: str, release: str) -> str:
    """A stanza of apt's settings that asks the same mirror for another release."""
    for key, value in (("Types", "deb"), ("Suites", release), ("Components", "main")):
        stanza = re.sub(rf"(?m)^{key}:.*(\n[ \t].*)*", f"{key}: {value}", stanza)
    return stanza


def from_debian_binary(label: str, source: Source, scratch: Path) -> Path:
    """A binary package of the release that is named, from the machine's own Debian mirror."""
    settings = Path("/etc/apt")
    lists = [
        f"deb {mirror} {source.release} main"
        for mirror, _ in _debian_lists(settings)
        if "/debian-security" not in mirror
    ]
    stanzas = [
        of_release(text, source.release)
        for text in _debian_stanzas(settings)
        if "/debian-security" not in text
    ]
    if not lists and not stanzas:
        raise fail(
            label,
            f"{source.name} {source.version} comes from Debian, and apt knows no mirror of it",
            "name one in /etc/apt/sources.list.d",
        )
    apt = _apt(scratch, sorted(set(lists)), stanzas)
    _run(label, source, [*apt, "update"], scratch, may_fail=True)
    _run(label, source, [*apt, "download", f"{source.name}={source.version}"], scratch)
    return _one(label, source, scratch, f"{source.name}_*.deb")


CLIENTS: dict[str, Callable[[str, Source, Path], Path]] = {
    "cargo": from_cargo,
    "debian": from_debian,
    "debian-binary": from_debian_binary,
    "npm": from_npm,
    "pypi": from_pypi,
}
