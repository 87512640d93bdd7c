# SPDX-License-Identifier: Apache-2.0
"""Stands in for the build backend of a source archive while pip downloads it.

pip asks a source archive's backend for metadata even if the archive is only to be downloaded. That
would install the backend and run code of an archive that nobody has checked. This module answers
from PKG-INFO, which every source archive of PyPI holds. registries.py copies it under the names of
the backends; pip runs it in the folder of the unpacked archive.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any


def prepare_metadata_for_build_wheel(
    metadata_directory: str, config_settings: dict[str, Any] | None = None
) -> str:
    """PEP 517: write <name>-<version>.dist-info/METADATA; returns that folder's name."""
    with open("PKG-INFO", encoding="utf-8", errors="replace") as file:
        text = file.read()
    name, version = (
        re.findall(rf"(?m)^{field}:\s*(\S+)", text)[0] for field in ("Name", "Version")
    )
    folder = f"{re.sub(r'[-.]+', '_', name)}-{version}.dist-info"
    os.makedirs(os.path.join(metadata_directory, folder))
    with open(os.path.join(metadata_directory, folder, "METADATA"), "w", encoding="utf-8") as file:
        file.write(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return folder


# Archives without pyproject.toml name "setuptools.build_meta:__legacy__".
__legacy__ = sys.modules[__name__]
