# SPDX-License-Identifier: Apache-2.0
"""Documents name what exists: files, commands, functions."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from corral import cli
from corral.documents import driver_costs, readme
from corral.documents import write as documents
from corral.export.library import TREE
from corral.generate import api

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    {
        str(p.relative_to(ROOT))
        for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/*/README.md")]
        if "build" not in p.relative_to(ROOT).parts[0] and ".venv" not in p.parts
    }
)
#: Paths that a document invents: the drivers, the port and the board of docs/porting with their
#: files, applications of the README and the tutorial, and folders that commands create.
INVENTED = (
    "apps/updated/",
    "boards/sensor",
    "boards/mine",
    "drivers/acme",
    "drivers/vault",
    "sim/vault",
    "boards/native-vault",
    "apps/vaults",
    "drivers/brief",
    "apps/brief",
    "ports/slate",
    "boards/slate",
    "apps/first",
    "apps/meter",
    "apps/boot/",
    "config/presets/NAME",
    "tools/corral/commands/NAME",
    "build/",
    "tests/golden",
)
TOP_FOLDERS = {p.name for p in ROOT.iterdir() if p.is_dir()}


def text_of(document: str) -> str:
    return (ROOT / document).read_text()


def test_readme_lists_each_driver_once_with_its_kind() -> None:
    rows = re.findall(
        r"^\| ([A-Z][a-z ]+) \| (\[.*\]\(drivers/.*\)) \|$", text_of("README.md"), re.M
    )
    listed = [(name, kind) for kind, row in rows for name in re.findall(r"\(drivers/(\w+)\)", row)]
    assert sorted(listed) == [(d.name, readme.kind(d)) for d in api.list_drivers(ROOT)]


def test_prompts_of_drivers_are_their_titles() -> None:
    """A driver's mechanisms are in its description; docs/DRIVERS.md is generated from it."""
    for driver in api.list_drivers(ROOT):
        kconfig = (driver.folder / "Kconfig").read_text()
        assert f'config {driver.enabled_by}\n\tbool "{driver.title}"\n' in kconfig


def usage_of(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[list[str], str]:
    """The words that a command asks for, in their order, and the text of its help."""
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    text = capsys.readouterr().out
    usage = " ".join(text.partition("\n\n")[0].split())
    words = re.sub(r"\[[^][]*(\[[^][]*\])?[^][]*\]", "", usage).split()[3:]
    return [word for word in words if not word.startswith("-")], text


def test_readme_names_commands_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    section = text_of("README.md").partition("## Use\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^    \./corral (\w+)(.*?)  +(\w.*)$", section, re.M)
    assert len(lines) == section.count("\n    ./corral ")
    for command, words, text in lines:
        asked, described = usage_of(command, capsys)
        # Values of options are those of the README; how many words there are is the parser's.
        shown = [w for w in words.split() if not w.startswith(("-", "["))]
        options = re.findall(r"--\w+", words + text)
        assert command == "help" or [w for w in options if w not in described] == []
        assert len(shown) == len(asked), (command, shown, asked)
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    known = re.findall(r"^    ([a-z]+)(?:  |$)", capsys.readouterr().out, re.M)
    told = set(re.findall(r"\./corral (\w+)", "\n".join(map(text_of, DOCUMENTS))))
    assert sorted(set(known) - told) == ["configure"]  # for build systems


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
        for folder in (
            "include",
            "core",
            "storage",
            "update",
            "drivers",
            "ports",
            "sim",
            "tools",
            "wall",
        )
        for p in (ROOT / folder).rglob("*")
        if p.suffix in (".c", ".h", ".py")
    )
    named = set(re.findall(r"`((?:psa|corral|atecc608)_[a-z0-9_]+)\(\)", text_of(document)))
    assert not [name for name in named if name not in code]


def test_style_page_shows_code_that_is_there() -> None:
    examples = re.findall(
        r"^`([\w/.]+)`:\n\n```c\n(.*?)```$", text_of("docs/STYLE.md"), re.M | re.S
    )
    assert len(examples) == 3
    assert not [file for file, code in examples if code not in (ROOT / file).read_text()]


def readme_application() -> dict[str, str]:
    """The files that the README shows, by their name."""
    text = text_of("README.md")
    code = re.findall(r"`apps/first/(main\.c)`:\n\n```c\n(.*?)^```$", text, re.M | re.S)
    lines = re.findall(r"`apps/first/(app\.config)`[^\n]*\n\n((?:    [^\n]*\n)+)", text)
    return {
        name: re.sub(r"^    (?=PSA_)", "", content, flags=re.M) for name, content in code + lines
    }


@pytest.mark.parametrize("location", ["PSA_KEY_LOCATION_LOCAL_STORAGE", "CORRAL_LOCATION_SE0"])
def test_readme_application_does_what_the_readme_says(location: str) -> None:
    """Code and configuration of the README; other boards change only the location."""
    files = readme_application()
    assert set(files) == {"main.c", "app.config"}
    said = re.search(r"`./corral run first native` prints `([^`]+)`", text_of("README.md"))
    assert said and location in text_of("README.md")
    folder = ROOT / "build" / "tests" / "readme" / location.lower()
    folder.mkdir(parents=True, exist_ok=True)
    main = files["main.c"].replace("PSA_KEY_LOCATION_LOCAL_STORAGE", location)
    if location.startswith("CORRAL_"):
        main = f"#include <corral/locations.h>\n{main}"
    (folder / "main.c").write_text(main)
    (folder / "app.config").write_text(files["app.config"])
    app = f"../{folder.relative_to(ROOT)}"
    done = subprocess.run(
        [str(ROOT / "corral"), "run", app, "native"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert said[1] in done.stdout.splitlines()


def test_generated_documents_are_current() -> None:
    assert documents.outdated(ROOT) == [], f"run {documents.COMMAND}"


def flash_of_all(readme: Path) -> str:
    found = re.search(r"(\d+)<!-- flash \* -->", readme.read_text())
    assert found
    return found[1]


def flash_column(readme: str) -> list[str]:
    """The cells of its tables below `Flash`."""
    cells, column = [], -1
    for line in text_of(readme).splitlines():
        row = line.strip("| ").split(" | ")
        titles = [cell.startswith("Flash") for cell in row]
        if not line.startswith("|") or any(titles):
            column = titles.index(True) if line.startswith("|") else -1
        elif column >= 0 and "---" not in line:
            cells.append([c.strip() for c in line.strip("|").split("|")][column])
    return cells


def test_flash_in_readmes_of_drivers_is_what_was_measured() -> None:
    """A README has no figure that `./corral documents` does not renew."""
    number = re.compile(r"(?<![\w-])\d{2,}\b(?! bits)")
    for document in driver_costs.readmes(ROOT):
        cells = flash_column(document)
        assert any(driver_costs.FIGURE.search(cell) for cell in cells), document
        kept = [cell for cell in cells if number.search(driver_costs.FIGURE.sub("", cell))]
        assert not kept, document


def test_documents_of_a_new_driver_come_by_one_command(tmp_path: Path) -> None:
    """A stale document is named and written; after that no document is stale."""
    for name in ({*TREE} - {"drivers"}) | {"boards", "bench"}:
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "drivers", tmp_path / "drivers")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    row = re.compile(r"\[([^\]]*)\]\(drivers/p256m\)")
    (tmp_path / "README.md").write_text(row.sub("", text_of("README.md")))
    description = tmp_path / "drivers" / "p256m" / "driver.json"
    description.write_text(description.read_text().replace("p256-m", "p256-n"))
    costs = tmp_path / "drivers" / "p256m" / "costs.json"
    costs.write_text(re.sub(r'("p256-m": \[)\d+', r"\g<1>7654", costs.read_text()))
    document = "drivers/p256m/README.md"
    written = documents.write(tmp_path, observed=False)
    assert written == ["README.md", "docs/DRIVERS.md", document]
    titles = row.findall((tmp_path / "README.md").read_text())
    assert len(titles) == 1
    assert titles[0].startswith("p256-n (")
    assert "p256-n" in (tmp_path / "docs" / "DRIVERS.md").read_text()
    before, after = (int(flash_of_all(root / document)) for root in (ROOT, tmp_path))
    assert 7654 < after != before
    assert documents.outdated(tmp_path) == []
