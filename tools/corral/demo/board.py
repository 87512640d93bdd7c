# SPDX-License-Identifier: Apache-2.0
"""One board of ./corral demo: builds the zoo, makes its simulated chips ready, runs it.

A process of its own, so that boards go side by side: python -m corral.demo.board BOARD FOLDER
leaves in the folder what `Shown` reads.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corral import ROOT
from corral.build import image as build
from corral.common.progress import run_quietly
from corral.common.style import print_error
from corral.errors import CorralError, fail
from corral.generate import api
from corral.model.places import Places
from corral.run import program as run
from corral.run import provision

APP = "zoo"
CONSOLE = "console.log"
_RECORD = "run.json"
_RESULT = "corral-result "
_DONE = "corral-done "


@dataclass(frozen=True)
class Shown:
    """The output of the zoo on one board, and the drivers there."""

    results: list[dict[str, Any]]
    served: list[api.ExplainRow]


def show(board: str, folder: Path) -> Shown:
    """Have a process build and run the zoo for a board, on the file `input` above the folder."""
    module = [sys.executable, "-P", "-m", "corral.demo.board"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools"), "PYTHONUTF8": "1"}
    remedy = f"run only this part: ./corral run {APP} {board} --input FILE"
    run_quietly([*module, board, str(folder)], f"{APP} on {board}", remedy, env=environment)
    return read(folder)


def read(folder: Path) -> Shown:
    """The output of a run in its folder; an error unless the zoo finished."""
    where = f"{APP} on {folder.name}"
    log = folder / CONSOLE
    lines = log.read_text(encoding="utf-8").splitlines()
    record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    results = _parse(where, lines, _RESULT)
    ends = _parse(where, lines, _DONE)
    if len(ends) != 1 or ends[0]["results"] != len(results):
        last = "\n".join(line[:200] for line in lines[-8:])
        text = f"ended with status {record['status']} after {len(results)} results:\n{last}\n"
        raise fail(where, text, f"see {Places.of(ROOT).label(log)}")
    served = [{**row, "entry_points": tuple(row["entry_points"])} for row in record["served"]]
    return Shown(results, [api.ExplainRow(**row) for row in served])


def _parse(where: str, lines: Iterable[str], word: str) -> list[dict[str, Any]]:
    try:
        return [json.loads(line[len(word) :]) for line in lines if line.startswith(word)]
    except json.JSONDecodeError as error:
        raise fail(where, f"unreadable result: {error}", "run it with ./corral run") from error


def _run(board: str, folder: Path) -> None:
    """Build and run the zoo, with fresh virtual chips."""
    done = build.build(APP, board)
    chips = folder / "chips"
    provision.prepare_virtual_chips(board, chips)
    file = folder.parent / "input"
    finished = run.run(done, input_file=file, images=chips, capture=True, repeats=False)
    served = [asdict(row) for row in api.explain(ROOT, APP, board, done.folder)]
    (folder / CONSOLE).write_text(finished.stdout, encoding="utf-8")
    record = {"status": finished.returncode, "served": served}
    (folder / _RECORD).write_text(json.dumps(record), encoding="utf-8")


def main(words: list[str]) -> int:
    """The process: says on stderr what goes wrong, as ./corral does."""
    board, folder = words
    Path(folder).mkdir(parents=True, exist_ok=True)
    try:
        _run(board, Path(folder))
    except CorralError as error:
        for problem in error.problems:
            print_error(problem)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
