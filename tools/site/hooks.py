# SPDX-License-Identifier: Apache-2.0
"""The input of MkDocs for the site: the documents of the tree, at the paths that they have there.

Pages keep the paths of the tree as their sources, so links between documents work on the site as
they do in the tree. A link to a file or folder that is no document leads to a page that shows it.
"""

from __future__ import annotations

import functools
import json
import posixpath
import re
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any

from corral.documents import command_line, headers
from corral.packages import fetch as packages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]

#: The sections of the site and the pages of each, in their order: files or patterns. A page is in
#: the first section that names it.
SECTIONS: dict[str, tuple[str, ...]] = {
    "Start": (
        "README.md",
        "docs/START.md",
        "docs/TASKS.md",
        "docs/tutorial/README.md",
        "docs/tutorial/*.md",
        "examples/README.md",
        "apps/README.md",
    ),
    "Use": (
        "docs/INTEGRATING.md",
        "docs/use/*.md",
        "docs/DEBUGGING.md",
        "docs/CHOOSING.md",
        "docs/TROUBLESHOOTING.md",
        "docs/coming-from/README.md",
        "docs/coming-from/*.md",
        "integrations/*/README.md",
    ),
    "Reference": (
        "docs/CONFIGURATION.md",
        "docs/API.md",
        "docs/CONFORMANCE.md",
        "docs/GLOSSARY.md",
        "docs/DRIVERS.md",
        "drivers/*/README.md",
        "drivers/*/provision/README.md",
        "boards/*/README.md",
    ),
    "Port": (
        "docs/porting/README.md",
        "docs/porting/*.md",
        "docs/CRYPTOCELL.md",
        "ports/*/README.md",
        "sim/README.md",
        "sim/*/README.md",
    ),
    "Concepts": ("docs/DESIGN.md", "docs/WALL.md", "docs/UPDATE.md", "docs/DECISIONS.md"),
    "Security": ("docs/SECURITY.md", "docs/ADVISORIES.md", "tests/proofs/README.md"),
    "Fleet": ("docs/fleet/README.md", "docs/fleet/*.md", "fleet/README.md"),
    "Performance": ("docs/BENCH.md", "bench/README.md"),
    "Project": (
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs/STYLE.md",
        "docs/*.md",
        "tests/clients/*/README.md",
        "tests/golden/README.md",
    ),
}

#: The page of all commands, which a link to their folder leads to.
COMMANDS = "tools/corral/commands/README.md"

_FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2[^\n]*$", re.M | re.S)
_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")
_LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".toml": "toml", ".rs": "rust", ".ld": "text"}


#: Charts in the colours of the page, light or dark ones. Bars have their values in their names.
_WORDS = ("title", *(f"{axis}Axis{part}" for axis in "xy" for part in ("Label", "Title")))
_LINES = tuple(f"{axis}Axis{part}" for axis in "xy" for part in ("Tick", "Line"))
_COLOURS = {
    "plotColorPalette": "var(--md-accent-fg-color)",
    "backgroundColor": "transparent",
    **{f"{part}Color": "var(--md-default-fg-color)" for part in (*_WORDS, *_LINES)},
}
_CHART = re.compile(r"^xychart-beta( horizontal)?$", re.M)


def _in_colour(chart: re.Match[str]) -> str:
    """The first line of a chart, with its look."""
    without = {"yAxis": {"showLabel": False, "showTick": False}} if chart[1] else {}
    look = {"xyChart": without, "themeVariables": {"xyChart": _COLOURS}}
    return f"%%{{init: {json.dumps(look)}}}%%\n{chart[0]}"


def sections() -> dict[str, list[str]]:
    """The pages of each section."""
    seen: set[str] = set()
    found: dict[str, list[str]] = {}
    for title, patterns in SECTIONS.items():
        names = [
            path.relative_to(ROOT).as_posix()
            for pattern in patterns
            for path in sorted(ROOT.glob(pattern))
        ]
        found[title] = [n for n in dict.fromkeys(names) if n not in seen]
        seen.update(names)
    return found


def reference() -> dict[str, str]:
    """The pages of the commands and of the public headers, those that list them first."""
    found = (*sorted(ROOT.glob("include/psa/*.h")), *sorted(ROOT.glob("include/corral/*.h")))
    paths = [path.relative_to(ROOT).as_posix() for path in found]
    texts = {path: (ROOT / path).read_text("utf-8") for path in paths if is_published(path)}
    if not texts:
        return {}
    pages = {COMMANDS: command_line.page(), "include/README.md": headers.index(texts)}
    return pages | {f"{path}.md": headers.page(path, text) for path, text in texts.items()}


def destination(source: str) -> str:
    """Where a page of the tree is on the site."""
    name = source.removesuffix(".md")
    if source == COMMANDS:
        return "reference/commands.html"
    if source == "include/README.md" or (source.startswith("include/") and name.endswith(".h")):
        name = name.removesuffix("README").removesuffix(".h").removeprefix("include/")
        return f"reference/{name or 'index'}.html"
    if name == "README" or name.endswith("/README"):
        name = f"{name.removesuffix('README')}index"
    name = name.removeprefix("docs/").lower() if source.startswith("docs/") else name
    if "/" in source and not source.startswith("docs/"):
        name = f"tree/{name}"
    return f"{name}.html"


def linked(link: str, source: str) -> str:
    """The file or folder of the tree that a link of a document names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link))


def target(link: str, source: str) -> str:
    """The page of the tree that a link of a document leads to."""
    path = linked(link, source)
    if path.endswith(".md"):
        return path
    return f"{path}/README.md" if (ROOT / path).is_dir() else f"{path}.md"


def links(text: str) -> list[str]:
    """The links of a document in the tree."""
    return [link for _, link, _, _ in _LINK.findall(_FENCE.sub("", text))]


@functools.cache
def _tracked() -> frozenset[str]:
    """The files of the tree and their folders. Other files may be secrets of the user."""
    listed = ["git", "-C", str(ROOT), "ls-files", "-z"]
    done = subprocess.run(listed, capture_output=True, check=False)
    names = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    if done.returncode:  # a tree without its history
        paths = (path for path in ROOT.rglob("*") if path.is_file())
        names = [path.relative_to(ROOT).as_posix() for path in paths]
    shown = {name for name in names if name and not name.startswith("build/")}
    folders = {str(folder) for name in shown for folder in PurePosixPath(name).parents}
    return frozenset(shown | folders)


def is_published(path: str) -> bool:
    """Whether the site shows a file or folder that a document links to."""
    return path in _tracked() and (ROOT / path).exists()


def _source(path: Path) -> str:
    """The text of a file in a fence that no line of it ends."""
    label = path.relative_to(ROOT).as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return f"# {label}\n\nThis file is no text.\n"
    fence = "`" * max(4, *(len(run) + 1 for run in re.findall("`+", text) or [""]))
    end = "" if text.endswith("\n") else "\n"
    return f"# {label}\n\n{fence}{_LANGUAGES.get(path.suffix, 'text')}\n{text}{end}{fence}\n"


def _shown(page: str) -> str:
    """A page that shows a file of the tree, or names the files of a folder."""
    path = ROOT / page.removesuffix(".md")
    head = "---\nsearch:\n  exclude: true\n---\n\n"
    if path.is_file():
        return head + _source(path)
    folder = (ROOT / page).parent
    label = folder.relative_to(ROOT).as_posix()
    names = sorted(
        p.name + "/" * p.is_dir()
        for p in folder.iterdir()
        if p.name[0] not in "._" and is_published(p.relative_to(ROOT).as_posix())
    )
    listing = "".join(f"- `{name}`\n" for name in names)
    return f"{head}# {label}\n\nFiles of this folder:\n\n{listing}"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The order of the pages."""
    pages: dict[str, list[Any]] = {title: list(names) for title, names in sections().items()}
    if generated := list(reference()):
        pages["Reference"][:0] = [generated[0], {"Headers": generated[1:]}]
    config.nav = [{title: names} for title, names in pages.items() if names]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages of the tree in place of those of one folder, and their images."""
    ours = [file for file in files if file.src_dir != config.docs_dir]

    def add(source: str, content: str | bytes, to: str) -> None:
        file = File.generated(config, source, content=content)
        file.dest_uri = to
        ours.append(file)

    pages = {name: (ROOT / name).read_text("utf-8") for of in sections().values() for name in of}
    pages |= reference()
    for source, text in list(pages.items()):
        for link in links(text):
            name = target(link, source)
            if name not in pages and is_published(linked(link, source)):
                pages[name] = ""
    for source, text in pages.items():
        add(source, text or _shown(source), destination(source))
    folders = packages.ensure_all(ROOT, ["mermaid", "iframe_worker"])
    add(
        "assets/mermaid.js",
        (folders["mermaid"] / "dist/mermaid.min.js").read_bytes(),
        "assets/mermaid.js",
    )
    shim = (folders["iframe_worker"] / "shim/index.js").read_bytes()
    add("assets/iframe-worker.js", shim, "assets/iframe-worker.js")
    for name in ("site.css", "site.js"):
        add(f"assets/{name}", (ROOT / "tools/site/assets" / name).read_bytes(), f"assets/{name}")
    return Files(ours)


def _rewritten(text: str, source: str) -> str:
    """With links to files and folders of the tree that lead to their pages."""

    def lead(found: re.Match[str]) -> str:
        before, link, anchor, after = found.groups()
        to = posixpath.relpath(target(link, source), posixpath.dirname(source) or ".")
        return f"{before}{to}{anchor or ''}{after}"

    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_LINK.sub(lead, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, _LINK.sub(lead, text[end:])])


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """The targets of the links in the tree's documents, and the look of charts."""
    return _rewritten(_CHART.sub(_in_colour, markdown), page.file.src_uri)


def _accessible(output: str) -> str:
    """With names and roles that the theme leaves out."""
    output = output.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    output = re.sub(r"<th( [^>]*)?></th>", "<td></td>", output)
    # The theme gives the navigation of a section the name of the one around it.
    nested = re.compile(r'aria-labelledby="__nav_(\d+)_label"')
    return nested.sub(r'aria-label="Pages of section \1"', output)


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """Diagrams are drawn by the script that the site has, on pages that have some."""
    output = _accessible(output)
    if 'class="mermaid"' not in output:
        return output
    depth = page.file.dest_uri.count("/")
    script = f'<script src="{"../" * depth}assets/mermaid.js"></script>'
    return output.replace("</head>", f"{script}</head>", 1)
