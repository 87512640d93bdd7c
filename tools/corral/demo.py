# SPDX-License-Identifier: Apache-2.0
"""./corral demo: one application on two boards, with two secure elements, checked by OpenSSL."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corral import api, build, check, provision, run
from corral.build import ROOT
from corral.errors import fail
from corral.progress import step

BOARDS = ("native", "mps2-an386")
_RESULT = "corral-result "


def demo(file: Path | None) -> int:
    """Run everything on FILE; prints the table, returns 0 if every check passed."""
    source = (file or ROOT / "LICENSE").resolve()
    if not source.is_file():
        raise fail(str(file), "no such file", "name a file that exists, or none")
    folder = ROOT / "build" / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rows: list[Sequence[str]] = []
    bad = 0
    for board in BOARDS:
        results = _run_on(board, source, folder)
        served = _served_by(board)
        for result in results:
            verdict = check.check(result, source, folder / board)
            bad += verdict.failed
            rows.append(_row(board, result, served, verdict.text))
    _print(rows)
    print(f"\nartefacts and the openssl commands that check them: {folder.relative_to(ROOT)}/")
    print(f"results: {len(rows)}, of which failed: {bad}")
    return 1 if bad else 0


def _run_on(board: str, source: Path, folder: Path) -> list[dict[str, Any]]:
    """Build the zoo, prepare fresh virtual chips, run; returns what the application reported."""
    done = build.build("zoo", board)
    images = folder / board / "chips"
    provision.prepare_virtual_chips(board, images)
    with step(f"running zoo on {board}"):
        finished = run.run(done, input_file=source, images=images, capture=True)
    (folder / board / "console.log").write_text(finished.stdout)
    results = []
    for line in finished.stdout.splitlines():
        if line.startswith(_RESULT):
            try:
                results.append(json.loads(line[len(_RESULT) :]))
            except json.JSONDecodeError as error:
                raise fail(f"zoo on {board}", f"unreadable result: {error}", line[:200]) from error
    ends = [x for x in finished.stdout.splitlines() if x.startswith("corral-done ")]
    if finished.returncode != 0 or len(ends) != 1:
        tail = "\n".join(line[:200] for line in finished.stdout.splitlines()[-10:])
        raise fail(
            f"zoo on {board}",
            f"ended with status {finished.returncode} after {len(results)} results:\n{tail}\n",
            f"see {folder.relative_to(ROOT)}/{board}/console.log",
        )
    return results


def _served_by(board: str) -> dict[tuple[str, bool], str]:
    """(mechanism, is in memory) to the driver, from the bindings of the build."""
    served: dict[tuple[str, bool], str] = {}
    for row in api.explain(ROOT, "zoo", board, build.folder_of("zoo", board)):
        served.setdefault((row.mechanism, row.where == "local"), row.driver)
    return served


def _row(
    board: str, result: dict[str, Any], served: dict[tuple[str, bool], str], verdict: str
) -> Sequence[str]:
    is_local = result["location"] == "local"
    is_done = int(result["status"]) == 0
    where = "memory" if is_local else str(result["location"])
    driver = served.get((str(result["mechanism"]), is_local), "-")
    outcome = "ok" if is_done else ("not offered" if verdict == "-" else "failed")
    return (board, str(result["title"]), where, driver if is_done else "-", outcome, verdict)


def _print(rows: Sequence[Sequence[str]]) -> None:
    heads = ("board", "mechanism", "key location", "served by", "result", "checked by OpenSSL")
    table = [heads, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(heads))]
    sys.stderr.flush()
    print()
    for index, row in enumerate(table):
        print("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())
        if index == 0:
            print("  ".join("-" * w for w in widths))
