# SPDX-License-Identifier: Apache-2.0
"""The reference of the public headers: each declaration with its comment, found by search."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from corral import commands
from corral.documents import headers
from harness.site import ROOT

#: Built by test_site, too.
pytestmark = pytest.mark.xdist_group("test_site")

HEADER = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Counts *things*, <at most> 9 (section 1).
 */
#ifndef CORRAL_COUNT_H
#define CORRAL_COUNT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Count the things of `count`. Room needed: COUNT_SIZE(n).
 *   number  of things; of kinds in
 *           `other`
 *   PSA_ERROR_BAD_STATE, PSA_ERROR_NOT_SUPPORTED  a_name is missing
 *   and what the port returns
 * It ends here.
 */
psa_status_t corral_count(struct corral_count *count,
                          size_t number);

/* Bytes of n things. */
#define COUNT_SIZE(n)                   \\
    ((n) * 2)
#define COUNT_MAX 9

/* A count. */
struct corral_count {
    size_t first; /* of all */

    size_t last;
};
typedef int corral_other_t;

/* The first thing. */
static inline size_t
corral_first(const struct corral_count *count)
{
    return count->first;
}

/* A comment of no declaration. */

#ifdef __cplusplus
}
#endif

#endif
"""


def test_header_is_read_as_comments_with_their_declarations() -> None:
    header = headers.read(HEADER)
    assert header.comment.strip() == "Counts *things*, <at most> 9 (section 1)."
    assert [declared.names for declared in header.declared] == [
        ("corral_count",),
        ("COUNT_SIZE", "COUNT_MAX"),
        ("corral_count", "corral_other_t"),
        ("corral_first",),
    ]
    codes = [declared.code for declared in header.declared]
    assert codes[0].endswith("size_t number);")
    assert codes[1] == "#define COUNT_SIZE(n)\n#define COUNT_MAX 9"
    assert "    size_t first; /* of all */\n\n    size_t last;" in codes[2]
    assert codes[3] == "static inline size_t\ncorral_first(const struct corral_count *count);"


def test_comment_becomes_prose_and_lists() -> None:
    assert headers.prose(headers.read(HEADER).declared[0].comment).split("\n") == [
        "Count the things of `count`. Room needed: `COUNT_SIZE(n)`.",
        "",
        "- `number`: of things; of kinds in `other`",
        "- `PSA_ERROR_BAD_STATE`, `PSA_ERROR_NOT_SUPPORTED`: `a_name` is missing",
        "- and what the port returns",
        "",
        "It ends here.",
    ]
    page = headers.page("include/corral/count.h", HEADER)
    assert page.startswith("# corral/count.h\n\nCounts \\*things\\*, \\<at most\\> 9 (section 1).")


def found_by_search(site: Path) -> dict[str, str]:
    text = (site / "search/search_index.js").read_text()
    entries = json.loads(text.removeprefix("var __index = "))["docs"]
    return {entry["location"]: entry["text"] for entry in entries}


def test_search_finds_each_function_of_the_api_with_its_prototype_and_statuses(site: Path) -> None:
    entries = found_by_search(site)
    index = entries["reference/index.html#functions"]
    functions = re.findall(r"`(psa_\w+[a-z0-9])`", (ROOT / "docs/API.md").read_text())
    assert len(functions) > 140
    without_status = 0
    for name in functions:
        assert f"<code>{name}</code>" in index, name
        found = [text for place, text in entries.items() if place.endswith(f".html#{name}")]
        found = found or [text for text in entries.values() if f"{name}(" in text]
        assert any(f"{name}(" in text for text in found), name
        without_status += not any("<code>PSA_" in text for text in found)
    # Getters and setters of attributes, and functions that only return objects.
    assert without_status < 40


def test_page_of_each_header_has_all_that_it_declares(site: Path) -> None:
    names = 0
    for path in sorted((ROOT / "include").glob("*/*.h")):
        page = site / "reference" / path.parent.name / f"{path.stem}.html"
        shown = re.sub(r"<[^>]+>", "", page.read_text())
        code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        declared = re.findall(r"(?m)^#define ((?:PSA|psa)_\w+)\b(?<!_H)", code)
        declared += re.findall(r"(?m)^[a-z][\w *]*?\b(psa_\w+)\(", code)
        declared += re.findall(r"(?m)^typedef [^{]*?(\w+);", code)
        if path.parent.name == "corral":
            declared += re.findall(r"(?m)^[a-z][\w *]*?\b(corral_\w+)\(", code)
        names += len(declared)
        assert not [name for name in declared if not re.search(rf"\b{name}\b", shown)], path
    assert names > 600


def test_ids_of_a_page_differ(site: Path) -> None:
    """Also those of a macro and a function whose names differ only in case."""
    for page in (site / "reference").rglob("*.html"):
        ids = re.findall(r'\bid="([^"]+)"', page.read_text())
        assert len(ids) == len(set(ids)), (page, {i for i in ids if ids.count(i) > 1})


def test_page_of_commands_has_the_help_of_each(site: Path) -> None:
    entries = found_by_search(site)
    names = commands.names()
    assert len(names) > 20
    for name in names:
        place = f"reference/commands.html#corral-{name.replace(' ', '-')}"
        assert f"usage: ./corral {name}" in entries[place], name
