# SPDX-License-Identifier: Apache-2.0
"""./corral demo: one application on two boards, with two secure elements, checked by OpenSSL."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corral import api, build, check, provision, run, system
from corral.build import ROOT
from corral.errors import fail
from corral.model.places import Places
from corral.progress import alone, step

BOARDS = ("native", "mps2-an386")
FOLDER = ROOT / "build" / "demo"
MAX_SIZE = 1 << 18  # an emulated console is slow
_RESULT = "corral-result "
_DONE = "corral-done "
#: Entry points that do the work of each kind of result, the one that the zoo prefers first.
_WORK = {
    "hash": ("hash_multipart", "hash_compute"),
    "hmac": ("mac_multipart", "mac_compute"),
    "cmac": ("mac_multipart", "mac_compute"),
    "cipher": ("cipher_multipart", "cipher_encrypt"),
    "ecdsa": ("sign_hash", "sign_message"),
    "eddsa": ("sign_message", "sign_hash"),
    "ecdh": ("key_agreement",),
    "none": ("get_random",),
}
_HEADS = ("board", "mechanism", "key location", "served by", "result", "checked by OpenSSL")


def demo(file: Path | None, boards: Sequence[str] = BOARDS, folder: Path = FOLDER) -> int:
    """Run everything on FILE; prints the table, returns 0 if every check passed."""
    source = (file or ROOT / "LICENSE").resolve()
    if not source.is_file():
        raise fail(str(file), "no such file", "name a file that exists, or none")
    if source.stat().st_size > MAX_SIZE:
        raise fail(str(file), f"larger than {MAX_SIZE} bytes", "take a smaller file")
    system.ensure(["openssl"])
    with alone(folder):
        return _demo(source, boards, folder)


def _demo(source: Path, boards: Sequence[str], folder: Path) -> int:
    builds = [build.build("zoo", board) for board in boards]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copyfile(source, folder / "input")
    names = _status_names()
    rows: list[Sequence[str]] = []
    bad = 0
    runs = [_Run(board, done, folder) for board, done in zip(boards, builds, strict=True)]
    for one in runs:
        provision.prepare_virtual_chips(one.word, one.folder / "chips")
    with step(f"running zoo on {' and '.join(boards)}"), ThreadPoolExecutor() as pool:
        consoles = list(pool.map(_run, runs))
    for one, console in zip(runs, consoles, strict=True):
        rows_of_board, bad_of_board = _check(one, console, names)
        rows += rows_of_board
        bad += bad_of_board
    _print(rows)
    shown = Places.of(ROOT).label(folder)
    passed = sum(row[-1] == check.PASSED for row in rows)
    print(f"\n{source.name}: {len(rows)} results, {passed} of them checked by OpenSSL, {bad} wrong")
    print(f"artefacts, and a {check.SCRIPT} with the openssl commands beside each: {shown}/")
    print(f"once more, all of them:  for c in {shown}/*/*/*/{check.SCRIPT}; do sh $c; done")
    return 1 if bad else 0


@dataclass(frozen=True)
class _Run:
    """The zoo on one board."""

    word: str  # by which the board is found
    build: build.Build
    above: Path  # where the input is, and a folder for each board

    @property
    def name(self) -> str:
        return self.build.board.name

    @property
    def folder(self) -> Path:
        return self.above / self.name


def _run(one: _Run) -> subprocess.CompletedProcess[str]:
    """Run the zoo with fresh virtual chips."""
    file = one.above / "input"
    return run.run(
        one.build, input_file=file, images=one.folder / "chips", capture=True, repeats=False
    )


def _check(
    one: _Run, finished: subprocess.CompletedProcess[str], names: dict[int, str]
) -> tuple[list[Sequence[str]], int]:
    """All checks of one board's run: rows of the table, and how many are wrong."""
    results = _results(one, finished)
    explained = api.explain(ROOT, "zoo", one.word, one.build.folder)
    rows: list[Sequence[str]] = []
    bad = 0
    for result in results:
        place, title = str(result["location"]), str(result["title"])
        title += " of SHA-256" if "message" in result else ""
        status = names.get(result["status"], str(result["status"]))
        server, said, verdict = "-", "done", check.Verdict("-")
        if status == "PSA_SUCCESS":
            server = _server(explained, result)
            name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
            verdict = check.check(result, one.folder / place / name, "../../../input")
        else:
            said = f"{status.removeprefix('PSA_ERROR_').lower().replace('_', ' ')}"
            if status != "PSA_ERROR_NOT_SUPPORTED":
                verdict = check.Verdict(f"NO: {result.get('step', '')} failed", failed=True)
        bad += verdict.failed
        rows.append((one.name, title, place, server, said, verdict.text))
    return rows, bad


def _results(one: _Run, finished: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """What a run reported; all that it printed is kept."""
    one.folder.mkdir(exist_ok=True)
    (one.folder / "console.log").write_text(finished.stdout)
    where = f"zoo on {one.name}"
    log = Places.of(ROOT).label(one.folder / "console.log")
    results = _parse(where, finished.stdout.splitlines(), _RESULT)
    ends = _parse(where, finished.stdout.splitlines(), _DONE)
    if len(ends) != 1 or ends[0]["results"] != len(results):
        last = "\n".join(line[:200] for line in finished.stdout.splitlines()[-8:])
        text = f"ended with status {finished.returncode} after {len(results)} results:\n{last}\n"
        raise fail(where, text, f"see {log}")
    return results


def _parse(where: str, lines: Iterable[str], word: str) -> list[dict[str, Any]]:
    try:
        return [json.loads(line[len(word) :]) for line in lines if line.startswith(word)]
    except json.JSONDecodeError as error:
        raise fail(where, f"unreadable result: {error}", "run it with ./corral run") from error


def _server(rows: Iterable[api.ExplainRow], result: dict[str, Any]) -> str:
    """The driver that serves a result's mechanism where its key is."""
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


def _print(rows: Sequence[Sequence[str]]) -> None:
    table = [_HEADS, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(_HEADS))]
    sys.stderr.flush()
    print()
    for index, row in enumerate(table):
        print("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())
        if index == 0:
            print("  ".join("-" * w for w in widths))
