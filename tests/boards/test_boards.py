# SPDX-License-Identifier: Apache-2.0
"""Every board inherits one suite: what it and its port promise. Nothing here names a board.

Boards along the search path, too: ./corral test --board DIR runs this for one of one's own.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pytest
from corral import api, build, run
from corral.model.board import Board
from corral.model.places import Places

BOARDS = Places.of(build.ROOT).names("boards")
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
#: Applications that compare what they compute with what others published, and their needs.
APPLICATIONS = {"hmac": (), "aes-cbc": ("HAS_ENTROPY",), "ecdsa": ("HAS_ENTROPY",)}
STATUS = 7


def has(board: Board, symbols: tuple[str, ...]) -> bool:
    return not symbols or any(board.capabilities.get(symbol, False) for symbol in symbols)


def cases(claims: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Boards with what they claim; what a board has not got, it does not claim."""
    boards = {name: api.load_board(build.ROOT, name) for name in BOARDS}
    return [(n, claim) for n, b in boards.items() for claim in claims if has(b, claims[claim])]


def outcome(name: str, app: str, options: build.Options) -> tuple[int, str]:
    """How a program ends on a board, with storage of its own, and what it prints."""
    done = build.build(app, name, options)
    assert done.board.run, f"{done.board.label}: [run] command is missing"
    with tempfile.TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORRAL_FLASH", str(Path(scratch, "flash")))
        patch.setenv("CORRAL_STORAGE", str(Path(scratch, "entries")))
        finished = run.run(done, images=Path(scratch), capture=True)
    return finished.returncode, finished.stdout


@cache
def promises_of(name: str) -> tuple[int, list[str]]:
    board = api.load_board(build.ROOT, name)
    flash, storage, entropy = (
        has(board, PROMISES[promise]) for promise in ("power cuts", "storage", "entropy")
    )
    settings = {"PSA_WANT_GENERATE_RANDOM": "y"} if entropy else {}
    settings |= {"CORRAL_STORAGE": "y"} if storage else {}
    settings |= {"CORRAL_STORAGE_IN_FLASH": "y"} if flash else {}
    defines = [("ENTROPY", entropy), ("STORAGE", storage), ("FLASH", flash), ("STATUS", STATUS)]
    wrapped = "corral_port_flash_write", "corral_port_flash_erase"
    options = build.Options(
        settings=settings,
        defines=tuple(f"BOARD_{word}={value:d}" for word, value in defines),
        link_flags=tuple(f"-Wl,--wrap={function}" for function in wrapped) if flash else (),
        name=f"tests/promises-{name}",
    )
    status, said = outcome(name, APP, options)
    return status, said.splitlines()


@pytest.mark.parametrize(("name", "promise"), cases(PROMISES))
def test_promise_is_kept(name: str, promise: str) -> None:
    _, lines = promises_of(name)
    assert f"{promise}: pass" in lines, "\n".join(lines)


@pytest.mark.parametrize(("name", "_claim"), cases({"status": ()}))
def test_status_of_main_is_that_of_the_run(name: str, _claim: str) -> None:
    assert promises_of(name)[0] == STATUS


@pytest.mark.parametrize(("name", "app"), cases(APPLICATIONS))
def test_application_passes(name: str, app: str) -> None:
    status, said = outcome(name, app, build.Options())
    assert (status, said) == (0, f"{app}: pass\n")
