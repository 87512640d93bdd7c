# SPDX-License-Identifier: Apache-2.0
"""Sources that are compiled as one file share no name of their own, and lose no redirected call."""

from __future__ import annotations

from pathlib import Path

import pytest
from corral.build import together


def _written(folder: Path, **sources: str) -> list[Path]:
    paths = [folder / f"{name}.c" for name in sources]
    for path, text in zip(paths, sources.values(), strict=True):
        path.write_text(text, encoding="ascii")
    return paths


@pytest.mark.parametrize(
    "own",
    [
        "static int begin(int x)\n{\n    return x;\n}\n",
        "static const unsigned char\n    begin[] = {1};\n",
        "CORRAL_EXPANDED int begin(int x)\n{\n    return x;\n}\n",
        "#define begin 1\n",
        "struct begin {\n    int x;\n};\n",
        "enum {\n    other, /* first */\n    begin = 2\n};\n",
    ],
)
def test_name_of_a_file_s_own__is_in_one_file_of_a_group(tmp_path: Path, own: str) -> None:
    one, other, third = _written(
        tmp_path, one=own, other="static int begin;\n", third="/* static int begin; */\nint end;\n"
    )
    assert together.groups([one, other, third]) == [[one, third], [other]]


def test_function_whose_calls_are_redirected__is_apart_from_who_calls_it(tmp_path: Path) -> None:
    offers, calls, third = _written(
        tmp_path,
        offers="int draw(int x)\n{\n    return x;\n}\n",
        calls="int two(void)\n{\n    return draw(2);\n}\n",
        third="int three(void)\n{\n    return 3;\n}\n",
    )
    sources = [offers, calls, third]
    assert together.groups(sources) == [[calls, offers, third]]
    assert together.groups(sources, ["three"]) == [[calls, offers, third]]
    assert together.groups(sources, ["draw"]) == [[calls, third], [offers]]


def test_what_headers_are_read_by__is_the_same_in_a_group(tmp_path: Path) -> None:
    private, other, neither = _written(
        tmp_path,
        private="#define SEES_ALL 1\n#include <string.h>\n",
        other="#define SEES_ALL 1\n#include <stddef.h>\n",
        neither="#include <string.h>\n#define LATER 1\n",
    )
    assert sorted(together.groups([private, other, neither])) == [[neither], [other, private]]


def test_core__is_in_few_groups_once(root: Path) -> None:
    sources = [p for folder in ("core", "storage", "update") for p in (root / folder).rglob("*.c")]
    groups = together.groups(sources)
    assert sorted(path for group in groups for path in group) == sorted(sources)
    assert len(groups) < len(sources) / 4
