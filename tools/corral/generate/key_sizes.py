# SPDX-License-Identifier: Apache-2.0
"""Lengths of keys: in memory, and in storage for an element's driver."""

from __future__ import annotations

from corral.generate.build import Build
from corral.generate.key import Key, is_pair, is_public
from corral.model.driver import Driver, KeyContext
from corral.model.mechanisms import Value


def context_size(context: KeyContext, key: Key, public_size: int) -> int:
    """Bytes that an opaque driver stores for a key."""
    if is_pair(key):
        stored = public_size if context.store_public_key else 0
        return context.base + context.key_pair + stored
    if is_public(key):
        return context.base + context.public_key
    largest = max(key.sizes or (key.bits or 0,))
    return context.base + context.symmetric_factor * ((largest + 7) // 8)


def context_sizes(build: Build, driver: Driver) -> dict[Key, int]:
    """Bytes for each key that the elements of a driver can keep."""
    if driver.key_context is None:
        return {}
    publics = public_sizes(build)
    return {
        key: context_size(driver.key_context, key, publics.get((key.type, key.bits), 0))
        for key in sorted(build.element_keys(driver.name), key=str)
    }


def public_sizes(build: Build) -> dict[tuple[str, int | None], int]:
    """Bytes of each public key, by the type of its pair and of itself."""
    found: dict[tuple[str, int | None], int] = {}
    for value in asymmetric_values(build):
        for name in ("pair", "public"):
            if name in value.fields:
                found[value.fields[name], value.fields["bits"]] = value.fields["public_size"]
    return found


def asymmetric_values(build: Build) -> list[Value]:
    """Keys that come in pairs, or only public ones; wanted or not."""
    return list(build.tree.mechanisms.asymmetric)


def der_types(build: Build) -> set[str]:
    """Types of keys whose data has to be read to know their size."""
    values = [value.fields for value in asymmetric_values(build) if value.fields.get("is_der")]
    return {fields[name] for fields in values for name in ("pair", "public")}


def key_lengths(build: Build) -> dict[tuple[str, int | None], int]:
    """Bytes of each asymmetric key in local memory, but for those whose data tell their size."""
    found: dict[tuple[str, int | None], int] = {}
    for fields in (value.fields for value in asymmetric_values(build)):
        if not fields.get("is_der"):
            found[fields["public"], fields["bits"]] = fields["public_size"]
            if "pair" in fields:
                found[fields["pair"], fields["bits"]] = fields["private_size"]
    return found
