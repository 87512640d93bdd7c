# SPDX-License-Identifier: Apache-2.0
"""dispatch/mac.h."""

from __future__ import annotations

from corral.configure.bindings import LOCAL
from corral.generate.build import Build, key_of
from corral.generate.dispatch import in_parts, single_part
from corral.generate.functions import family_header
from corral.generate.lengths import OF_ALGORITHM_AND_TYPE, typed_value_function
from corral.generate.multipart import abort, continued, keyed_setup
from corral.model.expression import Expression

UNITS = ("mac_compute", "mac_multipart")
KEY = ("attributes", "key_buffer", "key_buffer_size", "alg")


def mac_lengths(build: Build) -> dict[tuple[Expression, str], int]:
    """Length of each MAC that the build supports, by algorithm and type of key."""
    found: dict[tuple[Expression, str], int] = {}
    for unit in UNITS:
        for binding in build.of_unit(unit):
            value = binding.mechanism.value
            if binding.algorithm is not None and binding.key is not None:
                length = value["length"] if "length" in value else value["block_length"]
                found[binding.algorithm, str(binding.key.type)] = int(length)
    return found


def mac_header(build: Build) -> str:
    layer = build.layers["mac"]
    # Constructions also make keys that applications cannot create: those for which they were bound.
    made = {key_of(b) for unit in UNITS for b in build.of_unit(unit, LOCAL)}
    local = build.checked_keys(UNITS, build.local_keys.union(k for k in made if k is not None))
    elements = build.checked_keys_of_elements(UNITS)
    steps = [
        ("update", ["input", "input_length"], None),
        ("finish", ["mac", "mac_size", "mac_length"], None),
    ]
    items = [
        typed_value_function(
            "corral_mac_length",
            OF_ALGORITHM_AND_TYPE,
            mac_lengths(build),
            build.key_types,
            "Bytes of an untruncated MAC; 0: this build does not compute it with such a key.",
        ),
        *keyed_setup(build, layer, [build.row("mac_setup")], local, elements),
        continued(layer, build.row("mac_update")),
        continued(layer, build.row("mac_finish")),
        abort(layer, build.row("mac_abort")),
        *in_parts(build, "mac_compute", "mac", KEY, steps),
        *single_part(build, "mac_compute", local, elements.__getitem__),
        *single_part(build, "mac_verify", None, lambda _: None),
    ]
    subject = (
        "Drivers that compute MACs. Call only with an algorithm and a type of key for which "
        "corral_mac_length() is not 0."
    )
    return family_header(build, "mac", __name__, subject, items)
