# SPDX-License-Identifier: Apache-2.0
"""START and the tutorial are carried out line by line, in an empty folder beside a clone."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: A fenced block: the text before it, its language, and its content.
BLOCK = re.compile(r"((?:^(?!```)[^\n]*\n)*)^```(\w*)\n(.*?)^```$", re.M | re.S)


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def carry_out(folder: Path, line: str) -> str:
    """Run a command of a page, which must succeed. Returns its output, or when a server is
    ready."""
    if line.endswith(" &"):
        line += " until grep -q ACCEPT server.log; do sleep 0.1; done"
    done = subprocess.run(
        ["bash", "-c", line.replace("4433", "$PORT")],
        cwd=folder,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    return done.stdout


def check_output(page: str, shown: str, printed: str) -> None:
    """Each line that a page shows begins or is part of a line of the output, in the same order."""
    left = printed.splitlines()
    for line in shown.splitlines():
        while left and line not in left[0]:
            left.pop(0)
        assert left, (page, line, printed)
        left.pop(0)


@pytest.mark.parametrize("page", ["START.md", "tutorial/README.md"])
def test_page_is_carried_out_line_by_line(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corral").symlink_to(ROOT)
    monkeypatch.setenv("PORT", free_port())
    blocks = BLOCK.findall((ROOT / "docs" / page).read_text())
    languages = [language for _, language, _ in blocks]
    assert languages.count("sh") >= 4 and languages.count("text") >= 4
    printed = ""
    for before, language, content in blocks:
        if language == "sh":
            printed = "".join(carry_out(tmp_path, line) for line in content.splitlines())
        elif language == "text":
            check_output(page, content, printed)
        else:
            name = re.findall(r"`(apps/[\w./]+)`", before)[-1]
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
