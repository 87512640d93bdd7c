# SPDX-License-Identifier: Apache-2.0
"""The meaning of advisories of packages for a library that contains them, in OpenVEX."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corral.packages.advisories import Advisory, Review, has_review, review
from corral.packages.fetch import Package

_CONTEXT = "https://openvex.dev/ns/v0.2.0"
#: Of no meaning but to be always the same.
_NAMESPACE = uuid.UUID("2f4f6a0e-2d0b-5b54-8a55-3d2f1b6a9c40")


def _component(of: Review) -> dict[str, Any]:
    """The package as in a bill of materials: by hash, and by its name in advisories."""
    package = of.package
    upstream = package.upstream
    named: dict[str, Any] = {"@id": f"{package.known_as}@{package.source.version}"}
    if upstream and upstream.cpe:
        named["identifiers"] = {"cpe23": f"{upstream.cpe}:{upstream.version}{':*' * 7}"}
    if package.source.sha256:
        named["hashes"] = {"sha-256": package.source.sha256}
    return named


def _statement(of: Review, each: Advisory, product: str) -> dict[str, Any]:
    words = {"fixed": "status_notes", "not_affected": "impact_statement"}
    told = {
        "vulnerability": {"name": each.id, "description": each.title},
        "timestamp": f"{of.reviewed}T00:00:00Z",
        "products": [{"@id": product, "subcomponents": [_component(of)]}],
        "status": each.status,
        "justification": each.justification,
        words.get(each.status, "status_notes"): each.reason,
        "action_statement": each.action,
    }
    return {key: value for key, value in told.items() if value}


def vex(root: Path, version: str, packages: Sequence[Package]) -> str:
    """Of Corral at this version, with these packages; those of a project's own say nothing."""
    found = [review(root, package.name) for package in packages if has_review(package)]
    product = f"pkg:generic/corral@{version}"
    statements = [_statement(of, each, product) for of in found for each in of.advisories]
    last = max((of.reviewed for of in found), default=None)
    text: dict[str, Any] = {
        "@context": _CONTEXT,
        "author": "The maintainers of Corral",
        "timestamp": f"{last}T00:00:00Z" if last else "1970-01-01T00:00:00Z",
        "version": 1,
        "statements": statements,
    }
    identity = json.dumps(text, sort_keys=True)
    text["@id"] = f"urn:uuid:{uuid.uuid5(_NAMESPACE, identity)}"
    return json.dumps(text, indent=2, sort_keys=True) + "\n"
