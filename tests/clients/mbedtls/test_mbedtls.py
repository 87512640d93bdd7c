# SPDX-License-Identifier: Apache-2.0
"""The TLS and X.509 layers of Mbed TLS 3.6 over this library, against OpenSSL.

See README.md beside this file for how they are put on top of it.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from corral import build as corral_build
from corral import packages, provision, system
from corral.chips import Channel, running
from corral.progress import alone
from harness.program import NATIVE, TESTS

# One library and one set of chips for all of them.
pytestmark = pytest.mark.xdist_group("mbedtls")

HERE = TESTS / "clients" / "mbedtls"
FOLDER = TESTS.parent / "build" / "tests" / "client-mbedtls"
WAIT = 30.0
PSK = bytes(range(1, 17)).hex()
OPENSSL = {"tls12": "-tls1_2", "tls13": "-tls1_3", "dtls12": "-dtls1_2"}
VERSION = {"tls12": "TLSv1.2", "tls13": "TLSv1.3", "dtls12": "DTLSv1.2"}


@dataclass(frozen=True)
class Row:
    """One connection: which end is Mbed TLS, and whose keys are what."""

    role: str
    protocol: str
    place: str  # of the key of Mbed TLS's end, or "psk"
    peer: str = "P-256"  # key of OpenSSL's end
    suite: str = ""  # that OpenSSL is held to

    def __str__(self) -> str:
        return "-".join(filter(None, (self.role, self.protocol, self.place, self.peer, self.suite)))


ROWS = [
    *(
        Row(role, protocol, place)
        for role in ("client", "server")
        for protocol in OPENSSL
        for place in ("software", "element", "builtin", "psk")
    ),
    *(
        Row(role, protocol, "software", "rsa")
        for role in ("client", "server")
        for protocol in OPENSSL
    ),
    Row("client", "tls12", "software", "P-384"),
    Row("server", "tls13", "software", "P-384"),
    Row("client", "tls12", "software", suite="ECDHE-ECDSA-AES128-CCM"),
    Row("client", "tls12", "software", suite="ECDHE-ECDSA-CHACHA20-POLY1305"),
    Row("server", "tls12", "software", suite="ECDHE-ECDSA-AES256-GCM-SHA384"),
    Row("server", "tls12", "software", suite="ECDHE-ECDSA-AES128-SHA256"),
]


def _run(*command: object) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]


@cache
def library() -> corral_build.Build:
    return corral_build.build(
        "../tests/clients/mbedtls/library",
        NATIVE,
        corral_build.Options(name="tests/client-mbedtls-library"),
    )


@cache
def program() -> Path:
    """One object of the library, with nothing but its own names to be seen, and the layers."""
    built = library()
    root = TESTS.parent
    includes = [built.folder / "gen", root / "include", root / "compat" / "mbedtls"]
    cmake = built.folder / "cmake"
    # What an earlier description has left beside them is not among these.
    commands = json.loads((cmake / "compile_commands.json").read_text())
    objects = [
        cmake / command["command"].partition(" -o ")[2].split()[0]
        for command in commands
        if Path(command["file"]).parent != HERE / "library"
    ]
    whole = FOLDER / "corral.o"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with alone(FOLDER):
        _run("ld", "-r", "-o", whole, *objects)
        _run("objcopy", "--localize-hidden", whole)
        _run(
            *("cmake", "-G", "Ninja", "-S", HERE / "tls", "-B", FOLDER),
            f"-DMBEDTLS={packages.ensure(root, 'mbedtls')}",
            f"-DCORRAL_INCLUDES={';'.join(map(str, includes))}",
            f"-DCORRAL_OBJECT={whole}",
        )
        _run("ninja", "-C", FOLDER)
    return FOLDER / "tls"


@pytest.fixture(scope="module")
def channel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Channel]:
    """The board's simulated elements, at work while the module's tests are."""
    images = tmp_path_factory.mktemp("chips")
    provision.prepare_virtual_chips(NATIVE, images)
    with running(library().board.elements, images, fifos=False) as channel:
        yield channel


@cache
def peer_certificate(kind: str) -> tuple[Path, Path]:
    """Key and certificate of OpenSSL's end."""
    key, certificate = FOLDER / f"{kind}.key", FOLDER / f"{kind}.pem"
    new = ["rsa:2048"] if kind == "rsa" else ["ec", "-pkeyopt", f"ec_paramgen_curve:{kind}"]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with alone(FOLDER):
        if not certificate.exists():
            _run(
                *("openssl", "req", "-x509", "-nodes", "-days", "3650", "-subj", "/CN=localhost"),
                *("-newkey", *new, "-keyout", key, "-out", certificate),
            )
    return key, certificate


#: Below those that a system gives to whoever connects, so that nobody else is given one meanwhile.
PORTS = itertools.count(20000 + os.getpid() % 500 * 20)


def free_port() -> str:
    for port in PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return str(port)
    raise AssertionError


def openssl_command(row: Row, port: str, trusted: Path) -> list[str]:
    key, certificate = peer_certificate(row.peer)
    words = ["-cipher", f"{row.suite or 'ALL'}:@SECLEVEL=0"] if row.protocol != "tls13" else []
    if row.role == "client":
        command = ["openssl", "s_server", "-accept", port, "-naccept", "1"]
    else:
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}"]
    if row.place == "psk":
        words += ["-psk", PSK, "-psk_identity", "corral"]
        words += ["-nocert", "-allow_no_dhe_kex"] if row.role == "client" else []
    else:
        words += ["-cert", str(certificate), "-key", str(key), "-CAfile", str(trusted)]
        words += ["-verify_return_error"]
        words += ["-Verify", "1"] if row.role == "client" else ["-verify", "1"]
    return [*command, OPENSSL[row.protocol], *words]


@contextmanager
def started(command: list[str], output: Path, **more: str) -> Iterator[subprocess.Popen[str]]:
    with (
        output.open("w") as file,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **more},
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def said(output: Path, words: str) -> bool:
    """Wait until a program says something."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if words in output.read_text(errors="replace"):
            return True
        time.sleep(0.02)
    return False


def tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line)
    process.stdin.flush()


def connect(row: Row, channel: Channel, folder: Path) -> str:
    """Both ends, until ours has ended; what ours said."""
    port, own = free_port(), folder / "own.pem"
    ours, theirs = folder / "ours.txt", folder / "theirs.txt"
    trusted = peer_certificate(row.peer)[1]
    command = [str(program()), row.role, row.protocol, port, row.place, str(own), str(trusted)]
    socket_name = {"CORRAL_SIM_SOCKET": str(channel.socket)}
    with started(command, ours, **socket_name) as mine:
        assert said(ours, "ready"), ours.read_text()
        with started(openssl_command(row, port, own), theirs) as other:
            if row.role == "client":
                assert said(theirs, "ACCEPT"), theirs.read_text()
                tell(mine, "\n")
                assert said(theirs, "ping"), f"{ours.read_text()}\n{theirs.read_text()}"
                tell(other, "pong\n")
            else:
                tell(other, "pong\n")
            status = mine.wait(WAIT)
            both = f"{ours.read_text()}\n{theirs.read_text(errors='replace')}"
            assert status == 0, both
            assert row.role == "client" or said(theirs, "ping"), both
    return ours.read_text()


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_connection(row: Row, channel: Channel, tmp_path: Path) -> None:
    system.ensure(["host"])
    output = connect(row, channel, tmp_path)
    assert f"{VERSION[row.protocol]} " in output
    assert "got pong" in output


def test_certificate_of_somebody_else__connection_is_refused(
    channel: Channel, tmp_path: Path
) -> None:
    """The checks above can fail: ours trusts one certificate, and the peer shows another."""
    row = Row("client", "tls13", "software")
    port, own, ours = free_port(), tmp_path / "own.pem", tmp_path / "ours.txt"
    other = peer_certificate("P-384")[1]
    command = [str(program()), "client", "tls13", port, "software", str(own), str(other)]
    with started(command, ours, CORRAL_SIM_SOCKET=str(channel.socket)) as mine:
        assert said(ours, "ready")
        theirs = tmp_path / "theirs.txt"
        with started(openssl_command(row, port, own), theirs):
            assert said(theirs, "ACCEPT")
            tell(mine, "\n")
            assert mine.wait(WAIT) == 1
    assert "the handshake: -0x2700" in ours.read_text()


def test_layers_bring_no_primitive() -> None:
    """What is asked of the library is the API; hashes, ciphers and curves are nowhere else."""
    objects = (FOLDER / "CMakeFiles" / "layers.dir").rglob("*.o")
    program()
    names = subprocess.run(
        ["nm", *map(str, objects)], capture_output=True, text=True, check=True
    ).stdout
    assert len(set(re.findall(r"\bpsa_\w+", names))) > 35
    primitives = r"mbedtls_(?:sha\d+|aes|gcm|ccm|ecp|ecdh|ctr_drbg|chacha20)_(?!info\b)\w+"
    assert re.findall(primitives, names) == []
