# SPDX-License-Identifier: Apache-2.0
"""./corral bench: measure, print, and keep the figures as data."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from corral import ROOT
from corral.commands.bench import CHOICE as BENCH_CHOICE
from corral.commands.bench import INSTRUCTIONS, PARTS
from corral.common import system
from corral.documents import write as documents
from corral.errors import CorralError, Problem, fail
from corral.model.port import debian_of_all

from corral_bench import (
    avr,
    baseline,
    boot,
    capabilities,
    deduplication,
    energy,
    families,
    fleet,
    growth,
    instructions,
    others,
    presets,
    report,
    sessions,
    signatures,
    storage,
    stored,
    throughput,
    tls,
    versions,
)
from corral_bench.cost import describe, measure
from corral_bench.record import LEAST, Scenario
from corral_bench.scenarios import CURVE, FAST, LTO, SCENARIOS

RESULTS = ROOT / "results" / "results.json"
SCHEMA = 1
#: All but "cost" and "curves".
OTHERS: dict[str, Callable[[], Any]] = {
    "families": families.measure_all,
    "growth": growth.measure_all,
    "deduplication": deduplication.measure,
    "storage": storage.measure,
    "throughput": throughput.measure_all,
    "stored": stored.measure_all,
    "tls": tls.measure_all,
    "presets": presets.measure_all,
    "boot": boot.measure_all,
    "fleet": fleet.measure_all,
    "signatures": signatures.measure_all,
    "sessions": sessions.measure_all,
}
#: Of these, the baseline keeps counts, and times and long measurements only on request for them.
KEPT = ("cost", "storage", "tls", "presets", "boot")
TIMED = ("throughput", "stored", "signatures", "sessions")


@dataclass(frozen=True)
class Wishes:
    """The options of a user of ./corral bench."""

    only: tuple[str, ...] = ()
    compare: bool = False
    fast: bool = False
    accept: str = ""


def bench(wishes: Wishes) -> int:
    """Measure what is wished for; the figures repeat exactly for one tree and one compiler."""
    system.ensure(["host"], debian_of_all(ROOT))
    known = (*PARTS, *BENCH_CHOICE)
    if unknown := set(wishes.only) - set(known):
        raise fail(f"--only {', '.join(unknown)}", "no such part", f"choose of {', '.join(known)}")
    if not set(BENCH_CHOICE).isdisjoint(wishes.only):
        return _choice(wishes)
    if wishes.accept:
        return _accept(wishes)
    if wishes.compare:
        return _against_baseline(wishes)
    data: dict[str, Any] = {}
    parts = wishes.only or PARTS
    if "cost" in parts:
        plain = [s for s in SCENARIOS if s.application != CURVE]
        data["cost"] = _measure_all([*plain, *LTO, *avr.SCENARIOS])
        data["comparison"] = others.comparison(data["cost"])
    if "curves" in parts:
        data["curves"] = _measure_all([s for s in SCENARIOS if s.application == CURVE])
    data |= _measure_others(parts)
    if "cost" in data:
        data["energy"] = energy.estimate(data["cost"])
    print(f"\n{report.text(data)}\n")
    data = _load_results() | data
    boards = sorted({result["board"] for result in data.get("cost", [])})
    data |= {"schema": SCHEMA, "made_with": versions.made_with(boards)}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(data, indent=2) + "\n")
    print(RESULTS.relative_to(ROOT))
    return 0 if _all_passed([*data.get("cost", []), *data.get("curves", [])]) else 1


def _measure_others(parts: Iterable[str]) -> dict[str, Any]:
    """The parts with one way of measuring, in the order of work."""
    return {part: measure() for part, measure in OTHERS.items() if part in parts}


def _choice(wishes: Wishes) -> int:
    """Measure what each mechanism takes with each driver, and keep that if it is accepted."""
    part, *others = sorted(set(wishes.only), key=lambda name: name not in BENCH_CHOICE)
    if others:
        what = f"--only {', '.join(others)} together with {part}"
        raise fail("bench", what, "ask for one after the other")
    if wishes.compare:
        raise fail("--compare", f"{part} have no baseline", "leave it out")
    measure = instructions.measure_all if part == INSTRUCTIONS else capabilities.measure_all
    problems = measure(bool(wishes.accept))
    print("\n".join(problems))
    return 1 if problems else 0


def _measure_all(scenarios: Sequence[Scenario]) -> list[dict[str, Any]]:
    """Measure, as many at a time as there are processors: counts do not mind company."""
    results = []
    with ProcessPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as workers:
        for measured in workers.map(_attempt, scenarios):
            if isinstance(measured, list):
                workers.shutdown(cancel_futures=True)
                raise CorralError(measured)
            results.append(measured)
            print(describe(measured), flush=True)
    return results


def _attempt(scenario: Scenario) -> dict[str, Any] | list[Problem]:
    """Measure in a process of its own, which says what went wrong in a form that travels."""
    try:
        return measure(scenario)
    except CorralError as error:
        return list(error.problems)


def _all_passed(results: Iterable[dict[str, Any]]) -> bool:
    failed = [r["scenario"] for r in results if r["exit_status"] not in (0, None)]
    for name in failed:
        print(f"{name}: the program ended with a failure")
    return not failed


def _watched(wishes: Wishes) -> list[Scenario]:
    if wishes.fast:
        return [s for s in SCENARIOS if s.name in FAST]
    smallest = [s for s in LTO if s.backend == LEAST]
    return [*(s for s in SCENARIOS if s.application != CURVE), *smallest, *avr.SCENARIOS]


def _accept(wishes: Wishes) -> int:
    """Keep what is measured now, and write the documents that show it."""
    parts = wishes.only or KEPT
    if further := set(parts) - {*KEPT, *TIMED}:
        what = f"--only {', '.join(further)}: nothing of it is kept"
        raise fail("--accept", what, f"choose of {', '.join((*KEPT, *TIMED))}")
    results = _measure_all(_watched(wishes)) if "cost" in parts else []
    if not _all_passed(results):
        return 1
    others = _measure_others(parts)
    if "throughput" in others:
        others["throughput"] = throughput.kept(others["throughput"])
    baseline.accept(results, wishes.accept, others)
    print(f"accepted in {baseline.FILE.relative_to(ROOT)}: {wishes.accept}")
    for name in documents.write(ROOT, observed=False):
        print(name)
    return 0


def _against_baseline(wishes: Wishes) -> int:
    results = _measure_all(_watched(wishes))
    if not _all_passed(results):
        return 1
    lines, grown = baseline.changes(baseline.load()["figures"], baseline.figures(results))
    print("\n".join(["", "changed since the baseline:", *(f"  {x}" for x in lines or ["nothing"])]))
    if grown:
        print(
            "\n".join(
                [
                    "",
                    f"the layer grew by more than {baseline.TOLERANCE:.0%}:",
                    *(f"  {line}" for line in grown),
                    'if it must: ./corral bench --accept "the reason"; commit bench/baseline.json',
                ]
            )
        )
    return 1 if grown else 0


def _load_results() -> dict[str, Any]:
    """Parts that are not measured this time stay as they were."""
    if RESULTS.is_file():
        data: dict[str, Any] = json.loads(RESULTS.read_text())
        if data.get("schema") == SCHEMA:
            return data
    return {}
