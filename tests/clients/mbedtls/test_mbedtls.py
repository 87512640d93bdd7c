# SPDX-License-Identifier: Apache-2.0
"""The TLS and X.509 layers of Mbed TLS 3.6 over this library, against OpenSSL.

See README.md beside this file for how they are put on top of it.
"""

from __future__ import annotations

import re
import socket
from functools import cache, partial
from pathlib import Path

import pytest
from corral import ROOT
from corral.common import system
from corral.common.progress import alone
from corral.packages import fetch as packages
from corral.run.chips import Channel
from harness import tls, waiting
from harness.program import TESTS
from harness.tls import Connection, Row

# One library and one set of chips for all of them.
pytestmark = pytest.mark.xdist_group("mbedtls")

KEYS = ROOT / "build" / "tests" / "client-mbedtls" / "keys"

ROWS = [
    *(
        Row(role, protocol, key)
        for role in ("client", "server")
        for protocol in tls.OPENSSL
        for key in ("software", "element", "builtin", "psk")
    ),
    *(
        Row(role, protocol, "software", "rsa")
        for role in ("client", "server")
        for protocol in tls.OPENSSL
    ),
    *(
        Row(role, protocol, "rsa", "rsa")
        for role in ("client", "server")
        for protocol in ("tls12", "tls13")
    ),
    *(
        Row(role, protocol, "software", again=True)
        for role in ("client", "server")
        for protocol in ("tls12", "tls13")
    ),
    Row("client", "tls12", "software", "P-384"),
    Row("server", "tls13", "software", "P-384"),
    Row("client", "tls12", "software", suite="ECDHE-ECDSA-AES128-CCM"),
    Row("client", "tls12", "software", suite="ECDHE-ECDSA-CHACHA20-POLY1305"),
    Row("server", "tls12", "software", suite="ECDHE-ECDSA-AES256-GCM-SHA384"),
    Row("server", "tls12", "software", suite="ECDHE-ECDSA-AES128-SHA256"),
]


@cache
def programs() -> Path:
    """The folder with all programs, outside of the tree. Threads are looked at in each of them."""
    system.ensure(["host"])
    mine = tls.outside("mbedtls", clients=TESTS / "clients", example=ROOT / "examples" / "tls")
    here, project = mine / "clients" / "mbedtls" / "tls", mine / "made"
    tls.run(
        *("cmake", "-G", "Ninja", "-S", here, "-B", project, f"-DEXAMPLE={mine / 'example'}"),
        *(f"-DCORRAL={ROOT}", f"-DMBEDTLS={packages.ensure(ROOT, 'mbedtls')}"),
        f"-DCRYPTO_CONFIG={here / 'crypto.config'}",
        *("-DCMAKE_C_FLAGS=-fsanitize=thread -g1", "-DCMAKE_BUILD_TYPE=MinSizeRel"),
    )
    tls.run("ninja", "-C", project)
    return project


def environment(channel: Channel) -> dict[str, str]:
    return {"CORRAL_SIM_SOCKET": str(channel.socket), "TSAN_OPTIONS": "exitcode=66"}


@cache
def chain() -> Path:
    """An RSA key, and three certificates: its own, an intermediate one, and the root's."""
    folder = KEYS / "chain"
    folder.mkdir(parents=True, exist_ok=True)
    own = folder / "own.pem"
    with alone(KEYS):
        if own.exists():
            return own
        for name in ("root", "middle", "leaf"):
            tls.run("openssl", "genrsa", "-out", folder / f"{name}.key", "2048")
        authority = folder / "authority.cnf"
        authority.write_text("basicConstraints=critical,CA:TRUE\n")
        new = ("openssl", "req", "-new", "-key")
        tls.run(*new, folder / "root.key", "-x509", "-subj", "/CN=root", "-out", folder / "root")
        for name, issuer in (("middle", "root"), ("leaf", "middle")):
            common = "localhost" if name == "leaf" else name
            tls.run(*new, folder / f"{name}.key", "-subj", f"/CN={common}", "-out", folder / "new")
            tls.run(
                *("openssl", "x509", "-req", "-in", folder / "new", "-days", "3650"),
                *("-CA", folder / issuer, "-CAkey", folder / f"{issuer}.key", "-CAcreateserial"),
                *(["-extfile", authority] if name == "middle" else []),
                *("-out", folder / name),
            )
        tls.run(
            *("openssl", "rsa", "-traditional", "-outform", "DER"),
            *("-in", folder / "leaf.key", "-out", f"{own}.der"),
        )
        texts = [(folder / name).read_text() for name in ("leaf", "middle")]
        own.write_text("".join(texts))
    return own


def connect(row: Row, channel: Channel, folder: Path) -> str:
    is_chain = row.key == "rsa"
    own = chain() if is_chain else folder / "own.pem"
    trusted = tls.certificate(KEYS, row.peer)[1]
    connection = Connection(programs() / "tls", row, folder, own, trusted, environment(channel))
    theirs_trust = own.parent / "root" if is_chain else own
    return connection.run(partial(tls.openssl, row, KEYS, theirs_trust))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_connection(row: Row, channel: Channel, tmp_path: Path) -> None:
    output = connect(row, channel, tmp_path)
    times = 2 if row.again else 1
    assert output.count(f"{tls.VERSION[row.protocol]} ") == times, output
    assert output.count("got pong") == times, output
    if row.key != "psk":
        assert ("Reused" in tls.all_of(tmp_path)) is row.again


@pytest.mark.parametrize("role", ["client", "server"])
def test_password_with_the_crypto_of_mbedtls_at_the_other_end(
    role: str, channel: Channel, tmp_path: Path
) -> None:
    row = Row(role, "tls12", "password")
    nothing = tmp_path / "nothing"
    program = programs() / "tls"
    connection = Connection(program, row, tmp_path, nothing, nothing, environment(channel))
    stock = str(programs() / "stock")
    output = connection.run(lambda port: [stock, "client", port] if port else [stock, "server"])
    assert "TLSv1.2 TLS-ECJPAKE-WITH-AES-128-CCM-8" in output
    assert "got pong" in output


def test_eight_threads_of_handshakes(channel: Channel) -> None:
    """Under ThreadSanitizer, as all programs here are."""
    race = programs() / "race"
    assert b"__tsan_init" in race.read_bytes()
    done = waiting.run(
        [race],
        capture_output=True,
        text=True,
        env=environment(channel),
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-6000:]}"
    assert done.stdout == "16 handshakes\n"


def test_example_of_a_client(tmp_path: Path) -> None:
    """By the commands of docs/START.md."""
    key, trusted = tls.certificate(KEYS, "P-256")
    ours, theirs = tmp_path / "ours.txt", tmp_path / "theirs.txt"
    server = ["openssl", "s_server", "-accept", "0", "-naccept", "1", "-tls1_3", "-rev"]
    server += ["-Verify", "1", "-cert", str(trusted), "-key", str(key)]
    with tls.started(server, theirs) as other:
        port = tls.said(theirs, r"^ACCEPT \S+:(\d+)$", other)[1]
        command = [str(ROOT / "corral"), "chips", "native", str(programs() / "example" / "client")]
        command += [port, str(tmp_path / "own.pem"), str(trusted)]
        with tls.started(command, ours) as process:
            assert process.wait(waiting.PATIENCE) == 0, tls.all_of(tmp_path)
    assert re.search(r"^TLS1-3-\S+: gnip$", ours.read_text(), re.M)
    # A self-signed certificate proves no name; its signature verifies with its own key.
    assert "Peer certificate: CN = localhost" in theirs.read_text()


def test_example_of_a_server(channel: Channel, tmp_path: Path) -> None:
    key, trusted = tls.certificate(KEYS, "P-256")
    own, ours, theirs = tmp_path / "own.pem", tmp_path / "ours.txt", tmp_path / "theirs.txt"
    with socket.socket() as reserved:
        # No other process gets the port meanwhile, and the server may listen at it.
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        port = str(reserved.getsockname()[1])
        server = [str(programs() / "example" / "server"), port, str(own), str(trusted)]
        with tls.started(server, ours, environment(channel)) as process:
            tls.said(ours, "^listening", process)
            client = ["openssl", "s_client", "-connect", f"localhost:{port}", "-tls1_3"]
            client += ["-cert", str(trusted), "-key", str(key), "-CAfile", str(own)]
            with tls.started([*client, "-verify_return_error"], theirs) as other:
                tls.tell(other, "ping\n")
                tls.said(theirs, "pong", other)
            assert process.wait(waiting.PATIENCE) == 0, tls.all_of(tmp_path)
    assert re.search(r"^TLS1-3-\S+: ping$", ours.read_text(), re.M)


def test_certificate_of_somebody_else__connection_is_refused(
    channel: Channel, tmp_path: Path
) -> None:
    """The checks above can fail: ours trusts one certificate, and the peer shows another."""
    row = Row("client", "tls13", "software")
    own, other = tmp_path / "own.pem", tls.certificate(KEYS, "P-384")[1]
    connection = Connection(programs() / "tls", row, tmp_path, own, other, environment(channel))
    with pytest.raises(AssertionError, match="the handshake: -0x2700"):
        connection.run(partial(tls.openssl, row, KEYS, own))


def test_layers_bring_no_primitive() -> None:
    """The layers call only the API of the library, and hold no hash, cipher or curve of their
    own."""
    names = tls.run("nm", programs() / "example" / "libmbedtls.a")
    assert len(set(re.findall(r"\bpsa_\w+", names))) > 35
    primitives = r"mbedtls_(?:sha\d+|aes|gcm|ccm|ecp|ecdh|ctr_drbg|chacha20)_(?!info\b)\w+"
    assert re.findall(primitives, names) == []
