# SPDX-License-Identifier: Apache-2.0
"""Whole files, which say by what they were made, and from what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corral.generate.build import Build
from corral.generate.c.nodes import File, Item
from corral.generate.c.printer import printed


def _about(build: Build, maker: str, subject: str, rows: Sequence[str]) -> str:
    made = f"Made by {maker}"
    if rows:
        made += f" of the rows {', '.join(rows)} in dispatch/entry_points.toml"
    return " ".join([*([subject] if subject else []), build.origin, f"{made}."])


def header(
    build: Build,
    name: str,
    maker: str,
    subject: str,
    items: Iterable[Item],
    rows: Sequence[str] = (),
) -> str:
    """corral/<name>. maker: the module that made it; rows: the entry points that it is about."""
    guard = "CORRAL_" + name.upper().translate(str.maketrans("/.", "__"))
    return printed(File(_about(build, maker, subject, rows), tuple(items), guard))


def source(build: Build, maker: str, items: Iterable[Item], includes: Sequence[str] = ()) -> str:
    return printed(File(_about(build, maker, "", ()), tuple(items), includes=tuple(includes)))
