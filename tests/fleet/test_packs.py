# SPDX-License-Identifier: Apache-2.0
"""Packs of SenML in both forms: crate and package refuse the same, and read the same in others.

With --long each run draws other packs, and prints their seed.
"""

from __future__ import annotations

import json
import secrets
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import drawn_packs
import pytest
from corral_fleet import Reason, Record, RefusedError, senml
from corral_server import compiled
from harness import areas

#: Packs of each form.
COUNT = areas.campaign(4000, 400_000)

#: The crate reads these, too (fleet/rust/src/senml.rs): CBOR in hexadecimal.
PACKS: dict[str, dict[str, list[str]]] = json.loads(
    (Path(__file__).with_name("packs.json")).read_text()
)
READ = {"cbor": senml.read, "json": senml.read_json}
DRAW = {"cbor": drawn_packs.cbor, "json": drawn_packs.in_json}


def rows(verdict: str) -> list[tuple[str, str]]:
    """The packs of both forms, each with its form."""
    return [(form, pack) for form, packs in PACKS.items() for pack in packs[verdict]]


def octets(form: str, pack: str) -> bytes:
    return pack.encode() if form == "json" else bytes.fromhex(pack)


@pytest.mark.parametrize(("form", "pack"), rows("taken"))
def test_pack__that_the_protocol_allows__is_read(form: str, pack: str) -> None:
    assert len(READ[form](octets(form, pack))) == 1


@pytest.mark.parametrize(("form", "pack"), rows("refused"))
def test_pack__that_the_protocol_forbids__is_refused(form: str, pack: str) -> None:
    with pytest.raises(RefusedError) as refused:
        READ[form](octets(form, pack))
    assert refused.value.reason is Reason.MALFORMED


@pytest.fixture(scope="session")
def crate() -> Path:
    """The crate's example, compiled."""
    return compiled() / "examples" / "packs"


def by_crate(crate: Path, form: str, packs: list[bytes]) -> list[Any]:
    """The records of each pack, or None for one that is refused."""
    asked = "".join(f"{form} {pack.hex()}\n" for pack in packs)
    said = subprocess.run([crate], input=asked, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in said.stdout.splitlines()]


def by_package(form: str, pack: bytes) -> list[Any] | None:
    """The same of one pack."""
    try:
        return [shown(record) for record in READ[form](pack)]
    except RefusedError as error:
        assert error.reason is Reason.MALFORMED
        return None


def shown(record: Record) -> list[Any]:
    """A record as the crate's example has it."""
    value: dict[str, Any] = {}
    for kind, label in ((bool, "vb"), (float, "v"), (str, "vs")):
        if isinstance(record.value, kind):
            value = {label: record.value}
    if isinstance(record.value, bytes):
        value = {"vd": list(record.value)}
    clock = record.clock and [record.clock.source, record.clock.seconds]
    return [record.name, record.unit, value, record.sum, record.time, clock]


@pytest.mark.parametrize("form", PACKS)
def test_drawn_packs__are_the_same_to_crate_and_package(
    form: str, crate: Path, record_property: Callable[[str, object], None]
) -> None:
    seed = secrets.randbits(32) if areas.is_long() else 1
    record_property("tells", f"packs: {form}, seed {seed}")
    chance = Random(seed)
    packs = [DRAW[form](chance) for _ in range(COUNT)]
    taken = 0
    for pack, theirs in zip(packs, by_crate(crate, form, packs), strict=True):
        ours = by_package(form, pack)
        assert ours == theirs, f"seed {seed}: {pack.hex() if form == 'cbor' else pack!r}"
        taken += ours is not None
    assert COUNT // 4 < taken < COUNT // 2
