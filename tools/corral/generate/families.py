# SPDX-License-Identifier: Apache-2.0
"""dispatch/{hash,xof,block,mac,cipher,sign,agreement,wrap,random,init}.h."""

from __future__ import annotations

from collections.abc import Sequence

from corral.config.solve import LOCAL, Binding
from corral.generate.build import Build, Layer, is_pair, is_public, key_of
from corral.generate.contexts import context_type
from corral.generate.ctext import call, function, header
from corral.generate.dispatch import (
    NOT_SUPPORTED,
    by_location,
    driver_headers,
    needs_parts,
    single_part,
)
from corral.generate.lengths import hash_value_function, typed_value_function
from corral.generate.multipart import abort, context_parameters, continued, keyed_setup, setup_case
from corral.generate.rules import Case, Key, Names, emit
from corral.model.entry_points import EntryPoint
from corral.model.expression import Expression

STANDARD = ["<stdbool.h>", "<stddef.h>", "<stdint.h>"]


def _rows(build: Build) -> dict[str, EntryPoint]:
    return build.tree.entry_points.rows


def _file(
    build: Build,
    family: str,
    subject: str,
    context: str,
    units: Sequence[str],
    body: Sequence[str],
) -> str:
    """A header with what its code uses: its context, drivers, the core's helpers."""
    text = "\n".join(body)
    ours = [f"<corral/contexts/{context}.h>"] if context else []
    if "corral_wipe(" in text:
        ours.append("<corral/driver.h>")
    if "CORRAL_LOCATION_" in text:
        ours.append("<corral/locations.h>")
    drivers = driver_headers(build, units)
    includes = [*STANDARD, "", *ours, "<psa/crypto.h>", *(["", *drivers] if drivers else [])]
    return header(f"dispatch/{family}.h", f"{subject} {build.origin}", includes, body)


def _parameters(row: EntryPoint) -> list[str]:
    return [p.declaration for p in row.parameters]


def _in_parts(name: str, row: EntryPoint, layer: str, steps: Sequence[str]) -> list[str]:
    """A single-part operation by the multi-part functions: setup, and what follows it.

    A step may be preceded by its condition: "condition ? call".
    """
    setup, first, *rest = steps
    lines = [
        f"{context_type(layer).text} context;",
        "",
        "corral_wipe(&context, sizeof context);",
        f"status = {setup};",
        "if (status == PSA_SUCCESS) {",
    ]
    lines += [f"    {line}" for line in _step(first, [])]
    for step in rest:
        lines += [f"    {line}" for line in _step(step, ["status == PSA_SUCCESS"])]
    lines += [f"    {line}" for line in _end_of_parts(layer)]
    lines += ["}", "corral_wipe(&context, sizeof context);", "return status;"]
    return function("psa_status_t", f"corral_{name}_in_parts", _parameters(row), lines)


def _end_of_parts(layer: str) -> list[str]:
    """A finish that succeeds has cleaned up; ciphers have no finish and always end by abort."""
    abort_call = f"corral_dispatch_{layer}_abort(&context);"
    if layer == "cipher":
        return [abort_call]
    return ["if (status != PSA_SUCCESS) {", f"    {abort_call}", "}"]


def _step(step: str, conditions: list[str]) -> list[str]:
    test, separator, statement = step.partition(" ? ")
    if separator:
        conditions = [*conditions, test]
    else:
        statement = step
    if not conditions:
        return [f"status = {statement};"]
    return [f"if ({' && '.join(conditions)}) {{", f"    status = {statement};", "}"]


# Hashes


def _hash_values(build: Build, field: str, wanted_only: bool) -> dict[Expression, int]:
    return {
        Expression(str(outcome.mechanism.value["algorithm"])): int(outcome.mechanism.value[field])
        for outcome in build.bindings.outcomes.values()
        if outcome.mechanism.family == "hash"
        and outcome.bindings
        and (outcome.is_wanted or not wanted_only)
    }


def hash_header(build: Build) -> str:
    rows = _rows(build)
    layer = build.layers["hash"]
    body = hash_value_function(
        "corral_hash_length",
        _hash_values(build, "length", wanted_only=True),
        "Bytes of a hash; 0: this build does not offer it.",
    )
    body += hash_value_function(
        "corral_hash_block_length",
        _hash_values(build, "block_length", wanted_only=False),
        "Bytes of the block that HMAC fills; 0: this build does not compute such a hash.",
    )
    body += _hash_setup(build, layer, "hash_setup")
    for name in ("hash_update", "hash_finish"):
        body += continued(layer, rows[name])
    body += abort(layer, rows["hash_abort"])
    body += continued(layer, rows["hash_suspend"])
    body += _hash_setup(build, layer, "hash_resume")
    if needs_parts(build, "hash_compute"):
        steps = [
            "corral_dispatch_hash_setup(&context, alg)",
            "corral_dispatch_hash_update(&context, input, input_length)",
            "corral_dispatch_hash_finish(&context, hash, hash_size, hash_length)",
        ]
        body += _in_parts("hash_compute", rows["hash_compute"], "hash", steps)
    body += single_part(build, "hash_compute", None, lambda _: None)
    units = ["hash_compute", "hash_multipart"]
    return _file(build, "hash", "Who computes hashes.", "hash", units, body)


def _hash_setup(build: Build, layer: Layer, name: str) -> list[str]:
    row = _rows(build)[name]
    cases = [
        setup_case(build, layer, binding, [row])
        for binding in build.layer_bindings("hash")
        if all(name in capability.entry_points for capability in binding.chain)
    ]
    body = emit(cases, None, Names(), [NOT_SUPPORTED]) if cases else [NOT_SUPPORTED]
    parameters = context_parameters("hash", row)
    return function("psa_status_t", f"corral_dispatch_{name}", parameters, body)


# Extendable-output functions


def xof_header(build: Build) -> str:
    rows = _rows(build)
    layer = build.layers["xof"]
    cases = [
        setup_case(build, layer, binding, [rows["xof_setup"]])
        for binding in build.layer_bindings("xof")
    ]
    body = function(
        "psa_status_t",
        "corral_dispatch_xof_setup",
        context_parameters("xof", rows["xof_setup"]),
        emit(cases, None, Names(), [NOT_SUPPORTED]) if cases else [NOT_SUPPORTED],
    )
    for name in ("xof_set_context", "xof_update", "xof_output"):
        body += continued(layer, rows[name])
    body += abort(layer, rows["xof_abort"])
    subject = "Who computes extendable output."
    return _file(build, "xof", subject, "xof", ["xof_multipart"], body)


# Block ciphers, for constructions


def block_header(build: Build) -> str:
    rows = _rows(build)
    layer = build.layers["block"]
    setups = [rows["cipher_encrypt_setup"], rows["cipher_decrypt_setup"]]
    bindings = build.layer_bindings("block")

    def rules(location: str) -> list[str]:
        cases = []
        for binding in bindings:
            if binding.location == location:
                case = setup_case(build, layer, binding, setups)
                ecb = (line.replace(", alg)", ", PSA_ALG_ECB_NO_PADDING)") for line in case.action)
                cases.append(Case(None, case.key, tuple(ecb)))
        keys = frozenset(case.key for case in cases if case.key is not None)
        return emit(cases, keys, Names(), [NOT_SUPPORTED]) if cases else [NOT_SUPPORTED]

    parameters = [*context_parameters("block", setups[0])[:-1], "bool is_encrypt"]
    comment = (
        "Set a block cipher up for a construction. Call only with keys that the construction was "
        "bound for: their block cipher is bound, too."
    )
    elements = {d.name: rules(d.name) for d in build.element_drivers}
    elements = {name: lines for name, lines in elements.items() if lines != [NOT_SUPPORTED]}
    if elements:
        body = by_location(build, "block_setup", parameters, rules(LOCAL), elements, comment)
    else:
        name = "corral_dispatch_block_setup"
        body = function("psa_status_t", name, parameters, rules(LOCAL), comment)
    body += _block_update(layer, rows["cipher_update"])
    body += abort(layer, rows["cipher_abort"], "block_abort")
    units = ["cipher_multipart"] if bindings else []
    return _file(build, "block", "Who runs block ciphers for constructions.", "block", units, body)


def _block_update(layer: Layer, row: EntryPoint) -> list[str]:
    parameters = context_parameters("block", row)[:4]
    comment = "Whole blocks, in place or into another buffer of the same length."
    lines = continued(layer, row, parameters, name="block_update")
    if not layer.servers:
        return lines
    replaced = [
        line.replace("output_size, output_length)", "input_length, &length)") for line in lines
    ]
    start = replaced.index("{")
    return [
        f"/* {comment} */",
        *replaced[: start + 1],
        "    size_t length;",
        "",
        *replaced[start + 1 :],
    ]


# Message authentication codes


def mac_lengths(build: Build) -> dict[tuple[Expression, str], int]:
    """Length of each MAC that the build serves, by algorithm and type of key."""
    found: dict[tuple[Expression, str], int] = {}
    for unit in ("mac_compute", "mac_multipart"):
        for binding in build.of_unit(unit):
            value = binding.mechanism.value
            if binding.algorithm is not None and binding.key is not None:
                length = value["length"] if "length" in value else value["block_length"]
                found[binding.algorithm, str(binding.key.type)] = int(length)
    return found


def _all_types(build: Build) -> frozenset[str]:
    """Types of the keys that can exist anywhere."""
    keys = set(build.local_keys)
    for driver in build.element_drivers:
        keys |= build.element_keys(driver.name)
    return frozenset(key.type for key in keys)


def mac_header(build: Build) -> str:
    rows = _rows(build)
    layer = build.layers["mac"]
    units = ("mac_compute", "mac_multipart")
    # Constructions also make keys that nobody can create: those that they were bound for.
    made = {key_of(b) for unit in units for b in build.of_unit(unit, LOCAL)}
    local = build.checked_keys(units, build.local_keys.union(k for k in made if k is not None))
    elements = {
        d.name: build.checked_keys(units, build.element_keys(d.name)) for d in build.element_drivers
    }
    body = typed_value_function(
        "corral_mac_length",
        ["psa_algorithm_t alg", "psa_key_type_t type"],
        mac_lengths(build),
        _all_types(build),
        "Bytes of an untruncated MAC; 0: this build does not compute it with such a key.",
    )
    body += keyed_setup(build, layer, [rows["mac_setup"]], local, dict(elements), "")
    for name in ("mac_update", "mac_finish"):
        body += continued(layer, rows[name])
    body += abort(layer, rows["mac_abort"])
    if needs_parts(build, "mac_compute"):
        steps = [
            "corral_dispatch_mac_setup(&context, attributes, key_buffer, key_buffer_size, alg)",
            "corral_dispatch_mac_update(&context, input, input_length)",
            "corral_dispatch_mac_finish(&context, mac, mac_size, mac_length)",
        ]
        body += _in_parts("mac_compute", rows["mac_compute"], "mac", steps)
    body += single_part(build, "mac_compute", local, elements.__getitem__)
    body += single_part(build, "mac_verify", None, lambda _: None)
    subject = (
        "Who computes MACs. Call only with an algorithm and a type of key for which "
        "corral_mac_length() is not 0."
    )
    return _file(build, "mac", subject, "mac", [*units, "mac_verify"], body)


# Unauthenticated ciphers

CIPHER_UNITS = ("cipher_encrypt", "cipher_decrypt", "cipher_multipart")


def _public_ciphers(build: Build) -> list[Binding]:
    """Cipher bindings that applications can reach."""
    return [b for unit in CIPHER_UNITS for b in build.of_unit(unit) if build.is_wanted(b)]


def cipher_lengths(build: Build) -> dict[tuple[Expression, str], tuple[int, int]]:
    """Lengths of IV and block of each cipher, by algorithm and type of key."""
    return {
        (b.algorithm, str(b.key.type)): (b.mechanism.iv_length, b.mechanism.block_length)
        for b in _public_ciphers(build)
        if b.algorithm is not None and b.key is not None
    }


def _cipher_length_functions(build: Build) -> list[str]:
    lengths = cipher_lengths(build)
    parameters = ["psa_key_type_t type", "psa_algorithm_t alg"]
    lines = typed_value_function(
        "corral_cipher_block_length",
        parameters,
        {pair: block for pair, (_, block) in lengths.items()},
        _all_types(build),
        "Bytes of the blocks that the driver is fed with, 1 for any length; 0: not served.",
    )
    ivs = {pair: iv for pair, (iv, _) in lengths.items()}
    comment = "Bytes of the IV, for what corral_cipher_block_length() says is served."
    if len(set(ivs.values())) == 1:
        body = [f"return {next(iter(ivs.values()))};"]
        return lines + function("size_t", "corral_cipher_iv_length", parameters, body, comment)
    types = frozenset(key_type for _, key_type in ivs)
    return lines + typed_value_function("corral_cipher_iv_length", parameters, ivs, types, comment)


def cipher_header(build: Build) -> str:
    rows = _rows(build)
    layer = build.layers["cipher"]
    local = build.checked_keys(CIPHER_UNITS, build.local_keys)
    elements = {
        d.name: build.checked_keys(CIPHER_UNITS, build.element_keys(d.name))
        for d in build.element_drivers
    }
    setups = [rows["cipher_encrypt_setup"], rows["cipher_decrypt_setup"]]
    body = _cipher_length_functions(build)
    body += keyed_setup(build, layer, setups, local, dict(elements), "")
    for name in ("cipher_set_iv", "cipher_update"):
        body += continued(layer, rows[name])
    body += abort(layer, rows["cipher_abort"])
    some_without_iv = any(b.mechanism.iv_length == 0 for b in _public_ciphers(build))
    for name, is_encrypt in (("cipher_encrypt", "true"), ("cipher_decrypt", "false")):
        if needs_parts(build, name, build.is_wanted):
            arguments = ["&context", "attributes", "key_buffer", "key_buffer_size", "alg"]
            set_iv = "corral_dispatch_cipher_set_iv(&context, iv, iv_length)"
            update = ["&context", "input", "input_length", "output", "output_size", "output_length"]
            steps = [
                call("corral_dispatch_cipher_setup", [*arguments, is_encrypt]),
                f"iv_length != 0 ? {set_iv}" if some_without_iv else set_iv,
                call("corral_dispatch_cipher_update", update),
            ]
            body += _in_parts(name, rows[name], "cipher", steps)
        body += single_part(build, name, local, elements.__getitem__, keep=build.is_wanted)
    subject = (
        "Who runs unauthenticated ciphers. Call only with a type of key and an algorithm for which "
        "corral_cipher_block_length() is not 0."
    )
    return _file(build, "cipher", subject, "cipher", CIPHER_UNITS, body)


# Signatures, agreement


def _pairs(keys: frozenset[Key]) -> frozenset[Key]:
    return frozenset(key for key in keys if is_pair(key))


def sign_header(build: Build) -> str:
    pairs = _pairs(build.local_keys)
    publics = frozenset(key for key in build.local_keys if is_public(key))
    body: list[str] = []

    def pairs_of(driver: str) -> frozenset[Key]:
        return _pairs(build.element_keys(driver))

    def asymmetric_of(driver: str) -> frozenset[Key]:
        return frozenset(k for k in build.element_keys(driver) if is_pair(k) or is_public(k))

    plain = ("sign_hash", "verify_hash", "sign_message", "verify_message")
    names = (*plain, *(f"{name}_with_context" for name in plain))
    for name in names:
        if name.startswith("sign"):
            body += single_part(build, name, pairs, pairs_of)
        else:
            body += single_part(build, name, publics, asymmetric_of)
    subject = (
        "Who signs and verifies. Call signing functions with key pairs only, verifying ones with "
        "public keys, or with either if an element keeps the key."
    )
    return _file(build, "sign", subject, "", names, body)


def asymmetric_header(build: Build) -> str:
    """Encryption takes public keys as verification does; decryption pairs as signing does."""
    publics = frozenset(key for key in build.local_keys if is_public(key))

    def all_of(driver: str) -> frozenset[Key]:
        return frozenset(k for k in build.element_keys(driver) if is_pair(k) or is_public(k))

    body = single_part(build, "asymmetric_encrypt", publics, all_of)
    pairs = _pairs(build.local_keys)
    body += single_part(
        build, "asymmetric_decrypt", pairs, lambda driver: _pairs(build.element_keys(driver))
    )
    subject = (
        "Who encrypts to public keys. Call encryption with public keys, or with either if an "
        "element keeps the key; decryption with key pairs only."
    )
    units = ["asymmetric_encrypt", "asymmetric_decrypt"]
    return _file(build, "asymmetric", subject, "", units, body)


def agreement_header(build: Build) -> str:
    body = single_part(
        build,
        "key_agreement",
        _pairs(build.local_keys),
        lambda driver: _pairs(build.element_keys(driver)),
    )
    subject = "Who agrees on shared secrets. Call with key pairs only."
    return _file(build, "agreement", subject, "", ["key_agreement"], body)


def wrap_header(build: Build) -> str:
    body: list[str] = []
    for name in ("wrap_key", "unwrap_key"):
        body += single_part(build, name, build.local_keys, build.element_keys)
    subject = "Who wraps keys. Call with a key of a block cipher."
    return _file(build, "wrap", subject, "", ["wrap_key", "unwrap_key"], body)


def encapsulation_header(build: Build) -> str:
    """Encapsulation takes public keys as verification does; decapsulation pairs as signing does."""
    publics = frozenset(key for key in build.local_keys if is_public(key))

    def all_of(driver: str) -> frozenset[Key]:
        return frozenset(k for k in build.element_keys(driver) if is_pair(k) or is_public(k))

    body = single_part(build, "encapsulate", publics, all_of)
    pairs = _pairs(build.local_keys)
    body += single_part(
        build, "decapsulate", pairs, lambda driver: _pairs(build.element_keys(driver))
    )
    subject = (
        "Who encapsulates secrets. Call encapsulation with public keys, or with either if an "
        "element keeps the key; decapsulation with key pairs only."
    )
    units = ["encapsulate", "decapsulate"]
    return _file(build, "encapsulation", subject, "", units, body)


# Random generation, initialisation


def random_header(build: Build) -> str:
    rows = _rows(build)
    sizes = (0, 0)
    for binding in build.of_unit("get_random"):
        capability = binding.chain[0]
        sizes = (capability.initial_entropy_size, capability.reseed_entropy_size)
    body = [
        "/* Bytes of full entropy that the generator needs before its first use, and to reseed. */",
        f"#define CORRAL_RANDOM_INITIAL_ENTROPY_SIZE {sizes[0]}",
        f"#define CORRAL_RANDOM_RESEED_ENTROPY_SIZE {sizes[1]}",
        "",
    ]
    for name in ("init_random", "add_entropy", "get_random"):
        body += continued(build.layers["random"], rows[name])
    units = ["get_random"]
    return _file(build, "random", "Who generates random bytes.", "random", units, body)


def init_header(build: Build) -> str:
    calls: list[str] = []
    headers: dict[str, None] = {}
    for name, capabilities in build.bindings.drivers.items():
        for capability in capabilities:
            if "init" in capability.entry_points:
                calls.append(capability.function("init").call([]))
                driver = build.tree.drivers[name]
                headers.update(dict.fromkeys(f"<{h}>" for h in driver.headers))
    body: list[str] = []
    for one in calls[:-1]:
        body += [f"status = {one};", "if (status != PSA_SUCCESS) {", "    return status;", "}"]
    body.append(f"return {calls[-1]};" if calls else "return PSA_SUCCESS;")
    lines = function("psa_status_t", "corral_dispatch_init", [], body)
    includes = ["<psa/crypto.h>", *(["", *sorted(headers)] if headers else [])]
    comment = f"Initialisation of the drivers that ask for it. {build.origin}"
    return header("dispatch/init.h", comment, includes, lines)
