# SPDX-License-Identifier: Apache-2.0
"""READMEs of drivers say how deep the stack goes, as it is measured on the emulated processor.

`936<!-- stack sign_hash -->` is a number and, not to be seen, what it is of: the deepest of the
driver's functions of these names, without its prefix. `*` stands for any part of a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

import pytest
from harness.program import EMULATED
from test_drivers import residue_drivers, result_of, whole_tree

FIGURE = re.compile(r"(?P<figure>\d*)<!-- stack (?P<names>[\w* ]+) -->")
MEASURED = re.compile(r"^(\w+): (\d+) bytes of stack$", re.M)


def readme_of(name: str) -> str:
    return (whole_tree().drivers[name].folder / "README.md").read_text(encoding="utf-8")


def renewed(text: str, depths: Mapping[str, int]) -> str:
    """A README with the figures as they are now."""

    def figure(match: re.Match[str]) -> str:
        patterns = match["names"].split()
        found = [[d for n, d in depths.items() if fnmatchcase(n, p)] for p in patterns]
        assert all(found), f"{match[0]}: some of these were not measured"
        return f"{max(map(max, found))}<!-- stack {match['names']} -->"

    return FIGURE.sub(figure, text)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xdist_group(f"driver-{name}-{EMULATED}"))
        for name in residue_drivers()
        if FIGURE.search(readme_of(name))
    ],
)
def test_readme_says_how_deep_the_stack_goes(name: str) -> None:
    prefix = f"{whole_tree().drivers[name].prefix}_"
    measured = MEASURED.findall(result_of(name, "", EMULATED).output)
    depths = {function.removeprefix(prefix): int(depth) for function, depth in measured}
    text = readme_of(name)
    differing = zip(text.splitlines(), renewed(text, depths).splitlines(), strict=True)
    assert [now for old, now in differing if old != now] == [], "write these lines"


def test_a_figure_that_is_not_the_deepest_is_found() -> None:
    depths = {"sign_hash": 900, "sign_message": 936}
    assert renewed("920<!-- stack sign_* -->", depths) == "936<!-- stack sign_* -->"
    with pytest.raises(AssertionError, match="not measured"):
        renewed("920<!-- stack sign_hash verify_hash -->", depths)
