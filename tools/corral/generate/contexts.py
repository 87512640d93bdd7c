# SPDX-License-Identifier: Apache-2.0
"""contexts/<layer>.h: the union of what the bound drivers keep during an operation."""

from __future__ import annotations

from corral.generate.build import Build, Layer
from corral.generate.ctext import header

SUBJECTS = {
    "hash": "hash operation",
    "xof": "extendable-output operation",
    "block": "block cipher with its key, for constructions over it",
    "mac": "MAC operation",
    "cipher": "cipher operation",
    "aead": "AEAD operation",
    "key_derivation": "key derivation",
    "pake": "password-authenticated key exchange",
    "random": "random generator",
}


def context_type(layer: str) -> str:
    return f"corral_{layer}_context_t"


def context_header(build: Build, layer: Layer) -> str:
    name = context_type(layer.name)
    includes = ["<stdint.h>"]
    drivers = sorted({f"<{server.header}>" for server in layer.servers})
    if drivers:
        includes += ["", *drivers]
    body: list[str] = []
    if layer.is_numbered:
        body += ["/* Values of `binding`: who goes on with the operation. */", "enum {"]
        body.append(f"    {layer.enumerator(None)},")
        body += [f"    {layer.enumerator(server)}," for server in layer.servers]
        body += ["};", ""]
    body.append("typedef struct {")
    if layer.servers:
        members = dict.fromkeys(f"{server.context} {server.member};" for server in layer.servers)
        body += ["    union {", *(f"        {member}" for member in members), "    } as;"]
        if layer.is_numbered:
            body.append("    uint8_t binding;")
    else:
        body.append("    uint8_t unused; /* no driver serves this family */")
    body.append(f"}} {name};")
    comment = f"What the bound drivers keep for a {SUBJECTS[layer.name]}. {build.origin}"
    return header(f"contexts/{layer.name}.h", comment, includes, body)
