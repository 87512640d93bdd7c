# SPDX-License-Identifier: Apache-2.0
"""The library that is compared, over several choices of drivers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corral.build import image as corral_build
from harness import suites

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent

_LOCAL = {"CORRAL_DRIVER_ATECC608": "n", "CORRAL_THREADS": "y"}
_SANITIZE = "address,undefined"


@dataclass(frozen=True)
class Configuration:
    """Drivers, and how the compiler is asked."""

    settings: Mapping[str, str] = field(default_factory=dict)
    sanitize: str = _SANITIZE
    lto: bool = False


CONFIGURATIONS = {
    "default": Configuration(),
    "bearssl": Configuration({"CORRAL_DEFAULT_BY_BEARSSL": "y"}),
    # As products are built: the compiler sees the application, the core, the glue and the
    # libraries at once.
    "lto": Configuration({"CORRAL_DEFAULT_BY_BEARSSL": "y"}, sanitize="", lto=True),
}


def build(name: str) -> Path:
    """The program."""
    configuration = CONFIGURATIONS[name]
    commands = suites.heads(sorted(HERE.glob("*.c")), "WIRE_COMMAND")
    symbols = [f"wire_command_{command}" for command in commands]
    text = suites.table("const struct wire_command", "wire_command", symbols, HERE / "wire.h")
    options = corral_build.Options(
        settings={**_LOCAL, **configuration.settings},
        sanitize=configuration.sanitize,
        lto=configuration.lto,
        app_flags=("-fno-lto",) if configuration.lto else (),  # or nothing is wrapped
        sources=(suites.written("suites/differential.c", text), TESTS / "harness" / "entropy.c"),
        link_flags=("-Wl,--wrap=corral_port_entropy",),  # the same in each run
        name=f"tests/differential-{name}",
    )
    return corral_build.build("../tests/differential", "native", options).image
