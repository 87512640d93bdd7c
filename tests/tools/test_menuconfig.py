# SPDX-License-Identifier: Apache-2.0
"""./corral menuconfig on a terminal: its choices are saved and used."""

from __future__ import annotations

import os
import pty
import select
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from corral import ROOT
from corral.build import image as build
from corral.generate import api
from corral.model.board import load_board
from harness.waiting import PATIENCE

APP, BOARD = "aes-cbc", "native"


class Terminal:
    """A terminal on which a command runs."""

    def __init__(self, words: list[str]) -> None:
        self.output = ""
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm", LINES="40", COLUMNS="120")
            os.execv(words[0], words)

    def _read(self) -> bool:
        """More output; false when there is none to come."""
        if not select.select([self.end], [], [], 1.0)[0]:
            return True
        try:
            data = os.read(self.end, 65536)
        except OSError:
            return False
        self.output += data.decode(errors="replace")
        return bool(data)

    def wait_for(self, text: str) -> None:
        limit = time.monotonic() + PATIENCE
        while text not in self.output:
            assert time.monotonic() < limit, self.output[-3000:]
            assert self._read(), self.output[-3000:]
        self.output = self.output.partition(text)[2]

    def type(self, keys: str) -> None:
        os.write(self.end, keys.encode())

    def finish(self) -> int:
        limit = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < limit, self.output[-3000:]
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.fixture
def user_config() -> Iterator[Path]:
    """The file that the menu writes; restored afterwards."""
    path = build.folder_of(APP, BOARD) / "user.config"
    before = path.read_text() if path.is_file() else None
    path.unlink(missing_ok=True)
    yield path
    if before is None:
        path.unlink(missing_ok=True)
    else:
        path.write_text(before)


def open_menu() -> Terminal:
    terminal = Terminal([str(ROOT / "corral"), "menuconfig", APP, BOARD])
    terminal.wait_for("Who does the work")
    return terminal


def test_menu_that_is_left_changes_nothing(user_config: Path) -> None:
    terminal = open_menu()
    terminal.type("q")
    terminal.wait_for("Save configuration?")
    terminal.type("n")
    assert terminal.finish() == 0
    assert "CBC_NO_PADDING_AES_128" in terminal.output
    assert "=" not in user_config.read_text()
    assert f"{user_config}: no setting changed" in terminal.output


def test_choice_in_the_menu_is_remembered_and_explained(user_config: Path) -> None:
    terminal = open_menu()
    terminal.type("/CORRAL_DRIVER_MBEDTLS$")
    terminal.wait_for("CORRAL_DRIVER_MBEDTLS")
    terminal.type("\n")
    terminal.wait_for("Drivers")
    terminal.type("n")
    terminal.type("q")
    terminal.wait_for("Save configuration?")
    terminal.type("y")
    assert terminal.finish() == 0
    assert "CORRAL_DRIVER_MBEDTLS=n" in user_config.read_text()
    assert f"saved in {user_config}: CORRAL_DRIVER_MBEDTLS=n" in terminal.output
    assert "bearssl" in terminal.output
    assert "mbedtls" not in terminal.output.partition("served by")[2]


def test_choice_in_the_menu_holds_for_a_trusted_side_that_runs_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = shutil.copytree(ROOT / "apps" / "hmac", tmp_path / "mine")
    (app / "mps2-an505-trustzone.config").write_text("CORRAL_SEALED_STORAGE=n\n")
    folder = tmp_path / "client"
    folder.mkdir()
    own = "CORRAL_PROTECTED_KEY_SLOTS=2\nCORRAL_DRIVER_REMOTE=y\n"  # there without effect
    stored = "CORRAL_STORAGE=y\nCORRAL_PERSISTENT_KEYS=y\n"
    (folder / "user.config").write_text(
        f"PSA_WANT_ALG_SHA_512=y\nPSA_WANT_ALG_MD5=y\n{own}{stored}"
    )
    board = load_board(ROOT, "mps2-an505-trustzone-remote")
    client = build.Build(str(app), board, folder, folder / "mine.elf", True)
    options = build.Options({"PSA_WANT_ALG_MD5": "n"})
    here = api.configure(ROOT, str(app), board.name, folder, options.settings)
    behind = build.prepare_trusted(client, api.generate_for(here), options).configuration
    assert behind.board.name == "mps2-an505-trustzone"
    assert behind.is_on("PSA_WANT_ALG_SHA_512")
    assert not behind.is_on("PSA_WANT_ALG_MD5")
    assert "warning: storage: in clear" in capsys.readouterr().err
