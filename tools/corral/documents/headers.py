# SPDX-License-Identifier: Apache-2.0
"""A page of the site for each public header: its declarations under their comments.

Comments of the headers are contracts (docs/STYLE.md): prose, and lines `NAME  meaning` for
arguments and statuses. Bodies of macros and functions are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

#: Lines of C++ and of the preprocessor that declare nothing.
_NOTHING = re.compile(
    r"^(?:#(?:include|if|ifdef|ifndef|else|elif|endif|undef)\b.*|extern \"C\" \{|\}"
    r"|#define \w+_H)$"
)
_NAME = re.compile(
    r"^#define (\w+)"  # a macro
    r"|^(?:typedef )?(?:struct|union|enum) (\w+) \{"
    r"|^typedef .*?(\w+);$"
    r"|^(?:[A-Za-z_][\w ]*?[ *]+)?(\w+)\(",
    re.M,
)
_ITEM = re.compile(r"^ {2,}(\S+(?:, \S+)*) {2,}(\S.*)$")
#: Names in prose, as calls or not.
_WORD = re.compile(r"\*?\b[A-Za-z]\w*_\w+(?:\([^()]*\))?|\*\w+\b(?!\*)")


class Declared(NamedTuple):
    """Declarations under one comment."""

    names: tuple[str, ...]
    comment: str
    code: str


class Header(NamedTuple):
    """A public header: what its first comment has, and its declarations."""

    comment: str
    declared: list[Declared]


def _plain(comment: str) -> str:
    """A comment without its stars."""
    lines = comment.removeprefix("/*").removesuffix("*/").split("\n")
    return "\n".join(re.sub(r"^ ?\*(?: |$)", " ", line).rstrip() for line in lines).strip("\n")


def _blocks(text: str) -> list[tuple[str, str]]:
    """Comments that begin a line, each with the code up to the next one or to an empty line."""
    blocks: list[tuple[str, list[str]]] = []
    depth, is_new, comment = 0, True, ""
    parts = re.split(r"(?ms)^(/\*.*?\*/)$\n?", text)
    for number, part in enumerate(parts):
        if number % 2:
            comment, is_new = _plain(part), True
            continue
        for line in part.split("\n"):
            if not line and not depth:
                comment, is_new = ("", True) if blocks and not is_new else (comment, True)
                continue
            if is_new:
                blocks.append((comment, []))
                comment, is_new = "", False
            blocks[-1][1].append(line)
            if "extern" not in line:
                depth += line.count("{") - line.count("}")
    return [(comment, "\n".join(lines)) for comment, lines in blocks]


def _outside(code: str) -> str:
    """Declarations without the bodies of macros with arguments and of functions."""
    code = re.sub(r"(?m)[ \t]*\\$", "\\\\", code)
    code = re.sub(r"(?m)^(#define \w+\([^)]*\))(?:[^\n\\]|\\\n)*\n?", r"\1\n", code)
    code = re.sub(r"(?m)^(static inline [^{;]*?)\n?\{.*?^\}", r"\1;", code, flags=re.S)
    kept = [line for line in code.split("\n") if not _NOTHING.match(line)]
    return "\n".join(kept).strip("\n")


def read(text: str) -> Header:
    """The contents of a header."""
    text = re.sub(r"\A/\* SPDX[^\n]*\n", "", text)
    first = re.match(r"(?s)/\*.*?\*/", text)
    head = _plain(first[0]) if first else ""
    declared = []
    for comment, whole in _blocks(text[first.end() :] if first else text):
        code = _outside(whole)
        names = ["".join(found) for found in _NAME.findall(code)]
        if names:
            declared.append(Declared(tuple(dict.fromkeys(names)), comment, code))
    return Header(head, declared)


def _marked(prose: str) -> str:
    """Prose of a comment as Markdown: names are code, and nothing else is markup."""

    def outside(text: str) -> str:
        parts, end = [], 0
        for word in _WORD.finditer(text):
            parts += [_escaped(text[end : word.start()]), f"`{word[0]}`"]
            end = word.end()
        return "".join([*parts, _escaped(text[end:])])

    pieces = re.split(r"(`[^`]*`)", prose)
    return "".join(outside(p) if n % 2 == 0 else p for n, p in enumerate(pieces))


def _escaped(text: str) -> str:
    return re.sub(r"([\\*_<>\[\]#|])", r"\\\1", text)


def prose(comment: str) -> str:
    """A comment as Markdown: paragraphs, and lists of arguments and statuses."""
    result: list[str] = []
    is_item = False
    for line in comment.split("\n"):
        item = _ITEM.match(line)
        if item:
            names = ", ".join(f"`{name}`" for name in item[1].split(", "))
            result += [*([] if is_item else [""]), f"- {names}: {_marked(item[2])}"]
            is_item = True
        elif is_item and line.startswith("    "):
            result[-1] += f" {_marked(line.strip())}"
        elif is_item and line.startswith("   "):
            result.append(f"- {_marked(line.strip())}")
        else:
            result += [*([""] if is_item else []), _marked(line.strip())]
            is_item = False
    return "\n".join(result).strip()


def _heading(names: tuple[str, ...]) -> str:
    first = names[0] if len(names) == 1 else f"{names[0]}, {names[1]}"
    return first + ("" if len(names) < 3 else ", ...")


def _shown(names: tuple[str, ...], path: str) -> bool:
    """Whether declarations are for readers: in headers of the standard, only those of it."""
    return "/psa/" not in path or any(not name.startswith("CORRAL_") for name in names)


def page(path: str, text: str) -> str:
    """The page of the header `path`, which has this text."""
    header = read(text)
    parts = [f"# {path.removeprefix('include/')}", prose(header.comment)]
    for names, comment, code in header.declared:
        if _shown(names, path):
            title = f"## {_heading(names)} {{ #{names[0]} }}"
            parts += [title, prose(comment), f"```c\n{code}\n```"]
    return "\n\n".join(part for part in parts if part) + "\n"


def index(texts: Mapping[str, str]) -> str:
    """The page with all headers, and with the functions of the API in alphabetical order."""
    lines = [
        "# Functions and headers",
        "",
        "The public headers are in `include/`. Each page has a header's functions, macros and",
        "types, with sizes and statuses. Applications include `psa/crypto.h`. Headers below",
        "`corral/` are for applications, drivers and ports, as their first lines say.",
        "",
        "## Headers",
        "",
        "| Header | Content |",
        "|---|---|",
    ]
    functions = {}
    for path, text in texts.items():
        header = read(text)
        about = re.split(r"(?<=[.:])(?:\s|$)", " ".join(header.comment.split()), maxsplit=1)[0]
        about = _marked(about.rstrip(".:"))
        name = path.removeprefix("include/")
        lines.append(f"| [{name}]({name}) | {about} |")
        for names, _, code in header.declared:
            for function in names:
                if function.startswith("psa_") and f"{function}(" in code:
                    functions[function] = f"[`{function}`]({name}#{names[0]})"
    lines += ["", "## Functions", "", *(f"- {link}" for _, link in sorted(functions.items()))]
    return "\n".join(lines) + "\n"
