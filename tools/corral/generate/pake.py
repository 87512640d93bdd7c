# SPDX-License-Identifier: Apache-2.0
"""dispatch/pake.h."""

from __future__ import annotations

from corral.configure.bindings import LOCAL
from corral.generate.build import Build
from corral.generate.c.terms import Name
from corral.generate.functions import dispatched, family_header, parameters
from corral.generate.multipart import abort, continued, setup
from corral.generate.rules import Names, supported

UNIT = "pake"
INPUTS = Name("inputs")
# A driver is found by the primitive, in the form of a public key of its group.
NAMES = Names(
    INPUTS.arrow("alg"), INPUTS.arrow("group").dot("type"), INPUTS.arrow("group").dot("bits")
)


def pake_header(build: Build) -> str:
    layer = build.layers[UNIT]
    row = build.row("pake_setup")
    body = setup(build, layer, [row], LOCAL, compared=NAMES)
    items = [
        supported(
            "corral_pake_supported",
            build.of_unit(UNIT, LOCAL),
            "Whether this build does the key exchange `alg` in any group.",
        ),
        dispatched(row.name, parameters(row, UNIT), body),
        continued(layer, build.row("pake_output")),
        continued(layer, build.row("pake_input")),
        continued(layer, build.row("pake_get_implicit_key")),
        abort(layer, build.row("pake_abort")),
    ]
    return family_header(build, UNIT, __name__, "Drivers that exchange keys by passwords.", items)
