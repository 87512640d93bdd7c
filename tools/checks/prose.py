# SPDX-License-Identifier: Apache-2.0
"""Sentences that docs/STYLE.md advises against, in documents, comments and messages.

usage: python tools/checks/prose.py [--worst N] [FILE ...]

Prints, for each kind of text, how many sentences to rewrite there are in 1,000 words, how many
sentences have more than 40 words, and how many lines of documents are too wide. Below are the
worst sentences [12 of each kind]. Without files it reads the whole tree.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LONGEST, WIDEST = 40, 100
#: Not written by hand, or kept of a program's output.
EXCLUDED = ("tests/golden/", "docs/API.md", "docs/DRIVERS.md", "docs/CONFORMANCE.md")

#: After these words, or at the beginning, a relative clause has no noun to refer to.
_FREE = r"(?:^|[.,;:(] |\b(?:and|by|for|from|is|of|than|that|to|with) )"
FAULTS = {
    "a clause with who that follows no noun": re.compile(rf"{_FREE}(?:who|whoever)\b", re.I),
    "a clause with what that is a subject or object": re.compile(
        rf"{_FREE}what (?!is\?|if\b)\w", re.I
    ),
    "nobody, somebody, anybody": re.compile(r"\b(?:no|some|any)body\b", re.I),
    "stands in: is listed in, is documented in": re.compile(r"\bstands?\b(?! for)"),
    "alone: write only": re.compile(r"\b\w+ alone\b"),
    "serves: write supports, implements": re.compile(r"\bserves?\b(?! as|\.c)"),
    "is told: write returns, receives": re.compile(r"\b(?:is|are) told\b"),
    "the verb is before its subject": re.compile(
        r"^(?:Neither|Nor|Of|Only|So|Such|Where|Whether) (?:\w+ )?"
        r"(?:are|can|do|does|has|have|is|was)\b"
    ),
}


class Sentence(NamedTuple):
    file: str
    text: str
    faults: list[str]


class Account(NamedTuple):
    """Sentences to rewrite in one kind of text, in all and in 1,000 words, and lines too wide."""

    found: list[Sentence]
    rate: float
    long: int
    wide: int


def _of_markdown(text: str) -> str:
    text = re.sub(r"^```.*?^```|<!--.*?-->|^    .*?$", "", text, flags=re.S | re.M)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("|", "\n\n")


def _of_rust(text: str) -> str:
    return "\n".join(re.findall(r"^\s*//[/!]?(.*)|", text, re.M))


def _itemised(text: str) -> str:
    """With each line `NAME  meaning` of a list of statuses or arguments as an item."""
    return re.sub(r"^( +\S+ {2,})", r"\n\1", text, flags=re.M)


def _of_c(text: str) -> str:
    found = re.findall(r"/\*(.*?)\*/", text, re.S)
    texts = (re.sub(r"^\s*\*", "", comment, flags=re.M) for comment in found)
    return "\n\n".join(_itemised(text) for text in texts)


def _docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value


def _of_python(text: str) -> str:
    comments = re.findall(r"^\s*#:? (.*)|  # (.*)$|$", text, re.M)
    texts = (_itemised(str(string.value)) for string in _docstrings(ast.parse(text)))
    return "\n".join([*(" ".join(found) for found in comments), *(f"\n{t}\n" for t in texts)])


def _messages(text: str) -> str:
    """Strings of a command that a user may read: neither docstrings nor single words."""
    tree = ast.parse(text)
    others = {id(node) for node in _docstrings(tree)}
    nodes = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in others)
    strings = (node.value for node in nodes if isinstance(node.value, str))
    return "\n\n".join(s.replace("|", "\n\n") for s in strings if len(s.split()) > 3)


def sentences(text: str) -> list[str]:
    """The sentences of prose: paragraphs, items and cells end them, too."""
    result = []
    for paragraph in re.split(r"\n\s*\n|\n\s*(?:[-*#]+|\d+\.)\s+", text):
        words = " ".join(paragraph.split())
        result += [s for s in re.split(r"(?<=[.:;!?]) (?=[A-Z`*])", words) if len(s.split()) > 2]
    return result


READERS = {".md": _of_markdown, ".c": _of_c, ".h": _of_c, ".rs": _of_rust, ".py": _of_python}
KINDS = ("documents", "comments", "messages")


def _texts(kind: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        suffix = Path(name).suffix
        if suffix not in READERS or name.startswith(EXCLUDED) or not (ROOT / name).is_file():
            continue
        text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
        if kind == "messages" and suffix == ".py" and name.startswith("tools/corral/"):
            yield name, _messages(text)
        elif (kind == "documents" and suffix == ".md") or (kind == "comments" and suffix != ".md"):
            yield name, READERS[suffix](text)


def account(kind: str, names: Sequence[str]) -> Account:
    """The sentences to rewrite in texts of one of KINDS."""
    words = long = wide = 0
    found = []
    for name, text in _texts(kind, names):
        for sentence in sentences(text):
            length = len(sentence.split())
            words += length
            long += length > LONGEST
            faults = [f"{length} words"] if length > LONGEST else []
            prose = re.sub("`[^`]*`", "`code`", sentence)
            faults += [fault for fault, pattern in FAULTS.items() if pattern.search(prose)]
            if faults:
                found.append(Sentence(name, sentence, faults))
        if kind == "documents":
            lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
            wide += sum(len(line) > WIDEST and not line.startswith("|") for line in lines)
    found.sort(key=lambda sentence: (-len(sentence.faults), -len(sentence.text)))
    return Account(found, 1000 * len(found) / max(words, 1), long, wide)


def tracked() -> list[str]:
    """The files of the tree."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().splitlines()


def main() -> None:
    parser = argparse.ArgumentParser(description="Find sentences to rewrite.")
    parser.add_argument("--worst", type=int, default=12, metavar="N")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    for kind in KINDS:
        of = account(kind, options.files or tracked())
        print(f"{kind}: {of.rate:.1f} in 1,000 words, {of.long} too long, {of.wide} lines too wide")
        for sentence in of.found[: options.worst]:
            print(f"  {sentence.file}: {', '.join(sentence.faults)}\n    {sentence.text[:160]}")


if __name__ == "__main__":
    main()
