# SPDX-License-Identifier: Apache-2.0
"""The bill of materials of an export, as CycloneDX says it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from corral.export.licences import OURS
from corral.packages.fetch import Package, Upstream
from corral.packages.registries import Source

#: Names of our registries in package URLs.
_TYPES = {
    "cargo": "cargo",
    "debian": "deb",
    "debian-binary": "deb",
    "maven": "maven",
    "npm": "npm",
    "pypi": "pypi",
}
#: Of no meaning but to be always the same.
_NAMESPACE = uuid.UUID("6f1c7a52-92f4-5d0e-9d8e-3a3f6f9e8a11")


def _url(source: Source) -> PackageURL | None:
    kind = _TYPES.get(source.registry)
    if kind == "deb":
        which = {"arch": "source"} if source.registry == "debian" else None
        return PackageURL(kind, "debian", source.name, source.version, which)
    group, _, name = source.name.rpartition(":")
    return PackageURL(kind, group or None, name, source.version) if kind else None


def _component(package: Package) -> Component:
    source = package.source
    return Component(
        type=ComponentType.LIBRARY,
        name=package.known_as,
        version=source.version,
        description=package.title,
        bom_ref=package.name,
        licenses=[LicenseFactory().make_from_string(package.licence)],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=source.sha256)]
        if source.sha256
        else [],
        purl=_url(source),
        components=[_carried(package.name, package.upstream)] if package.upstream else [],
    )


def _carried(name: str, upstream: Upstream) -> Component:
    """The name of a package's content in advisories."""
    cpe = f"{upstream.cpe}:{upstream.version}{':*' * 7}" if upstream.cpe else None
    return Component(
        type=ComponentType.LIBRARY,
        name=upstream.title,
        version=upstream.version,
        bom_ref=f"{name}/upstream",
        cpe=cpe,
    )


def sbom(name: str, version: str, packages: Sequence[Package]) -> str:
    """Of the library `name`, made of these packages and of version `version` of our own sources."""
    own = Component(
        type=ComponentType.LIBRARY,
        name="corral",
        version=version,
        bom_ref=f"corral@{version}",
        licenses=[LicenseFactory().make_from_string(OURS)],
    )
    made = Component(type=ComponentType.FIRMWARE, name=name, bom_ref=name)
    bom = Bom(components=[own, *(_component(package) for package in packages)])
    bom.metadata.component = made
    bom.register_dependency(made, [own])
    bom.register_dependency(own, [c for c in bom.components if c is not own])
    text = json.loads(JsonV1Dot6(bom).output_as_string())
    # The same of the same: neither when nor by which run it was made.
    text["metadata"].pop("timestamp", None)
    identity = json.dumps(text["components"], sort_keys=True) + name
    text["serialNumber"] = f"urn:uuid:{uuid.uuid5(_NAMESPACE, identity)}"
    return json.dumps(text, indent=2, sort_keys=True) + "\n"
