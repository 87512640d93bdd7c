# SPDX-License-Identifier: Apache-2.0
"""The settings of Apache Ivy, so it fetches one file of Maven's registry and reads no other.

Maven itself fetches by plugins, which it would fetch first and run without a hash of ours. Ivy is
whole in Debian. A mirror that Maven's settings name for its registry also works for
Ivy, unless the mirror needs a password: Ivy does not read Maven's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

#: Where Debian puts it.
PROGRAM = "/usr/share/java/ivy.jar"
_REGISTRY = "central"


def settings_of_maven() -> list[Path]:
    """Maven's settings, those of the user first, as Maven reads them."""
    return [Path.home() / ".m2" / "settings.xml", Path("/etc/maven/settings.xml")]


def _serves_the_registry(patterns: str) -> bool:
    """Whether a mirror with this <mirrorOf> is asked instead of Maven's registry."""
    named = {word.strip() for word in patterns.split(",")}
    if f"!{_REGISTRY}" in named:
        return False
    return bool(named & {_REGISTRY, "*", "external:*"})


def mirror(settings: Iterable[Path]) -> str:
    """The address of the first mirror that these files name for Maven's registry, or nothing."""
    for path in settings:
        try:
            mirrors = ElementTree.parse(path).iterfind(".//{*}mirrors/{*}mirror")
        except (ElementTree.ParseError, LookupError, ValueError, OSError):
            continue  # not there, not ours to read, no XML, or of an unknown encoding
        for each in mirrors:
            address = each.findtext("{*}url", "").strip()
            if address and _serves_the_registry(each.findtext("{*}mirrorOf", "")):
                return address
    return ""


def command(scratch: Path, group: str, artifact: str, version: str) -> list[str]:
    """Ivy with settings and a cache of its own; the file comes to scratch/files.

    It is not told to read descriptions of modules (usepoms), so it asks for this one file.
    """
    resolver = ElementTree.Element("ibiblio", name=_REGISTRY, m2compatible="true", usepoms="false")
    if address := mirror(settings_of_maven()):
        resolver.set("root", address if address.endswith("/") else address + "/")
    told = ElementTree.Element("ivysettings")
    ElementTree.SubElement(told, "settings", defaultResolver=_REGISTRY)
    ElementTree.SubElement(told, "resolvers").append(resolver)
    settings = scratch / "ivysettings.xml"
    ElementTree.ElementTree(told).write(settings)
    files = f"{scratch}{os.sep}files{os.sep}[artifact]-[revision].[ext]"
    return [
        *("java", f"-Divy.default.ivy.user.dir={scratch}", "-jar", PROGRAM),
        *("-settings", str(settings), "-cache", str(scratch / "cache"), "-notransitive"),
        *("-dependency", group, artifact, version, "-retrieve", files),
    ]
