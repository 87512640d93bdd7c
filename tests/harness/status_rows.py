# SPDX-License-Identifier: Apache-2.0
"""Statuses where the specification leaves a choice: rows, from which tests and a table come.

Run as a program, this writes the table into docs/DECISIONS.md:

    .venv/bin/python tests/harness/status_rows.py
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
FOLDER = TESTS / "api" / "statuses"
ROWS = FOLDER / "rows.tsv"
CALLS = FOLDER / "calls.c"
DOCUMENT = TESTS.parent / "docs" / "DECISIONS.md"

#: Whose word a status is, as the table says it.
BECAUSE = {
    "both": "certification and reference",
    "certification": "certification",
    "reference": "reference",
    "either": "certification takes `NOT_SUPPORTED` as well",
    "call": "as the functions of that role",
    "alike": "as the functions and algorithms beside it",
    "import": "as `psa_import_key()`",
    "policy": "such a policy permits nothing",
    "specification": "specification",
    "identity": "the protocol allows it; certification expects `NOT_SUPPORTED` of 18 bytes",
}
#: Type, data and size.
KEYS = {
    "": ("PSA_KEY_TYPE_NONE", "NULL", 0),
    "aes": ("PSA_KEY_TYPE_AES", "aes_key", 16),
    "hmac": ("PSA_KEY_TYPE_HMAC", "aes_text", 64),
    "raw": ("PSA_KEY_TYPE_RAW_DATA", "aes_key", 16),
    "derive": ("PSA_KEY_TYPE_DERIVE", "aes_text", 32),
    "ecc_pair": ("PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)", "p256_private", 32),
    "ecc_public": ("PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)", "p256_public", 65),
    "rsa_pair": ("PSA_KEY_TYPE_RSA_KEY_PAIR", "rsa1024_pair", 609),
    "rsa_public": ("PSA_KEY_TYPE_RSA_PUBLIC_KEY", "rsa1024_public", 140),
    "password": ("PSA_KEY_TYPE_PASSWORD", "aes_key", 16),
    "password_hash": ("PSA_KEY_TYPE_PASSWORD_HASH", "aes_text", 64),
    "spake2p_pair": ("PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)", "spake2p_pair", 64),
    "spake2p_public": (
        "PSA_KEY_TYPE_SPAKE2P_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)",
        "spake2p_public",
        97,
    ),
}
MORE = {"policy", "usage", "type", "bits", "length", "primitive", "confirmation"}
P256 = "PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256)"

BEGIN = "<!-- Made from tests/api/statuses/rows.tsv by tests/harness/status_rows.py. -->\n"
END = "<!-- End of what is made. -->\n"


@dataclass(frozen=True)
class Row:
    """A fault, and the statuses of the functions for it."""

    functions: tuple[str, ...]
    condition: str
    status: str
    because: str
    alg: str
    key: tuple[str, str, int]
    more: dict[str, str]

    def claim(self, function: str) -> str:
        """The name of a test."""
        words = re.sub(r"\W+", "_", f"{self.condition}__is_{self.status}".lower())
        return f"{function}__{words}"

    def initialiser(self, function: str) -> str:
        """The row in C, for one of its functions."""
        alg = self.alg or "PSA_ALG_NONE"
        kind, data, size = self.key
        confirms = "UNCONFIRMED" if "JPAKE" in alg else "CONFIRMED"
        status = "PSA_SUCCESS" if self.status == "SUCCESS" else f"PSA_ERROR_{self.status}"
        fields = {
            "function": f'"{function}"',
            "key_type": kind,
            "key_data": data,
            "key_size": size,
            "policy": self.more.get("policy", alg),
            "usage": self.more.get("usage", 0),
            "alg": alg,
            "type": self.more.get("type", "PSA_KEY_TYPE_NONE"),
            "bits": self.more.get("bits", 0),
            "length": self.more.get("length", "FITTING"),
            "primitive": self.more.get("primitive", P256),
            "confirmation": self.more.get("confirmation", f"PSA_PAKE_{confirms}_KEY"),
            "status": status,
        }
        return "{" + ", ".join(f".{name} = {value}" for name, value in fields.items()) + "}"


def _row(values: dict[str, str]) -> Row:
    more = dict(pair.split(" = ") for pair in values["more"].split("; ") if pair)
    assert set(more) <= MORE, values
    return Row(
        tuple(f"psa_{name}" for name in values["functions"].split()),
        values["condition"],
        values["status"],
        BECAUSE[values["because"]],
        values["alg"],
        KEYS[values["key"]],
        more,
    )


def load() -> list[Row]:
    with ROWS.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        return [_row(row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def tests(rows: list[Row]) -> Iterator[tuple[str, str]]:
    """The claim and the row in C of each test."""
    for row in rows:
        for function in row.functions:
            yield row.claim(function), row.initialiser(function)


def source(rows: list[Row]) -> str:
    """A suite with a test for each row and function."""
    made = list(tests(rows))
    parts = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* Made by tests/harness/status_rows.py; do not edit. */",
        f'#include "{FOLDER}/status_call.h"',
        f'#include "{TESTS}/harness/harness.h"',
        f'#include "{TESTS}/harness/material.h"',
        f'#include "{TESTS}/harness/rsa_keys.h"',
    ]
    for claim, initialiser in made:
        parts += [
            f"static void {claim}(void)",
            "{",
            f"    static const struct status_row row = {initialiser};",
            "    status_check(&row);",
            "}",
        ]
    parts += ["static const struct test_case tests[] = {"]
    parts += [f"    TEST({claim})," for claim, _ in made]
    parts += ["};", "TEST_SUITE(statuses, tests);", ""]
    return "\n".join(parts)


def called() -> set[str]:
    """The functions that the tests know how to call."""
    return set(re.findall(r'^    \{"(psa_\w+)",', CALLS.read_text(encoding="utf-8"), re.M))


def table(rows: list[Row]) -> str:
    lines = ["| Functions | The request | Status | Whose word |", "|---|---|---|---|"]
    for row in rows:
        functions = ", ".join(f"`{name}()`" for name in row.functions)
        lines.append(f"| {functions} | {row.condition} | `{row.status}` | {row.because} |")
    return "\n".join(lines) + "\n"


def document(text: str, rows: list[Row]) -> str:
    """The document with the table of these rows in place of the one it has."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table(rows)}\n{END}{after}"


def main() -> int:
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(document(text, load()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
