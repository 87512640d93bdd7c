# SPDX-License-Identifier: Apache-2.0
"""dispatch/key_derivation.h."""

from __future__ import annotations

from corral.configure.bindings import LOCAL
from corral.generate.build import Build, key_of
from corral.generate.c.nodes import Body, Item, Parameter, Return, when
from corral.generate.dispatch import by_location
from corral.generate.functions import (
    ALG,
    ALGORITHM,
    ATTRIBUTES_TYPE,
    NOT_SUPPORTED,
    SUCCESS,
    family_header,
    parameters,
    value_of,
)
from corral.generate.multipart import abort, continued, setup_case
from corral.generate.rules import Case, Names, emit, supported
from corral.model.expression import Expression

UNIT = "key_derivation"
COUNTER_CMAC = Expression("PSA_ALG_SP800_108_COUNTER_CMAC")
# Keys that are other inputs than secrets.
OTHER_TYPES = ("PSA_KEY_TYPE_RAW_DATA", "PSA_KEY_TYPE_PEPPER", "PSA_KEY_TYPE_PASSWORD_HASH")
ATTRIBUTES = Parameter(ATTRIBUTES_TYPE, "attributes")
TAKEN = Return(SUCCESS)


def _secret_cases(build: Build, location: str) -> list[Case]:
    cases = {
        Case(b.algorithm, key_of(b), (TAKEN,)): None
        for b in build.of_unit(UNIT, location)
        if b.key is not None and str(b.key.type) not in OTHER_TYPES
    }
    return list(cases)


def _takes_locally(build: Build) -> Body:
    cases = [
        Case(None, case.key, case.action)
        for case in _secret_cases(build, LOCAL)
        if case.algorithm == COUNTER_CMAC
    ]
    if not cases:
        return (TAKEN,)
    types = {value.fields["type"] for value in build.tree.mechanisms.values["block"].values()}
    keys = frozenset(key for key in build.local_keys if key.type in types)
    rules = emit(cases, keys, Names(), NOT_SUPPORTED)
    return (
        rules if rules == (TAKEN,) else (when(ALG.differs(value_of(COUNTER_CMAC)), TAKEN), *rules)
    )


def _takes(build: Build) -> list[Item]:
    """Whether a key can be the secret of a key derivation; the core has looked at its type."""
    elements = {
        d.name: emit(
            _secret_cases(build, d.name), build.element_keys(d.name), Names(), NOT_SUPPORTED
        )
        for d in build.element_drivers
    }
    return by_location(
        build,
        "key_derivation_takes",
        (ATTRIBUTES, Parameter(ALGORITHM, "alg")),
        _takes_locally(build),
        elements,
        "PSA_SUCCESS, or PSA_ERROR_NOT_SUPPORTED: no driver derives from such a key by `alg`.",
    )


def _setup(build: Build) -> list[Item]:
    layer = build.layers[UNIT]
    row = build.row("key_derivation_setup")
    context, *others = parameters(row, UNIT)

    def body(location: str) -> Body:
        cases = {
            Case(case.algorithm, None, case.action): None
            for binding in build.of_unit(UNIT, location)
            for case in [setup_case(build, layer, binding, [row])]
        }
        return emit(list(cases), None, Names(), NOT_SUPPORTED)

    return by_location(
        build,
        row.name,
        (context, ATTRIBUTES, *others),
        body(LOCAL),
        {driver.name: body(driver.name) for driver in build.element_drivers},
        "Begin with all inputs. attributes: of the secret if it is a key, of no key otherwise.",
    )


def derivation_header(build: Build) -> str:
    layer = build.layers[UNIT]
    items = [
        supported(
            "corral_key_derivation_supported",
            build.of_unit(UNIT, LOCAL),
            "Whether this build does the key derivation `alg`.",
        ),
        *_takes(build),
        *_setup(build),
        continued(layer, build.row("key_derivation_output_bytes")),
        abort(layer, build.row("key_derivation_abort")),
    ]
    return family_header(build, UNIT, __name__, "Drivers that derive keys.", items)
