# SPDX-License-Identifier: Apache-2.0
"""Known vulnerabilities of pinned packages: packages/<name>/advisories.toml.

docs/ADVISORIES.md shows it to people, an OpenVEX document beside each bill of materials to tools.
A review counts for the version that it names, and for 180 days.
"""

from __future__ import annotations

import datetime
import os
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corral.errors import CorralError, Problem
from corral.model.node import Node, read_toml
from corral.packages import fetch as packages
from corral.packages.fetch import Package

FILE = "advisories.toml"
#: How long a review counts.
DAYS = 180
#: Instead of today's date, for tests and for those that build an old version.
TODAY = "CORRAL_TODAY"
#: As OpenVEX calls them, and as a reader understands them.
STATUS = {
    "fixed": "fixed in this version",
    "not_affected": "does not apply",
    "affected": "**applies**",
    "under_investigation": "not known",
}
_JUSTIFICATIONS = (
    "component_not_present",
    "vulnerable_code_not_present",
    "vulnerable_code_not_in_execute_path",
    "vulnerable_code_cannot_be_controlled_by_adversary",
    "inline_mitigations_already_exist",
)
_KEYS = ("id", "title", "status", "justification", "fixed_in", "reason", "action", "test")


@dataclass(frozen=True)
class Advisory:
    """One advisory, and whether it concerns this library."""

    id: str
    title: str
    status: str
    justification: str
    fixed_in: str
    reason: str
    action: str
    test: str  # that shows it: "path" or "path::name"


@dataclass(frozen=True)
class Review:
    """All that is known against the version of a package."""

    package: Package
    version: str
    reviewed: datetime.date
    sources: tuple[str, ...]
    note: str
    advisories: tuple[Advisory, ...]


def today() -> datetime.date:
    """Today, or what CORRAL_TODAY says."""
    said = os.environ.get(TODAY, "")
    return datetime.date.fromisoformat(said) if said else datetime.datetime.now(datetime.UTC).date()


def version_of(package: Package) -> str:
    """The version by which advisories name the contents of a package."""
    return package.upstream.version if package.upstream else package.source.version


def _advisory(node: Node) -> Advisory:
    node.only(_KEYS)
    read = Advisory(**{key: node.string(key, "") for key in _KEYS})
    for key in ("id", "title", "reason"):
        if not getattr(read, key):
            node.complain(f'the key "{key}" is missing', "add it")
    if read.status not in STATUS:
        node.complain(f'"{read.status}" is no status', f"use one of {', '.join(STATUS)}")
    if (read.status == "not_affected") != (read.justification in _JUSTIFICATIONS):
        remedy = f"for not_affected, and only for it, use one of {', '.join(_JUSTIFICATIONS)}"
        node.complain(f'"{read.justification}" is no justification of {read.status}', remedy)
    if (read.status == "affected") != bool(read.action):
        node.complain('"action" belongs to the status affected', "say what users can do")
    return read


def has_review(package: Package) -> bool:
    """True if there is a review: projects need none for packages of their own."""
    return (package.described / FILE).is_file()


def review(root: Path, name: str) -> Review:
    """Read packages/<name>/advisories.toml."""
    package = packages.load(root, name)
    label = package.label.replace("package.toml", FILE)
    problems: list[Problem] = []
    node = read_toml(package.described / FILE, label, problems)
    node.only(("version", "reviewed", "sources", "note", "advisory"))
    reviewed = node.value.get("reviewed") if isinstance(node.value, dict) else None
    if type(reviewed) is not datetime.date:
        node.complain('"reviewed" is no date', "write it as 2026-11-28")
        reviewed = datetime.date.min
    if node.string("version", "") != version_of(package):
        what = f"the review is of version {node.string('version', '')}"
        node.complain(what, f"review {version_of(package)}, and correct the version")
    found = [_advisory(each) for each in node.items("advisory")] if node.has("advisory") else []
    if problems:
        raise CorralError(problems)
    return Review(
        package,
        node.string("version", ""),
        reviewed,
        node.strings("sources") if node.has("sources") else (),
        node.string("note", ""),
        tuple(found),
    )


def reviews(root: Path) -> list[Review]:
    """Of all packages of the tree."""
    return [review(root, name) for name in packages.names(root)]


def overdue(found: Sequence[Review], now: datetime.date) -> list[str]:
    """The remedy for reviews that are too old, or dated in the future."""
    limit = datetime.timedelta(days=DAYS)
    return [
        f"packages/{each.package.name}/{FILE}: reviewed on {each.reviewed}, more than {DAYS} days "
        "ago: look for advisories of it since, and set the date"
        for each in found
        if now - each.reviewed > limit
    ]


def _rows(of: Review) -> Iterator[str]:
    if not of.advisories:
        return
    yield "| Advisory | Fault | Here | Why | Shown by |"
    yield "|---|---|---|---|---|"
    for each in of.advisories:
        here = STATUS[each.status]
        if each.fixed_in and each.status == "fixed":
            here = f"fixed in {each.fixed_in}"
        elif each.fixed_in:
            here += f"; fixed in {each.fixed_in}"
        why = " ".join(filter(None, (each.reason, each.action)))
        path, _, test = each.test.partition("::")
        shown = f"[{test or path.rpartition('/')[2]}](../{path})" if path else ""
        yield f"| {each.id} | {each.title} | {here} | {why} | {shown} |"
    yield ""


def markdown(root: Path) -> str:
    """docs/ADVISORIES.md."""
    lines = [
        "# Advisories of the packages",
        "",
        "Look here to find out whether a published vulnerability of a library concerns a firmware",
        "that contains Corral. `./corral export` and `./corral library` write the same for their",
        "packages as an OpenVEX document, `openvex.json`. Made by `./corral documents` from",
        f"packages/*/{FILE}.",
        "",
        f"A review counts for one version and for {DAYS} days; then a test fails. Packages that",
        "are part of no firmware are listed at the end.",
        "",
    ]
    rest = []
    for of in reviews(root):
        if not of.sources:
            rest.append(f"`{of.package.name}`")
            continue
        title = of.package.upstream.title if of.package.upstream else of.package.title
        head = title if of.version in title else f"{title} {of.version}"
        said = f"Reviewed on {of.reviewed}. {of.note} Sources: {', '.join(of.sources)}."
        lines += [f"## {of.package.name}: {head}", "", *textwrap.wrap(said, 100), "", *_rows(of)]
    lines += [
        "## Packages of tests only",
        "",
        *textwrap.wrap(f"Not reviewed: {', '.join(rest)}.", 100),
    ]
    return "\n".join(lines) + "\n"
