# SPDX-License-Identifier: Apache-2.0
"""With each change another share of the supported mechanisms is tested; with --long all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from corral.model.tree import load_tree
from harness import areas

from alone import alone

#: Two processes share the work.
HALVES = 2
#: A mechanism with one driver is tested in so many shares: builds like these are rarer.
SHARES_BY_DRIVER = 2 * alone.SHARES


def _in_process(half: int) -> pytest.MarkDecorator:
    return pytest.mark.xdist_group(f"alone-{half}")


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> alone.Builder:
    return alone.Builder(tmp_path_factory.mktemp("alone"))


@pytest.mark.parametrize("half", [pytest.param(i, marks=_in_process(i)) for i in range(HALVES)])
def test_a_rotating_share_works_alone(
    half: int, builder: alone.Builder, record_property: Callable[[str, object], None]
) -> None:
    share = alone.share_of_tree()
    found = alone.cases(builder.tree)
    if not areas.is_long():
        found = alone.cases_of(share, found)
    chosen = found[half::HALVES]
    record_property("tells", f"alone: {len(chosen)} cases of share {share} of {alone.SHARES}")
    wrong = [
        f".venv/bin/python tests/alone/alone.py {case.name}\n{says}"
        for case in chosen
        if (says := builder.run(case))
    ]
    assert not wrong, f"of share {share}:\n" + "\n".join(wrong)


@_in_process(1)
def test_a_rotating_share_works_alone_by_each_driver(builder: alone.Builder) -> None:
    every = alone.cases(builder.tree)
    drivers = alone.drivers(builder.tree)
    found = [case for driver in drivers for case in alone.cases_by(driver, builder.tree, every)]
    if not areas.is_long():
        share = alone.share_of_tree(SHARES_BY_DRIVER)
        found = alone.cases_of(share, found, SHARES_BY_DRIVER)
    assert found
    wrong = [
        f".venv/bin/python tests/alone/alone.py --by {case.by} {case.name}\n{says}"
        for case in found
        if (says := builder.run(case))
    ]
    assert not wrong, "\n".join(wrong)


def test_the_shares_are_all_cases() -> None:
    found = alone.cases(load_tree(alone.ROOT))
    shared = [case for share in range(alone.SHARES) for case in alone.cases_of(share, found)]
    assert len({case.name for case in shared}) == len(shared) == len(found)


@_in_process(0)
def test_what_is_missing_is_found(builder: alone.Builder) -> None:
    case = next(c for c in alone.cases(builder.tree) if c.name == "SHA_256")
    assert builder.run(case) == ""
    assert "psa_hash_compute" in builder.run(replace(case, alg="PSA_ALG_SHA_512"))


@_in_process(1)
def test_keys_of_a_part_of_the_types_work(builder: alone.Builder) -> None:
    assert builder.run(alone.in_part()) == ""
