# SPDX-License-Identifier: Apache-2.0
"""contexts/<layer>.h: the union of the bound drivers' state during an operation."""

from __future__ import annotations

from corral.generate.build import Build, Layer
from corral.generate.c.nodes import Enumeration, Field, Item, Structure, TypeDefinition
from corral.generate.c.terms import Type
from corral.generate.files import header


def context_type(layer: str) -> Type:
    return Type(f"corral_{layer}_context_t", (f"corral/contexts/{layer}.h",))


def _fields(layer: Layer) -> tuple[Field, ...]:
    if not layer.servers:
        return (Field(Type("uint8_t"), "unused", "no driver supports this family"),)
    members = dict.fromkeys(
        Field(Type(server.context, (server.header,)), server.member) for server in layer.servers
    )
    union = Field(Structure("union", tuple(members)), "as")
    return (union, Field(Type("uint8_t"), "binding")) if layer.is_numbered else (union,)


def context_header(build: Build, layer: Layer) -> str:
    items: list[Item] = []
    if layer.is_numbered:
        names = [layer.enumerator(server) for server in (None, *layer.servers)]
        comment = "Values of `binding`: the driver that continues the operation."
        items.append(Enumeration(tuple(names), comment))
    name = context_type(layer.name).text
    items.append(TypeDefinition(Structure("struct", _fields(layer)), name))
    subject = build.tree.entry_points.contexts[layer.name].subject
    about = f"State of the bound drivers for {subject}."
    return header(build, f"contexts/{layer.name}.h", __name__, about, items)
