# SPDX-License-Identifier: Apache-2.0
"""The generated headers that the driver's tests are built with.

They are those of a real configuration; the devices, their locations and the hash are the tests' own
(configuration/), and stand before them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from corral import api

ROOT = Path(__file__).resolve().parents[3]


@cache
def option() -> str:
    """Configure and generate; the option that tells CMake where it is."""
    folder = ROOT / "build" / "tests" / "atecc608" / "generated"
    app = "../tests/elements"
    api.configure(ROOT, app, "native", folder, {"CORRAL_THREADS": "y"})
    api.generate(ROOT, app, "native", folder)
    return f"-DGENERATED={folder / 'gen'}"
