# SPDX-License-Identifier: Apache-2.0
"""With an int of 16 bits, drivers compute the published results.

Libraries are written for larger processors: code that is right there may lose bits here.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence

import known_limits
import pytest
import wipers_program
from corral.build import image as corral_build
from corral.common.progress import alone
from corral.configure.bindings import Bindings
from corral.run.chips import build_simulator
from driver_subject import bound
from harness.program import TESTS
from test_drivers import has_hash, vectors_for
from test_wipers import is_fast, params
from vectors import tables
from vectors.row import Row
from wipers_program import BOARD, Part

APP = "../tests/driver/narrow"
#: Vectors of one file for one mechanism.
ROWS = 3
#: The sizes of the program's buffers, and the part of ROOM_FOR_INPUTS for keys.
MOST, MOST_OF_KEY, MOST_OF_DERIVATION = 240, 64, 72
#: A signature by trees, in a program that has nothing else, and the room for its row.
MOST_OF_TREES = 2830
ROOM_OF_TREES = ("NARROW_ROW_ROOM=3136u",)
SIZE_MAX = 0xFFFF


def parts() -> Iterator[Part]:
    for driver in wipers_program.local_drivers():
        found = [m for m in wipers_program.mechanisms(driver) if wipers_program.has_room(m)]
        published = [m for m in found if m.name != "RANDOM"]
        yield from filter(is_fast, wipers_program.parts_of(driver, published))


def _has_room(row: Row) -> bool:
    if row.needs.startswith(("VERIFY_LMS_", "VERIFY_HSS_")):
        is_small = len(row.output) <= MOST_OF_TREES and not _has_long_chains(row)
    else:
        most = MOST_OF_DERIVATION if row.kind == "DERIVATION" else MOST
        is_small = max(map(len, (row.iv, row.input, row.output))) <= most
    # In an iteration of a password's there are two blocks, each of which takes its time here.
    is_short = "PBKDF2" not in row.needs or int.from_bytes(row.input, "big") <= 16
    # A capacity is a size.
    is_said = "SP800_108" not in row.needs or int.from_bytes(row.input[-4:], "big") <= SIZE_MAX
    is_key = len(row.key) <= (MOST_OF_KEY if "PUBLIC_KEY" not in row.key_type else MOST)
    return is_small and is_short and is_said and is_key


def _has_long_chains(row: Row) -> bool:
    """Of 255 steps, by the type of the one-time keys: a minute of this processor."""
    return row.key[7 if "LMS" in row.needs else 11] % 4 == 0


def _rows(part: Part, bindings: Bindings) -> list[Row]:
    needs = bound(bindings, part) & part.names
    enabled = bindings.configuration.kconfig.enabled()
    served = (row for row in vectors_for(needs) if row.needs in needs)
    fitting = (row for row in served if has_hash(enabled, row) and _has_room(row))
    held = (known_limits.apply(part.driver.name, row) for row in fitting)
    decided = (row for row in held if row.result != "ACCEPTABLE")
    return list(tables.select(decided, needs, ROWS))


def _name(row: Row) -> str:
    return f"narrow_{row.kind.lower()}, {row.alg}, {row.key_type}"


def _bytes(row: Row, names: Sequence[str]) -> bytes:
    fields = (row.key, row.iv, row.input, row.output)
    return bytes([names.index(_name(row))]) + b"".join(
        len(field).to_bytes(2, "big") + field for field in fields
    )


def answers(part: Part) -> tuple[list[Row], str]:
    """Vectors of the driver's mechanisms, and for each whether the program agrees."""
    name = f"tests/narrow-{part.driver.name}-{part.label or 'rest'}"
    folder = corral_build.folder_of(APP, BOARD, name)
    options = corral_build.Options(
        settings=wipers_program.settings(part),
        sources=(folder / "rows.c",),
        name=name,
        defines=ROOM_OF_TREES if part.label == wipers_program.TREES else (),
        together="core",
    )
    with alone(folder):
        bindings = corral_build.prepare(APP, BOARD, options)
        rows = _rows(part, bindings)
        names = list(dict.fromkeys(map(_name, rows)))
        checks = ", ".join(dict.fromkeys(name.partition(",")[0] for name in names))
        lines = "".join(f"    {{{name}}},\n" for name in names)
        (folder / "rows.c").write_text(
            f'#include "{TESTS / "driver" / "narrow" / "narrow.h"}"\n\n'
            f"extern narrow_check {checks};\n\n"
            f"const struct narrow_name narrow_names[] = {{\n{lines}}};\n"
        )
        (folder / "rows").write_bytes(b"".join(_bytes(row, names) for row in rows))
        done = corral_build.build(APP, BOARD, options, bindings)
        command = [str(build_simulator(BOARD)), str(done.image), f"input={folder / 'rows'}"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return rows, said.rstrip("\n")


@pytest.mark.parametrize("part", params(parts()))
def test_published_vectors_agree_where_int_has_16_bits(part: Part) -> None:
    rows, said = answers(part)
    assert rows
    assert len(said) == len(rows)
    wanted = "".join("y" if row.result == "VALID" else "n" for row in rows)
    wrong = [r for r, a, b in zip(rows, said, wanted, strict=True) if a != b]
    assert [f"{row.needs}: {row.title} ({row.source})" for row in wrong] == []


def test_every_driver_of_the_board_is_compared() -> None:
    """But the generator, of which nothing is published, and ML-KEM, which is too large."""
    here = {driver.name for driver in wipers_program.local_drivers()}
    assert here - {part.driver.name for part in parts()} == {"ctr_drbg", "mlkem_native", "p256m"}
