# SPDX-License-Identifier: Apache-2.0
"""The measurements repeat, and attribute what was executed to somebody."""

from __future__ import annotations

from corral.bench.cost import Scenario, measure


def test_counts_of_an_application_repeat_exactly() -> None:
    scenario = Scenario("hmac/bearssl", "hmac", {"CORRAL_HMAC_SHA_256_BY_BEARSSL": "y"})
    first, second = measure(scenario), measure(scenario)
    assert first == second
    assert first["exit_status"] == 0
    calls = {call["function"]: call for call in first["calls"]}
    mac = calls["psa_mac_compute"]
    # Two SHA-256 blocks for each of two hashes: the primitive does most of the work.
    assert mac["primitive"] > 10 * mac["layer"] > 0
    assert 0 < first["layer_rom"] < 4096
