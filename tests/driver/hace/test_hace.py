# SPDX-License-Identifier: Apache-2.0
"""Aspeed's hash engine, as QEMU has it, beside a library that does what is not within its reach."""

from __future__ import annotations

from harness.program import TESTS, Program

BOARD = "ast2600-evb"


def test_engine_and_library_agree() -> None:
    wrap = ("-Wl,--wrap=hace_driver_hash_compute",)
    silent = (TESTS / "driver" / "hace" / "silent.c",)
    Program("driver/hace", BOARD, "hace", {}, silent, link_flags=wrap).run().check(7)
