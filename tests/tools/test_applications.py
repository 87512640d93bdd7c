# SPDX-License-Identifier: Apache-2.0
"""Applications of one's own: which of their files are compiled, and how they are run."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from corral import ROOT, cli
from corral.build import image as build
from corral.errors import CorralError
from corral.model.app import load_beside, load_defines
from corral.run import program as run
from harness import waiting

MAIN = """\
#include <corral/board.h>

#include "parts.h"

int main(void)
{
    corral_board_print(is_constructed() && of_a_subfolder() == 7 ? "all there\\n" : "no\\n");
    return 0;
}
"""
PARTS = """\
#ifdef __cplusplus
extern "C" {
#endif
int is_constructed(void);
int of_a_subfolder(void);
#ifdef __cplusplus
}
#endif
"""
CXX = """\
#include <psa/crypto.h>

#include "parts.h"

namespace {
struct Part {
    int value;
    Part() : value(psa_crypto_init() == PSA_SUCCESS ? 42 : 1) {}
    ~Part() { value = 0; }
};
Part of_the_program;
}

int is_constructed(void)
{
    static Part of_the_function;
    return of_the_program.value == 42 && of_the_function.value == 42;
}
"""
OVERFLOW = """\
int main(int argc, char **argv)
{
    volatile char bytes[4] = {0};
    (void)argv;
    return bytes[argc + 4];
}
"""


class App:
    """An application outside the tree."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("app.config", (ROOT / "apps" / "hmac" / "app.config").read_text())

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, board: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        name = os.path.relpath(self.folder, ROOT / "apps")
        return subprocess.run(
            [sys.executable, "-m", "corral", "run", name, board, *words],
            env={**os.environ, "PYTHONPATH": str(ROOT / "tools"), **environment},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def app(tmp_path: Path) -> App:
    return App(tmp_path / "mine")


@pytest.mark.parametrize("board", ["native", "mps2-an386", "mega2560"])
def test_cxx_and_subfolders_belong_to_an_application(app: App, board: str) -> None:
    app.write("main.c", MAIN)
    app.write("parts.h", PARTS)
    app.write("constructed.cpp", CXX)
    app.write("a/b/sub.c", '#include "parts.h"\nint of_a_subfolder(void) { return 7; }\n')
    app.write("other/app.config", "")
    app.write("other/main.c", "#error another application\n")
    app.write(".hidden/old.c", "#error no part of it\n")
    done = app.run(board)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "all there\n"


def test_sanitizer_looks_at_a_run(app: App) -> None:
    app.write("main.c", OVERFLOW)
    assert "AddressSanitizer" not in app.run("native").stderr
    done = app.run("native", "--sanitize", "address")
    assert done.returncode != 0
    assert "AddressSanitizer: stack-buffer-overflow" in done.stderr


def test_debugger_runs_a_program_of_this_computer(app: App, tmp_path: Path) -> None:
    shutil.copy(ROOT / "apps" / "hmac" / "main.c", app.folder)
    gdb = tmp_path / "gdb"
    gdb.write_text('#!/bin/sh\necho "$@"\nshift 2\nexec "$@"\n')
    gdb.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = app.run("native", "--debug", "--", "word", PATH=path)
    assert done.returncode == 0, done.stderr
    asked, said = done.stdout.splitlines()
    assert asked.startswith("-q --args /") and asked.endswith("/image word")
    assert said == "hmac: pass"


def _says(address: tuple[str, int], packet: bytes) -> bytes:
    """A stub's answer to a packet, up to the checksum; then the program is ended."""
    with socket.create_connection(address, timeout=waiting.PATIENCE) as stub:
        stub.sendall(packet)
        said = b""
        while not re.search(rb"#..", said):
            came = stub.recv(100)
            assert came, said
            said += came
        stub.sendall(b"$k#6b")
        return said


def test_emulator_waits_for_a_debugger() -> None:
    build.build("hmac", "mps2-an386", build.Options(debug=True))
    command = [ROOT / "corral", "run", "hmac", "mps2-an386", "--debug"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    assert process.stderr is not None
    told = (re.search(r"target remote localhost:(\d+)", line) for line in process.stderr)
    port = int(next(filter(None, told))[1])

    def says() -> bytes:
        assert process.poll() is None
        with contextlib.suppress(ConnectionRefusedError):
            return _says(("localhost", port), b"$?#3f")
        return b""

    said = waiting.until(says, "there is no stub")
    output, _ = process.communicate(timeout=waiting.PATIENCE)
    assert b"$T05" in said  # stopped
    assert "hmac: pass" not in output


def test_emulator_waits_for_a_debugger_where_no_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for family, kind, _, _, address in socket.getaddrinfo("localhost", 0, type=socket.SOCK_STREAM):
        with socket.socket(family, kind) as other:
            other.bind(address)
            other.listen()
            taken = other.getsockname()[1]
            monkeypatch.setattr(run, "_GDB_PORTS", range(taken, taken + 9))
            run._debugger_address.cache_clear()
            port = int(run._debugger_address().rpartition(":")[2])
        run._debugger_address.cache_clear()
        assert taken < port < taken + 9


@pytest.mark.parametrize("code", [errno.EAFNOSUPPORT, errno.EPERM])
def test_debugger_has_an_address_on_a_machine_without_such_sockets(
    monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, "not here")

    monkeypatch.setattr(socket, "socket", refuse)
    run._debugger_address.cache_clear()
    assert run._debugger_address() == f"localhost:{run._GDB_PORTS[0]}"
    run._debugger_address.cache_clear()


def test_board_without_a_stub_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "hmac", "mega2560", "--debug"]) == 2
    assert "boards/mega2560/board.toml: run.debug: " in capsys.readouterr().err


def test_links_to_folders_are_not_followed(app: App, tmp_path: Path) -> None:
    shutil.copy(ROOT / "apps" / "hmac" / "main.c", app.folder)
    (app.folder / "round").symlink_to(app.folder)
    assert app.run("native").stdout == "hmac: pass\n"


def _beside(folder: Path, port: str, words: str, more: str = "") -> list[str]:
    """The files that an app.toml with these words adds, for a port."""
    (folder / "app.toml").write_text(f"with = [{words}]\n{more}")
    parts = load_beside(ROOT, folder, port)
    return [path.relative_to(ROOT).as_posix() for part in parts for path in part.sources]


def test_folders_beside__are_compiled_with_what_they_have_for_the_port(tmp_path: Path) -> None:
    found = _beside(tmp_path, "posix", '"fleet/device"')
    assert "fleet/device/coap.c" in found
    assert [name for name in found if "/ports/" in name] == ["fleet/device/ports/posix/udp.c"]
    found = _beside(tmp_path, "mps2", '"fleet/device"')
    of_ports = [name.removeprefix("fleet/device/ports/") for name in found if "/ports/" in name]
    assert of_ports == ["mps2/serial.c", "uart/serial.c"]
    assert _beside(tmp_path, "posix", "") == []


@pytest.mark.parametrize(
    ("port", "words", "message"),
    [
        ("posix", '"fleet/nothing"', '"fleet/nothing" is no folder of the tree'),
        ("posix", '"../etc"', '"../etc" is no folder of the tree'),
        ("nrf51", '"fleet/device"', '"fleet/device" has nothing for boards with port nrf51'),
    ],
)
def test_folders_beside__that_are_not_there__are_errors(
    tmp_path: Path, port: str, words: str, message: str
) -> None:
    with pytest.raises(CorralError, match=message.replace(".", r"\.")):
        _beside(tmp_path, port, words)


def test_folders_beside__with_another_one_for_the_port__have_that_alone(tmp_path: Path) -> None:
    words, chosen = '"apps/sensor", "fleet/device"', '[ports]\nmps2 = "lwip"\n'
    found = _beside(tmp_path, "mps2", words, chosen)
    assert "apps/sensor/main.c" in found
    of_ports = [name for name in found if "/ports/" in name]
    assert [name.removeprefix("fleet/device/ports/lwip/") for name in of_ports] == [
        "lan9118.c",
        "udp.c",
    ]
    sensor, device = load_beside(ROOT, tmp_path, "mps2")
    assert [package.name for package in device.packages] == ["lwip"]
    assert sensor.packages == ()
    found = _beside(tmp_path, "posix", words, chosen)
    assert [name for name in found if "/ports/" in name] == ["fleet/device/ports/posix/udp.c"]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ('mps3 = "lwip"', '"mps3" is no port'),
        ('mps2 = "lvip"', 'no folder of "with" has ports/lvip'),
        ("mps2 = 1", "1 is not a string"),
    ],
)
def test_another_one_for_a_port__that_is_not_there__is_an_error(
    tmp_path: Path, chosen: str, message: str
) -> None:
    with pytest.raises(CorralError, match=message):
        _beside(tmp_path, "mps2", '"fleet/device"', f"[ports]\n{chosen}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[packages.lvip]", "packages.lvip: no such package"),
        ("[packages.lwip]\nsource = []", "packages.lwip.source: unknown key"),
        ("[package.lwip]", "part.toml: package: unknown key"),
    ],
)
def test_part__with_what_is_no_package__is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, message: str
) -> None:
    part = tmp_path / "line" / "ports" / "mps2"
    part.mkdir(parents=True)
    (part / "part.toml").write_text(text)
    monkeypatch.setenv("CORRAL_PATH", str(tmp_path))
    with pytest.raises(CorralError, match=message):
        _beside(tmp_path, "mps2", '"line"')


def test_defines__are_those_of_the_ports_boards(tmp_path: Path) -> None:
    (tmp_path / "app.toml").write_text('[defines.posix]\nA = 1\nB = "two"\n[defines.mps2]\nA = 3\n')
    assert load_defines(ROOT, tmp_path, "posix") == ("A=1", "B=two")
    assert load_defines(ROOT, tmp_path, "mps2") == ("A=3",)
    assert load_defines(ROOT, tmp_path, "avr") == ()
    assert load_defines(ROOT, tmp_path / "none", "posix") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[defines.pocix]\nA = 1", '"pocix" is no port'),
        ("[defines.posix]\n1A = 1", '"1A" is no C identifier'),
        ("[defines.posix]\nA = true", "a string or an integer"),
        ("[defines]\nposix = 1", "table"),
        ("defined = 1", "defined"),
    ],
)
def test_defines__of_no_port_or_no_macro__are_errors(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "app.toml").write_text(text)
    with pytest.raises(CorralError, match=message):
        load_defines(ROOT, tmp_path, "posix")
