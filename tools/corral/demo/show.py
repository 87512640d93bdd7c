# SPDX-License-Identifier: Apache-2.0
"""./corral demo: one application over all kinds of backends, checked by OpenSSL."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.common import system
from corral.common.progress import alone, step
from corral.common.table import align
from corral.demo import check
from corral.demo.board import APP, Shown, show
from corral.errors import fail
from corral.generate import api
from corral.model.places import Places
from corral.packages import fetch as packages
from corral.run import needed

#: From the largest to the smallest, which is the slowest.
BOARDS = (
    "native",
    "mps2-an386-keyslots",
    "mps2-an505-trustzone",
    "riscv32-virt-pmp",
    "ast2600-evb",
    "microbit",
    "mega2560",
)
#: A demo of its own, because it needs two more programs of Debian.
GATEWAY = ("gateway",)
FOLDER = ROOT / "build" / "demo"
MAX_SIZE = 1 << 18  # an emulated console is slow
#: Entry points that do the work of each kind of result, the one that the zoo prefers first.
_WORK = {
    "hash": ("hash_multipart", "hash_compute"),
    "hash_at_once": ("hash_compute", "hash_multipart"),
    "hmac": ("mac_multipart", "mac_compute"),
    "cmac": ("mac_multipart", "mac_compute"),
    "cipher": ("cipher_multipart", "cipher_encrypt"),
    "ecdsa": ("sign_hash", "sign_message"),
    "eddsa": ("sign_message", "sign_hash"),
    "ecdh": ("key_agreement",),
    "none": ("get_random",),
}
_DONE = "done"
_NAME_WIDTH = 12  # of a board in the table; longer ones take two lines
_LEGEND = """\
a driver's name: it did the work, and OpenSSL agrees    (name): nothing to compare with
*: of the file's SHA-256, since it takes one piece      NO: failed, or OpenSSL disagrees
-: not supported there                                  empty: no such place"""


@dataclass(frozen=True)
class Row:
    """One mechanism with its key at one place of one board."""

    board: str
    mechanism: str
    place: str
    driver: str
    said: str
    verdict: check.Verdict
    is_of_digest: bool = False

    @property
    def passed(self) -> bool:
        return self.verdict.text == check.PASSED


def demo(file: Path | None, boards: Sequence[str] = BOARDS, folder: Path = FOLDER) -> int:
    """Run everything on FILE; prints the table, returns 0 if every check passed."""
    source = (file or ROOT / "LICENSE").resolve()
    if not source.is_file():
        raise fail(str(file), "no such file", "name a file that exists, or none")
    if source.stat().st_size > MAX_SIZE:
        raise fail(str(file), f"larger than {MAX_SIZE} bytes", "take a smaller file")
    with alone(folder):
        return _demo(source, boards, folder)


def _demo(source: Path, boards: Sequence[str], folder: Path) -> int:
    _fetch(boards)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copyfile(source, folder / "input")
    folders = [folder / api.load_board(ROOT, board).name for board in boards]
    many = f"{len(boards)} boards" if len(boards) > 1 else boards[0]
    with step(f"building and running {APP} on {many}"), ThreadPoolExecutor(os.cpu_count()) as pool:
        # The slowest first, and two threads in turn would wait for it at the end.
        shown = list(pool.map(show, reversed(boards), reversed(folders)))[::-1]
    names = _status_names()
    rows = [row for of, said in zip(folders, shown, strict=True) for row in _check(of, said, names)]
    _print(rows)
    bad = [row for row in rows if row.verdict.failed]
    for row in bad:
        print(f"{row.board}: {row.mechanism}, {row.place}: {row.verdict.text}")
    passed = sum(row.passed for row in rows)
    label = Places.of(ROOT).label(folder)
    print(f"\n{source.name}: {len(rows)} results, {passed} checked by OpenSSL, {len(bad)} wrong")
    print(f"artefacts, and a {check.SCRIPT} with the openssl commands beside each: {label}/")
    print(f"once more, all of them:  for c in {label}/*/*/*/{check.SCRIPT}; do sh $c; done")
    return 1 if bad else 0


def _fetch(boards: Sequence[str]) -> None:
    """Install and fetch what is missing: boards that are built side by side cannot."""
    system.ensure(["openssl", "host"], needed.by_boards(boards))
    for board in boards:
        folder = build.folder_of(APP, board)
        if not any((folder / image).is_file() for image in (APP, f"{APP}.elf")):
            packages.ensure_for(ROOT, build.prepare(APP, board, build.Options()))


def _check(folder: Path, shown: Shown, names: dict[int, str]) -> list[Row]:
    """All checks of one board's run."""
    rows = []
    for result in shown.results:
        place, title = str(result["location"]), str(result["title"])
        status = names.get(result["status"], str(result["status"]))
        server, said, verdict = "-", _DONE, check.Verdict("-")
        if status == "PSA_SUCCESS":
            server = _server(shown.served, result)
            name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
            verdict = check.check(result, folder / place / name, "../../../input")
        else:
            said = f"{status.removeprefix('PSA_ERROR_').lower().replace('_', ' ')}"
            if status != "PSA_ERROR_NOT_SUPPORTED":
                step_of = f"{result.get('step', '')} failed: {said}"
                verdict = check.Verdict(f"NO: {step_of}", failed=True)
        rows.append(Row(folder.name, title, place, server, said, verdict, "message" in result))
    return rows


def _server(rows: Iterable[api.ExplainRow], result: dict[str, Any]) -> str:
    """The driver of a result's mechanism at the location of its key."""
    here = [
        row
        for row in rows
        if row.mechanism == result["mechanism"] and result["location"] in row.where.split(", ")
    ]
    for work in _WORK.get(result["check"], ()):
        for row in here:
            if work in row.entry_points:
                return row.driver
    return here[0].driver if here else "-"


def _status_names() -> dict[int, str]:
    """The specification's names of the statuses, from its headers."""
    pattern = re.compile(
        r"#define\s+(PSA_(?:SUCCESS|ERROR_\w+))\s+CORRAL_CAST\(psa_status_t, (-?\d+)\)"
    )
    text = "".join(p.read_text() for p in sorted((ROOT / "include" / "psa").glob("*.h")))
    return {int(number): name for name, number in pattern.findall(text)}


def _cell(row: Row) -> str:
    if row.verdict.failed:
        return "NO"
    if row.said != _DONE:
        return "-"
    name = f"{row.driver}*" if row.is_of_digest else row.driver
    return name if row.passed else f"({name})"


def _head(board: str) -> tuple[str, str]:
    """A board's name in two lines, if it is long."""
    if len(board) <= _NAME_WIDTH or "-" not in board:
        return "", board
    begin, _, end = board.rpartition("-")
    return f"{begin}-", end


def _print(rows: Sequence[Row]) -> None:
    """A row for each mechanism at each place, a column for each board; of one board, its places."""
    boards = list(dict.fromkeys(row.board for row in rows))
    table = _by_board(rows, boards) if len(boards) > 1 else _by_place(rows)
    heads = 2 if len(boards) > 1 else 1
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    table.insert(heads, ["-" * width for width in widths])
    sys.stderr.flush()
    print()
    print(align(table, left=range(len(widths))))
    print(f"\n{_LEGEND}")


def _by_board(rows: Sequence[Row], boards: Sequence[str]) -> list[Sequence[str]]:
    cells = {(row.mechanism, row.place, row.board): _cell(row) for row in rows}
    above, heads = zip(*map(_head, boards), strict=True)
    table: list[Sequence[str]] = [("", "", *above), ("mechanism", "key in", *heads)]
    for mechanism, place in dict.fromkeys((row.mechanism, row.place) for row in rows):
        table.append((mechanism, place, *(cells.get((mechanism, place, b), "") for b in boards)))
    return table


def _by_place(rows: Sequence[Row]) -> list[Sequence[str]]:
    cells = {(row.mechanism, row.place): _cell(row) for row in rows}
    places = list(dict.fromkeys(row.place for row in rows))
    table: list[Sequence[str]] = [("mechanism, key in", *places)]
    for mechanism in dict.fromkeys(row.mechanism for row in rows):
        table.append((mechanism, *(cells.get((mechanism, place), "") for place in places)))
    return table
