# SPDX-License-Identifier: Apache-2.0
"""Documents name what exists: files, commands, functions."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    str(p.relative_to(ROOT))
    for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/*/README.md")]
    if "build" not in p.relative_to(ROOT).parts[0] and ".venv" not in p.parts
)
#: Paths that a document invents: the driver that PORTING writes, and folders made by running.
INVENTED = ("drivers/acme", "build/", "tests/golden")
TOP_FOLDERS = {p.name for p in ROOT.iterdir() if p.is_dir()}


def text_of(document: str) -> str:
    return (ROOT / document).read_text()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_document_links_to_files_that_exist(document: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text_of(document))
    missing = [link for link in links if not ((ROOT / document).parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS)
def test_document_names_paths_that_exist(document: str) -> None:
    words = set(re.findall(r"`([\w.-]+/[\w./-]*\w)`", text_of(document)))
    missing = [
        word
        for word in words
        if word.split("/")[0] in TOP_FOLDERS
        and not word.startswith(INVENTED)
        and not (ROOT / word).exists()
    ]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS)
def test_document_names_functions_that_exist(document: str) -> None:
    code = "\n".join(
        p.read_text(errors="replace")
        for folder in ("include", "core", "storage", "drivers", "ports", "sim", "tools")
        for p in (ROOT / folder).rglob("*")
        if p.suffix in (".c", ".h", ".py")
    )
    named = set(re.findall(r"`((?:psa|corral|atecc608)_[a-z0-9_]+)\(\)", text_of(document)))
    assert not [name for name in named if name not in code]


def test_readme_example_compiles(tmp_path: Path) -> None:
    blocks = re.findall(r"```c\n(.*?)```", text_of("README.md"), re.S)
    assert len(blocks) == 1
    from corral import build  # noqa: PLC0415

    build.prepare("ecdsa", "native", build.Options())
    source = tmp_path / "example.c"
    source.write_text(blocks[0])
    generated = build.folder_of("ecdsa", "native") / "gen"
    includes = [f"-I{ROOT}/include", f"-I{generated}"]
    includes += [f"-I{p}" for p in (ROOT / "drivers").iterdir() if p.is_dir()]
    subprocess.run(
        ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", *includes, "-c", str(source)],
        cwd=tmp_path,
        check=True,
    )


@pytest.mark.parametrize(("document", "command"), [("DRIVERS", "drivers"), ("API", "api")])
def test_generated_document_is_current(document: str, command: str) -> None:
    made = subprocess.run(
        [str(ROOT / "corral"), command, "--markdown"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert (ROOT / "docs" / f"{document}.md").read_text() == made, f"run ./corral {command}"
