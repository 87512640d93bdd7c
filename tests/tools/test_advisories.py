# SPDX-License-Identifier: Apache-2.0
"""Known vulnerabilities of packages: each version is reviewed, not too long ago, and shown."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from corral import ROOT
from corral.errors import CorralError
from corral.export.vex import vex
from corral.packages import advisories
from corral.packages import fetch as packages

PACKAGE = """\
title = "Acme crypto 1.0"
licence = "MIT"
[source]
registry = "cargo"
name = "acme"
version = "1.0"
sha256 = "{sha256}"
"""
REVIEW = """\
version = "1.0"
reviewed = 2026-11-28
sources = ["its release notes"]

[[advisory]]
id = "CVE-2026-1"
title = "Leaks a key"
status = "not_affected"
justification = "vulnerable_code_not_present"
reason = "It is not compiled."
test = "tests/a.c::a"
"""
DAY = datetime.date(2026, 11, 28)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "packages" / "acme"
    folder.mkdir(parents=True)
    (folder / "package.toml").write_text(PACKAGE.format(sha256="0" * 64))
    (folder / "advisories.toml").write_text(REVIEW)
    return tmp_path


def test_no_review_of_the_tree_is_overdue() -> None:
    assert advisories.overdue(advisories.reviews(ROOT), advisories.today()) == []


def test_every_test_that_is_named_is_there() -> None:
    named = {each.test for of in advisories.reviews(ROOT) for each in of.advisories} - {""}
    assert named
    for test in named:
        path, _, name = test.partition("::")
        assert name in (ROOT / path).read_text(encoding="utf-8"), test


def test_library_that_is_in_firmware_is_reviewed() -> None:
    """Drivers name what firmware contains, but for a driver's own peers of tests."""
    named = {
        package
        for path in ROOT.glob("drivers/*/driver.json")
        for package in json.loads(path.read_text(encoding="utf-8")).get("corral/packages", {})
    }
    assert {"mbedtls", "bearssl"} <= named
    for name in named:
        assert advisories.review(ROOT, name).sources, name


@pytest.mark.parametrize(("days", "count"), [(0, 0), (180, 0), (181, 1)])
def test_review_counts_for_180_days(tree: Path, days: int, count: int) -> None:
    found = advisories.overdue(advisories.reviews(tree), DAY + datetime.timedelta(days=days))
    assert len(found) == count
    assert all("packages/acme/advisories.toml: reviewed on 2026-11-28" in line for line in found)


def test_today_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRAL_TODAY", "2027-01-02")
    assert advisories.today() == datetime.date(2027, 1, 2)


def test_review_of_another_version_is_refused(tree: Path) -> None:
    path = tree / "packages" / "acme" / "package.toml"
    path.write_text(path.read_text().replace('version = "1.0"', 'version = "1.1"'))
    with pytest.raises(CorralError, match=r"the review is of version 1\.0: review 1\.1"):
        advisories.reviews(tree)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("2026-11-28", '"today"', '"reviewed" is no date'),
        ('"not_affected"', '"harmless"', '"harmless" is no status'),
        ("vulnerable_code_not_present", "luck", '"luck" is no justification'),
        ('"not_affected"', '"fixed"', "no justification of fixed"),
        ('reason = "It is not compiled."\n', "", '"reason" is missing'),
        ("test =", "tset =", "unknown key"),
    ],
)
def test_wrong_review_is_named(tree: Path, old: str, new: str, complaint: str) -> None:
    path = tree / "packages" / "acme" / "advisories.toml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(CorralError, match=r"packages/acme/advisories\.toml") as caught:
        advisories.reviews(tree)
    assert complaint in str(caught.value)


def test_document_and_vex_say_the_same(tree: Path) -> None:
    text = advisories.markdown(tree)
    row = "| CVE-2026-1 | Leaks a key | does not apply | It is not compiled. | [a](../tests/a.c) |"
    assert row in text
    said = json.loads(vex(tree, "0.2.0", [packages.load(tree, "acme")]))
    assert said["@context"].startswith("https://openvex.dev/ns/")
    assert (said["timestamp"], said["version"]) == ("2026-11-28T00:00:00Z", 1)
    (statement,) = said["statements"]
    assert statement["vulnerability"]["name"] == "CVE-2026-1"
    assert statement["status"] == "not_affected"
    assert statement["justification"] == "vulnerable_code_not_present"
    (product,) = statement["products"]
    assert product["@id"] == "pkg:generic/corral@0.2.0"
    assert product["subcomponents"] == [{"@id": "acme@1.0", "hashes": {"sha-256": "0" * 64}}]


def test_package_of_a_project_needs_no_review(tree: Path) -> None:
    (tree / "packages" / "acme" / "advisories.toml").unlink()
    assert json.loads(vex(tree, "0.2.0", [packages.load(tree, "acme")]))["statements"] == []
