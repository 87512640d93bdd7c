# SPDX-License-Identifier: Apache-2.0
"""READMEs of drivers say what these take of stack and heap, as an emulated processor shows it.

`936<!-- stack sign_hash -->` is a number and, invisibly, its name: the deepest of the
driver's functions of these names, without its prefix. `heap` is the most that one call
had of it; `96<!-- frame xts -->` is the largest frame in the driver's files of these
names. `*` stands for any part of a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

import pytest
from corral import ROOT
from harness.program import EMULATED
from test_drivers import residue_drivers, result_of, whole_tree

FIGURE = re.compile(r"\d*(?P<of><!-- (?P<what>stack|heap|frame) (?P<names>[\w* ]+) -->)")
MEASURED = re.compile(r"^(\w+): (\d+) bytes of stack, (\d+) of heap,", re.M)
#: A line of -fstack-usage: the place and name of a function, its frame, of which kind.
FRAME = re.compile(r"\t(\d+)\t")


def readme_of(name: str) -> str:
    return (whole_tree().drivers[name].folder / "README.md").read_text(encoding="utf-8")


def calls_of(name: str) -> dict[str, dict[str, int]]:
    """By names of functions."""
    prefix = f"{whole_tree().drivers[name].prefix}_"
    found = MEASURED.findall(result_of(name, "", EMULATED).output)
    return {
        "stack": {function.removeprefix(prefix): int(depth) for function, depth, _ in found},
        "heap": {function.removeprefix(prefix): int(size) for function, _, size in found},
    }


def frames_of(name: str) -> dict[str, int]:
    """By names of files."""
    assert result_of(name, "", EMULATED).counts
    folder = ROOT / "build" / "tests" / f"driver-{name}-{EMULATED}"
    return {
        path.name.removesuffix(".c.su"): max(map(int, FRAME.findall(path.read_text())), default=0)
        for path in folder.rglob(f"drivers/{name}/*.c.su")
    }


def renewed(text: str, measured: Mapping[str, Mapping[str, int]]) -> str:
    """A README with the figures as they are now."""

    def figure(match: re.Match[str]) -> str:
        of = measured[match["what"]].items()
        found = [[n for name, n in of if fnmatchcase(name, p)] for p in match["names"].split()]
        assert all(found), f"{match[0]}: some of these were not measured"
        return f"{max(map(max, found))}{match['of']}"

    return FIGURE.sub(figure, text)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xdist_group(f"driver-{name}-{EMULATED}"))
        for name in residue_drivers()
        if FIGURE.search(readme_of(name))
    ],
)
def test_readme_says_what_calls_take(name: str) -> None:
    text = readme_of(name)
    now = renewed(text, {**calls_of(name), "frame": frames_of(name)})
    pairs = zip(text.splitlines(), now.splitlines(), strict=True)
    assert [line for old, line in pairs if old != line] == [], "write these lines"


def test_a_figure_that_is_not_the_deepest_is_found() -> None:
    measured = {"stack": {"sign_hash": 900, "sign_message": 936}, "frame": {"sign": 64}}
    assert renewed("920<!-- stack sign_* -->", measured) == "936<!-- stack sign_* -->"
    assert renewed("<!-- frame sign -->", measured) == "64<!-- frame sign -->"
    with pytest.raises(AssertionError, match="not measured"):
        renewed("920<!-- stack sign_hash verify_hash -->", measured)
