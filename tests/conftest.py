# SPDX-License-Identifier: Apache-2.0
"""Shared by all tests: the tools on the path, the root of the tree, and the order of tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "bench")]

pytest_plugins = ["harness.area_hooks"]

#: Groups of tests that take one process half a minute or more, the longest first. They begin in
#: this order, before all others, so that the processes end together. A wrong order breaks nothing.
LONG = (
    "test_api",
    "test_fuzz",
    "test_demo",
    "proof-persistent-create",
    "test_style",
    "test_boards",
    "test_pake",
    "test_examples",
    "residue-bearssl",
    "test_differential",
    "driver-bearssl-mps2-an386",
    "foreign-chips",
    "test_persistent",
    "test_new",
    "driver-compose-native",
    "driver-bearssl-native",
    "test_elements",
    "test_presets",
    "test_bench",
    "driver-compose-mps2-an386",
    "test_mega2560",
    "driver-mbedtls-native",
    "alone-1",
    "alone-0",
    "residue-compose",
    "test_rust",
    "driver-mbedtls-mps2-an386",
    "test_headers",
    "residue-mbedtls",
    "test_search_path",
    "test_cmake_projects",
    "driver-wolfcrypt-mps2-an386",
    "test_storage",
    "test_export",
    "test_new_driver",
    "test_applications",
    "test_random_configurations",
    "mbedtls",
    "driver-wolfcrypt-native",
    "test_documents",
    "test_reads",
    "test_dispatch",
    "test_aead",
    "proof-record-read",
    "test_binding",
)
#: Tests that read the results of others, and would wait for them.
LATE = ("test_symbols", "test_conformance")


def _place(item: pytest.Item) -> int:
    marker = item.get_closest_marker("xdist_group")
    assert marker is not None
    group = marker.args[0]
    if group in LATE:
        return len(LONG) + 1 + LATE.index(group)
    return LONG.index(group) if group in LONG else len(LONG)


def pytest_configure() -> None:
    """What all tests and the commands that they run have in common: compiler cache, and width."""
    # Here, because its modules are on the path that this file sets.
    from harness import compiler_cache  # noqa: PLC0415

    compiler_cache.use()
    # Help is as wide as a terminal is by default, whatever the user's environment says of theirs.
    os.environ["COLUMNS"] = "80"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file share what they build, so one process runs them all, unless they say."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    items.sort(key=_place)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the notes of tests that passed, such as the share of all cases that they tried."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == "tells":
                terminalreporter.write_line(str(value))


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the tree under test."""
    return ROOT
