# SPDX-License-Identifier: Apache-2.0
"""Connections over TLS between a program under test and OpenSSL, or another program in its place.

The program under test is run as

    PROGRAM client|server tls12|tls13|dtls12 KEY OWN PEER [again]

with KEY, where its key is; OWN, a file in which it finds or leaves its certificate; PEER, the
certificates that it trusts. It says "ready", a server with its port behind it; a client then reads
a port from its standard input. Client and server exchange a line each. again: there is a second
connection that resumes the first.
"""

from __future__ import annotations

import atexit
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from corral.common.progress import alone

from harness.waiting import PATIENCE, until

PSK = bytes(range(1, 17)).hex()
OPENSSL = {"tls12": "-tls1_2", "tls13": "-tls1_3", "dtls12": "-dtls1_2"}
VERSION = {"tls12": "TLSv1.2", "tls13": "TLSv1.3", "dtls12": "DTLSv1.2"}


@dataclass(frozen=True)
class Row:
    """One connection: which end is under test, and whose keys are what."""

    role: str
    protocol: str
    key: str  # of the end under test, or "psk"
    peer: str = "P-256"  # key of OpenSSL's end
    suite: str = ""  # that OpenSSL is held to
    again: bool = False

    def __str__(self) -> str:
        words = (self.role, self.protocol, self.key, self.peer, self.suite)
        return "-".join(filter(None, (*words, "again" if self.again else "")))


def outside(name: str, **folders: Path) -> Path:
    """A folder outside of the tree, until the tests end, with copies of these by the
    names given: a build in it is like a user's."""
    made = Path(mkdtemp(prefix=f"{name}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    for place, folder in folders.items():
        shutil.copytree(folder, made / place, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return made


def run(*command: object) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


def certificate(folder: Path, kind: str) -> tuple[Path, Path]:
    """A key of this kind and a certificate that it signs for itself, made once."""
    key, made = folder / f"{kind}.key", folder / f"{kind}.pem"
    new = ["rsa:2048"] if kind == "rsa" else ["ec", "-pkeyopt", f"ec_paramgen_curve:{kind}"]
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        if not made.exists():
            run(
                *("openssl", "req", "-x509", "-nodes", "-days", "3650", "-subj", "/CN=localhost"),
                *("-newkey", *new, "-keyout", key, "-out", made),
            )
    return key, made


def openssl(row: Row, keys: Path, own: Path, port: str) -> list[str]:
    """OpenSSL's end, at a port of its own choice if it is the server; `own` is the
    certificate that it trusts."""
    key, made = certificate(keys, row.peer)
    words = ["-cipher", f"{row.suite or 'ALL'}:@SECLEVEL=0"] if row.protocol != "tls13" else []
    if row.role == "client":
        connections = "2" if row.again else "1"
        command = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", connections]
    else:
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}"]
    if row.key == "psk":
        words += ["-psk", PSK, "-psk_identity", "corral"]
        words += ["-nocert", "-allow_no_dhe_kex"] if row.role == "client" else []
    else:
        words += ["-cert", str(made), "-key", str(key), "-CAfile", str(own)]
        words += ["-verify_return_error"]
        words += ["-Verify", "2"] if row.role == "client" else ["-verify", "2"]
    return [*command, OPENSSL[row.protocol], *words]


@contextmanager
def started(
    command: list[str], output: Path, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    with (
        output.open("w") as file,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **(environment or {})},
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def said(
    output: Path, pattern: str, needed: subprocess.Popen[str], times: int = 1
) -> re.Match[str]:
    """Wait until a program says something, so many times; not after the end of one without which
    nothing is said any more."""

    def what() -> str:
        return f"{pattern} {times} times\n{all_of(output.parent)}"

    def found() -> re.Match[str] | None:
        is_over = needed.poll() is not None
        text = output.read_text(errors="replace")
        last = next(itertools.islice(re.finditer(pattern, text, re.M), times - 1, None), None)
        assert last or not is_over, what()
        return last

    matched = until(found, what)
    assert matched is not None
    return matched


def all_of(folder: Path) -> str:
    """The output of all programs."""
    texts = (file.read_text(errors="replace") for file in sorted(folder.glob("*.txt")))
    return "\n----\n".join(texts)


def tell(process: subprocess.Popen[str], line: str) -> None:
    """A program that has ended is judged by its output."""
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        os.write(process.stdin.fileno(), line.encode())  # nothing is left for the end to write


#: The command of the other end, which knows the port if it is the client.
Other = Callable[[str], list[str]]


@dataclass(frozen=True)
class Connection:
    program: Path
    row: Row
    folder: Path  # only of this connection: the logs of both ends
    own: Path
    trusted: Path
    environment: Mapping[str, str]

    def run(self, other: Other) -> str:
        """Both ends, until the one under test has ended well; returns its output."""
        ours = self.folder / "ours.txt"
        command = [str(self.program), self.row.role, self.row.protocol, self.row.key]
        command += [str(self.own), str(self.trusted), *(["again"] if self.row.again else [])]
        with started(command, ours, self.environment) as mine:
            if self.row.role == "client":
                self._serve(mine, other)
            else:
                self._call(mine, other)
            status = mine.wait(PATIENCE)
            assert status == 0, all_of(self.folder)
        return ours.read_text()

    def _serve(self, mine: subprocess.Popen[str], other: Other) -> None:
        theirs = self.folder / "theirs.txt"
        said(self.folder / "ours.txt", "^ready", mine)
        with started(other(""), theirs) as process:
            port = said(theirs, r"^ACCEPT \S+:(\d+)$", process)[1]
            tell(mine, f"{port}\n")
            for connection in range(2 if self.row.again else 1):
                said(theirs, "^ping", mine, connection + 1)
                tell(process, "pong\n")
            mine.wait(PATIENCE)

    def _call(self, mine: subprocess.Popen[str], other: Other) -> None:
        port = said(self.folder / "ours.txt", r"^ready (\d+)$", mine)[1]
        session = self.folder / "session"
        for connection in range(2 if self.row.again else 1):
            theirs = self.folder / f"theirs{connection}.txt"
            words = ["-sess_in" if connection else "-sess_out", str(session)]
            with started([*other(port), *(words if self.row.again else [])], theirs) as process:
                tell(process, "pong\n")
                said(theirs, "^ping", process)
                process.wait(PATIENCE)
