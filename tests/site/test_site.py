# SPDX-License-Identifier: Apache-2.0
"""The site of the documents: complete, without a broken link, and without anything from outside."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from harness.site import ROOT, built


class Assets(HTMLParser):
    """The addresses that a browser loads for a page, and the links that a reader may follow."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.followed: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        address = values.get("src") or values.get("href") or ""
        (self.followed if tag == "a" else self.loaded).append(address)


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_document_has_a_page_that_the_sections_lead_to(site: Path) -> None:
    front = (site / "index.html").read_text()
    documents = subprocess.run(
        ["git", "ls-files", "docs/*.md", "drivers/*/README.md", "boards/*/README.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert len(documents) > 40
    shown = "\n".join(
        (site / name).read_text() for name in set(re.findall(r'href="([^"#:]*\.html)"', front))
    )
    for name in documents:
        heading = re.search(r"(?m)^# (.*)$", (ROOT / name).read_text())
        assert heading, name
        words = re.sub(r"[`*]|[<>&].*", "", heading[1])[:30]
        assert words in shown, name


def test_pages_load_nothing_from_outside(site: Path) -> None:
    """Neither a page nor a style sheet: readers without a network see the same."""
    assert len(pages(site)) > 100
    for page in pages(site):
        for address in Assets(page.read_text()).loaded:
            assert not re.match(r"(?:https?:)?//", address), (page, address)
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", style.read_text()), style


def test_links_and_assets_of_pages_lead_to_files_of_the_site(site: Path) -> None:
    for page in pages(site):
        if page.name == "404.html":
            continue
        found = Assets(page.read_text())
        for address in {*found.loaded, *found.followed}:
            path = re.sub(r"[#?].*", "", address)
            if path and not re.match(r"(?:[a-z]+:)?//|[a-z]+:", path):
                assert (page.parent / path).exists(), (page, address)


def test_charts_have_the_colours_of_the_page(site: Path) -> None:
    page = (site / "bench.html").read_text()
    charts = page.count("xychart-beta")
    assert charts > 5
    assert page.count("var(--md-accent-fg-color)") == charts


def test_diagrams_are_drawn_by_a_script_of_the_site(site: Path) -> None:
    with_diagrams = [p for p in pages(site) if 'class="mermaid"' in p.read_text()]
    pictured = {"design.html", "wall.html", "fleet/index.html", "fleet/protocol.html"}
    assert {site / name for name in pictured} <= set(with_diagrams)
    for page in pages(site):
        loaded = Assets(page.read_text()).loaded
        scripts = [address for address in loaded if address.endswith("assets/mermaid.js")]
        assert len(scripts) == (page in with_diagrams), page
    assert (site / "assets/mermaid.js").stat().st_size > 1_000_000


def test_search_finds_each_section_without_a_server(site: Path) -> None:
    text = (site / "search/search_index.js").read_text()
    entries = json.loads(text.removeprefix("var __index = "))["docs"]
    found = {entry["location"] for entry in entries}
    assert {"index.html", "design.html#how-drivers-are-selected"} <= found
    assert not [place for place in found if place.endswith((".h.html", ".c.html"))]
    assert "iframe-worker" in (site / "index.html").read_text()


def small_tree(folder: Path) -> Path:
    """A tree of one document beside the README."""
    tree = folder / "tree"
    shutil.copytree(ROOT / "tools" / "site", tree / "tools" / "site")
    (tree / "docs").mkdir()
    (tree / "docs" / "DESIGN.md").write_text("# Design\n")
    for name in ("packages", "build"):
        (tree / name).symlink_to(ROOT / name)
    return tree


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("docs/ABSENT.md", "docs/ABSENT.md"),
        ("docs/DESIGN.md#no-such-section", "no-such-section"),
        ("core/absent.c", "core/absent.c"),
    ],
)
def test_link_that_leads_nowhere_fails(link: str, complaint: str, tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / "README.md").write_text("# Home\n\nSee [the design](docs/DESIGN.md#design).\n")
    assert built(tree, tmp_path / "site").returncode == 0
    (tree / "README.md").write_text(f"# Home\n\nSee [this]({link}).\n")
    done = built(tree, tmp_path / "site")
    assert done.returncode != 0
    assert complaint in done.stdout + done.stderr


def test_site_shows_files_of_the_tree_and_no_others(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / "core").mkdir()
    fence = "/*\n````\n<script>alert(1)</script>\n*/"
    (tree / "core" / "a.c").write_text(f"{fence}\n")
    (tree / "core" / "image.bin").write_bytes(b"\xff\xfe")
    home = "# Home\n\n[one](core/a.c) [two](core/image.bin) [all](core) [d](docs/DESIGN.md)\n"
    (tree / "README.md").write_text(home)
    for words in (["init", "-q"], ["add", "core", "docs", "README.md"]):
        subprocess.run(["git", "-C", str(tree), *words], check=True)
    (tree / "core" / "key.pem").write_text("a secret\n")
    done = built(tree, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    shown = tmp_path / "site" / "tree" / "core"
    assert "<script>alert" not in (shown / "a.c.html").read_text()
    assert "no text" in (shown / "image.bin.html").read_text()
    assert "key.pem" not in (shown / "index.html").read_text()
    (tree / "README.md").write_text(f"{home}[mine](core/key.pem)\n")
    done = built(tree, tmp_path / "site")
    assert done.returncode != 0 and "core/key.pem" in done.stdout + done.stderr
    (tmp_path / "outside.txt").write_text("a secret\n")
    (tree / "README.md").write_text(f"{home}[mine](../outside.txt)\n")
    done = built(tree, tmp_path / "site")
    assert done.returncode != 0 and "outside.txt" in done.stdout + done.stderr


def test_command_builds_the_site_from_any_folder(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(ROOT / "corral"), "docs"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    front = Path(done.stdout.strip())
    assert front == ROOT / "build" / "site" / "index.html" and front.is_file()
