# SPDX-License-Identifier: Apache-2.0
"""Write everything that is generated for a build, at once or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

from corral.configure.bindings import Bindings
from corral.generate import (
    aead,
    asymmetric,
    ciphers,
    derivation,
    families,
    hashes,
    keys,
    macs,
    pake,
    pointers,
    randomness,
    serves,
)
from corral.generate.build import Build
from corral.generate.builtin_keys import builtin_keys, builtin_keys_header, builtin_keys_source
from corral.generate.constants import (
    bindings_constants,
    bindings_header,
    config_header,
    configuration_source,
    locations_header,
)
from corral.generate.contexts import context_header
from corral.generate.devices import devices_header, devices_source
from corral.generate.driver_headers import driver_files
from corral.generate.explain import bindings_report
from corral.generate.exports import exports
from corral.generate.sources import sources_file
from corral.generate.unwanted import unwanted_header
from corral.generate.wall import files as wall

NO_FINGERPRINT = "0" * 16


def generated_files(bindings: Bindings, gen: Path) -> dict[str, str]:
    """Name below the build folder to content."""
    build = Build(bindings)
    headers = {
        "config.h": config_header(build),
        "locations.h": locations_header(build),
        "devices.h": devices_header(build),
        "families.h": families.families_header(build),
        "dispatch/hash.h": hashes.hash_header(build),
        "dispatch/xof.h": hashes.xof_header(build),
        "dispatch/block.h": ciphers.block_header(build),
        "dispatch/mac.h": macs.mac_header(build),
        "dispatch/cipher.h": ciphers.cipher_header(build),
        "dispatch/aead.h": aead.aead_header(build),
        "dispatch/sign.h": asymmetric.sign_header(build),
        "dispatch/agreement.h": asymmetric.agreement_header(build),
        "dispatch/asymmetric.h": asymmetric.asymmetric_header(build),
        "dispatch/wrap.h": asymmetric.wrap_header(build),
        "dispatch/encapsulation.h": asymmetric.encapsulation_header(build),
        "dispatch/key_derivation.h": derivation.derivation_header(build),
        "dispatch/pake.h": pake.pake_header(build),
        "dispatch/random.h": randomness.random_header(build),
        "dispatch/init.h": randomness.init_header(build),
        "dispatch/key.h": keys.key_header(build),
        "dispatch/serves.h": serves.serves_header(build),
    }
    if builtin_keys(build):
        headers["builtin_keys.h"] = builtin_keys_header(build)
    for name, layer in build.layers.items():
        headers[f"contexts/{name}.h"] = context_header(build, layer)
    headers |= driver_files(build)
    # Messages, too, have to be the same on both sides of the wall.
    behind = {}
    if bindings.configuration.is_on(wall.SYMBOL):
        behind = wall.wall_files(build.tree.root, bindings.configuration)
    everything = "".join(one[name] for one in (headers, behind) for name in sorted(one))
    constants = bindings_constants(build)
    everything += bindings_header(build, constants, NO_FINGERPRINT)
    fingerprint = hashlib.sha256(everything.encode()).hexdigest()[:16]
    headers["bindings.h"] = bindings_header(build, constants, fingerprint)
    files = {f"gen/corral/{name}": text for name, text in sorted(headers.items())}
    files["gen/configuration.c"] = configuration_source(build, fingerprint)
    files["gen/devices.c"] = devices_source(build)
    if builtin_keys(build):
        files["gen/builtin_keys.c"] = builtin_keys_source(build)
    files["gen/corral/unwanted.h"] = unwanted_header(build)
    if pointers.is_used(bindings.configuration):
        about = build.tree.root, bindings.configuration
        files["gen/corral/unchecked.h"] = pointers.unchecked_header(*about)
        for name, text in pointers.pointers_sources(*about).items():
            files[f"gen/pointers/{name}"] = text
    files |= {f"gen/{name}": text for name, text in behind.items()}
    files["sources.cmake"] = sources_file(build, gen)
    files["exports.txt"] = exports(build.tree.root, f"corral_configuration_{fingerprint}")
    files["bindings.json"] = bindings_report(bindings)
    return files


def write_build(bindings: Bindings, build_dir: Path) -> None:
    """Files whose content is the same keep their time; generated ones of the past are removed."""
    files = generated_files(bindings, build_dir.resolve() / "gen")
    for old in (build_dir / "gen").rglob("*"):
        if old.is_file() and str(old.relative_to(build_dir)) not in files:
            old.unlink()
    for name, text in files.items():
        path = build_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
