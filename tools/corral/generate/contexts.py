# SPDX-License-Identifier: Apache-2.0
"""contexts/<layer>.h: the union of what the bound drivers keep during an operation."""

from __future__ import annotations

from corral.generate.build import Build, Layer
from corral.generate.c.nodes import Enumeration, Field, Item, Structure, Type, TypeDefinition
from corral.generate.files import header

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


def context_type(layer: str) -> Type:
    return Type(f"corral_{layer}_context_t", (f"corral/contexts/{layer}.h",))


def _fields(layer: Layer) -> tuple[Field, ...]:
    if not layer.servers:
        return (Field(Type("uint8_t"), "unused", "no driver serves this family"),)
    members = dict.fromkeys(
        Field(Type(server.context, (server.header,)), server.member) for server in layer.servers
    )
    union = Field(Structure("union", tuple(members)), "as")
    return (union, Field(Type("uint8_t"), "binding")) if layer.is_numbered else (union,)


def context_header(build: Build, layer: Layer) -> str:
    items: list[Item] = []
    if layer.is_numbered:
        names = [layer.enumerator(server) for server in (None, *layer.servers)]
        comment = "Values of `binding`: who goes on with the operation."
        items.append(Enumeration(tuple(names), comment))
    name = context_type(layer.name).text
    items.append(TypeDefinition(Structure("struct", _fields(layer)), name))
    about = f"What the bound drivers keep for a {SUBJECTS[layer.name]}."
    return header(build, f"contexts/{layer.name}.h", __name__, about, items)
