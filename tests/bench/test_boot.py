# SPDX-License-Identifier: Apache-2.0
"""Boot loaders accept their image alone, and take what docs/BENCH.md says.

Programs are built for each preset in long runs. In others they rotate with the tree:
tests/alone says how.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from alone import alone
from corral import ROOT
from corral.model.places import Places
from corral.run import program as run
from corral_bench import baseline, boot
from corral_bench.boot import LOADERS, Loader
from harness.areas import is_long

#: Built in each run without --long.
SHORT = 2


def loaders() -> Iterator[Loader]:
    first = alone.share_of_tree(len(LOADERS))
    turned = (*LOADERS[first:], *LOADERS[:first])
    yield from LOADERS if is_long() else turned[:SHORT]


def changed(loader: Loader) -> Loader:
    """The same with one bit of the signature changed."""

    def sign() -> tuple[bytes, bytes]:
        key, signature = loader.sign()
        return key, signature[:-1] + bytes([signature[-1] ^ 1])

    return replace(loader, name=f"{loader.name} changed", sign=sign)


def test_every_preset_for_boot_loaders_is_measured() -> None:
    presets = {name for name in Places(ROOT).presets() if name.startswith("boot")}
    assert {loader.preset for loader in LOADERS} == presets
    assert [row["name"] for row in baseline.load()["boot"]] == [loader.name for loader in LOADERS]


@pytest.mark.parametrize("loader", [pytest.param(each, id=each.label) for each in loaders()])
def test_loader_accepts_its_image_alone_in_so_many_bytes(loader: Loader) -> None:
    assert run.run(boot.build(loader, lto=False)[0], capture=True).returncode == 0
    assert run.run(boot.build(changed(loader), lto=False)[0], capture=True).returncode == 1
    (row,) = (row for row in baseline.load()["boot"] if row["name"] == loader.name)
    for name, size in boot.sizes(loader, lto=False).items():
        assert size == pytest.approx(row[name], rel=baseline.TOLERANCE), name
