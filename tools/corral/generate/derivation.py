# SPDX-License-Identifier: Apache-2.0
"""dispatch/key_derivation.h."""

from __future__ import annotations

from corral.config.solve import LOCAL
from corral.generate.build import Build, key_of
from corral.generate.ctext import function, header
from corral.generate.dispatch import NOT_SUPPORTED, by_location, driver_headers
from corral.generate.multipart import abort, context_parameters, continued, setup_case
from corral.generate.rules import Case, Names, algorithm_condition, emit
from corral.model.expression import Expression

UNIT = "key_derivation"
COUNTER_CMAC = Expression("PSA_ALG_SP800_108_COUNTER_CMAC")
# Keys that are other inputs than secrets.
OTHER_TYPES = ("PSA_KEY_TYPE_RAW_DATA", "PSA_KEY_TYPE_PEPPER", "PSA_KEY_TYPE_PASSWORD_HASH")
ATTRIBUTES = "const psa_key_attributes_t *attributes"


def _supported(build: Build) -> list[str]:
    """Whether some key derivation is there at all."""
    algorithms = dict.fromkeys(b.algorithm for b in build.of_unit(UNIT, LOCAL) if b.algorithm)
    test = algorithm_condition(list(algorithms), "alg") if algorithms else "false"
    if test.startswith("(") and test.endswith(")") and len(algorithms) > 1:
        test = test[1:-1]
    return function(
        "bool",
        "corral_key_derivation_supported",
        ["psa_algorithm_t alg"],
        [f"return {test};"],
        "Whether this build does the key derivation `alg`.",
    )


def _secret_cases(build: Build, location: str) -> list[Case]:
    cases = {
        Case(b.algorithm, key_of(b), ("return PSA_SUCCESS;",)): None
        for b in build.of_unit(UNIT, location)
        if b.key is not None and str(b.key.type) not in OTHER_TYPES
    }
    return list(cases)


def _takes(build: Build) -> list[str]:
    """Whether a key can be the secret of a key derivation; the core has looked at its type."""

    def local() -> list[str]:
        cases = [case for case in _secret_cases(build, LOCAL) if case.algorithm == COUNTER_CMAC]
        if not cases:
            return ["return PSA_SUCCESS;"]
        types = {value.fields["type"] for value in build.tree.mechanisms.values["block"].values()}
        keys = frozenset(key for key in build.local_keys if key.type in types)
        rules = emit([Case(None, c.key, c.action) for c in cases], keys, Names(), [NOT_SUPPORTED])
        if len(rules) == 1:
            return rules
        return [f"if (alg != {COUNTER_CMAC}) {{", "    return PSA_SUCCESS;", "}", *rules]

    def of_element(driver: str) -> list[str]:
        cases = _secret_cases(build, driver)
        keys = build.element_keys(driver)
        return emit(cases, keys, Names(), [NOT_SUPPORTED]) if cases else [NOT_SUPPORTED]

    elements = {d.name: of_element(d.name) for d in build.element_drivers}
    elements = {name: lines for name, lines in elements.items() if lines != [NOT_SUPPORTED]}
    return by_location(
        build,
        "key_derivation_takes",
        [ATTRIBUTES, "psa_algorithm_t alg"],
        local(),
        elements,
        "PSA_SUCCESS, or PSA_ERROR_NOT_SUPPORTED: nobody derives from such a key by `alg`.",
    )


def _setup(build: Build) -> list[str]:
    layer = build.layers[UNIT]
    row = build.tree.entry_points.rows["key_derivation_setup"]
    parameters = context_parameters(UNIT, row)
    parameters.insert(1, ATTRIBUTES)

    def body(location: str) -> list[str]:
        cases = {
            Case(case.algorithm, None, case.action): None
            for binding in build.of_unit(UNIT, location)
            for case in [setup_case(build, layer, binding, [row])]
        }
        return emit(list(cases), None, Names(), [NOT_SUPPORTED]) if cases else [NOT_SUPPORTED]

    elements = {d.name: body(d.name) for d in build.element_drivers}
    elements = {name: lines for name, lines in elements.items() if lines != [NOT_SUPPORTED]}
    return by_location(
        build,
        row.name,
        parameters,
        body(LOCAL),
        elements,
        "Begin with all inputs. attributes: of the secret if it is a key, of no key otherwise.",
    )


def derivation_header(build: Build) -> str:
    rows = build.tree.entry_points.rows
    layer = build.layers[UNIT]
    body = _supported(build) + _takes(build) + _setup(build)
    body += continued(layer, rows["key_derivation_output_bytes"])
    body += abort(layer, rows["key_derivation_abort"])
    drivers = driver_headers(build, [UNIT])
    ours = [f"<corral/contexts/{UNIT}.h>", "<corral/derivation.h>"]
    if "CORRAL_LOCATION_" in "\n".join(body):
        ours.append("<corral/locations.h>")
    includes = ["<stdbool.h>", "<stddef.h>", "<stdint.h>", "", *ours, "<psa/crypto.h>"]
    includes += ["", *drivers] if drivers else []
    title = f"Who derives keys. {build.origin}"
    return header(f"dispatch/{UNIT}.h", title, includes, body)
