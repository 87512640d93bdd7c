# SPDX-License-Identifier: Apache-2.0
"""Settings of corral-fleet, its installation, and its reports to the operator."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from corral_server import SOURCES, Server
from reference import Device, Signer

_UNIT = SOURCES / "corral-fleet.service"


@pytest.fixture
def idle(binary: Path, tmp_path: Path) -> Server:
    """A store of one device, without a running server."""
    server = Server(binary, tmp_path / "fleet.sqlite")
    server.run("enrol", Device(Signer.p256()).name)
    return server


def _file(folder: Path, text: str) -> str:
    file = folder / "corral-fleet.toml"
    file.write_text(text)
    return str(file)


def _in_force(server: Server, *words: str) -> dict[str, tuple[Any, str]]:
    return {
        ".".join(filter(None, (row["command"], row["key"]))): (row["value"], row["from"])
        for row in server.rows(*words, "settings")
    }


def test_setting__of_the_environment_counts_before_the_file(
    idle: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _file(tmp_path, '[serve]\nrate = 7\nhttp-rate = 8\n[gateway]\nserver = "fleet:5683"\n')
    monkeypatch.setenv("CORRAL_FLEET_HTTP_RATE", "9")
    rows = _in_force(idle, "--config", file)
    assert rows["serve.rate"] == ("7", "file")
    assert rows["serve.http-rate"] == ("9", "environment")
    assert rows["serve.listen"] == ("[::]:5683", "default")
    assert rows["gateway.server"] == ("fleet:5683", "file")
    monkeypatch.setenv("CORRAL_FLEET_CONFIG", file)
    assert _in_force(idle)["serve.rate"] == ("7", "file")
    assert _in_force(idle, f"--config={_file(tmp_path, '')}")["serve.rate"] == ("2000", "default")


def test_serve__follows_the_file_unless_an_option_says_otherwise(
    binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "named-by-the-file.sqlite"
    text = f'store = "{store}"\n[serve]\nlisten = "[::1]:1"\nhttp = "127.0.0.1:0"\n'
    monkeypatch.setenv("CORRAL_FLEET_CONFIG", _file(tmp_path, text))
    with Server(binary, tmp_path / "option.sqlite").serving() as server:
        assert server.http.startswith("http://127.0.0.1:")
    assert not store.exists()
    subprocess.run([binary, "enrol", f"{1:032x}"], check=True, capture_output=True)
    assert store.exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[serve]\nlisten = 5683\n", 'listen: "5683"'),
        ("[serve]\nrate = -1\n", 'rate: "-1"'),
        ("[serve]\nhttp-plain = 1\n", "http-plain: is neither true nor false"),
        ("[serve]\nrate = [1]\n", "rate: is neither text"),
        ("[serve]\nrates = 1\n", "[serve] rates: there is no such setting"),
        ("[server]\nrate = 1\n", "[server] rate: there is no such setting"),
        ("rate = 1\n", "rate: there is no such setting"),
        ("[serve\n", "TOML parse error at line 1"),
    ],
)
def test_file__that_is_wrong__is_named_with_what_is_wrong(
    idle: Server, tmp_path: Path, text: str, complaint: str
) -> None:
    file = _file(tmp_path, text)
    said = idle.run("--config", file, "devices", status=1)
    assert f"{file}: " in said
    assert complaint in said


def test_file__that_is_absent__is_an_error(idle: Server, tmp_path: Path) -> None:
    assert "absent.toml" in idle.run("--config", str(tmp_path / "absent.toml"), "devices", status=1)


def test_settings__are_a_file_of_settings(idle: Server, tmp_path: Path) -> None:
    file = _file(tmp_path, '[serve]\nrate = 7\nhttp-plain = true\nhttp-key = "a \\"b\\".pem"\n')
    text = idle.run("--config", file, "settings")
    before = _in_force(idle, "--config", file)
    again = _file(tmp_path, text)
    assert _in_force(idle, "--config", again) == before
    assert before["serve.http-key"] == ('a "b".pem', "file")


def _unit() -> configparser.ConfigParser:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(_UNIT.read_text())
    return unit


def test_unit__starts_what_there_is(idle: Server, tmp_path: Path) -> None:
    service = _unit()["Service"]
    program, *words = service["ExecStart"].split()
    assert Path(program).name == idle.binary.name
    words[words.index("--config") + 1] = _file(tmp_path, "")
    assert "Usage" in idle.run(*words, "--help")
    name, _, _ = service["Environment"].partition("=")
    assert name in {row["environment"] for row in idle.rows("settings")}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd")
def test_unit__is_one_that_systemd_takes(idle: Server, tmp_path: Path) -> None:
    unit = tmp_path / _UNIT.name
    unit.write_text(_UNIT.read_text().replace("/usr/local/bin/corral-fleet", str(idle.binary)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in done.stderr.splitlines() if unit.name in line] == []
    assert done.returncode == 0, done.stderr


def test_doctor__finds_what_is_wrong_with_settings_and_files(
    idle: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.chmod(idle.store, 0o640)
    assert idle.rows("doctor") == []
    os.chmod(idle.store, 0o666)
    key = tmp_path / "a.key"
    key.write_text("no key")
    key.chmod(0o644)
    text = f'[serve]\nhttp = "[::]:1"\nhttp-certificate = "{tmp_path}/a.pem"\nhttp-key = "{key}"\n'
    file = _file(tmp_path, text)
    found = [row["finding"] for row in idle.rows("--config", file, "doctor", status=1)]
    for what in ("a.pem", "can be read by others", "nobody has a token", "can be written by"):
        assert any(what in finding for finding in found), what
    assert len(found) == 4
    os.chmod(idle.store, 0o640)
    monkeypatch.setenv("CORRAL_FLEET_RATE", "many")
    found = [row["finding"] for row in idle.rows("doctor", status=1)]
    assert len(found) == 1
    assert "'many'" in found[0] and "CORRAL_FLEET_RATE" in found[0]
    monkeypatch.delenv("CORRAL_FLEET_RATE")
    found = [
        row["finding"]
        for row in idle.rows(
            "--config", _file(tmp_path, '[serve]\nhttp = "[::]:1"\n'), "doctor", status=1
        )
    ]
    assert len(found) == 1
    assert "tokens could be read on the way" in found[0]
    monkeypatch.setenv("CORRAL_FLEET_MULTICAST", "lo,nowhere0")
    found = [row["finding"] for row in idle.rows("doctor", status=1)]
    assert len(found) == 1
    assert "nowhere0: No such device" in found[0]


def test_doctor__finds_a_clock_that_was_set_back(idle: Server) -> None:
    os.chmod(idle.store, 0o640)
    idle.alter("UPDATE log SET at = at + 3600000")
    found = [row["finding"] for row in idle.rows("doctor", status=1)]
    assert found == ["the newest entry is of the future: set this computer's clock"]


def test_every_command__answers_in_json(idle: Server, tmp_path: Path) -> None:
    name = f"{1:032x}"
    assert idle.rows("enrol", name) == [{"enrolled": 1, "revoked": []}]
    assert idle.rows("revoke", name) == [{"revoked": name}]
    assert idle.rows("backup", str(tmp_path / "copy")) == [{"copied": str(tmp_path / "copy")}]
    assert idle.rows("man", str(tmp_path)) == [{"written": str(tmp_path)}]


def test_manual__has_a_page_for_each_command(idle: Server, tmp_path: Path) -> None:
    idle.run("man", str(tmp_path))
    pages = {page.name: page.read_text() for page in tmp_path.glob("*.1")}
    for command in ("serve", "enrol", "token-add", "doctor"):
        assert f".TH corral-fleet-{command} 1" in pages[f"corral-fleet-{command}.1"]
    assert "CORRAL_FLEET_HTTP_KEY" in pages["corral-fleet-serve.1"]


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--rate", "+5"),
        ("serve", "--keep=+5"),
        ("readings", "--last", "+5"),
        ("export", "--since", "+5"),
        ("forget", "--older-than", "+5"),
        ("load", "--server", "127.0.0.1:5683", "--devices", "+5"),
    ],
)
def test_number__with_a_plus_sign__is_refused(server: Server, words: tuple[str, ...]) -> None:
    assert "write it without +" in server.run(*words, status=2)


def test_port__with_a_plus_sign__is_refused(server: Server) -> None:
    words = ("load", "--server", f"127.0.0.1:+{server.port}", "--devices", "1")
    assert "has no port of digits" in server.run(*words, status=1)
