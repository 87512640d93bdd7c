# SPDX-License-Identifier: Apache-2.0
"""Instructions of mechanisms: they repeat, and programs made otherwise count the same."""

from __future__ import annotations

import json
import platform
import re
from dataclasses import replace
from pathlib import Path

import pytest
from corral.configure.candidates import find_candidates
from corral.model.costs import REFERENCE, Costs, Piece, costs_of, write_costs
from corral.model.tree import load_tree
from corral_bench import capabilities, instructions, rsa, speed
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_der_private_key

ROOT = Path(__file__).resolve().parents[2]
BASELINE = ROOT / "bench" / "baseline.json"
#: Calls of the measurement of signatures, whose programs draw other keys and nonces, and hash.
CALLS = {"sign": ("DETERMINISTIC_ECDSA_SIGN", "ECDSA_SIGN"), "verify": ("ECDSA_VERIFY",)}


def kept(driver: str, processor: str = REFERENCE) -> dict[str, int]:
    return dict(costs_of(ROOT / "drivers" / driver)[processor].instructions)


def program_of(name: str, board: str) -> instructions.Program:
    tree = load_tree(ROOT)
    candidates = find_candidates(tree, tree.boards[board])
    (program,) = (p for p in instructions.programs(tree, candidates) if p.name == name)
    return program


def test_counts_repeat() -> None:
    """As in the file, whose driver, library and compiler are those of the tree."""
    program = program_of("monocypher", instructions.BOARD)
    assert instructions.count(program) == kept("monocypher")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="no figures of this computer")
def test_counts_of_computer_are_of_its_own_instructions_for_aes() -> None:
    """As in the file, but for the C library's copying; tables take many times more."""
    program = program_of("ctr_drbg-over-mbedtls", instructions.COMPUTER)
    known = kept("ctr_drbg", "x86_64-gcc")
    (count,) = instructions.count(program, instructions.COMPUTER).values()
    assert count == pytest.approx(known["RANDOM over mbedtls"], rel=0.05)
    assert 8 * count < known["RANDOM over bearssl"]


def test_counts_are_those_of_signatures() -> None:
    """Within a twentieth: as many bits of a nonce are set, or not."""
    rows = json.loads(BASELINE.read_text(encoding="utf-8"))["signatures"]
    compared = 0
    for row in rows:
        curve = re.fullmatch(r"secp(\d+)(r1|k1)", row["key"])
        file = ROOT / "drivers" / row["library"] / "costs.json"
        if row["board"] != instructions.BOARD or curve is None or not file.is_file():
            continue
        known = kept(row["library"])
        for call, names in CALLS.items():
            figures = [f"{name}_SECP_{curve[2].upper()}_{curve[1]}" for name in names]
            found = [known[name] for name in figures if name in known]
            if found:
                assert found[-1] == pytest.approx(row["calls"][call]["count"], rel=0.05), figures
                compared += 1
    assert compared > 20


def test_table_shows_what_is_kept(tmp_path: Path) -> None:
    """A construction over the library with which it is the fastest."""
    before = costs_of(ROOT / "drivers" / "p256m")[REFERENCE]
    for name, of in {
        "compose": {"HMAC_SHA_256 over slow": 3000, "HMAC_SHA_256 over fast": 2000},
        "slow": {"SHA_256": 2345},
    }.items():
        (tmp_path / "drivers" / name).mkdir(parents=True)
        costs = replace(before, instructions=of)
        write_costs(tmp_path / "drivers" / name / "costs.json", {REFERENCE: costs})
    made = {row[0]: row[1:] for row in speed.rows(speed.counts(tmp_path))}
    assert made["Instructions"] == ["compose", "slow"]
    assert made["SHA-256"] == ["-", "2,345"]
    assert made["HMAC-SHA-256"] == ["2,000 over fast", "-"]


@pytest.mark.parametrize("bits", [1024, 1536, 2048])
def test_rsa_keys_are_keys(bits: int) -> None:
    """OpenSSL looks whether the numbers belong together, and whether the primes are any."""
    key = load_der_private_key(rsa.private_key(bits), None)
    assert isinstance(key, RSAPrivateKey) and key.key_size == bits


def test_sizes_and_instructions_are_written_apart(tmp_path: Path) -> None:
    """A measurement of one kind keeps the figures of the other."""
    before = {REFERENCE: costs_of(ROOT / "drivers" / "p256m")[REFERENCE]}
    write_costs(tmp_path / "costs.json", before)
    driver = replace(load_tree(ROOT).drivers["p256m"], folder=tmp_path)
    one = Piece("one", 1, 0)
    sizes = Costs("another compiler", {"one": one}, {"SHA_256": ("one",)})
    capabilities.keep_sizes(driver, REFERENCE, sizes)
    (sized,) = costs_of(tmp_path).values()
    assert sized.pieces == {"one": one}
    assert sized.instructions == before[REFERENCE].instructions
    instructions.keep_counts(driver, REFERENCE, "a third", {"SHA_256": 7})
    (counted,) = costs_of(tmp_path).values()
    assert counted.pieces == {"one": one} and counted.instructions == {"SHA_256": 7}
    instructions.keep_counts(driver, "without sizes", "a fourth", {"SHA_256": 8})
    assert costs_of(tmp_path) == {
        REFERENCE: counted,
        "without sizes": Costs("a fourth", instructions={"SHA_256": 8}),
    }
