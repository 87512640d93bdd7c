# SPDX-License-Identifier: Apache-2.0
"""Extendable outputs."""

from __future__ import annotations

from cryptography.hazmat.primitives import hashes

from differential.chance import Chance
from differential.subject import Subject

XOFS = {0x0D000100: hashes.SHAKE128, 0x0D000200: hashes.SHAKE256}


def extendable_output(chance: Chance, subject: Subject) -> None:
    alg = chance.choice(list(XOFS))
    data = chance.data(2000)
    size = chance.length(2000) + 1
    context = hashes.Hash(XOFS[alg](size))
    context.update(data)
    first = chance.randint(0, size)
    subject.expect(context.finalize(), "xof", alg, first, size, *chance.pieces(data))


EXPERIMENTS = {extendable_output: 4}
