# SPDX-License-Identifier: Apache-2.0
"""dispatch/pake.h."""

from __future__ import annotations

from corral.config.solve import LOCAL
from corral.generate.build import Build
from corral.generate.ctext import function, header
from corral.generate.dispatch import NOT_SUPPORTED, driver_headers
from corral.generate.multipart import abort, context_parameters, continued, setup_case
from corral.generate.rules import Names, algorithm_condition, emit

UNIT = "pake"
# A driver is found by the primitive, which stands here as a public key of its group.
NAMES = Names("inputs->alg", "inputs->group.type", "inputs->group.bits")


def _supported(build: Build) -> list[str]:
    algorithms = dict.fromkeys(b.algorithm for b in build.of_unit(UNIT, LOCAL) if b.algorithm)
    test = algorithm_condition(list(algorithms), "alg") if algorithms else "false"
    if test.startswith("(") and test.endswith(")") and len(algorithms) > 1:
        test = test[1:-1]
    return function(
        "bool",
        "corral_pake_supported",
        ["psa_algorithm_t alg"],
        [f"return {test};"],
        "Whether this build does the key exchange `alg` in any group.",
    )


def _setup(build: Build) -> list[str]:
    layer = build.layers[UNIT]
    row = build.tree.entry_points.rows["pake_setup"]
    cases = [setup_case(build, layer, binding, [row]) for binding in build.of_unit(UNIT, LOCAL)]
    return function(
        "psa_status_t",
        "corral_dispatch_pake_setup",
        context_parameters(UNIT, row),
        emit(cases, None, NAMES, [NOT_SUPPORTED]) if cases else [NOT_SUPPORTED],
    )


def pake_header(build: Build) -> str:
    rows = build.tree.entry_points.rows
    layer = build.layers[UNIT]
    body = _supported(build) + _setup(build)
    for name in ("pake_output", "pake_input", "pake_get_implicit_key"):
        body += continued(layer, rows[name])
    body += abort(layer, rows["pake_abort"])
    drivers = driver_headers(build, [UNIT])
    ours = [f"<corral/contexts/{UNIT}.h>", "<corral/pake.h>"]
    includes = ["<stdbool.h>", "<stddef.h>", "<stdint.h>", "", *ours, "<psa/crypto.h>"]
    includes += ["", *drivers] if drivers else []
    title = f"Who exchanges keys by passwords. {build.origin}"
    return header(f"dispatch/{UNIT}.h", title, includes, body)
