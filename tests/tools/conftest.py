# SPDX-License-Identifier: Apache-2.0
"""Builds that several tests of the tools look at."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from corral import build
from corral.model.tree import load_tree


@pytest.fixture(scope="session")
def driver_builds(root: Path) -> dict[str, build.Build]:
    """Every driver that this computer can have, compiled for all that it can serve."""
    sys.path.insert(0, str(root / "tests" / "driver" / "common"))
    from driver_subject import Subject, settings_for  # noqa: PLC0415

    tree = load_tree(root)
    native = tree.boards["native"]
    drivers = [driver for driver in tree.drivers.values() if native.has(driver.requires)]
    wanted = {driver.name: settings_for(tree, native, Subject(driver)) for driver in drivers}
    # Constructions need what they are made of: they take the place of a library's own.
    wanted["compose"] = {
        symbol.replace("_BY_MBEDTLS", "_BY_COMPOSE")
        if symbol.replace("_BY_MBEDTLS", "_BY_COMPOSE") in wanted["compose"]
        else symbol: "y"
        for symbol in wanted["mbedtls"]
    }
    builds = {}
    for driver in drivers:
        # An element's driver is there when the application has keys in elements.
        app = "zoo" if driver.is_opaque else "hmac"
        options = build.Options(settings=wanted[driver.name], name=f"tests/drivers/{driver.name}")
        builds[driver.name] = build.build(app, "native", options)
    return builds
