# SPDX-License-Identifier: Apache-2.0
"""./corral fleet demo: three devices, the refused messages, and the files that remain."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import subprocess
from pathlib import Path

import pytest
from aiocoap.numbers.codes import CONTENT, GET
from client import Peer
from corral import ROOT, cli
from corral.build import image as corral_build
from corral.common import loopback
from corral.fleet import demo, devices
from corral.fleet import server as serving
from corral.fleet.wire import Wire, address_of
from harness.program import WITHOUT_ELEMENTS

#: The process as the other tests here have it.
PROCESS = corral_build.Options(
    settings=WITHOUT_ELEMENTS, sanitize="address,undefined", name="tests/fleet-sensor"
)


@pytest.fixture
def is_compiled(binary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo runs the server of the other tests, since compiling another takes minutes."""
    monkeypatch.setattr(serving, "binary", lambda: binary)


def test_demo__compiles_its_server() -> None:
    assert os.access(serving.binary(), os.X_OK)


#: Instead of cargo: says where it works, and on what.
CARGO = """\
#!/bin/sh
echo "$PWD: $@" >> "{log}"
"""


def test_build__compiles_the_server_for_use_and_prints_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cargo").write_text(CARGO.format(log=tmp_path / "log"))
    (tmp_path / "cargo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert cli.main(["fleet", "build"]) == 0
    assert (tmp_path / "log").read_text() == (
        f"{ROOT / 'fleet' / 'server'}: build --locked --profile=release\n"
    )
    program = str(ROOT / "build" / "fleet" / "target" / "release" / "corral-fleet")
    assert capsys.readouterr().out == f"{program}\n"
    assert cli.main(["fleet", "build", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"program": program}


def test_built_server__is_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fleet", "build"]) == 0
    words = [capsys.readouterr().out.strip(), "--version"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert said.startswith("corral-fleet ")


@pytest.mark.usefixtures("is_compiled")
def test_demo__shows_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.demo(is_json=True, process=PROCESS) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [row["processor"].split()[0] for row in figures["devices"]] == [
        "Linux",
        "Cortex-M4",
        "ATmega2560",
    ]
    assert [row["readings"] for row in figures["devices"]] == [5, 4, 5]
    assert figures["accepted"] == 14 == figures["verified"]["readings"]
    assert figures["refused"] == {
        "a reading sent once more": "replayed",
        "a reading with another value": "bad signature of low bits",
        "a device without an owner here": "not enrolled",
        "it, under its new identity": "not enrolled",
    }
    assert figures["altered"]["faults"] == ["bad signature"]
    process, emulated, on_line = figures["devices"]
    assert process["gateway"] == emulated["gateway"] == {}
    assert on_line["gateway"]["up"] > on_line["readings"]
    assert on_line["gateway"]["malformed"] == on_line["gateway"]["lost"] == 0


@pytest.mark.parametrize("has_ipv6", [True, False])
def test_network_of_the_demo__carries_messages_with_and_without_ipv6(
    binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_ipv6: bool
) -> None:
    """Containers often have no IPv6."""
    if has_ipv6 and not loopback.has_ipv6():
        pytest.skip("this machine has no IPv6")
    monkeypatch.setattr(loopback, "has_ipv6", lambda: has_ipv6)
    server = serving.Server(binary, tmp_path / "fleet.sqlite")
    with server.serving():
        between = Wire(server.address)
        with between.passing():
            host, port = address_of(between.address)
            assert host == ("::1" if has_ipv6 else "127.0.0.1")
            _, of_guests = address_of(between.address_for_guests)
            for peer in (Peer(port, host=host), Peer(of_guests)):
                with peer:
                    assert peer.request(GET, ".well-known", "core").code == CONTENT


def test_ipv6_that_is_switched_off__is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class WithoutSix(socket.socket):
        def bind(self, address: object, /) -> None:
            raise OSError(errno.EADDRNOTAVAIL, str(address))

    monkeypatch.setattr(loopback.socket, "socket", WithoutSix)
    monkeypatch.setattr(loopback, "has_ipv6", loopback.has_ipv6.__wrapped__)
    assert (loopback.host(), loopback.at(5)) == ("127.0.0.1", "127.0.0.1:5")
    assert loopback.family() == socket.AF_INET


def _children() -> set[str]:
    found: set[str] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that ended meanwhile
            found |= set(task.read_text().split())
    return found


@pytest.mark.usefixtures("is_compiled")
def test_demo__interrupted_leaves_nothing_running(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Interrupted while all devices, a gateway, chips and the server run."""
    before, running = _children(), set()

    def interrupt(_life: object) -> list[str]:
        running.update(_children() - before)
        raise KeyboardInterrupt

    monkeypatch.setattr(devices._Life, "end", interrupt)
    monkeypatch.setattr(demo, "scratch_folder", lambda: tmp_path)
    with pytest.raises(KeyboardInterrupt):
        demo.demo(is_json=True, process=PROCESS)
    assert len(running) >= 6
    assert _children() == before
    assert os.listdir(tmp_path) == []
