# SPDX-License-Identifier: Apache-2.0
"""The cost of a preset, with all supported functions linked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from corral import ROOT
from corral.build import image as building
from corral.common.progress import step
from corral.generate.build import Build
from corral.generate.prototypes import functions
from corral.generate.unwanted import unwanted
from corral.measure.image import LAYER
from corral.measure.size import image_of
from corral.model.places import Places

from corral_bench.families import BOARD

#: A program that does nothing by itself: the linker gets the list of kept functions.
_APP = "../bench/apps/family"
#: Keys in local memory.
_LOCAL = {"CORRAL_DRIVER_ATECC608": "n"}
_PARTS = ("layer", "library")


def _linked(bindings: Any) -> list[str]:
    """The functions that a program of this configuration has a use for."""
    refused = {function.name for function, _remedy in unwanted(Build(bindings))}
    headers = functions(ROOT).items()
    all_of = [each.name for header, mine in headers if header.startswith("crypto") for each in mine]
    return [f"psa_{name}" for name in all_of if name not in refused]


def _measure(name: str) -> dict[str, Any]:
    options = building.Options(settings=_LOCAL, presets=(name,), name=f"bench/preset-{name}")
    linked = _linked(building.prepare(_APP, BOARD, options))
    flags = tuple(f"-Wl,--undefined={function}" for function in linked)
    image = image_of(building.build(_APP, BOARD, replace(options, link_flags=flags)))
    rom, ram = image.rom(), image.ram()
    return {
        "preset": name,
        "functions": len(linked),
        "rom": {"layer": sum(rom[part] for part in LAYER), "library": rom["backend"]},
        "ram": {"layer": sum(ram[part] for part in LAYER), "library": ram["backend"]},
    }


def measure_all() -> list[dict[str, Any]]:
    """All presets of the tree but the variants of `boot`, which boot.py measures."""
    measured = []
    for name in (name for name in Places(ROOT).presets() if not name.startswith("boot-")):
        with step(f"measuring the preset {name}"):
            measured.append(_measure(name))
    return measured


def rows(measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A row for each preset."""
    made = [["Preset", "Functions", "Flash: layer", "libraries", "RAM: layer", "libraries"]]
    for each in measured:
        figures = [each[kind][part] for kind in ("rom", "ram") for part in _PARTS]
        made.append([each["preset"], *(f"{n:,}" for n in (each["functions"], *figures))])
    return made
