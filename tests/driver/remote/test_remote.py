# SPDX-License-Identifier: Apache-2.0
"""Keys on the trusted side of a wall, for an application with a core of its own."""

from __future__ import annotations

from harness import programs
from harness.program import Program


def test_driver_with_the_trusted_side() -> None:
    programs.remote().run().check(14, "remote")


def test_pair_of_rsa_has_no_use_there_that_is_not_needed() -> None:
    wrap = ("-Wl,--wrap=corral_remote_import_key",)
    keys = (programs.RSA_KEYS,)
    board = "riscv32-virt-pmp-remote"
    name = "remote-pairs"
    Program("driver/remote/pairs", board, name, {}, keys, link_flags=wrap, lto=False).run().check(1)
