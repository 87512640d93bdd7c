# SPDX-License-Identifier: Apache-2.0
"""Output to a terminal, to a pipe and to a file."""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
from pathlib import Path

import pytest
from corral import ROOT, cli, commands
from corral.common import progress, style
from corral.common.table import listing

ROWS = [("name", "licence", "state"), ("first", "one and another", "fetched when it is needed")]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, columns: int = 72) -> Terminal:
    """Standard output and standard error of this test: a terminal with colours."""
    result = Terminal()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, result)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return result


def test_terminal_has_red_errors_yellow_warnings_and_bold_heads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = on_terminal(monkeypatch)
    assert cli.main(["quux"]) == 2
    style.print_warning("a key is in memory")
    print(listing(ROWS)[0].splitlines()[0])
    error, warning, head = terminal.getvalue().splitlines()
    assert error.startswith("\x1b[31mcorral: error:\x1b[0m quux: ")
    assert warning == "\x1b[33mcorral: warning:\x1b[0m a key is in memory"
    assert head.startswith("\x1b[1mname ") and head.endswith("\x1b[0m")


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_terminal_without_colours_gets_none(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv(name, value)
    assert cli.main(["quux"]) == 2
    assert cli.main(["api"]) == 0
    assert "\x1b" not in terminal.getvalue()


def test_pipe_gets_neither_colours_nor_rows_of_several_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    print("\n".join(listing(ROWS)))
    assert cli.main(["quux"]) == 2
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "name   licence          state",
        "-----  ---------------  -------------------------",
        "first  one and another  fetched when it is needed",
    ]
    assert "\x1b" not in said.out + said.err


@pytest.mark.parametrize("words", [["packages"], ["drivers"], ["api"]])
def test_lists_fit_the_terminal(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli.main(words) == 0
    widths = [len(line) for line in terminal.getvalue().splitlines()]
    # Notes of packages are sentences, which a terminal wraps by itself.
    assert len(widths) > 20 and 60 < max(widths[:20]) <= 72


def test_cells_of_a_table_that_is_too_wide_take_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch, 40)
    monkeypatch.setenv("NO_COLOR", "1")
    assert listing(ROWS) == [
        "name   licence          state",
        "-----  ---------------  ---------------",
        "first  one and another  fetched when it\n                        is needed",
    ]


def test_step_shows_how_much_ninja_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = on_terminal(monkeypatch)
    now = 100.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    ninja = tmp_path / "ninja"
    ninja.write_text('#!/bin/sh\necho "[$1/9] Building"\necho oops >&2\nexit $2\n')
    ninja.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with progress.step("building") as shown:
        assert progress.ninja(["1", "0"]).returncode == 0
        now = 108.0
        done = progress.ninja(["3", "7"])
        assert shown.time() == "8 s, 3 of 9, about 24 s left"
        assert progress.ninja(["9", "0"]).returncode == 0
        assert shown.time() == "8 s"
    assert (done.returncode, done.stdout) == (7, "[3/9] Building\noops\n")
    assert terminal.getvalue().splitlines()[-1].rstrip() == "  building ... 8.0 s"


def test_line_of_a_step_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    with progress.step("building " + "x" * 90):
        pass
    assert max(map(len, terminal.getvalue().replace("\n", "\r").split("\r"))) == 71


def test_packages_and_functions_are_there_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["packages", "--json"]) == 0
    packages = {row["package"]: row for row in json.loads(capsys.readouterr().out)}
    assert packages["bearssl"]["licence"] == "MIT"
    assert cli.main(["api", "--json"]) == 0
    assert "psa_sign_hash" in json.loads(capsys.readouterr().out)["present"]


def test_sizes_are_there_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["size", "hmac", "mps2-an386", "--symbols", "3", "--json"]) == 0
    sizes = json.loads(capsys.readouterr().out)
    assert (sizes["app"], sizes["board"]) == ("hmac", "mps2-an386")
    assert len(sizes["symbols"]) == len(sizes["frames"]) == 3
    rom = sizes["rom"]
    assert rom["core"] > 0 and rom["backend"] > 0
    assert sum(rom.values()) > sum(row["bytes"] for row in sizes["symbols"]) > 0


#: The test of each command that takes --json: its output is JSON and nothing else.
JSON_TESTED = {
    "api": "tools/test_terminal.py",
    "drivers": "tools/test_cli.py",
    "explain": "tools/test_cli.py",
    "fleet": "fleet/test_demonstration.py",
    "packages": "tools/test_terminal.py",
    "size": "tools/test_terminal.py",
}


def test_json_of_each_command_is_read_by_a_test() -> None:
    having = set()
    for name, command in commands.load().items():
        parser = argparse.ArgumentParser(prog=name)
        command.add(parser)
        if "--json" in parser.format_help():
            having.add(name)
    assert having == set(JSON_TESTED)
    for name, path in JSON_TESTED.items():
        text = (ROOT / "tests" / path).read_text()
        assert re.search(rf'cli\.main\(\["{name}", [^]]*"--json"\]\)|{name} --json', text), name
