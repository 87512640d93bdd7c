# SPDX-License-Identifier: Apache-2.0
"""Every board inherits one suite: the promises of the board and its port. No test names a board.

Boards along the search path, too: ./corral test --board DIR runs this for one of one's own.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

import pytest
from corral import ROOT
from corral.build import image as build
from corral.demo import show as demo
from corral.generate import api
from corral.model.board import Board
from corral.model.places import Places
from corral.model.port import load_port
from corral.run import program as run
from corral.run.chips import running
from harness import waiting

BOARDS = Places.of(ROOT).names("boards")
APP = "../tests/boards/promises"
#: Each promise, and the symbols of which a board needs one to make it.
PROMISES = {
    "start-up": (),
    "init": (),
    "entropy": ("HAS_ENTROPY",),
    "random": ("HAS_ENTROPY",),
    "storage": ("HAS_FLASH", "HAS_FILES"),
    "power cuts": ("HAS_FLASH",),
}
#: Claims that do not concern the application of a board with a wall.
BEHIND_A_WALL = ("entropy", "power cuts")
#: Where the zoo has no room: applications that compare what they compute with known answers.
APPLICATIONS = {"hmac": (), "aes-cbc": ("HAS_ENTROPY",), "ecdsa": ("HAS_ENTROPY",)}
ZOO_KILOBYTES = 64
STATUS = 7
#: tests/tools/test_demo.py runs the zoo there.
DEMONSTRATED = (*demo.BOARDS, *demo.GATEWAY)
#: Seconds that the program waits (tests/boards/promises), and how often is looked whether it said
#: something.
DELAY, GLANCE = 0.3, 0.01


def has(board: Board, symbols: tuple[str, ...]) -> bool:
    return not symbols or any(board.capabilities.get(symbol, False) for symbol in symbols)


def has_clock(board: Board) -> bool:
    """Whether time passes as here: a simulator of ours has a time of its own."""
    return has(board, ("HAS_I2C",)) and not board.simulator


def has_ram(board: Board, kilobytes: int) -> bool:
    """A PC, or a board whose linker script gives it this much RAM."""
    if not board.toolchain.prefix:
        return True
    script = (board.folder / board.linker_script).read_text() if board.linker_script else ""
    found = re.search(r"(?m)^\s*RAM\b.*LENGTH\s*=\s*(\d+)([KM])", script)
    return found is not None and int(found[1]) * {"K": 1, "M": 1024}[found[2]] >= kilobytes


def takes_zoo(board: Board) -> bool:
    """A board that can generate keys, has enough memory, and can give the application a file."""
    is_given = not board.toolchain.prefix or any("{input}" in word for word in board.run)
    return has(board, ("HAS_ENTROPY",)) and has_ram(board, ZOO_KILOBYTES) and is_given


def boards() -> dict[str, Board]:
    return {name: api.load_board(ROOT, name) for name in BOARDS}


def cases(claims: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Each board with each of its claims; a board claims only the features it has."""
    return [
        (name, claim)
        for name, board in boards().items()
        for claim, symbols in claims.items()
        if has(board, symbols) and not (board.wall and claim in BEHIND_A_WALL)
    ]


@dataclass(frozen=True)
class Line:
    """A printed line, with the earliest and the latest time: the reader is sometimes late."""

    text: str
    after: float
    before: float


def heard(output: IO[bytes], begun: float) -> Iterator[Line]:
    """Lines until the end, of a program that said nothing before `begun`."""
    left, silent = b"", begun
    while True:
        now = time.monotonic()
        if not select.select([output], [], [], GLANCE)[0]:
            silent = now
            continue
        came = os.read(output.fileno(), 4096)
        *lines, left = (left + came).split(b"\n")
        if not came and left:
            lines.append(left)
        for line in lines:
            yield Line(line.decode(errors="replace"), silent, time.monotonic())
        if not came:
            return


def timed(done: build.Build, scratch: Path) -> tuple[int, list[Line]]:
    """Run a program. Returns its status, and its lines with their times."""
    is_emulated = bool(done.board.toolchain.prefix)
    with running((), scratch, is_emulated) as channel:
        command = run.command_of(done, channel, None, repeats=False)
        begun = time.monotonic()
        with subprocess.Popen(
            waiting.limited(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            limit = threading.Timer(waiting.SHARED * waiting.PROCESSOR, process.kill)
            limit.start()
            lines = list(heard(process.stdout, begun))
            limit.cancel()
    return process.returncode, lines


@cache
def promises_of(name: str) -> tuple[int, list[Line]]:
    board = api.load_board(ROOT, name)
    flash, storage, entropy = (
        has(board, PROMISES[promise]) for promise in ("power cuts", "storage", "entropy")
    )
    settings = {"PSA_WANT_GENERATE_RANDOM": "y"} if entropy else {}
    settings |= {"CORRAL_STORAGE": "y"} if storage else {}
    settings |= {"CORRAL_STORAGE_IN_FLASH": "y"} if flash else {}
    flash, raw = (there and board.wall is None for there in (flash, entropy))
    defines = [("RANDOM", entropy), ("ENTROPY", raw), ("STORAGE", storage), ("FLASH", flash)]
    defines += [("STATUS", STATUS), ("DELAY", has_clock(board))]
    wrapped = "corral_port_flash_write", "corral_port_flash_erase"
    options = build.Options(
        settings=settings,
        defines=tuple(f"BOARD_{word}={value:d}" for word, value in defines),
        link_flags=tuple(f"-Wl,--wrap={function}" for function in wrapped) if flash else (),
        app_flags=("-fno-lto",) if board.lto and flash else (),  # or nothing is wrapped
        name=f"tests/promises-{name}",
        together="core and glue",
    )
    done = build.build(APP, name, options)
    assert board.run, f"{board.label}: [run] command is missing"
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRAL_FLASH", str(Path(scratch, "flash")))
        patch.setenv("CORRAL_STORAGE", str(Path(scratch, "entries")))
        return timed(done, Path(scratch))


@pytest.mark.parametrize("name", Places.of(ROOT).names("ports"))
def test_port_includes_headers_of_folders_that_it_names(name: str) -> None:
    port = load_port(ROOT, name)
    folders = {folder.resolve() for folder in (port.folder, *port.shared)}
    for path in sorted(path for folder in folders for path in folder.glob("*.[ch]")):
        for header in re.findall(r'#include "([^"]+)"', path.read_text(encoding="utf-8")):
            target = (path.parent / header).resolve()
            is_of_ports = path.parent.parent in target.parents and target.is_file()
            assert target.parent in folders or not is_of_ports, f"{path}: {header}"


@pytest.mark.parametrize(("name", "promise"), cases(PROMISES))
def test_promise_is_kept(name: str, promise: str) -> None:
    lines = [line.text for line in promises_of(name)[1]]
    assert f"{promise}: pass" in lines, "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "_claim"), [(name, "clock") for name, board in boards().items() if has_clock(board)]
)
def test_delay_is_as_long_as_it_was_asked_for(name: str, _claim: str) -> None:
    lines = {line.text: line for line in promises_of(name)[1]}
    longest = lines["delay ends"].before - lines["delay begins"].after
    assert longest > DELAY


@pytest.mark.parametrize(("name", "_claim"), cases({"status": ()}))
def test_status_of_main_is_that_of_the_run(name: str, _claim: str) -> None:
    assert promises_of(name)[0] == STATUS


@pytest.mark.parametrize(
    ("name", "_app"),
    [(n, "zoo") for n, board in boards().items() if takes_zoo(board) and n not in DEMONSTRATED],
)
def test_zoo_is_right_as_openssl_sees_it(name: str, _app: str) -> None:
    folder = build.folder_of("zoo", name, f"tests/zoo-{name}")
    assert demo.demo(None, (name,), folder) == 0


@pytest.mark.parametrize(
    ("name", "app"), [(n, app) for n, app in cases(APPLICATIONS) if not takes_zoo(boards()[n])]
)
def test_application_passes(name: str, app: str) -> None:
    options = build.Options(name=f"tests/{app}-{name}", together="core and glue")
    result = run.run(build.build(app, name, options), capture=True, repeats=False)
    assert (result.returncode, result.stdout) == (0, f"{app}: pass\n")
