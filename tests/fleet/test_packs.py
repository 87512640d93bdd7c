# SPDX-License-Identifier: Apache-2.0
"""Packs of SenML in both forms: crate and package refuse the same, and read the same in others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corral_fleet import Reason, Record, RefusedError, senml

#: What the crate reads, too (fleet/rust/src/senml.rs).
PACKS: dict[str, dict[str, list[str]]] = json.loads(
    (Path(__file__).with_name("packs.json")).read_text()
)


def rows(verdict: str) -> list[tuple[str, str]]:
    """The packs of both forms, each with its form."""
    return [(form, pack) for form, packs in PACKS.items() for pack in packs[verdict]]


def read(form: str, pack: str) -> tuple[Record, ...]:
    if form == "json":
        return senml.read_json(pack.encode())
    return senml.read(bytes.fromhex(pack))


@pytest.mark.parametrize(("form", "pack"), rows("taken"))
def test_pack__that_the_protocol_allows__is_read(form: str, pack: str) -> None:
    assert len(read(form, pack)) == 1


@pytest.mark.parametrize(("form", "pack"), rows("refused"))
def test_pack__that_the_protocol_forbids__is_refused(form: str, pack: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read(form, pack)
    assert refused.value.reason is Reason.MALFORMED
