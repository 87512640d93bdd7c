# SPDX-License-Identifier: Apache-2.0
"""A second `./corral build` begins with compiling, and sees whatever has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from corral import ROOT
from corral.generate import api

#: A user's environment does not say which test runs.
_OF_TESTS = ("CORRAL_TESTING", "PYTEST_CURRENT_TEST")
MAIN = """\
#include <psa/crypto.h>
#include <stdio.h>

int main(void)
{
    uint8_t hash[32];
    size_t length;
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = psa_hash_compute(PSA_ALG_SHA_256, hash, 0, hash, sizeof hash, &length);
    }
    printf("%d ends\\n", (int)status);
    return status != PSA_SUCCESS;
}
"""


class Application:
    """An application outside the tree, and the command that builds it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.folder = place / "apps" / "mine"
        self.folder.mkdir(parents=True)
        (self.folder / "app.config").write_text("PSA_WANT_ALG_SHA_256=y\n")
        (self.folder / "main.c").write_text(MAIN)
        self.built = place / "build" / "mine-native"

    def build(
        self, words: Sequence[str] = (), more: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """As users do, whose warnings are no errors."""
        environment = {k: v for k, v in os.environ.items() if k not in _OF_TESTS}
        command = [str(ROOT / "corral"), "build", "--path", ".", "mine", "native", *words]
        return subprocess.run(
            command,
            cwd=self.place,
            env={**environment, **(more or {})},
            capture_output=True,
            text=True,
            check=False,
        )

    def output(self) -> str:
        return subprocess.run(
            [self.built / "mine"], capture_output=True, text=True, check=True
        ).stdout

    def configured(self) -> int:
        """When the last configuration was written."""
        return (self.built / "settings.config").stat().st_mtime_ns


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Application:
    """Built once, and then by the same command until it need not be configured again: the first
    stamp is not kept if a file was changed while it began."""
    made = Application(tmp_path_factory.mktemp("again"))
    for _ in range(3):
        done = made.build()
        assert done.returncode == 0, done.stderr
    return made


def test_nothing_to_do__configures_nothing(app: Application) -> None:
    before = app.configured()
    done = app.build()
    assert (done.returncode, done.stdout) == (0, "build/mine-native/mine\n")
    assert app.configured() == before
    assert app.output() == "0 ends\n"


def test_changed_source__is_compiled_and_nothing_configured(app: Application) -> None:
    before = app.configured()
    draft = app.folder / ".main.c.swp"  # as editors save
    draft.write_text(MAIN.replace("ends", "ends otherwise"))
    draft.replace(app.folder / "main.c")
    assert app.build().returncode == 0
    assert app.output() == "0 ends otherwise\n"
    assert app.configured() == before


def test_removed_image__is_linked_again(app: Application) -> None:
    (app.built / "mine").unlink()
    assert app.build().returncode == 0
    assert app.output().startswith("0 ends")


def test_unused_static_variable__is_a_warning(app: Application) -> None:
    (app.folder / "main.c").write_text(MAIN + "static int nowhere_used = 3;\n")
    done = app.build()
    assert done.returncode == 0, done.stderr
    assert "main.c" in done.stderr and "nowhere_used" in done.stderr
    app.folder.joinpath("main.c").write_text(MAIN)
    assert "nowhere_used" not in app.build().stderr


def test_source_that_does_not_compile__is_named(app: Application) -> None:
    (app.folder / "main.c").write_text(MAIN + "int end = missing;\n")
    for _ in range(2):
        done = app.build()
        assert done.returncode == 2
        assert "missing" in done.stderr and "corral: error: mine for native" in done.stderr
        assert not (app.built / "mine").exists()
    (app.folder / "main.c").write_text(MAIN)
    assert app.build().returncode == 0


def test_new_source__is_compiled(app: Application) -> None:
    other = app.folder / "other.c"
    other.write_text("int other(void);\nint other(void) { return 0; }\n")
    assert app.build().returncode == 0
    assert "other.c.o" in (app.built / "mine.map").read_text()
    other.unlink()
    assert app.build().returncode == 0
    assert "other.c.o" not in (app.built / "mine.map").read_text()


@pytest.mark.parametrize("file", ["app.config", "native.config"])
def test_changed_configuration__is_configured(app: Application, file: str) -> None:
    path = app.folder / file
    before = path.read_text() if path.exists() else ""
    path.write_text(before + "PSA_WANT_ALG_SHA_512=y\n")
    assert app.build().returncode == 0
    assert "SHA_512" in (app.built / "bindings.json").read_text()
    if before:
        path.write_text(before)
    else:
        path.unlink()
    assert app.build().returncode == 0
    assert "SHA_512" not in (app.built / "bindings.json").read_text()


def test_other_command_in_between__does_not_count_for_this_one(app: Application) -> None:
    assert app.build(["--set", "PSA_WANT_ALG_SHA_512=y"]).returncode == 0
    assert "SHA_512" in (app.built / "bindings.json").read_text()
    assert app.build().returncode == 0
    assert "SHA_512" not in (app.built / "bindings.json").read_text()


def test_flags_of_the_environment__count(app: Application) -> None:
    assert app.build(more={"CFLAGS": "-DCORRAL_FLAG_OF_THE_USER=1"}).returncode == 0
    assert "CORRAL_FLAG_OF_THE_USER" in (app.built / "cmake" / "compile_commands.json").read_text()
    assert app.build().returncode == 0
    commands = (app.built / "cmake" / "compile_commands.json").read_text()
    assert "CORRAL_FLAG_OF_THE_USER" not in commands


@pytest.mark.parametrize("name", ["acme", "2024"])
def test_new_folder_of_a_driver__is_read(app: Application, name: str) -> None:
    drivers = app.place / "drivers"
    drivers.mkdir(exist_ok=True)
    assert app.build().returncode == 0
    folder = drivers / name
    folder.mkdir()
    (folder / "driver.json").write_text("{}")
    done = app.build()
    assert done.returncode != 0
    assert f"drivers/{name}/driver.json" in done.stderr
    shutil.rmtree(folder)
    assert app.build().returncode == 0


def test_files_of_editors__are_not_looked_at(app: Application) -> None:
    before = app.configured()
    names = (".main.c.swp", "main.c~", "4913")
    for name in names:
        (app.folder / name).touch()
    assert app.build().returncode == 0
    assert app.configured() == before
    for name in names:
        (app.folder / name).unlink()


def test_compiler_that_is_found_first_now__compiles(app: Application) -> None:
    tools = app.place / "tools"
    tools.mkdir()
    path = {"PATH": f"{tools}:{os.environ['PATH']}"}
    otherwise = '#ifdef CORRAL_BY_WRAPPER\n#define printf(...) puts("by the wrapper")\n#endif\n'
    (app.folder / "main.c").write_text(MAIN.replace("\nint main", f"\n{otherwise}\nint main"))
    for _ in range(2):
        assert app.build(more=path).returncode == 0
        assert app.output() == "0 ends\n"
    compiler = api.load_board(ROOT, "native").toolchain.prefix + "gcc"
    wrapper = tools / compiler
    found = shutil.which(compiler)
    wrapper.write_text(f'#!/bin/sh\nexec "{found}" -DCORRAL_BY_WRAPPER "$@"\n')
    wrapper.chmod(0o755)
    done = app.build(more=path)
    assert done.returncode == 0, done.stderr
    assert app.output() == "by the wrapper\n"
    wrapper.unlink()
    assert app.build(more=path).returncode == 0
    assert app.output() == "0 ends\n"
    (app.folder / "main.c").write_text(MAIN)
    assert app.build().returncode == 0


def test_changed_file_that_keeps_its_time_and_size__is_configured(app: Application) -> None:
    path = app.folder / "app.config"
    before = path.read_text()
    path.write_text(before + "PSA_WANT_ALG_SHA_384=y\n")
    assert app.build().returncode == 0
    assert app.build().returncode == 0
    found = path.stat()
    path.write_text(before + "PSA_WANT_ALG_SHA_512=y\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert app.build().returncode == 0
    assert "SHA_512" in (app.built / "bindings.json").read_text()
    path.write_text(before)
    assert app.build().returncode == 0
