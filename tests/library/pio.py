# SPDX-License-Identifier: Apache-2.0
"""PlatformIO as it comes from PyPI, without its registry of platforms and tools.

It builds a library from its library.json, as it would for any board. Beside itself it needs a
platform, here one that builds a program for this computer and says nothing of libraries, and SCons,
which it expects among its tools.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

import SCons  # type: ignore[import-untyped]
from platformio.dependencies import get_core_dependencies  # type: ignore[import-untyped]

from .project import Project

#: What `platform` of platformio.ini names.
PLATFORM = "computer"
_PLATFORM = """\
from platformio.platform.base import PlatformBase


class ComputerPlatform(PlatformBase):
    pass
"""
_BUILDER = """\
from SCons.Script import Default, DefaultEnvironment

Default(DefaultEnvironment().BuildProgram())
"""
_SCONS = "import SCons.Script\n\nSCons.Script.main()\n"


def install(folder: Path) -> dict[str, str]:
    """Where PlatformIO keeps what it has installed; returns the environment that says so."""
    platform = {"name": PLATFORM, "title": PLATFORM, "version": "1.0.0", "packages": {}}
    # The number of a release of theirs begins with one and has the digits of SCons' own.
    assert "".join(version("scons").split(".")[:2]) in get_core_dependencies()["tool-scons"]
    scons = {"name": "tool-scons", "version": get_core_dependencies()["tool-scons"].strip("~")}
    spec = {"owner": "platformio", "name": scons["name"]}
    made = Project(folder)
    made.write(
        {
            f"platforms/{PLATFORM}/platform.json": json.dumps(platform),
            f"platforms/{PLATFORM}/platform.py": _PLATFORM,
            f"platforms/{PLATFORM}/builder/main.py": _BUILDER,
            "packages/tool-scons/package.json": json.dumps(scons),
            "packages/tool-scons/.piopm": json.dumps({"type": "tool", **scons, "spec": spec}),
            "packages/tool-scons/scons.py": _SCONS,
        }
    )
    (folder / "packages" / "tool-scons" / "SCons").symlink_to(Path(SCons.__file__).parent)
    # As in CI: it neither sends reports nor asks for updates.
    said = {"PLATFORMIO_CORE_DIR": str(folder), "PLATFORMIO_SETTING_ENABLE_TELEMETRY": "no"}
    return {**said, "CI": "true"}


def run(project: Project, environment: dict[str, str]) -> None:
    """Build it as `pio run` does."""
    words = [f"{name}={value}" for name, value in environment.items()]
    project.done("env", *words, sys.executable, "-m", "platformio", "run")
