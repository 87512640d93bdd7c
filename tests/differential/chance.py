# SPDX-License-Identifier: Apache-2.0
"""Random parts of an experiment: sizes near the edges, pieces, overlaps, flipped bits."""

from __future__ import annotations

from random import Random

#: Lengths near which mistakes are likely: of blocks, words, and intermediate buffers.
EDGES = (
    0,
    1,
    8,
    15,
    16,
    17,
    31,
    32,
    33,
    55,
    56,
    63,
    64,
    65,
    111,
    112,
    127,
    128,
    129,
    136,
    144,
    256,
)


class Chance(Random):
    """A source of choices that a seed repeats."""

    def length(self, most: int = 600) -> int:
        if self.random() < 0.6:
            return min(most, self.choice(EDGES))
        return self.randint(0, most)

    def data(self, most: int = 600, least: int = 0) -> bytes:
        return self.randbytes(max(least, self.length(most)))

    def pieces(self, data: bytes) -> list[bytes]:
        """The data in up to eight pieces, some of them empty."""
        cuts = sorted(self.randint(0, len(data)) for _ in range(self.randint(0, 7)))
        return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]

    def offset(self, length: int) -> str:
        """Where the output begins, seen from the input; x: nowhere near."""
        kind = self.random()
        if kind < 0.35:
            return "x"
        if kind < 0.6:
            return "0"
        return str(self.randint(-length - 20, length + 20))

    def flipped(self, data: bytes) -> bytes:
        """The data with one bit changed."""
        changed = bytearray(data)
        changed[self.randrange(len(data))] ^= 1 << self.randrange(8)
        return bytes(changed)
