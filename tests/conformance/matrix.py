# SPDX-License-Identifier: Apache-2.0
"""Functions of the API x the statuses that the specification lists for them.

A status is tested when a test program was seen to receive it. A status that no program receives has
a reason in reasons.toml. Run as a program, this runs the test programs and writes
docs/CONFORMANCE.md, as `./corral documents --observed` does.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from corral.model.absent import functions  # noqa: E402
from harness import programs, statuses  # noqa: E402
from harness.statuses import SUCCESS, Seen  # noqa: E402

REASONS = Path(__file__).resolve().parent / "reasons.toml"
DOCUMENT = ROOT / "docs" / "CONFORMANCE.md"

#: The subject of a header: the beginning of its first comment.
_SUBJECT = re.compile(r"/\*[\s*]+(\w[\w -]+\w)(?: \(|: |\.)")
_FUNCTION = re.compile(r"^psa_status_t (psa_\w+)\(", re.M)

Pair = tuple[str, str]


@dataclass(frozen=True)
class Reason:
    """Why some functions never return some statuses, or return what is not listed."""

    says: str
    #: Patterns of function names, and the statuses that this is about, for each row.
    rows: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

    def about(self, pairs: Iterable[Pair]) -> set[Pair]:
        return {
            (function, status)
            for function, status in pairs
            for patterns, names in self.rows
            if status in names and any(fnmatchcase(function, p) for p in patterns)
        }


@dataclass
class Judgement:
    """The result of observation and reasons, and their contradictions."""

    seen: Seen
    gaps: dict[Pair, int] = field(default_factory=dict)  # and the number of their reason
    beyond: dict[Pair, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


@cache
def absent() -> frozenset[str]:
    return frozenset(functions(ROOT)[1])


def listed() -> set[Pair]:
    """The pairs that the specification lists for the existing functions."""
    table = statuses.specified()
    return {(f, s) for f, names in table.items() if f not in absent() for s in names}


def load(kind: str) -> list[Reason]:
    """The reasons of a kind: `reason` if a status cannot occur, `beyond` if it is not listed."""
    found = []
    for entry in tomllib.loads(REASONS.read_text(encoding="utf-8")).get(kind, []):
        rows = []
        for row in entry["rows"]:
            patterns, _, names = row.partition(":")
            rows.append((tuple(patterns.split()), tuple(names.split())))
        found.append(Reason(entry["says"], tuple(rows)))
    return found


def _explain(
    pairs: set[Pair], reasons: list[Reason], first: int, what: str
) -> tuple[dict[Pair, int], list[str]]:
    explained: dict[Pair, int] = {}
    problems = []
    for number, reason in enumerate(reasons, first):
        for patterns, names in reason.rows:
            for pattern in patterns:
                for name in names:
                    if not Reason("", (((pattern,), (name,)),)).about(pairs):
                        problems.append(f"reason {number} is of no use for {pattern}: {name}")
        for pair in reason.about(pairs):
            if explained.setdefault(pair, number) != number:
                problems.append(f"two reasons for {pair}: {explained[pair]} and {number}")
    problems += [f"{what}: {f} {s}" for f, s in sorted(pairs - set(explained))]
    return explained, problems


def judge(seen: Seen) -> Judgement:
    """Compare the observed statuses with the listed ones and with the reasons."""
    judgement = Judgement(seen)
    reasons, beyond = load("reason"), load("beyond")
    for number, reason in enumerate(reasons, 1):
        for function, status in sorted(reason.about(seen & listed())):
            judgement.problems.append(f"reason {number} is contradicted: {function} {status}")
    judgement.gaps, problems = _explain(listed() - seen, reasons, 1, "neither tested nor explained")
    judgement.problems += problems
    there = {(f, s) for f, s in seen if s != SUCCESS and f in statuses.specified()}
    judgement.beyond, problems = _explain(
        there - listed(), beyond, len(reasons) + 1, "returned, not listed and not explained"
    )
    judgement.problems += problems
    return judgement


def observe() -> Seen:
    """Build and run the test programs; a test that fails is a failure here too."""
    found = []
    for program in programs.observed():
        result = program.run()
        assert result.status == 0, f"{program.name}\n{result.complaints()}"
        found.append(result.seen)
    return statuses.union(found)


@cache
def headings() -> dict[str, str]:
    """The subject of each function's header: headings of the document."""
    found: dict[str, str] = {}
    for header in sorted((ROOT / "include" / "psa").glob("*.h")):
        head, _, rest = header.read_text(encoding="utf-8").partition("*/\n")[2].partition("*/")
        subject = _SUBJECT.match(head)
        found |= dict.fromkeys(_FUNCTION.findall(rest), subject[1] if subject else "")
    return found


def never_succeed() -> set[str]:
    """Functions that need a feature which no driver of this tree has; the reasons name it."""
    return set(tomllib.loads(REASONS.read_text(encoding="utf-8"))["never_succeed"])


def _row(judgement: Judgement, function: str) -> str:
    names = statuses.specified()[function]
    if function in absent():
        return f"| `{function}` | absent | |"
    tested = [name for name in names if (function, name) in judgement.seen]
    if (function, SUCCESS) in judgement.seen:
        tested.insert(0, SUCCESS)
    tested += [f"{s} ({n})" for (f, s), n in sorted(judgement.beyond.items()) if f == function]
    cannot = [
        f"{s} ({judgement.gaps[function, s]})" for s in names if (function, s) in judgement.gaps
    ]
    return f"| `{function}` | {', '.join(tested)} | {', '.join(cannot)} |"


def _count(judgement: Judgement) -> str:
    present = [name for name in statuses.specified() if name not in absent()]
    tested = len(listed() & judgement.seen)
    return (
        f"{len(present)} of {len(statuses.specified())} functions are there. Of the "
        f"{len(listed())} failures that the specification lists\nfor them, {tested} are tested "
        f"and {len(judgement.gaps)} are not, for the reasons below."
    )


INTRODUCTION = """# Statuses: which are tested, and why the others are not

Made by `./corral documents --observed`. For each function that returns a status:
which of those that the specification lists were received by a test program, and which cannot occur
in this implementation, or are not provoked, with the number of the reason below. What is tested
is not claimed but observed: the test programs note what each call returns, and a test compares that
with this page. It fails when a status is neither received nor explained, when one is received that
a reason excludes, and when a reason explains nothing.
"""


def markdown(judgement: Judgement) -> str:
    """docs/CONFORMANCE.md."""
    sections: dict[str, list[str]] = {}
    for function in statuses.specified():
        sections.setdefault(headings()[function], []).append(_row(judgement, function))
    lines = [INTRODUCTION, _count(judgement)]
    for name, rows in sections.items():
        lines += [
            "",
            f"## {name}",
            "",
            "| Function | Tested | Not tested |",
            "|---|---|---|",
            *rows,
        ]
    lines += ["", "## Why these are not tested", ""]
    reasons = load("reason")
    lines += [f"{number}. {reason.says.strip()}" for number, reason in enumerate(reasons, 1)]
    lines += ["", "## Why these are returned without being listed", ""]
    first = len(reasons) + 1
    lines += [
        f"{number}. {reason.says.strip()}" for number, reason in enumerate(load("beyond"), first)
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    judgement = judge(observe())
    if judgement.problems:
        print("\n".join(judgement.problems))
        return 1
    DOCUMENT.write_text(markdown(judgement), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
