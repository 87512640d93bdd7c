# SPDX-License-Identifier: Apache-2.0
"""A user's repository: the files of a document, in folders outside the tree."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The pages of docs/porting that write a driver, an element, an algorithm and a port.
PAGES = ("DRIVER", "ELEMENT", "ALGORITHM", "PORT")
PORTING = "\n".join((ROOT / "docs" / "porting" / f"{page}.md").read_text() for page in PAGES)


def _files(text: str) -> dict[str, str]:
    """The files that a document writes, by their names."""
    return dict(re.findall(r"^`([a-z]+/[\w./-]+)`:\n\n```\w*\n(.*?)^```$", text, re.M | re.S))


@dataclass
class Repository:
    """A folder of one's own, arranged as the tree is."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def take(self, *folders: str, into: str = "", text: str = PORTING) -> None:
        """Write what a document has in these folders; `into` another one if it is named."""
        for name, content in _files(text).items():
            for folder in folders:
                if name.startswith(f"{folder}/"):
                    self.write((into or folder) + name.removeprefix(folder), content)


def corral(*words: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "corral", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools"), **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def output(*words: str, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command that must succeed. Returns its output."""
    done = corral(*words, cwd=cwd, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def error(*words: str, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command that must fail with an error of the user. Returns the message."""
    done = corral(*words, cwd=cwd, **environment)
    assert done.returncode == 2, done.stdout + done.stderr
    return done.stderr
