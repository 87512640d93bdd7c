# SPDX-License-Identifier: Apache-2.0
"""Documents made from descriptions and headers, or from observations of the tests, and
kept here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from corral import ROOT
from corral.documents import configuration, driver_costs, lengths, readme
from corral.generate import api
from corral.migrate import names
from corral.model import absent
from corral.packages import advisories

COMMAND = "./corral documents"
#: The script that runs the test programs and writes docs/CONFORMANCE.md.
OBSERVER = "tests/conformance/matrix.py"


def drivers(root: Path) -> str:
    """docs/DRIVERS.md."""
    head = [
        "# What each driver can do",
        "",
        f"Made by `{COMMAND}` from drivers/*/driver.json. Macros are shown",
        "without their `PSA_` prefixes; `-` means: any, or not stated.",
        "[CRYPTOCELL.md](CRYPTOCELL.md) lists the requirements of a driver for CryptoCell.",
        "",
        "",
    ]
    tables = "\n".join(table.markdown() for table in api.driver_tables(root))
    return "\n".join(head) + tables + "\n" + api.unserved_table(root)


def _with_figures(root: Path, name: str, document: str) -> str:
    """The document with the tables that are made from the kept figures of the bench."""
    # Here, because nothing else of the tools knows of the bench.
    sys.path.append(str(ROOT / "bench"))
    from corral_bench import document as figures  # noqa: PLC0415

    return figures.text(root, name, document)


def benchmarks(root: Path) -> str:
    """docs/BENCH.md."""
    name = "docs/BENCH.md"
    return _with_figures(root, name, (root / name).read_text(encoding="utf-8"))


def front_page(root: Path) -> str:
    """README.md."""
    return _with_figures(root, "README.md", readme.markdown(root))


#: Each file, and the function that makes its text.
DOCUMENTS: Mapping[str, Callable[[Path], str]] = {
    "README.md": front_page,
    "docs/ADVISORIES.md": advisories.markdown,
    "docs/API.md": absent.markdown,
    "docs/BENCH.md": benchmarks,
    "docs/CONFIGURATION.md": configuration.markdown,
    "docs/DRIVERS.md": drivers,
    "docs/coming-from/OPTIONS.md": names.markdown,
    "include/psa/crypto_lengths.h": lengths.header,
}


def _texts(root: Path) -> dict[str, str]:
    """The expected text of all documents, by the name of the file."""
    made = {name: make(root) for name, make in DOCUMENTS.items()}
    return made | {name: driver_costs.markdown(root, name) for name in driver_costs.readmes(root)}


def _changed(root: Path) -> dict[str, str]:
    return {
        name: text
        for name, text in _texts(root).items()
        if not (root / name).is_file() or (root / name).read_text(encoding="utf-8") != text
    }


def outdated(root: Path) -> list[str]:
    """The documents that are not what their sources make of them."""
    return list(_changed(root))


def write(root: Path, observed: bool) -> list[str]:
    """Write those that changed, and return their names; observed: run the test programs too."""
    changed = _changed(root)
    for name, text in changed.items():
        (root / name).write_text(text, encoding="utf-8")
    if observed:
        subprocess.run([sys.executable, str(root / OBSERVER)], cwd=root, check=True)
    return list(changed)
