# SPDX-License-Identifier: Apache-2.0
"""Aspeed's hash engine, as QEMU has it, beside a library that does what is not within its reach."""

from __future__ import annotations

from harness.program import Program

BOARD = "ast2600-evb"


def test_engine_and_library_agree() -> None:
    wrap = ("-Wl,--wrap=hace_driver_hash_compute",)
    Program("driver/hace", BOARD, "hace", {}, link_flags=wrap).run().check(4)
