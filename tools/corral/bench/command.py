# SPDX-License-Identifier: Apache-2.0
"""./corral bench: measure, print, and keep the figures as data."""

from __future__ import annotations

import json

from corral import system
from corral.bench.cost import BOARD, SCENARIOS, describe, measure
from corral.build import ROOT


def bench() -> int:
    """Measure every scenario; the figures repeat exactly for one tree and one compiler."""
    system.ensure(["host", "mps2"])
    results = []
    for scenario in SCENARIOS:
        result = measure(scenario)
        results.append(result)
        print(describe(result), flush=True)
    file = ROOT / "build" / "bench" / "cost.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"board": BOARD, "results": results}, indent=2) + "\n")
    print(f"as data: {file.relative_to(ROOT)}")
    return 0 if all(result["exit_status"] == 0 for result in results) else 1
