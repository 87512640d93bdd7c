# SPDX-License-Identifier: Apache-2.0
"""include/psa/crypto_lengths.h: properties of each hash, curve and group for the macros
of sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from corral.model.mechanisms import MechanismTable, Value
from corral.model.tree import load_tree
from corral.model.wants import own_symbol

_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Made by `./corral documents` from dispatch/mechanisms.toml; do not edit.
 *
 * Lengths of hashes, and the largest parameters that the configuration wants: the
 * base of psa/crypto_sizes.h and psa/crypto_max_sizes.h.
 */
/* clang-format off */
#ifndef PSA_CRYPTO_LENGTHS_H
#define PSA_CRYPTO_LENGTHS_H

#include "crypto_hash.h"

/* The hash of an algorithm is one of 32 numbers in its low byte, so that a group of hashes is a
 * 32-bit mask. */
#define CORRAL_HASH_BIT(alg) \\
    (CORRAL_ALG_BITS(alg, 0xe0) != 0 \\
         ? CORRAL_CAST(uint32_t, 0) \\
         : CORRAL_CAST(uint32_t, 1) << CORRAL_ALG_BITS(alg, 0x1f))
"""


def _rows(name: str, rows: Sequence[str]) -> list[str]:
    """A macro, one row a line; the last closes the parenthesis that the first opens."""
    marked = [f"{' ' if i else '('}{row}" for i, row in enumerate(rows)]
    return [
        f"#define {name} \\",
        *(f"    {row} \\" for row in marked[:-1]),
        f"    {marked[-1]})",
        "",
    ]


def _grouped(values: Iterable[Value], field: str) -> dict[int, list[Value]]:
    """Values by a length, those lengths first that most have."""
    found: dict[int, list[Value]] = {}
    for value in values:
        found.setdefault(int(value.fields[field]), []).append(value)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), -item[0])))


def _masks(name: str, groups: Mapping[int, Sequence[Value]]) -> list[str]:
    lines: list[str] = []
    for length, values in groups.items():
        bits = [f"CORRAL_HASH_BIT({value.fields['algorithm']})" for value in values]
        rows = [*(f"{bit} |" for bit in bits[:-1]), bits[-1]]
        lines += _rows(f"{name}_{length}", rows)
    return lines


def _length(macro: str, name: str, groups: Mapping[int, object]) -> list[str]:
    rows = [
        f"(CORRAL_HASH_BIT(alg) & {name}_{n}) != 0 ? CORRAL_CAST(size_t, {n}) :" for n in groups
    ]
    return _rows(f"{macro}(alg)", [*rows, "CORRAL_CAST(size_t, 0)"])


def _largest(macro: str, wanted: Mapping[int, Sequence[str]], suffix: str, least: str) -> list[str]:
    rows: list[str] = []
    for n in sorted(wanted, reverse=True):
        rows += [f"{symbol} ||" for symbol in wanted[n][:-1]]
        rows.append(f"{wanted[n][-1]} ? {suffix.format(n)} :")
    return _rows(macro, [*rows, least])


def _symbols(values: Iterable[Value], field: str, which: int) -> dict[int, list[str]]:
    """The symbols of values by a length; which: of a value's wants, the first or the last."""
    found: dict[int, dict[str, None]] = {}
    for value in values:
        symbol = own_symbol(value.wants[which][0])
        found.setdefault(int(value.fields[field]), {})[symbol] = None
    return {length: list(symbols) for length, symbols in found.items()}


def _parameters(table: MechanismTable) -> list[str]:
    kinds: dict[str, list[Value]] = {}
    for value in table.asymmetric:
        if "title" in value.fields:
            kinds.setdefault(str(value.fields.get("kind", value.list)), []).append(value)
    lines = ["/* Largest sizes of keys; 0: none is wanted. */"]
    for kind, values in kinds.items():
        macro = f"CORRAL_{kind.upper()}_MAX_BITS"
        lines += _largest(macro, _symbols(values, "bits", -1), "{}U", "0U")
    return lines


def header(root: Path) -> str:
    """The text of the header."""
    table = load_tree(root).mechanisms
    hashes = list(table.values["hash"].values())
    blocks = list(table.values["block"].values())
    lengths, block_lengths = _grouped(hashes, "length"), _grouped(hashes, "block_length")
    lines = [
        _HEAD,
        *_masks("CORRAL_HASHES_OF", lengths),
        "/* Length of a hash, or of the hash inside an HMAC or another composite algorithm; 0 if",
        " * there is none. */",
        *_length("PSA_HASH_LENGTH", "CORRAL_HASHES_OF", lengths),
        *_masks("CORRAL_HASHES_WITH_BLOCK_OF", block_lengths),
        "/* Bytes that one step of the hash consumes; HMAC pads keys to this size. BLAKE2sp and",
        " * BLAKE2bp: of one lane. */",
        *_length("PSA_HASH_BLOCK_LENGTH", "CORRAL_HASHES_WITH_BLOCK_OF", block_lengths),
        "/* Longest hash that is wanted. */",
        *_largest("PSA_HASH_MAX_SIZE", _symbols(hashes, "length", -1), "{}U", "1U"),
        "/* Longest block of a block cipher; 1 if there is none. */",
        *_largest(
            "PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE", _symbols(blocks, "block_length", 0), "{}U", "1U"
        ),
        *_parameters(table),
        "#endif",
    ]
    return "\n".join(lines) + "\n"
