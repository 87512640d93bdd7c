# SPDX-License-Identifier: Apache-2.0
"""The command line: help for every command, and one clear message for every mistake."""

from __future__ import annotations

import argparse
import dataclasses
import errno
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from corral import ROOT, arguments, cli, commands
from corral.build import image as build
from corral.commands import explain
from corral.commands import test as tests
from corral.common import progress, system
from corral.errors import CorralError
from corral.generate import api
from corral.measure import size
from corral.model import absent
from corral.model.board import load_board
from corral.model.places import VARIABLE
from corral.packages import fetch as packages
from corral.run import chips
from corral.run import program as corral_run
from harness import areas

COMMANDS = [
    "help",
    "demo",
    "test",
    "menuconfig",
    "new",
    "build",
    "run",
    "chips",
    "configure",
    "library",
    "export",
    "install",
    "fleet",
    "explain",
    "drivers",
    "packages",
    "provision",
    "api",
    "bench",
    "completion",
    "docs",
    "documents",
    "migrate",
    "size",
]


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Run a command that must fail; returns its messages, without the progress above them."""
    assert cli.main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    assert not [line for line in lines if "Traceback" in line]
    errors = [line for line in lines if line.startswith("corral: error: ")]
    assert errors
    return errors


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([command, "--help"])
    assert ended.value.code == 0
    assert f"example:\n  ./corral {command}" in capsys.readouterr().out


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    listed = re.findall(r"^    ([a-z]+)(?:  |$)", capsys.readouterr().out, re.M)
    assert sorted(listed) == sorted(COMMANDS)


def test_commands_that_others_are_sent_to_exist() -> None:
    """By messages, documents and comments, where they are quoted."""
    tracked = ["git", "ls-files", "*.py", "*.md", "*.cmake", "*.c", "*.h", "*.sh", "*.toml"]
    done = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True)
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in done.stdout.splitlines()]
    told = {name for text in texts for name in re.findall(r"[`\"']\./corral ([a-z]\w*)", text)}
    assert len(told) > 10 and told <= {*COMMANDS}


def test_no_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([])
    assert ended.value.code == 2


def command_words(folder: Path, *arguments: str, board: str = "native", **run: Any) -> list[str]:
    """The words by which a board with another run command starts an image."""
    described = dataclasses.replace(load_board(ROOT, board), **run)
    image = build.Build("hmac", described, folder, folder / "image.elf", uses_elements=False)
    return corral_run.command_of(image, chips.Channel(folder), None, arguments=arguments)


def test_braces_of_a_run_command_stand_for_themselves(tmp_path: Path) -> None:
    words = ("emulator", "{elf}", "json={}", "{ }", "{0.x}", "}{")
    filled = command_words(tmp_path, "a b,{elf}", run=words)
    assert filled == ["emulator", f"{tmp_path}/image", *words[2:], "a b,{elf}"]


def test_unknown_placeholder_of_a_run_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorralError, match=r"boards/native/board.toml.*placeholder 'efl'.*{elf}"):
        command_words(tmp_path, run=("emulator", "{efl}"))


def test_board_without_a_run_command_says_so(tmp_path: Path) -> None:
    described = dataclasses.replace(load_board(ROOT, "native"), run=())
    image = build.Build("hmac", described, tmp_path, tmp_path / "hmac", uses_elements=False)
    with pytest.raises(CorralError, match=r"native/board.toml: names no run.command: add it"):
        corral_run.run(image)
    image = dataclasses.replace(image, board=dataclasses.replace(described, run=("/no/program",)))
    with pytest.raises(CorralError, match=r"run.command: /no/program is not installed: install it"):
        corral_run.run(image)


@pytest.mark.parametrize("word", ["a,b", "a b", "a\tb"])
def test_word_that_an_emulator_would_take_apart_is_refused(tmp_path: Path, word: str) -> None:
    with pytest.raises(CorralError, match=r"boards/mps2-an386/board.toml.*apart at"):
        command_words(tmp_path, word, board="mps2-an386")
    assert any(w.endswith(",arg={x}") for w in command_words(tmp_path, "{x}", board="mps2-an386"))


@pytest.mark.parametrize("command", ["build", "run", "explain"])
def test_unknown_application_lists_the_known(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (error,) = refused([command, "quux", "native"], capsys)
    assert "apps/quux/app.config: no such application" in error
    assert "ecdsa" in error
    assert "zoo" in error
    assert not build.folder_of("quux", "native").exists()


def test_unknown_board_lists_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = refused(["build", "hmac", "quux"], capsys)
    assert "boards/quux/board.toml: no such board" in error
    assert "native" in error
    assert "mps2-an386" in error
    assert not build.folder_of("hmac", "quux").exists()


def test_mistyped_application_is_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = refused(["build", "ecdas", "native"], capsys)
    assert "did you mean ecdsa?" in error


def test_unknown_symbol_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    errors = refused(["explain", "hmac", "native", "--set", "PSA_WANT_ALG_SHA_255=y"], capsys)
    assert "PSA_WANT_ALG_SHA_255" in errors[0]
    assert "PSA_WANT_ALG_SHA_256" in errors[0]


def test_setting_without_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = refused(["explain", "hmac", "native", "--set", "CORRAL_THREADS"], capsys)
    assert "SYMBOL=VALUE" in error


@pytest.mark.parametrize("end", ["\n", "\r", "\x1b[2J", "\u2028"])
def test_message_is_one_line_whatever_words_are_in_it(
    end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = f"a{end}b"
    app = ["explain", "hmac", "native"]
    words = [[*app, "--set", f"X={odd}"], [*app, "--set", odd], [*app, "--preset", odd]]
    words += [["explain", odd, "native"], ["explain", "hmac", odd], [*app, "--path", odd]]
    words += [["library", odd, "native", "--prefix", "x"], ["run", *app[1:], "--input", odd]]
    words += [["new", "driver", odd, "--in", "x"], ["provision", "native", "--element", odd]]
    for command in words:
        (error, *others) = refused(command, capsys)
        assert not others and ascii(end)[1:-1] in error and error.isprintable()


def test_folder_of_the_search_path_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a;b").mkdir()
    (tmp_path / "mine" / "drivers" / "acme").mkdir(parents=True)
    (tmp_path / "mine" / "drivers" / "acme" / "driver.json").touch()
    above = f"name the folder above it: {tmp_path}/mine"
    for name, what in (
        ("none", "no such folder"),
        ("a;b", "is taken apart by build tools"),
        ("mine/drivers", above),
        ("mine/drivers/acme", above),
    ):
        (error,) = refused(["drivers", "--path", str(tmp_path / name)], capsys)
        assert f"--path or CORRAL_PATH: {tmp_path}/{name}: " in error and what in error


def test_application_without_a_source_is_told_before_the_linker_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app.config").write_text("PSA_WANT_ALG_SHA_256=y\n")
    (error,) = refused(["build", str(tmp_path), "native"], capsys)
    assert error == f"corral: error: {tmp_path}: no C or C++ source in it: write main.c there"


def test_name_that_is_no_text_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / os.fsdecode(b"a\xff")
    for place in (folder, tmp_path):
        place.mkdir(exist_ok=True)
        (place / "app.config").write_text("PSA_WANT_ALG_SHA_256=y\n")
    (tmp_path / os.fsdecode(b"b\xff.c")).touch()
    for app in (folder, tmp_path):
        (error,) = refused(["explain", str(app), "native"], capsys)
        assert "udcff" in error and "no text in UTF-8: rename " in error and error.isprintable()


@pytest.mark.parametrize("name", ["a;b.c", "a|b.c", "a\\b.c", "a\nb.c"])
def test_source_that_build_tools_take_apart_is_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app.config").write_text("PSA_WANT_ALG_SHA_256=y\n")
    (tmp_path / "main.c").touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / name).touch()
    (error,) = refused(["explain", str(tmp_path), "native"], capsys)
    assert "/sub/a" in error and error.endswith("taken apart by build tools: rename the file")


@pytest.mark.parametrize(
    "words",
    [
        ["new", "app", "x", "--in", ""],
        ["install", "--prefix", ""],
        ["library", "x.config", "native", "--prefix", ""],
        ["configure", "x.config", "native", ""],
        ["export", "x.config", "native", ""],
        ["size", "hmac", "native", "--symbols", "-1"],
    ],
    ids=lambda words: words[0],
)
def test_word_that_is_no_folder_or_no_number(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert "an empty word names no folder" in error or "'-1' is no number of things" in error


def test_file_that_is_no_configuration_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "crypto.cfg"
    file.touch()
    (error,) = refused(["library", str(file), "native", "--prefix", str(tmp_path)], capsys)
    assert f"{file}: is no configuration: name a file NAME.config" in error


@pytest.mark.parametrize("words", [["export"], ["configure"], ["library", "--prefix"]])
def test_library_has_no_trusted_side_beside_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "crypto.config"
    file.write_text("PSA_WANT_ALG_SHA_256=y\n")
    given = [words[0], str(file), "mps2-an505-trustzone-remote", *words[1:]]
    (error,) = refused([*given, str(tmp_path / "made")], capsys)
    what = "the trusted side that has its keys is made with an application"
    assert f"{file}: {what}: build an application, or for another board" in error
    assert not list((tmp_path / "made").glob("**/*.c"))


def test_what_a_command_below_cmake_says_is_the_message(tmp_path: Path) -> None:
    said = (
        "echo 'corral: error: a.config:1: no assignment: write it'; echo 'CMake Error at x'; exit 1"
    )
    with pytest.raises(CorralError) as caught:
        progress.run_quietly(["sh", "-c", said], str(tmp_path), "correct what the compiler names")
    assert str(caught.value) == "a.config:1: no assignment: write it"


@pytest.mark.parametrize("command", ["run", "build", "test", "chips", "library"])
def test_words_that_may_be_left_out_are_not_asked_for(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tests, "run", lambda _: 0)
    if command == "test":
        assert cli.main(["test"]) == 0
        return
    with pytest.raises(SystemExit):
        cli.main([command])
    asked = capsys.readouterr().err.partition("arguments are required: ")[2].split(", ")
    assert asked[0].isupper() and not {"arguments", "ARGUMENT\n", "program\n"} & set(asked)


def test_command_that_takes_a_board_finds_those_of_the_user() -> None:
    for name, command in commands.load().items():
        parser = argparse.ArgumentParser(prog=name)
        command.add(parser)
        said = parser.format_help()
        if "BOARD" in said and name not in ("new", "test"):
            assert "--path DIR" in said, name


def test_chips_of_a_board_of_the_user_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "boards" / "native", tmp_path / "boards" / "mine")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    words = ["chips", "mine", "no-such-program"]
    assert [error.split(": ")[2] for error in refused(words, capsys)] == ["no-such-program"]


def test_new_command_is_one_file(tmp_path: Path) -> None:
    for entry in ROOT.iterdir():
        if entry.name != "tools":
            (tmp_path / entry.name).symlink_to(entry)
    shutil.copytree(
        ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "tools/corral/commands/wave.py").write_text("""\
ABOUT = "greet somebody"
EXAMPLE = "wave you"
ORDER = 999


def add(parser):
    parser.add_argument("name")


def run(arguments):
    print("hello", arguments.name)
    return 3
""")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "tools")}

    def said(*words: str, status: int) -> str:
        command = [sys.executable, "-m", "corral", *words]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        return done.stdout

    assert said("wave", "you", status=3) == "hello you\n"
    assert "greet somebody" in said("--help", status=0)
    assert "corral wave you" in said("help", "wave", status=0)


def test_settings_of_one_symbol_must_agree(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", "hmac", "native", "--set", "CORRAL_THREADS=y"]
    (error,) = refused([*words, "--set", "CORRAL_THREADS=n"], capsys)
    assert "--set CORRAL_THREADS=n: contradicts --set CORRAL_THREADS=y" in error


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EROFS, "copy the tree"),
        (errno.EACCES, "copy the tree"),
        (errno.ENOTDIR, "see to that path, or name another"),
    ],
)
def test_folder_that_cannot_be_written_to_is_named(
    number: int, remedy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unwritable(*_: object) -> None:
        raise OSError(number, os.strerror(number), "/tree/build/x")

    monkeypatch.setattr(packages, "load_all", unwritable)
    (error,) = refused(["packages"], capsys)
    assert error.startswith(f"corral: error: /tree/build/x: {os.strerror(number)}: ")
    assert remedy in error


@pytest.mark.parametrize("option", ["--driver", "--board", "--path"])
def test_test_without_the_folder_of_an_option_says_so(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["test", option])
    error = capsys.readouterr().err
    assert "usage: ./corral test [--driver DIR]" in error and f"{option}: expected one" in error


def test_want_without_driver_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    drivers = [p.parent.name.upper() for p in ROOT.glob("drivers/*/driver.json")]
    words = [f"--set=CORRAL_DRIVER_{name}=n" for name in drivers]
    errors = refused(["explain", "hmac", "native", *words], capsys)
    assert [e for e in errors if "SHA_256" in e]


def test_want_of_a_driver_that_is_off_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    errors = refused(["explain", "hmac", "native", "--set", "PSA_WANT_ALG_ASCON_HASH256=y"], capsys)
    assert [e for e in errors if "wolfcrypt (set CORRAL_DRIVER_WOLFCRYPT=y)" in e]


def test_missing_input_is_named_before_anything_is_built(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (["run", "hmac", "native", "--input", "no/such/file"], ["demo", "no/such/file"]):
        (error,) = refused(words, capsys)
        assert "no/such/file: no such file" in error


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["native"], "no command"),
        (["mps2-an386", "true"], "emulated bus"),
        (["native", "/no/such"], "/no/such: no such program"),
        (["native", "/etc/passwd"], "/etc/passwd: no such program"),
    ],
)
def test_chips_need_a_command_and_a_board_of_this_computer(
    words: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (error,) = refused(["chips", *words], capsys)
    assert what in error


def test_program_that_a_signal_ends_is_not_silent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = load_board(ROOT, "native")
    image = build.Build("hmac", board, tmp_path, tmp_path, uses_elements=False)
    done = subprocess.CompletedProcess[str]([], -11)
    monkeypatch.setattr(build, "build", lambda *_: image)
    monkeypatch.setattr(corral_run, "run", lambda *_, **__: done)
    assert cli.main(["run", "hmac", "native"]) == 139
    assert "hmac on native: ended by signal 11 (Segm" in capsys.readouterr().err


def test_menu_without_a_terminal_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        (error,) = refused(["menuconfig", "hmac", "native"], capsys)
    assert "--set SYMBOL=VALUE" in error


def test_missing_compiler_names_the_packages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    (error,) = refused(["build", "hmac", "mps2-an386"], capsys)
    for package in ("cmake", "ninja-build", "gcc-arm-none-eabi"):
        assert package in error
    assert "install" in error


@pytest.mark.parametrize("board", ["native", "mps2-an386", "mega2560"])
def test_building_asks_for_nothing_that_building_does_not_use(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    (error,) = refused(["build", "hmac", board], capsys)
    asked = error.partition("missing: ")[2].split(":")[0].split()
    assert "cmake" in asked
    assert not {"g++", "openssl", "qemu-system-arm", "gdb", "clang"} & set(asked)
    assert ("gcc" in asked) == (board == "native")


def test_failed_compilation_leaves_no_image(tmp_path: Path) -> None:
    options = build.Options(name="tests/cli/broken")
    image = build.build("hmac", "native", options).image
    assert image.is_file()
    broken = tmp_path / "broken.c"
    broken.write_text("int x = undeclared;\n")
    with pytest.raises(CorralError, match="undeclared"):
        build.build("hmac", "native", build.Options(name=options.name, sources=(broken,)))
    assert not image.exists()


def test_file_that_cannot_be_read_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "drivers/acme/driver.json")

    monkeypatch.setattr(packages, "load_all", unreadable)
    (error,) = refused(["packages"], capsys)
    assert error.startswith("corral: error: drivers/acme/driver.json: Permission denied: see to")


def test_element_that_the_board_has_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = refused(["provision", "native", "--element", "SE9"], capsys)
    assert "SE0, SE1" in error


def test_lock_without_an_element_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = refused(["provision", "native", "--lock", "0123"], capsys)
    assert "--element" in error


def test_order_for_another_chip_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = refused(["provision", "native", "--element", "SE0", "--lock", "0123456789"], capsys)
    assert "--lock 0123456789: the chip of SE0 is 01" in error
    assert "nothing was written" in error


@pytest.mark.parametrize(
    "serial",
    ["", " ", "0123 45", "0123\nSE1 lock 45", "0123\r", "01\t23", "01\x1b[2J", "01\x7f", "é"],
)
def test_serial_number_that_is_no_word_is_refused_in_one_line(
    serial: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (error,) = refused(["provision", "native", "--element", "SE0", "--lock", serial], capsys)
    assert f"--lock {serial!a}: a serial number is one word of visible characters" in error


def test_element_without_a_name_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    (error,) = refused(["provision", "native", "--element", ""], capsys)
    assert "SE0, SE1" in error


def test_packages_names_origin_and_licence_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["packages"]) == 0
    text = capsys.readouterr().out
    for path in ROOT.glob("packages/*/package.toml"):
        assert f"\n{path.parent.name} " in text
    assert "BSD-2-Clause" in text
    assert "CORRAL_ACCEPT_MICROCHIP_LICENCE=1" in text


def test_drivers_lists_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["drivers"]) == 0
    text = capsys.readouterr().out
    drivers = [p.parent.name for p in ROOT.glob("drivers/*/driver.json")]
    assert not [name for name in drivers if name not in text]


def test_drivers_shows_one_and_guesses_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["drivers", "p256m"]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line[:1].strip()]
    assert len(heads) == 1 and heads[0].startswith("p256m: ")
    (error,) = refused(["drivers", "bearsl"], capsys)
    assert error.endswith("drivers/bearsl/driver.json: no such driver: did you mean bearssl?")


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "zoo", "native"],
        ["explain", "zoo", "mps2-an386", "--set", "CORRAL_DEFAULT_BY_COST=y"],
        ["drivers"],
        ["api"],
    ],
)
def test_lists_fit_a_terminal(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 20
    assert [line for line in lines if len(line) > 80] == []


def test_lists_are_there_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["drivers", "hace", "--json"]) == 0
    (driver,) = json.loads(capsys.readouterr().out)
    assert driver["name"] == "hace" and driver["requires"] == ["HAS_HACE"]
    assert {"hash_compute"} <= {row["entry_points"] for row in driver["rows"]}
    assert cli.main(["explain", "hmac", "native", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    rows = {row["mechanism"]: row for row in said["mechanisms"]}
    assert rows["HMAC_SHA_256"]["where"] == "local"
    assert "mac_multipart" in rows["HMAC_SHA_256"]["entry_points"]


def test_api_lists_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["api"]) == 0
    there, _, missing = capsys.readouterr().out.partition("not yet")
    assert "psa_sign_hash" in there.split() and "psa_sign_hash" not in missing.split()


def test_function_that_is_declared_and_not_defined_is_listed_as_absent(tmp_path: Path) -> None:
    for folder in ("include/psa", "core", "storage"):
        (tmp_path / folder).mkdir(parents=True)
    header = "psa_status_t psa_one(void);\npsa_status_t psa_two(void);\n"
    (tmp_path / "include" / "psa" / "crypto.h").write_text(header)
    (tmp_path / "core" / "one.c").write_text("psa_status_t psa_one(void)\n{\n    return 0;\n}\n")
    assert absent.functions(tmp_path) == (["psa_one"], ["psa_two"])


def test_arguments_of_test_are_given_to_pytest() -> None:
    words = ["--collect-only", "tests/tools/test_cli.py", "-k", "given_to_pytest"]
    done = subprocess.run(
        [str(ROOT / "corral"), "test", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "test_arguments_of_test_are_given_to_pytest" in done.stdout
    assert "no_command" not in done.stdout


def test_reader_that_has_seen_enough_causes_no_complaint() -> None:
    script = f"{shlex.quote(str(ROOT))}/corral drivers | head -n 1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout
    assert done.stderr == ""


def without_packages(*words: str) -> subprocess.CompletedProcess[str]:
    """The command line in a Python that has nothing but its own library."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    command = [sys.executable, "-S", "-m", "corral", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_help_and_version_need_no_package() -> None:
    done = without_packages("help", "build")
    assert done.returncode == 0 and "./corral build hmac mps2-an386" in done.stdout
    done = without_packages("--version")
    assert re.fullmatch(r"corral \d+\.\d+\.\d+\n", done.stdout)


def completed(*words: str) -> list[str]:
    """The completions that bash offers for the tab key after these words."""
    script = subprocess.run(
        [ROOT / "corral", "completion", "bash"], check=True, capture_output=True, text=True
    ).stdout
    script += 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_corral\n'
    script += 'echo "${COMPREPLY[@]}"; complete -p corral\n'
    command = ["bash", "-c", script, "bash", "./corral", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    offered, registered = done.stdout.splitlines()
    assert registered.endswith("-F _shtab_corral corral")
    return offered.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["bu"], ["build"]),
        (["build", "hm"], ["hmac"]),
        (
            ["run", "hmac", "mps2-an5"],
            ["mps2-an505", "mps2-an505-trustzone", "mps2-an505-trustzone-remote"],
        ),
        (["help", "pro"], ["provision"]),
        (["size", "hmac", "native", "--sym"], ["--symbols"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_shell_completes_commands_applications_boards_and_options(
    words: list[str], offered: list[str]
) -> None:
    assert completed(*words) == offered


@pytest.mark.parametrize("name", ["$(touch x)", "`touch x`", "two words", "a%b", "-odd"])
def test_name_that_a_shell_would_take_apart_is_not_offered(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for app in (name, "sound"):
        (tmp_path / "apps" / app).mkdir(parents=True)
        (tmp_path / "apps" / app / "app.config").touch()
    monkeypatch.setattr(arguments, "ROOT", tmp_path)
    for shell in ("bash", "zsh", "fish"):
        assert cli.main(["completion", shell]) == 0
        script = capsys.readouterr().out
        assert "sound" in script and name not in script
    with pytest.raises(SystemExit) as caught:
        cli.main(["build", "--help"])
    assert caught.value.code == 0
    assert "a folder of apps/: sound\n" in capsys.readouterr().out


def test_fish_completes_commands_and_applications() -> None:
    if areas.is_long():
        system.ensure([], {"fish": "fish"})
    if shutil.which("fish") is None:
        pytest.skip("no fish, which --long installs")
    script = f"{shlex.quote(str(ROOT / 'corral'))} completion fish | source; complete -C $argv"
    for words, offered in (("corral bu", "build"), ("corral build hm", "hmac")):
        command = ["fish", "--no-config", "-c", script, words]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stdout.partition("\t")[0] == offered


def test_zsh_gets_a_script_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", "zsh"]) == 0
    assert capsys.readouterr().out.startswith("#compdef corral\n")


def test_size_with_lto_is_that_of_what_menuconfig_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed: list[bool] = []

    def built(app: str, board: str, options: build.Options) -> build.Build:
        folder = build.folder_of(app, board, options.name)
        changed.append((folder / "user.config").exists())
        return build.Build(app, load_board(ROOT, board), folder, folder, uses_elements=False)

    def folder_of(_app: str, _board: str, name: str = "") -> Path:
        return tmp_path / (name or "plain")

    monkeypatch.setattr(build, "folder_of", folder_of)
    monkeypatch.setattr(build, "build", built)
    monkeypatch.setattr(size, "report", lambda *_: "")
    assert cli.main(["size", "hmac", "native", "--lto"]) == 0
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "user.config").touch()
    assert cli.main(["size", "hmac", "native", "--lto"]) == 0
    (tmp_path / "plain" / "user.config").unlink()
    assert cli.main(["size", "hmac", "native", "--lto"]) == 0
    assert changed == [False, False, True, True, False, False]


@pytest.mark.parametrize(
    ("words", "folders"),
    [
        ([], ["hmac-mps2-an385-plain", ""]),
        (["--no-lto"], ["hmac-mps2-an385-plain"]),
        (["--lto"], ["hmac-mps2-an385-plain", ""]),
    ],
)
def test_size_leaves_the_image_of_a_board_with_lto_as_it_is(
    words: list[str], folders: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, bool]] = []

    def built(app: str, board: str, options: build.Options) -> build.Build:
        asked.append((options.name, build.has_lto(load_board(ROOT, board), options)))
        folder = build.folder_of(app, board, options.name)
        return build.Build(app, load_board(ROOT, board), folder, folder, uses_elements=False)

    monkeypatch.setattr(build, "build", built)
    monkeypatch.setattr(size, "report", lambda *_: "")
    assert cli.main(["size", "hmac", "mps2-an385", *words]) == 0
    assert asked == [(name, not name) for name in folders]


def test_image_is_optimised_at_the_link_as_the_board_says_or_whoever_asks() -> None:
    board = load_board(ROOT, "native")
    without, has_it = (dataclasses.replace(board, lto=lto) for lto in (False, True))
    assert not build.has_lto(without, build.Options())
    assert build.has_lto(without, build.Options(lto=True, debug=True))
    assert build.has_lto(has_it, build.Options())
    assert not build.has_lto(has_it, build.Options(debug=True))
    assert not build.has_lto(has_it, build.Options(lto=False))


def test_who_is_alone_in_a_folder_may_say_so_again(tmp_path: Path) -> None:
    """A measurement holds a folder, and prepares chips, which takes the same lock again."""
    chips = tmp_path / "chips"
    with (tmp_path / ".chips.lock").open("w") as file:
        with progress.alone(chips), progress.alone(chips), pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Builds are in a folder here; a call raises an error if the folder is locked for others."""
    monkeypatch.setattr(build, "folder_of", lambda *_: tmp_path / "build")

    def look(*_: object) -> None:
        with (tmp_path / ".build.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    return look


def test_two_commands_do_not_configure_one_build_at_once(
    monkeypatch: pytest.MonkeyPatch, held: Callable[..., None]
) -> None:
    """One of them would read what the other has half written."""
    monkeypatch.setattr(api, "configure", held)
    with pytest.raises(BlockingIOError):
        build.prepare("hmac", "native", build.Options())


def test_explain_explains_what_it_has_settled(
    monkeypatch: pytest.MonkeyPatch, held: Callable[..., None]
) -> None:
    """And not what another command settles between the two."""
    monkeypatch.setattr(build, "prepare", lambda *_: None)
    monkeypatch.setattr(api, "explain", held)
    with pytest.raises(BlockingIOError):
        explain.run(argparse.Namespace(app="hmac", board="native"))
