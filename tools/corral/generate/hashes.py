# SPDX-License-Identifier: Apache-2.0
"""dispatch/hash.h and dispatch/xof.h."""

from __future__ import annotations

from corral.configure.bindings import LOCAL
from corral.generate.build import Build, Layer
from corral.generate.c.nodes import Item
from corral.generate.dispatch import in_parts, single_part
from corral.generate.functions import (
    ALG,
    NOT_SUPPORTED,
    dispatched,
    family_header,
    parameters,
)
from corral.generate.lengths import hash_value_function
from corral.generate.multipart import abort, continued, setup, setup_case
from corral.generate.rules import Names, emit
from corral.model.expression import Expression


def _values(build: Build, field: str, wanted_only: bool) -> dict[Expression, int]:
    return {
        Expression(str(outcome.mechanism.value["algorithm"])): int(outcome.mechanism.value[field])
        for outcome in build.bindings.outcomes.values()
        if outcome.mechanism.family == "hash"
        and outcome.bindings
        and (outcome.is_wanted or not wanted_only)
    }


def _setup(build: Build, layer: Layer, name: str) -> Item:
    """Setup and resume: by those that have it."""
    row = build.row(name)
    cases = [
        setup_case(build, layer, binding, [row])
        for binding in build.layer_bindings(layer.name)
        if all(name in capability.entry_points for capability in binding.chain)
    ]
    body = emit(cases, None, Names(), NOT_SUPPORTED)
    return dispatched(name, parameters(row, layer.name), body)


def hash_header(build: Build) -> str:
    layer = build.layers["hash"]
    steps = [
        ("update", ["input", "input_length"], None),
        ("finish", ["hash", "hash_size", "hash_length"], None),
    ]
    items = [
        hash_value_function(
            "corral_hash_length",
            _values(build, "length", wanted_only=True),
            "Bytes of a hash; 0: this build does not offer it.",
        ),
        hash_value_function(
            "corral_hash_block_length",
            _values(build, "block_length", wanted_only=False),
            "Bytes of the block that HMAC fills; 0: this build does not compute such a hash.",
        ),
        _setup(build, layer, "hash_setup"),
        continued(layer, build.row("hash_update")),
        continued(layer, build.row("hash_finish")),
        abort(layer, build.row("hash_abort")),
        continued(layer, build.row("hash_suspend")),
        _setup(build, layer, "hash_resume"),
        *in_parts(build, "hash_compute", "hash", [ALG], steps),
        *single_part(build, "hash_compute", None, lambda _: None),
    ]
    return family_header(build, "hash", __name__, "Drivers that compute hashes.", items)


def xof_header(build: Build) -> str:
    layer = build.layers["xof"]
    row = build.row("xof_setup")
    items = [
        dispatched(row.name, parameters(row, "xof"), setup(build, layer, [row], LOCAL)),
        continued(layer, build.row("xof_set_context")),
        continued(layer, build.row("xof_update")),
        continued(layer, build.row("xof_output")),
        abort(layer, build.row("xof_abort")),
    ]
    return family_header(build, "xof", __name__, "Drivers that compute extendable output.", items)
