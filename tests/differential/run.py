# SPDX-License-Identifier: Apache-2.0
"""For hours: `.venv/bin/python tests/differential/run.py --seconds 7200 --seed 1`.

Without a seed one is drawn, and said. A difference is printed with the seed and the number of the
experiment; `--only NUMBER` repeats it.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "tools")]

from differential import experiments, programs  # noqa: E402
from differential.subject import DifferenceError  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--drivers", choices=programs.CONFIGURATIONS, default="default")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    arguments = parser.parse_args()
    image = programs.build(arguments.drivers)
    print(f"seed {arguments.seed}", flush=True)
    try:
        only = arguments.only
        numbers = experiments.until(arguments.seconds) if only is None else [only]
        made = experiments.explore(image, arguments.seed, numbers)
    except DifferenceError as problem:
        print(problem, file=sys.stderr)
        return 1
    for name, count in sorted(made.items()):
        print(f"{count:8} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
