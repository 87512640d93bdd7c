# SPDX-License-Identifier: Apache-2.0
"""Whole files, with their generator and their origin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corral.generate.build import Build
from corral.generate.c.nodes import File, Item
from corral.generate.c.printer import printed


def _about(build: Build, maker: str, subject: str, rows: str) -> str:
    made = f"Made by {maker} of {rows}." if rows else f"Made by {maker}."
    return " ".join([*([subject] if subject else []), build.origin, made])


def header(
    build: Build,
    name: str,
    maker: str,
    subject: str,
    items: Iterable[Item],
    rows: str = "",
    includes: Sequence[str] = (),
) -> str:
    """corral/<name>. maker: the module that made it; rows: the subject of its content."""
    guard = "CORRAL_" + name.upper().translate(str.maketrans("/.", "__"))
    about = _about(build, maker, subject, rows)
    return printed(File(about, tuple(items), guard, tuple(includes)))


def source(
    build: Build, maker: str, items: Iterable[Item], includes: Sequence[str] = (), rows: str = ""
) -> str:
    return printed(File(_about(build, maker, "", rows), tuple(items), includes=tuple(includes)))
