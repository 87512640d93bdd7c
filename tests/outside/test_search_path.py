# SPDX-License-Identifier: Apache-2.0
"""Boards, drivers and the rest of a user's repository: found first, built there."""

from __future__ import annotations

import os
import subprocess
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from corral.errors import CorralError
from corral.model.places import Places
from corral.packages import fetch as packages

from outside.repository import ROOT, Repository, corral, error, output

SAYS = """\
#include <corral/board.h>
#include <psa/crypto.h>

int main(void)
{{
    corral_board_print(psa_crypto_init() == PSA_SUCCESS ? "{text}\\n" : "no\\n");
    return 0;
}}
"""
WANTS = "PSA_WANT_ALG_SHA_256=y\n"
#: The files of BearSSL that the document's driver uses.
SDK = [
    "inc",
    "src/inner.h",
    "src/config.h",
    *("src/hash/sha2small.c", "src/codec/enc32be.c", "src/codec/dec32be.c"),
]


def _tree() -> tuple[str, dict[str, int]]:
    """The tree's status in version control, and the folders of its builds with their times."""
    command = ["git", "status", "--porcelain"]
    seen = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return seen, {path.name: path.stat().st_mtime_ns for path in (ROOT / "build").glob("*")}


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    """A repository; the tree is the same before and after."""
    before, builds = _tree()
    yield Repository(tmp_path_factory.mktemp("mine"))
    after, more = _tree()
    assert after == before
    names = ("vault", "slate", "alike", "acme", "plain")
    touched = [name for name, time in more.items() if builds.get(name) != time]
    assert not [name for name in touched if any(mark in name for mark in names)]


def _app(mine: Repository, folder: str, text: str) -> Path:
    mine.write(f"{folder}/app.config", WANTS)
    return mine.write(f"{folder}/main.c", SAYS.format(text=text)).parent


def test_driver_with_an_archive_of_ones_own_serves_our_application(mine: Repository) -> None:
    mine.take("drivers/acme")
    description = mine.folder / "drivers" / "acme" / "driver.json"
    description.write_text(description.read_text().replace('"bearssl"', '"sdk"'))
    library = packages.ensure(ROOT, "bearssl")
    archive = mine.write("sdk.tar.gz", "")
    with tarfile.open(archive, "w:gz") as tar:
        for name in SDK:
            tar.add(library / name, f"sdk-1/{name}")
    digest = sha256(archive.read_bytes()).hexdigest()
    source = f'[source]\npath = "../../sdk.tar.gz"\nsha256 = "{digest}"\n[files]\nroot = "sdk-1"\n'
    mine.write("packages/sdk/package.toml", f'title = "SDK"\nlicence = "MIT"\n{source}')
    path = ("--path", str(mine.folder))
    chosen = ("--set", "CORRAL_HMAC_SHA_256_BY_COMPOSE=y", "--set", "CORRAL_SHA_256_BY_ACME=y")
    lines = output("explain", "hmac", "native", *chosen, *path).splitlines()
    assert any(line.startswith("SHA_256") and " acme " in f"{line} " for line in lines)
    assert output("run", "hmac", "native", *chosen, *path) == "hmac: pass\n"
    assert (mine.folder / "build" / "hmac-native" / "hmac").is_file()
    assert (mine.folder / "build" / "packages" / "sdk-local" / "sdk-1" / "inc").is_dir()
    assert " local " in next(x for x in output("packages", *path).splitlines() if "sdk" in x)
    assert "acme: " not in output("drivers")
    assert "acme: " in output("drivers", *path)


def test_element_and_its_simulator_are_built_provisioned_and_run(mine: Repository) -> None:
    mine.take("drivers/vault", "sim/vault", "boards/native-vault", "apps/vaults")
    (mine.folder / "sim" / "vault" / "vault-sim").chmod(0o755)
    path = str(mine.folder)
    built = output("build", "vaults", "native-vault", CORRAL_PATH=path)
    assert Path(built.strip()) == mine.folder / "build" / "vaults-native-vault" / "vaults"
    shown = output("provision", "native-vault", CORRAL_PATH=path)
    assert "VAULT0: vault with serial number" in shown
    assert "vaults: pass" in output("run", "vaults", "native-vault", CORRAL_PATH=path)
    assert (mine.folder / "build" / "chips" / "native-vault" / "vault0.nvm").is_file()


def test_board_and_application_are_named_by_their_folders(mine: Repository) -> None:
    """Over a port of one's own. A second build does not take the first for sources."""
    mine.take("ports/slate", "boards/slate")
    app = _app(mine, "somewhere/plain", "plain")
    words = ("run", "./plain", "../boards/slate", "--path", "..")
    for _ in range(2):
        assert output(*words, cwd=app.parent) == "plain\n"
    alone = mine.folder.parent / "alone"
    app.rename(alone)
    for _ in range(2):
        assert output("run", str(alone), "native") == "plain\n"
    assert (alone / "build" / "alone-native" / "alone").is_file()
    assert (alone / "build" / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172")
    assert "write ./alone for" in error("build", "alone", "native", cwd=alone.parent)


def test_applications_of_one_name_have_builds_of_their_own(mine: Repository) -> None:
    first, second = (_app(mine, f"{name}/alike", name) for name in ("first", "second"))
    path = ("--path", str(mine.folder))
    for app in (first, second, first):
        assert output("run", str(app), "native", *path) == f"{app.parent.name}\n"
    assert len(list((mine.folder / "build").glob("alike-*-native"))) == 2


def test_a_folder_of_ones_own_comes_before_ours(mine: Repository) -> None:
    text = (ROOT / "boards" / "native" / "board.toml").read_text()
    shadow = Repository(mine.folder / "shadow")
    shadow.write("boards/native/board.toml", text.replace("-pthread", "-pthrea"))
    said = corral("build", "hmac", "native", "--path", str(shadow.folder))
    assert said.returncode == 2 and "-pthrea" in said.stderr
    assert (shadow.folder / "build" / "hmac-native").is_dir()


@pytest.mark.parametrize("content", [b"other", None])
def test_archive_that_is_not_the_one_described_is_refused(
    tmp_path: Path, content: bytes | None
) -> None:
    mine = Repository(tmp_path)
    if content is not None:
        (tmp_path / "sdk.tar").write_bytes(content)
    source = f'path = "../../sdk.tar"\nsha256 = "{"0" * 64}"'
    mine.write("packages/sdk/package.toml", f'title = "S"\nlicence = "X"\n[source]\n{source}\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRAL_PATH", str(tmp_path))
        what = "hash mismatch" if content is not None else "no such folder"
        with pytest.raises(Exception, match=f"package.toml: {what}"):
            packages.ensure(ROOT, "sdk")


def test_folder_of_an_sdk_is_used_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Repository(tmp_path)
    mine.write("vendor/src/sdk.c", "int sdk;\n")
    mine.write(
        "packages/sdk/package.toml",
        'title = "S"\nlicence = "X"\n[source]\npath = "../../vendor"\n[files]\nroot = "src"\n',
    )
    monkeypatch.setenv("CORRAL_PATH", f"{tmp_path}{os.pathsep}")
    assert packages.ensure(ROOT, "sdk") == tmp_path / "vendor" / "src"
    assert not (tmp_path / "build").exists()


def test_suite_finds_what_a_driver_needs_in_another_folder(tmp_path: Path) -> None:
    mine, vendor = Repository(tmp_path / "mine"), Repository(tmp_path / "vendor")
    mine.take("drivers/acme")
    description = mine.folder / "drivers" / "acme" / "driver.json"
    description.write_text(description.read_text().replace('"bearssl"', '"sdk"'))
    vendor.write(
        "packages/sdk/package.toml", 'title = "S"\nlicence = "X"\n[source]\npath = "../../sdk"\n'
    )
    suite = ("test", "--driver", str(description.parent), "-n", "0", "--collect-only")
    # The inherited tests exist only if all descriptions are read.
    assert "[acme--native]" not in corral(*suite).stdout
    assert "[acme--native]" in output(*suite, "--path", str(vendor.folder))
    assert "only for --driver and --board" in error("test", "--path", str(vendor.folder))


def test_mistakes_of_a_path_are_named(tmp_path: Path) -> None:
    assert "/nowhere: no such folder" in error("build", "hmac", "native", "--path", "/nowhere")
    odd = tmp_path / "a;b"
    Repository(odd).write("app/app.config", WANTS)
    assert "move or rename the folder" in error("build", str(odd / "app"), "native")
    assert "mine/app.config: no such application" in error("build", "./mine", "native")
    assert "mine/board.toml: no such board" in error("build", "hmac", "./mine")


def test_folder_of_builds_that_was_there_stays_as_it_is(tmp_path: Path) -> None:
    mine = Repository(tmp_path)
    theirs = mine.write("build/.gitignore", "*.o\n")
    places = Places.of(ROOT)
    assert places.builds_in(tmp_path) == places.builds_in(tmp_path) == tmp_path / "build" / "corral"
    assert theirs.read_text() == "*.o\n"
    assert sorted(path.name for path in theirs.parent.iterdir()) == [".gitignore", "corral"]


def test_hash_of_a_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Repository(tmp_path)
    mine.write("vendor/sdk.c", "int sdk;\n")
    source = f'path = "../../vendor"\nsha256 = "{"0" * 64}"'
    mine.write("packages/sdk/package.toml", f'title = "S"\nlicence = "X"\n[source]\n{source}\n')
    monkeypatch.setenv("CORRAL_PATH", str(tmp_path))
    with pytest.raises(CorralError, match='"sha256" is of an archive'):
        packages.ensure(ROOT, "sdk")
