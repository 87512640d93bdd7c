# SPDX-License-Identifier: Apache-2.0
"""docs/DEBUGGING.md: the files that an editor is told to use are those of a build."""

from __future__ import annotations

import json
import re

from corral import ROOT
from corral.build import image as build

DOCUMENT = (ROOT / "docs" / "DEBUGGING.md").read_text(encoding="utf-8")


def test_files_that_the_editor_uses_are_made() -> None:
    for board in ("native", "mps2-an386"):
        build.build("hmac", board, build.Options(debug=True))
    commands, launches = map(json.loads, re.findall(r"```json\n(.*?)```", DOCUMENT, re.S))
    folder = "${workspaceFolder}/"
    (flags,) = (
        ROOT / c["compileCommands"].removeprefix(folder) for c in commands["configurations"]
    )
    assert str(ROOT / "apps/hmac/main.c") in {one["file"] for one in json.loads(flags.read_text())}
    for launch in launches["configurations"]:
        assert (ROOT / launch["program"].removeprefix(folder)).is_file()
