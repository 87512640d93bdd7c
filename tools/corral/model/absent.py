# SPDX-License-Identifier: Apache-2.0
"""Which functions of the API the library defines, and which it does not define yet."""

from __future__ import annotations

import re
from pathlib import Path

_PROTOTYPE = re.compile(r"^(?:psa_status_t|void|uint32_t)\s+(psa_\w+)\s*\(", re.M)
_INLINE = re.compile(r"^static inline [\w\s*]*?\b(psa_\w+)\s*\(", re.M)

_FOLDERS = ("core", "storage", "update")


def functions(root: Path) -> tuple[list[str], list[str]]:
    """Names of the functions that are there, and of those that a header declares but are absent."""
    declared: set[str] = set()
    present: set[str] = set()
    for header in (root / "include" / "psa").glob("*.h"):
        text = header.read_text(encoding="utf-8")
        declared.update(_PROTOTYPE.findall(text))
        present.update(_INLINE.findall(text))
    for source in (path for name in _FOLDERS for path in (root / name).rglob("*.c")):
        present.update(_PROTOTYPE.findall(source.read_text(encoding="utf-8")))
    declared |= present
    return sorted(present), sorted(declared - present)


def _family(name: str) -> str:
    return name.split("_")[1]


def _lines(names: list[str]) -> list[str]:
    """One line for each family: functions that begin with the same word."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(_family(name), []).append(name)
    return [" ".join(f"`{name}`" for name in members) for members in families.values()]


def markdown(root: Path) -> str:
    """docs/API.md."""
    present, missing = functions(root)
    lines = [
        "# Functions of the API",
        "",
        "Made by `./corral documents`. Each constant, macro, type and prototype of PSA Crypto",
        "1.5, Secure Storage 1.0, Attestation 2.0 and Firmware Update 1.0 is in the headers. A",
        "function that is not there yet is absent from the library: an application that calls it",
        "does not link.",
        "",
        f"## There: {len(present)}",
        "",
        "Those of storage where the configuration has `CORRAL_STORAGE`, `psa_ps_` where it has",
        "`CORRAL_PROTECTED_STORAGE`; `psa_initial_attest_` where it has `CORRAL_ATTESTATION`;",
        "`psa_fwu_` where it has `CORRAL_UPDATE`.",
        "",
        *(f"- {line}" for line in _lines(present)),
        "",
        f"## Not there yet: {len(missing)}",
        "",
        *(f"- {line}" for line in _lines(missing)),
    ]
    return "\n".join(lines) + "\n"
