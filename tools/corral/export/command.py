# SPDX-License-Identifier: Apache-2.0
"""The command itself."""

from __future__ import annotations

import tempfile
from pathlib import Path

from corral import ROOT
from corral.common.version import version
from corral.export.folder import write
from corral.export.library import Wanted
from corral.export.sbom import sbom
from corral.export.sources import export
from corral.export.texts import texts
from corral.export.vex import vex


def command(wanted: Wanted, folder: Path) -> None:
    """Export a library into a folder."""
    name = Path(wanted.config).stem
    with tempfile.TemporaryDirectory(prefix="corral-") as work:
        made = export(wanted, Path(work).resolve())
        more = {
            **texts(made, name),
            "sbom.cdx.json": sbom(name, version(ROOT), made.packages),
            "openvex.json": vex(ROOT, version(ROOT), made.packages),
        }
        write(folder, made.files() | {name: text.encode() for name, text in more.items()})
