# SPDX-License-Identifier: Apache-2.0
"""Mistakes of the first hour, in a folder outside the tree: one line says what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from corral import ROOT

from outside.repository import corral, error

HASH = "PSA_WANT_ALG_SHA_256"


def explained(folder: Path, *words: str) -> str:
    """The output of explain for the application in a folder, notes included."""
    done = corral("explain", "./app", "native", *words, cwd=folder)
    return done.stdout + done.stderr


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """The configuration of an application."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "main.c").write_text("int main(void)\n{\n    return 0;\n}\n")
    (tmp_path / "app" / "app.config").write_text(f"{HASH}=y\n")
    return tmp_path / "app" / "app.config"


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        (f"#define {HASH} 1", f"write {HASH}=y"),
        (f"# define {HASH}", f"write {HASH}=y"),
        (f"#define {HASH} 0", f"write {HASH}=n"),
        (f"#undef {HASH}", f"write {HASH}=n"),
        ("#define CORRAL_SINGLE_KEY_SLOTS 1 /* one */", "write CORRAL_SINGLE_KEY_SLOTS=1"),
        (f'{HASH}="y"', f"write {HASH}=y"),
        ('CORRAL_SINGLE_KEY_SLOTS="4"', "write CORRAL_SINGLE_KEY_SLOTS=4"),
        ("SHA_256=n", f"did you mean {HASH}?"),
    ],
)
def test_line_that_would_do_nothing_is_an_error(app: Path, line: str, remedy: str) -> None:
    app.write_text(f"# SHA-256, by what #define {HASH} is in C\n{HASH}=y\n{line}\n")
    said = explained(app.parents[1])
    assert said.count("\n") == 1
    assert said.startswith("corral: error: app/app.config:3: ") and said.endswith(f"{remedy}\n")


def test_configuration_that_wants_nothing_warns(app: Path) -> None:
    for text in ("", f"{HASH}=n\n", f"# {HASH} is not set\n"):
        app.write_text(text)
        assert "the configuration is empty, so no function has a driver: " in explained(
            app.parents[1]
        )
    app.write_text("CORRAL_STORAGE=y\n")
    assert "is empty" not in explained(app.parents[1])


def test_line_that_another_of_its_file_replaces_is_named(app: Path) -> None:
    app.write_text(f"{HASH}=y\nPSA_WANT_ALG_MD5=y\n{HASH}=n\n")
    said = explained(app.parents[1])
    assert f"app/app.config:3: {HASH}=n replaces that of app/app.config:1\n" in said
    (app.parent / "more.config").write_text(f"{HASH}=n\n")
    app.write_text(f"include ./more.config\n{HASH}=y\n")  # the purpose of includes
    assert "replaces" not in explained(app.parents[1])


@pytest.mark.parametrize("symbol", ["CORRAL_KEY_PAIR_SLOTS", "CORRAL_SINGLE_KEY_SLOTS"])
def test_keys_that_are_wanted_have_a_slot(app: Path, symbol: str) -> None:
    app.write_text(
        "PSA_WANT_ALG_ECDSA=y\nPSA_WANT_ECC_SECP_R1_256=y\n"
        "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE=y\nPSA_WANT_KEY_TYPE_RAW_DATA=y\n"
        "CORRAL_KEY_PAIR_SLOTS=0\nCORRAL_PROTECTED_KEY_SLOTS=0\nCORRAL_SINGLE_KEY_SLOTS=0\n"
    )
    said = explained(app.parents[1])
    assert f"{symbol}=0 leaves no slot for " in said
    number = 5 if "PAIR" in symbol else 7
    assert f"app/app.config:{number}: {symbol}" in said
    app.write_text(f"{HASH}=y\n{symbol}=0\n")
    assert "error" not in explained(app.parents[1])


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "./app", "native", "--path", ""],
        ["run", "./app", "native", "--input", ""],
        ["build", "./app", "native", "--sanitize", ""],
        ["test", "--driver", ""],
        ["test", "--board", "", "--path", "."],
    ],
)
def test_word_that_a_script_left_empty_is_rejected(app: Path, words: list[str]) -> None:
    assert "an empty word" in error(*words, cwd=app.parents[1])


@pytest.mark.parametrize(
    "words",
    [
        ["library", "./app/app.config", "native", "--prefix", "file"],
        ["install", "--prefix", "file/below"],
        ["new", "app", "mine", "--in", "file"],
        ["explain", "./app", "native", "--path", "file"],
    ],
)
def test_file_in_the_place_of_a_folder_is_named(app: Path, words: list[str]) -> None:
    (app.parents[1] / "file").touch()
    assert "file is a file: name a folder" in error(*words, cwd=app.parents[1])


def test_folder_without_its_description_is_no_misspelt_name(app: Path) -> None:
    folder = app.parents[1]
    app.unlink()
    assert "app/app.config: no such file: write it: " in error(
        "build", "./app", "native", cwd=folder
    )
    (folder / "apps").mkdir()
    shutil.move(app.parent, folder / "apps" / "mine")
    (folder / "apps" / "mine" / "app.config").mkdir()
    said = error("build", "mine", "native", "--path", ".", cwd=folder)
    assert "apps/mine/app.config: is a folder: make it a file that lists " in said
    (folder / "board").mkdir()
    said = error("build", "hmac", "./board", cwd=folder)
    assert "board/board.toml: no such file: write it: " in said


def test_name_of_a_folder_that_is_here_is_told_as_a_path(app: Path) -> None:
    folder = app.parents[1]
    assert "write ./app for the folder that is here" in error("build", "app", "native", cwd=folder)
    (folder / "apps").mkdir()
    shutil.move(app.parent, folder / "apps" / "mine")
    said = error("build", "mine", "native", cwd=folder)
    assert "write ./apps/mine for the folder that is here" in said


@pytest.mark.parametrize("board", ["native", "mps2-an386"])
def test_application_without_main_is_told_to_have_one(app: Path, board: str) -> None:
    app.with_name("main.c").write_text("int mian(void);\n\nint mian(void)\n{\n    return 0;\n}\n")
    assert "write int main(void) in a C file of" in error(
        "build", "./app", board, cwd=app.parents[1]
    )


def test_mistake_is_told_once_however_often_it_is_met(tmp_path: Path) -> None:
    """A port that is misspelt knows none of the board's parameters."""
    shutil.copytree(ROOT / "boards" / "mps2-an386", tmp_path / "boards" / "mine")
    board = tmp_path / "boards" / "mine" / "board.toml"
    board.write_text(board.read_text().replace('port = "mps2"', 'port = "msp2"'))
    said = error("explain", "hmac", "mine", "--path", str(tmp_path))
    assert said.count("\n") == 1 and "did you mean mps2?" in said
    shutil.rmtree(tmp_path / "boards")
    shutil.copytree(ROOT / "drivers" / "bearssl", tmp_path / "drivers" / "bearssl")
    driver = tmp_path / "drivers" / "bearssl" / "driver.json"
    driver.write_text(driver.read_text().replace('{"bearssl": {"inc', '{"bearsl": {"inc'))
    said = error("explain", "hmac", "native", "--path", str(tmp_path))
    assert said.count("\n") == 2 and "more places): did you mean bearsl?" in said


@pytest.mark.parametrize("words", [["hlep"], ["help", "hlep"]])
def test_command_that_is_misspelt_is_guessed(words: list[str]) -> None:
    assert error(*words) == "corral: error: hlep: no such command: did you mean help?\n"
    assert error("nothing-like-it").endswith("./corral help names all of them\n")
