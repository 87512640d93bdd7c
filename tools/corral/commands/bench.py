# SPDX-License-Identifier: Apache-2.0
"""The command bench."""

from __future__ import annotations

import argparse
import sys

from corral import ROOT
from corral.arguments import Suggestions

ABOUT = "measure what the layer costs"
EXAMPLE = "bench --only cost"
ORDER = 220
#: Parts of ./corral bench by default, in the order of work, and parts that are measured
#: only by name. Imported here, because the measurements need libraries that are missing
#: when only help is printed.
PARTS = (
    "cost",
    "curves",
    "families",
    "growth",
    "deduplication",
    "storage",
    "throughput",
    "stored",
    "tls",
    "presets",
    "boot",
    "fleet",
    "signatures",
    "sessions",
)
CAPABILITIES = "capabilities"
INSTRUCTIONS = "instructions"
#: Figures by which drivers are chosen. They are measured only if asked for.
CHOICE = (CAPABILITIES, INSTRUCTIONS)


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--only",
        metavar="PART",
        choices=Suggestions((*PARTS, *CHOICE)),
        action="append",
        default=[],
        help=f"only this part: {', '.join(PARTS)}; or {' or '.join(CHOICE)}: the"
        " figures by which drivers are selected",
    )
    parser.add_argument(
        "--compare", action="store_true", help="with the baseline; growth of the layer is an error"
    )
    parser.add_argument("--fast", action="store_true", help="with --compare: the quick part of it")
    parser.add_argument(
        "--accept", metavar="REASON", help="make what is measured now the baseline, and say why"
    )


def run(arguments: argparse.Namespace) -> int:
    # Imported here, because no other command needs the measurements and their libraries.
    sys.path.append(str(ROOT / "bench"))
    from corral_bench import command  # noqa: PLC0415

    return command.bench(
        command.Wishes(
            tuple(arguments.only), arguments.compare, arguments.fast, arguments.accept or ""
        )
    )
