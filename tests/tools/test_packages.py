# SPDX-License-Identifier: Apache-2.0
"""The package fetcher: it checks archives, refuses wrong ones, and uses existing packages.

The registries are played by programs of this test, so that nothing here needs a network.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import tarfile
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from corral.common import system
from corral.errors import CorralError
from corral.packages import crate_index, ivy, registries
from corral.packages import fetch as packages

DESCRIPTION = """\
title = "Acme crypto"
licence = "MIT"
{extra}
[source]
registry = "{registry}"
name = "acme"
version = "1.0"
sha256 = "{sha256}"

[files]
root = "acme-1.0"
"""
CARGO = """\
#!/bin/sh
if [ "$1" = --version ]; then echo "cargo {version} (test)"; exit 0; fi
echo "$@" >> "{log}"
mkdir -p "$CARGO_HOME/registry/cache/index"
cp "{crate}" "$CARGO_HOME/registry/cache/index/acme-1.0.crate"
exit {status}
"""


def archive(names: dict[str, bytes], link: str = "") -> bytes:
    """A tar.gz with these files, and a symbolic link if one is named."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, content in names.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        if link:
            member = tarfile.TarInfo("acme-1.0/link")
            member.type = tarfile.SYMTYPE
            member.linkname = link
            tar.addfile(member)
    return buffer.getvalue()


GOOD = archive({"acme-1.0/acme.c": b"int acme;\n"})


class Tree:
    """A tree with one package, and a registry that delivers what the test says."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.bin = root / "bin"
        self.log = root / "log"
        self.bin.mkdir(parents=True)

    def describe(self, content: bytes = GOOD, registry: str = "cargo", extra: str = "") -> None:
        folder = self.root / "packages" / "acme"
        folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(content).hexdigest()
        (folder / "package.toml").write_text(
            DESCRIPTION.format(registry=registry, sha256=digest, extra=extra)
        )

    def program(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def deliver(self, content: bytes = GOOD, version: str = "1.90.0", status: int = 0) -> None:
        crate = self.root / "crate"
        crate.write_bytes(content)
        text = CARGO.format(version=version, log=self.log, crate=crate, status=status)
        self.program("cargo", text)

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def leftovers(self) -> list[str]:
        """Files below build other than archives and complete packages."""
        build = self.root / "build"
        found = [p.name for p in build.glob("downloads/*") if p.suffix != ".archive"]
        found += [p.name for p in build.glob("packages/*") if not (p / ".complete").exists()]
        return found


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    made = Tree(tmp_path)
    monkeypatch.setenv("PATH", f"{made.bin}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(packages.ARCHIVES, raising=False)
    made.describe()
    return made


def refusal(tree: Tree) -> str:
    with pytest.raises(CorralError) as caught:
        packages.ensure(tree.root, "acme")
    return str(caught.value)


def test_package_is_fetched_checked_and_unpacked(tree: Tree) -> None:
    tree.deliver()
    folder = packages.ensure(tree.root, "acme")
    assert (folder / "acme.c").read_text() == "int acme;\n"
    (call,) = tree.calls()
    assert call.startswith("fetch ")
    assert not tree.leftovers()


def test_second_time_asks_nobody(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.deliver()
    packages.ensure(tree.root, "acme")
    monkeypatch.setenv("PATH", "")
    assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()
    assert len(tree.calls()) == 1


def test_kept_archive_is_unpacked_again_without_asking(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.deliver()
    folder = packages.ensure(tree.root, "acme")
    (folder.parent / ".complete").unlink()
    monkeypatch.setenv("PATH", "")
    assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()


def test_cargo_that_could_not_check_the_hash_first_is_not_run(tree: Tree) -> None:
    tree.deliver(version="1.65.0")
    message = refusal(tree)
    assert "cargo 1.65 is too old to fetch acme safely: install cargo 1.68 or newer" in message
    assert not tree.calls()


def test_full_disk_is_not_taken_for_a_missing_network(tree: Tree) -> None:
    tree.program(
        "cargo",
        '#!/bin/sh\n[ "$1" = --version ] && echo "cargo 1.90.0" && exit 0\n'
        "printf 'error: x\\nCaused by:\\n No space left on device (os error 28)\\n'; exit 101\n",
    )
    message = refusal(tree)
    assert "it says: error: x; No space left on device" in message
    assert "the disk is full: make room" in message
    assert "network" not in message


def test_tampered_archive_is_refused_and_kept_aside(tree: Tree) -> None:
    tampered = archive({"acme-1.0/acme.c": b"int evil;\n"})
    tree.deliver(tampered)
    message = refusal(tree)
    aside = tree.root / "build" / "downloads" / "acme-1.0.refused"
    assert "packages/acme/package.toml: hash mismatch" in message
    assert hashlib.sha256(GOOD).hexdigest() in message
    assert hashlib.sha256(tampered).hexdigest() in message
    assert "build/downloads/acme-1.0.refused" in message
    assert aside.read_bytes() == tampered
    assert not (tree.root / "build" / "packages").exists()


def test_after_a_refusal_the_right_archive_is_fetched(tree: Tree) -> None:
    tree.deliver(b"not an archive")
    refusal(tree)
    tree.deliver()
    assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()


def test_kept_archive_that_was_altered_is_refused(tree: Tree) -> None:
    tree.deliver()
    folder = packages.ensure(tree.root, "acme").parent
    (folder / ".complete").unlink()
    kept = tree.root / "build" / "downloads" / "acme-1.0.archive"
    kept.write_bytes(kept.read_bytes() + b"\0")
    assert "hash mismatch" in refusal(tree)


def test_other_archive_of_the_same_version_takes_the_place_of_what_was_unpacked(tree: Tree) -> None:
    tree.deliver()
    packages.ensure(tree.root, "acme")
    other = archive({"acme-1.0/acme.c": b"int mended;\n"})
    tree.describe(other)
    assert "hash mismatch" in refusal(tree)
    tree.deliver(other)
    assert (packages.ensure(tree.root, "acme") / "acme.c").read_bytes() == b"int mended;\n"


def test_unpacking_on_a_full_disk_does_not_blame_the_archive(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    tree.deliver()
    monkeypatch.setattr(packages, "_extract", without_room)
    message = refusal(tree)
    assert "the disk is full: make room" in message and "delete" not in message
    assert not tree.leftovers()


def test_unreachable_registry_is_named_with_the_remedy(tree: Tree) -> None:
    tree.program(
        "cargo",
        '#!/bin/sh\n[ "$1" = --version ] && echo "cargo 1.90.0" && exit 0\n'
        'echo "error: failed to query"; echo "  Could not resolve host: nowhere"; exit 101\n',
    )
    message = refusal(tree)
    assert message.startswith("packages/acme/package.toml: cargo could not fetch acme 1.0")
    assert "Could not resolve host" in message
    assert "check the network connection" in message
    assert "\n" not in message
    assert not tree.leftovers()


def test_missing_client_without_debian_names_what_to_install(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tree.bin))
    message = refusal(tree)
    assert "cargo" in message
    assert "install" in message


def test_missing_client_without_root_names_the_command(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.program("apt-get", "#!/bin/sh\nexit 0\n")
    monkeypatch.setenv("PATH", str(tree.bin))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "as root: apt-get install cargo" in refusal(tree)


def test_missing_client_is_not_installed_from_inside_a_build_of_others(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.program("apt-get", "#!/bin/sh\nexit 0\n")
    monkeypatch.setenv("PATH", str(tree.bin))
    monkeypatch.setenv(system.MAY_INSTALL, "0")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "as root: apt-get install cargo" in refusal(tree)


def test_missing_client_is_installed_after_it_was_named(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    crate = tree.root / "crate"
    crate.write_bytes(GOOD)
    cargo = CARGO.format(version="1.90.0", log=tree.log, crate=crate, status=0)
    (tree.root / "cargo").write_text(cargo)
    tree.program("apt-cache", '#!/bin/sh\n[ "$2" = cargo ] && echo "Package: cargo"\n')
    tree.program(
        "apt-get",
        f'#!/bin/sh\n[ "$1" = install ] || exit 0\necho "$@" >> "{tree.root}/installed"\n'
        f'cp "{tree.root}/cargo" "{tree.bin}/cargo" && chmod +x "{tree.bin}/cargo"\n',
    )
    for name in ("sh", "cp", "chmod", "mkdir", "env"):
        (tree.bin / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(tree.bin))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    packages.ensure(tree.root, "acme")
    assert (tree.root / "installed").read_text().split()[-1] == "cargo"
    assert "Debian packages to install: cargo\n" in capfd.readouterr().err


def test_package_with_a_licence_of_its_own_needs_consent(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.describe(extra='licence_note = "for birds only"\nconsent = "ACCEPT_ACME"')
    tree.deliver()
    monkeypatch.delenv("ACCEPT_ACME", raising=False)
    message = refusal(tree)
    assert "for birds only" in message
    assert "ACCEPT_ACME=1" in message
    assert not tree.calls()
    monkeypatch.setenv("ACCEPT_ACME", "1")
    assert packages.ensure(tree.root, "acme").is_dir()


@pytest.mark.parametrize(
    "content",
    [
        archive({"../evil": b"x", "acme-1.0/a": b""}),
        archive({"acme-1.0/../../evil": b"x"}),
        archive({"/evil": b"x", "acme-1.0/a": b""}),
        archive({"acme-1.0/a": b""}, link="../../evil"),
        archive({"other/a": b""}),
        b"no archive at all",
        GOOD[: len(GOOD) // 2],
    ],
    ids=["parent", "inner-parent", "absolute", "link", "no-root", "no-archive", "cut-off"],
)
def test_hostile_or_broken_archive_leaves_nothing(tree: Tree, content: bytes) -> None:
    tree.describe(content)
    tree.deliver(content)
    message = refusal(tree)
    assert "packages/acme/package.toml: the archive acme-1.0.archive cannot be unpacked" in message
    assert not list(tree.root.rglob("evil"))
    assert not Path("/evil").exists()
    assert not tree.leftovers()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('title = "Acme crypto"\n', "", '"title" is missing'),
        ('version = "1.0"\n', "", '"version" is missing in [source]'),
        ('version = "1.0"', "version = 1.0", '"version" is no string'),
        ('version = "1.0"', 'version = "../../evil"', '"../../evil" is no version'),
        ('version = "1.0"', 'version = "1.0 --evil"', '"1.0 --evil" is no version'),
        ('name = "acme"', 'name = "--evil"', '"--evil" is no name'),
        ('name = "acme"', 'name = "../evil"', '"../evil" is no name'),
        ('root = "acme-1.0"', 'root = "a/../../evil"', '"a/../../evil" is no root'),
        ('registry = "cargo"', 'registry = "attic"', '"attic" is unknown'),
        ("sha256", "sha1", 'unknown key "sha1"'),
        ('version = "1.0"', 'version = "1.0"\nurl = "http://a/b"', '"http://a/b" is no url'),
        ("[files]", "[flies]", 'unknown key "flies"'),
        ("[files]", '[upstream]\ntitle = "Acme"\n[files]', '"version" is missing in [upstream]'),
        ("[files]", '[upstream]\ncpe = "acme:crypto"\n[files]', '"acme:crypto" is no cpe'),
        ("[source]", "[source", "no TOML"),
        ("[source]", 'source = "x"\n[sauce]', 'unknown key "sauce"'),
    ],
)
def test_wrong_description_is_named(tree: Tree, old: str, new: str, complaint: str) -> None:
    path = tree.root / "packages" / "acme" / "package.toml"
    path.write_text(path.read_text().replace(old, new))
    message = refusal(tree)
    assert message.startswith("packages/acme/package.toml: ")
    assert complaint in message


@pytest.mark.parametrize("digits", ["abc", "a" * 63, "a" * 65, "A" * 64])
def test_hash_of_another_form_is_named(tree: Tree, digits: str) -> None:
    path = tree.root / "packages" / "acme" / "package.toml"
    path.write_text(path.read_text().replace(hashlib.sha256(GOOD).hexdigest(), digits))
    assert "64 hexadecimal digits" in refusal(tree)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (f'sha256 = "{"0" * 64}"', 'the key "sha256" is of an archive'),
        ('registry = "cargo"', 'the keys "path" and "registry" contradict each other'),
        ('url = "https://example.org/sdk"', 'the keys "path" and "url" contradict each other'),
    ],
)
def test_folder_of_ones_own_is_described_by_its_path(tree: Tree, more: str, complaint: str) -> None:
    (tree.root / "sdk").mkdir()
    path = tree.root / "packages" / "acme" / "package.toml"
    text = 'title = "Acme crypto"\nlicence = "MIT"\n[source]\npath = "../../sdk"\n'
    path.write_text(text)
    assert packages.ensure(tree.root, "acme") == tree.root / "sdk"
    path.write_text(f"{text}{more}\n")
    assert complaint in refusal(tree)


def test_unknown_package_names_the_nearest(tree: Tree) -> None:
    with pytest.raises(CorralError, match=r"no such package: did you mean acme\?"):
        packages.ensure(tree.root, "acne")


def sdist(trap: Path, backend: bool) -> bytes:
    """A source archive that leaves a trace if anything of it is run."""
    evil = f"open({str(trap)!r}, 'w').write('ran')\n".encode()
    names = {
        "acme-1.0/PKG-INFO": b"Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n",
        "acme-1.0/setup.py": evil,
        "acme-1.0/json.py": evil,
        "acme-1.0/evil.py": evil,
        "acme-1.0/sitecustomize.py": evil,
    }
    if backend:
        names["acme-1.0/pyproject.toml"] = (
            b'[build-system]\nrequires = []\nbuild-backend = "evil"\nbackend-path = ["."]\n'
        )
    return archive(names)


def from_index(content: bytes, folder: Path, sha256: str) -> Path:
    """The archive that pip, offline, fetches from a folder."""
    index = folder / "index"
    index.mkdir()
    (index / "acme-1.0.tar.gz").write_bytes(content)
    scratch = folder / "a folder's $scratch"
    scratch.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", index.as_uri())
        source = registries.Source("pypi", "acme", "1.0", sha256)
        return registries.from_pypi("packages/acme/package.toml", source, scratch)


@pytest.mark.parametrize("backend", [False, True], ids=["setup.py", "backend-path"])
def test_source_archive_runs_nothing_of_its_own(tmp_path: Path, backend: bool) -> None:
    trap = tmp_path / "trap"
    content = sdist(trap, backend)
    found = from_index(content, tmp_path, hashlib.sha256(content).hexdigest())
    assert found.read_bytes() == content
    assert not trap.exists()


def test_source_archive_that_is_not_the_right_one_is_not_opened(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    content = sdist(trap, True)[:-9] + b"\0" * 9  # pip could not unpack it
    with pytest.raises(CorralError, match=r"hash mismatch: the archive of acme 1\.0") as caught:
        from_index(content, tmp_path, hashlib.sha256(GOOD).hexdigest())
    assert hashlib.sha256(content).hexdigest() in str(caught.value)
    assert not trap.exists()


class Registry(ThreadingHTTPServer):
    """Where cargo downloads: every path is the same archive."""

    def __init__(self, content: bytes) -> None:
        class Archive(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Archive)
        threading.Thread(target=self.serve_forever, daemon=True).start()


@pytest.mark.parametrize("right", [True, False])
def test_crate_is_neither_compiled_nor_opened_before_its_hash_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: bool
) -> None:
    """cargo itself, and a crate that is a program with a script that compiling it would run."""
    system.ensure(["cargo"])
    trap = tmp_path / "trap"
    content = archive(
        {
            "acme-1.0.0/Cargo.toml": b'[package]\nname = "acme"\nversion = "1.0.0"\n',
            "acme-1.0.0/build.rs": f"fn main() {{ std::fs::write({str(trap)!r}, []); }}".encode(),
            "acme-1.0.0/src/main.rs": b"fn main() {}\n",
            "acme-1.0.0/src/lib.rs": b"",
        }
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    sha256 = hashlib.sha256(content if right else GOOD).hexdigest()
    source = registries.Source("cargo", "acme", "1.0.0", sha256)
    with Registry(content) as registry:
        address = f"http://127.0.0.1:{registry.server_port}"
        monkeypatch.setattr(crate_index, "DOWNLOADS", address)
        if right:
            found = registries.from_cargo("packages/acme/package.toml", source, scratch)
            assert found.read_bytes() == content
        else:
            with pytest.raises(CorralError, match=r"hash mismatch: the archive of acme 1\.0\.0"):
                registries.from_cargo("packages/acme/package.toml", source, scratch)
            assert not list(scratch.rglob("build.rs"))
        registry.shutdown()
    assert not trap.exists()


NPM = """\
#!/bin/sh
echo "$@" >> "{log}"
[ "$1" = cache ] && [ "$2" = add ] && [ "$3" = --cache ] || exit 1
mkdir -p "$4/_cacache/content-v2/sha512/aa/bb"
echo "{{}}" > "$4/_cacache/content-v2/sha512/aa/bb/cc"
cp "{file}" "$4/_cacache/content-v2/sha512/aa/bb/dd"
"""


@pytest.mark.parametrize("right", [True, False])
def test_npm_keeps_an_archive_without_looking_into_it(tree: Tree, right: bool) -> None:
    tree.describe(registry="npm")
    (tree.root / "file").write_bytes(GOOD if right else b"not an archive")
    tree.program("npm", NPM.format(log=tree.log, file=tree.root / "file"))
    if right:
        assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()
    else:
        assert "hash mismatch: the archive of acme 1.0" in refusal(tree)
    assert "--ignore-scripts" in tree.calls()[0]
    assert not tree.leftovers()


JAVA = """\
#!/bin/sh
echo "$@" >> "{log}"
cat "$5" >> "{log}"
for word; do case "$word" in */files/*) files=${{word%/*}};; esac; done
mkdir -p "$files"
cp "{file}" "$files/acme-1.0.jar"
"""
MIRROR = """\
<settings xmlns="http://maven.apache.org/SETTINGS/1.2.0"><mirrors>
<mirror><id>a</id><mirrorOf>external:http:*</mirrorOf><url>http://blocked</url></mirror>
<mirror><id>b</id><mirrorOf>{of}</mirrorOf><url>https://mirror.invalid/maven</url></mirror>
</mirrors></settings>
"""


@pytest.fixture
def maven(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A jar is described, and Ivy is played; the settings that Maven would read, of which none."""
    monkeypatch.setitem(system.PACKAGES, "maven", {})
    settings = tree.root / "settings.xml"
    monkeypatch.setattr(ivy, "settings_of_maven", lambda: [settings])
    tree.describe(b"a jar", registry="maven")
    path = tree.root / "packages" / "acme" / "package.toml"
    text = path.read_text().replace('"acme"', '"org.acme:acme"')
    path.write_text(text.replace("[files]\nroot", "# root"))
    tree.program("java", JAVA.format(log=tree.log, file=tree.root / "file"))
    return settings


@pytest.mark.parametrize("right", [True, False])
def test_jar_is_used_as_it_is_once_its_hash_is_right(tree: Tree, maven: Path, right: bool) -> None:
    (tree.root / "file").write_bytes(b"a jar" if right else b"another jar")
    if right:
        folder = packages.ensure(tree.root, "acme")
        assert (folder / "acme-1.0.jar").read_bytes() == b"a jar"
    else:
        assert "hash mismatch: the archive of org.acme:acme 1.0" in refusal(tree)
    assert "-notransitive -dependency org.acme acme 1.0 " in tree.calls()[0]
    assert "root=" not in tree.calls()[1]
    assert tree.leftovers() == ([] if right else ["acme-1.0.refused"])


@pytest.mark.parametrize(
    ("of", "serves"),
    [("central", True), ("*", True), ("x, external:*", True), ("*,!central", False), ("x", False)],
)
def test_mirror_of_mavens_settings_is_asked_if_it_serves_the_registry(
    tree: Tree, maven: Path, of: str, serves: bool
) -> None:
    maven.write_text(MIRROR.format(of=of))
    (tree.root / "file").write_bytes(b"a jar")
    packages.ensure(tree.root, "acme")
    assert ('root="https://mirror.invalid/maven/"' in tree.calls()[1]) == serves
    assert "blocked" not in tree.calls()[1]


@pytest.mark.parametrize(
    "settings",
    [
        b"",
        b"\0",
        b"<settings>",
        b'<?xml version="1.0" encoding="nonsense"?><settings/>',
        b'<?xml version="1.0" encoding="big5"?><settings/>',
        b'<?xml version="1.0" encoding="utf-8"?><settings>\xff</settings>',
    ],
)
def test_settings_of_maven_that_cannot_be_read_name_no_mirror(
    tree: Tree, maven: Path, settings: bytes
) -> None:
    maven.write_bytes(settings)
    (tree.root / "file").write_bytes(b"a jar")
    packages.ensure(tree.root, "acme")
    assert "root=" not in tree.calls()[1]


def test_name_of_a_jar_has_a_group(tree: Tree, maven: Path) -> None:
    path = tree.root / "packages" / "acme" / "package.toml"
    path.write_text(path.read_text().replace("org.acme:", ""))
    assert 'write "group:artifact"' in refusal(tree)


def deb(names: dict[str, bytes], data: str = "data.tar.gz") -> bytes:
    """A binary package of Debian with these files and a symbolic link."""
    members = {"debian-binary": b"2.0\n", "control.tar.gz": b"odd", data: archive(names, link="a")}
    text = b"!<arch>\n"
    for name, content in members.items():
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n"
        text += header.encode() + content + b"\n" * (len(content) % 2)
    return text


APT = """\
#!/bin/sh
echo "$@" >> "{log}"
for word; do case "$word" in Dir::Etc::sourceparts=*) parts=${{word#*=}};; esac; done
cat "$parts/debian.sources" >> "{log}"
case "$*" in *download*) cp "{file}" acme_1.0_all.deb;; esac
"""


class Mirror:
    """A mirror of Debian that delivers what the test says, as a package of another release."""

    def __init__(self, tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tree = tree
        stanza = "Types: deb\nURIs: mirror/debian/\nSuites: old\n older\nComponents: main contrib"
        monkeypatch.setattr(registries, "_debian_lists", lambda _: [])
        monkeypatch.setattr(registries, "_debian_stanzas", lambda _: [stanza])
        tree.program("apt-get", APT.format(log=tree.log, file=tree.root / "file"))

    def deliver(self, content: bytes) -> None:
        self.tree.describe(content, registry="debian-binary")
        path = self.tree.root / "packages" / "acme" / "package.toml"
        text = path.read_text().replace('"acme-1.0"', '"usr"')
        path.write_text(text.replace('version = "1.0"', 'version = "1.0"\nrelease = "trixie"'))
        (self.tree.root / "file").write_bytes(content)


@pytest.fixture
def mirror(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Mirror:
    return Mirror(tree, monkeypatch)


def test_binary_package_of_another_release_is_unpacked(tree: Tree, mirror: Mirror) -> None:
    mirror.deliver(deb({"usr/acme.c": b"int acme;\n"}))
    folder = packages.ensure(tree.root, "acme")
    assert (folder / "acme.c").read_text() == "int acme;\n"
    log = tree.log.read_text()
    assert "Types: deb\nURIs: mirror/debian/\nSuites: trixie\nComponents: main\n" in log
    assert "download acme=1.0\n" in log
    assert not tree.leftovers()


def test_source_package_of_another_release_is_unpacked(
    tree: Tree, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.describe(registry="debian")
    path = tree.root / "packages" / "acme" / "package.toml"
    path.write_text(path.read_text().replace('version = "1.0"', 'version = "1.0"\nrelease = "new"'))
    (tree.root / "file").write_bytes(GOOD)
    text = APT.format(log=tree.log, file=tree.root / "file")
    text = text.replace("download*) cp", "source*) cp").replace("_all.deb", ".orig.tar.gz")
    tree.program("apt-get", text)
    assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()
    log = tree.log.read_text()
    assert "Types: deb-src\nURIs: mirror/debian/\nSuites: new\nComponents: main\n" in log
    assert "source --download-only --tar-only acme=1.0\n" in log


def test_machine_without_debian_mirror_is_told_what_is_missing(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.describe(registry="debian-binary")
    path = tree.root / "packages" / "acme" / "package.toml"
    path.write_text(path.read_text().replace('"1.0"', '"1.0"\nrelease = "trixie"'))
    monkeypatch.setattr(registries, "_debian_lists", lambda _: [])
    monkeypatch.setattr(registries, "_debian_stanzas", lambda _: [])
    assert "apt knows no mirror of it: name one in" in refusal(tree)


@pytest.mark.parametrize(
    "content",
    [
        deb({"acme-1.0/a": b""}, data="other.tar.gz"),
        deb({"acme-1.0/../../evil": b"x"}),
        deb({"acme-1.0/a": b""})[:60],
        b"!<arch>\n" + b"x" * 60,
    ],
    ids=["no-data", "outside", "cut-off", "no-length"],
)
def test_broken_binary_package_leaves_nothing(tree: Tree, mirror: Mirror, content: bytes) -> None:
    mirror.deliver(content)
    assert "cannot be unpacked" in refusal(tree)
    assert not list(tree.root.rglob("evil"))
    assert not tree.leftovers()


def test_binary_package_is_checked_before_it_is_opened(tree: Tree, mirror: Mirror) -> None:
    mirror.deliver(deb({"usr/acme.c": b"int acme;\n"}))
    (tree.root / "file").write_bytes(deb({"usr/acme.c": b"int other;\n"}))
    tree.program("dpkg-deb", f'#!/bin/sh\necho opened >> "{tree.log}"\n')
    assert "hash mismatch" in refusal(tree)
    assert "opened" not in tree.calls()


def test_machine_without_dpkg_is_told_once_what_is_missing(
    tree: Tree, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror.deliver(deb({"usr/acme.c": b"int acme;\n"}))
    folder = packages.ensure(tree.root, "acme")
    (folder.parent / ".complete").unlink()
    monkeypatch.setenv("PATH", "")
    said = refusal(tree)
    assert "Acme crypto is a binary package of Debian, and dpkg-deb is not installed" in said
    assert "install dpkg" in said and len(said.splitlines()) == 1
    assert tree.leftovers() == ["acme-1.0"]


@pytest.mark.parametrize(
    ("registry", "release", "complaint"),
    [
        ("cargo", "trixie", 'the key "release" is for Debian, and the registry is "cargo"'),
        ("debian-binary", "", 'the key "release" is missing'),
    ],
)
def test_release_is_named_for_debian_only(
    tree: Tree, registry: str, release: str, complaint: str
) -> None:
    tree.describe(registry=registry)
    path = tree.root / "packages" / "acme" / "package.toml"
    line = f'\nrelease = "{release}"' if release else ""
    path.write_text(path.read_text().replace('version = "1.0"', f'version = "1.0"{line}'))
    assert complaint in refusal(tree)


def another(tree: Tree) -> Tree:
    """Another clone of the same user, without a client."""
    made = Tree(tree.root / "another")
    made.describe()
    return made


def test_another_clone_of_the_same_user_fetches_nothing(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.deliver()
    packages.ensure(tree.root, "acme")
    monkeypatch.setenv("PATH", "")
    assert (packages.ensure(another(tree).root, "acme") / "acme.c").is_file()
    assert len(tree.calls()) == 1


def test_cached_archive_that_was_altered_is_fetched_anew(tree: Tree) -> None:
    tree.deliver()
    packages.ensure(tree.root, "acme")
    (kept,) = (tree.root / "cache" / "corral" / "archives").iterdir()
    assert kept.name == hashlib.sha256(GOOD).hexdigest()
    kept.write_bytes(b"something else")
    assert (packages.ensure(another(tree).root, "acme") / "acme.c").is_file()
    assert len(tree.calls()) == 2


@pytest.mark.parametrize("has_loop", [True, False], ids=["loop", "folder"])
def test_cached_archive_that_cannot_be_read_is_fetched_anew(tree: Tree, has_loop: bool) -> None:
    tree.deliver()
    packages.ensure(tree.root, "acme")
    (kept,) = (tree.root / "cache" / "corral" / "archives").iterdir()
    kept.unlink()
    if has_loop:
        kept.symlink_to(kept.name)
    else:
        kept.mkdir()
    assert (packages.ensure(another(tree).root, "acme") / "acme.c").is_file()
    assert len(tree.calls()) == 2


@pytest.mark.parametrize("place", ["", "relative", "/proc/nowhere"])
def test_cache_that_cannot_be_is_done_without(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    monkeypatch.setenv("HOME", place)
    tree.deliver()
    assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()


@pytest.mark.parametrize("name", ["", "any name.bz2"], ids=["folder", "archive"])
def test_archive_that_the_user_names_comes_first(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = tree.root / "of mine"
    folder.mkdir()
    (folder / "another").write_bytes(b"not this one")
    (folder / "any name.bz2").write_bytes(GOOD)
    monkeypatch.setenv(packages.ARCHIVES, f":{folder / name}")
    monkeypatch.setenv("PATH", "")
    assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()
    assert not tree.calls()


def test_named_folder_that_is_not_there_is_an_error(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(packages.ARCHIVES, str(tree.root / "none"))
    assert f"{packages.ARCHIVES}: no such file or folder" in refusal(tree)


UPSTREAM = "https://acme.invalid/acme-1.0.tar.gz"


class Upstream:
    """The server of upstream: the address that a description names leads to this machine."""

    def __init__(self, tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tree = tree
        self.asked: list[tuple[str, float]] = []
        self.opened = urllib.request.urlopen
        self.address = ""
        monkeypatch.setattr(urllib.request, "urlopen", self._open)
        path = tree.root / "packages" / "acme" / "package.toml"
        text = path.read_text().replace('version = "1.0"', f'version = "1.0"\nurl = "{UPSTREAM}"')
        path.write_text(text)

    def _open(self, url: str, timeout: float) -> object:
        self.asked.append((url, timeout))
        return self.opened(self.address, timeout=timeout)


@pytest.fixture
def upstream(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> Upstream:
    return Upstream(tree, monkeypatch)


def test_without_the_client_upstream_is_asked_and_nothing_installed(
    tree: Tree, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tree.bin))
    with Registry(GOOD) as server:
        upstream.address = f"http://127.0.0.1:{server.server_port}/"
        assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()
        server.shutdown()
    assert upstream.asked == [(UPSTREAM, 5)]


def test_registry_that_fails_leaves_it_to_upstream(tree: Tree, upstream: Upstream) -> None:
    tree.deliver(status=1)
    with Registry(GOOD) as server:
        upstream.address = f"http://127.0.0.1:{server.server_port}/"
        assert (packages.ensure(tree.root, "acme") / "acme.c").is_file()
        server.shutdown()
    assert tree.calls() and upstream.asked


def test_registry_comes_before_upstream(tree: Tree, upstream: Upstream) -> None:
    tree.deliver()
    packages.ensure(tree.root, "acme")
    assert not upstream.asked


def test_wrong_archive_of_upstream_is_refused(
    tree: Tree, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tree.bin))
    with Registry(b"something else") as server:
        upstream.address = f"http://127.0.0.1:{server.server_port}/"
        assert "hash mismatch" in refusal(tree)
        server.shutdown()
    assert not list((tree.root / "cache").rglob("*"))


def test_hash_that_the_registry_gets_wrong_is_not_hidden_by_upstream(
    tree: Tree, upstream: Upstream
) -> None:
    tree.program(
        "cargo",
        '#!/bin/sh\n[ "$1" = --version ] && echo "cargo 1.90.0" && exit 0\n'
        'echo "error: failed to verify the checksum of acme"; exit 101\n',
    )
    assert "hash mismatch" in refusal(tree)
    assert not upstream.asked


def test_both_that_fail_are_named(tree: Tree, upstream: Upstream) -> None:
    tree.deliver(status=1)
    upstream.address = "http://127.0.0.1:1/"
    message = refusal(tree)
    assert "cargo could not fetch acme 1.0" in message
    assert f"{UPSTREAM} could not be fetched" in message


def test_every_registry_client_that_is_a_program_can_be_installed() -> None:
    assert set(registries.CLIENTS) - {"debian", "debian-binary", "pypi"} <= system.PURPOSES


def test_every_package_of_the_tree_is_described(root: Path) -> None:
    found = packages.load_all(root)
    assert len(found) >= 7
    # Packages may take other files of one archive, such as that of AWS-LC.
    archives = {(p.source.registry, p.source.name, p.source.version) for p in found}
    assert len({p.source.sha256 for p in found}) == len(archives) > len(found) // 2
