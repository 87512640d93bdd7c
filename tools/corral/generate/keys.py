# SPDX-License-Identifier: Apache-2.0
"""dispatch/key.h and dispatch/serves.h."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corral.config.solve import LOCAL
from corral.generate.build import Build, is_pair, is_public, key_of
from corral.generate.ctext import any_of, condition, function, header, indented
from corral.generate.dispatch import (
    LOCATION,
    NOT_SUPPORTED,
    by_location,
    driver_headers,
    of_elements,
    simple_cases,
    single_part,
    where_made_for_it,
)
from corral.generate.families import STANDARD
from corral.generate.rules import Case, Key, Names, emit
from corral.model.driver import Driver, KeyContext
from corral.model.mechanisms import Value

CREATION = ("import_key", "generate_key", "generate_key_custom", "allocate_key", "attach_key")
GENERATION = ("generate_key", "generate_key_custom")
KEEPING = ("destroy_key", "restore_key", "export_key", "copy_key")


def key_header(build: Build) -> str:
    body = _location_known(build) + _unstructured(build) + _fits(build) + _context_size(build)
    body += _can_import(build) + _import(build)
    for name in GENERATION:
        body += single_part(build, name, None, lambda _: None)
    body += single_part(build, "derive_key", None, lambda _: None)
    body += _element_creation(build, "allocate_key")
    body += _element_creation(build, "attach_key")
    pairs = frozenset(key for key in build.local_keys if is_pair(key))
    body += single_part(
        build,
        "export_public_key",
        pairs,
        lambda d: frozenset(k for k in build.element_keys(d) if is_pair(k) or is_public(k)),
    )
    for name in KEEPING:
        body += single_part(build, name, None, build.element_keys)
    units = [*CREATION, *KEEPING, "derive_key", "export_public_key"]
    drivers = driver_headers(build, units)
    ours = ["<corral/locations.h>"] if build.elements else []
    if any("corral_rsa_bits(" in line for line in body):
        ours.append("<corral/rsa.h>")
    includes = [*STANDARD, "", *ours, "<psa/crypto.h>", *(["", *drivers] if drivers else [])]
    subject = (
        "Who creates and keeps keys. Call the functions with keys that exist, those of creation "
        "with any attributes."
    )
    return header("dispatch/key.h", f"{subject} {build.origin}", includes, body)


def _location_known(build: Build) -> list[str]:
    tests = ["location == PSA_KEY_LOCATION_LOCAL_STORAGE"]
    tests += [f"location == {element.macro}" for element in build.elements]
    return function(
        "bool",
        "corral_location_known",
        ["psa_key_location_t location"],
        [f"return {' || '.join(tests)};"],
        "Whether this build can keep keys at a location.",
    )


def _any_of(sizes: Iterable[int]) -> str:
    return " || ".join(f"bits == {size}" for size in sizes)


def _of_sizes(defined: Sequence[int], served: tuple[int, ...] | None, most: int) -> list[str]:
    """The status of a size: served, known to the type, or no size of it."""
    if served is None:
        test = "bits % 8 == 0 && bits > 0" + (f" && bits <= {most}" if most else "")
        return [f"return {test} ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;"]
    lines = [f"if ({_any_of(served)}) {{", *indented(["return PSA_SUCCESS;"]), "}"]
    others = [size for size in defined if size not in served]
    if others:
        lines += [f"if ({_any_of(others)}) {{", *indented([NOT_SUPPORTED]), "}"]
    return [*lines, "return PSA_ERROR_INVALID_ARGUMENT;"]


def _unstructured(build: Build) -> list[str]:
    """Types and sizes of symmetric keys and data; the core stores them itself."""
    sizes: dict[str, set[int] | None] = {}
    for key in build.unstructured_keys:
        known = sizes.setdefault(key.type, set())
        if key.bits is None or known is None:
            sizes[key.type] = None
        else:
            known.add(key.bits)
    data = build.tree.mechanisms.values["data"].values()
    most = {value.fields["type"]: value.fields.get("max_bits", 0) for value in data}
    defined = build.tree.mechanisms.sizes
    bodies: dict[tuple[str, ...], list[str]] = {}
    for key_type, found in sizes.items():
        served = None if found is None else tuple(sorted(found))
        lines = _of_sizes(defined[key_type], served, most.get(key_type, 0))
        bodies.setdefault(tuple(lines), []).append(key_type)
    lines = []
    for body, types in bodies.items():
        lines.append(f"if ({' || '.join(f'type == {t}' for t in types)}) {{")
        lines += [*indented(list(body)), "}"]
    return function(
        "psa_status_t",
        "corral_unstructured_key_status",
        ["psa_key_type_t type", "size_t bits"],
        [*lines, "return PSA_ERROR_NOT_SUPPORTED;"],
        "Whether local memory can keep a symmetric key or data of this type and size, or why not.",
    )


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
    """Keys that come in pairs, or are public ones alone; wanted or not."""
    return list(build.tree.mechanisms.asymmetric)


def _der_types(build: Build) -> set[str]:
    """Types of keys whose data has to be read to know their size."""
    values = [value.fields for value in asymmetric_values(build) if value.fields.get("is_der")]
    return {fields[name] for fields in values for name in ("pair", "public")}


def _context_size(build: Build) -> list[str]:
    """By location and type; of symmetric keys as large as the largest, because the size may not
    be given yet when the context is allocated."""
    bodies: dict[str, list[str]] = {}
    for driver in build.element_drivers:
        by_type: dict[str, int] = {}
        for key, size in context_sizes(build, driver).items():
            by_type[key.type] = max(size, by_type.get(key.type, 0))
        by_size: dict[int, list[str]] = {}
        for key_type, size in by_type.items():
            by_size.setdefault(size, []).append(key_type)
        lines = ["switch (attributes->type) {"]
        for size, types in by_size.items():
            lines += [f"case {t}:" for t in types]
            lines += indented([f"return {size};"])
        bodies[driver.name] = [*lines, "default:", *indented(["return 0;"]), "}"]
    name = "corral_key_context_size"
    comment = "Bytes that an element's driver stores for such a key; 0: it keeps none of this type."
    parameters = ["const psa_key_attributes_t *attributes"]
    if not bodies:
        return function("size_t", name, parameters, ["return 0;"], comment)
    if len(bodies) == 1:
        return function("size_t", name, parameters, next(iter(bodies.values())), comment)
    lines = [f"switch ({LOCATION}) {{"]
    for driver_name, body in bodies.items():
        lines += [f"case {e.macro}:" for e in build.elements if e.driver == driver_name]
        lines += indented(body)
    lines += ["default:", *indented(["return 0;"]), "}"]
    return function("size_t", name, parameters, lines, comment)


def _lengths(build: Build) -> dict[tuple[str, int | None], int]:
    """Bytes of each asymmetric key in local memory, but for those whose data tell their size."""
    found: dict[tuple[str, int | None], int] = {}
    for fields in (value.fields for value in asymmetric_values(build)):
        if not fields.get("is_der"):
            found[fields["public"], fields["bits"]] = fields["public_size"]
            if "pair" in fields:
                found[fields["pair"], fields["bits"]] = fields["private_size"]
    return found


def _fits(build: Build) -> list[str]:
    """What a key that comes from storage has to be before anybody else looks at it."""
    lengths = _lengths(build)
    der = _der_types(build)
    unstructured = {key.type for key in build.unstructured_keys}
    cases = []
    for key in sorted(build.local_keys, key=str):
        if key.type in unstructured:
            test = "length * 8 == attributes->bits"
        elif key.type in der:
            test = "corral_rsa_bits(attributes->type, data, length) == attributes->bits"
        else:
            test = f"length == {lengths[key.type, key.bits]}"
        cases.append(Case(None, key, (f"return {test};",)))
    parameters = ["const psa_key_attributes_t *attributes", "const uint8_t *data", "size_t length"]
    comment = "Whether this build can have such a key in local memory, and it is as long as that."
    lines = emit(cases, None, Names(), ["return false;"]) if cases else ["return false;"]
    return function("bool", "corral_key_fits", parameters, lines, comment)


def _import_cases(build: Build, location: str) -> list[Case]:
    row = build.tree.entry_points.rows["import_key"]
    bindings = build.of_unit("import_key", location)
    cases = simple_cases(bindings, row)
    return [
        where_made_for_it(build, binding, case, NOT_SUPPORTED)
        for binding, case in zip(bindings, cases, strict=True)
    ]


def _can_import(build: Build) -> list[str]:
    """What elements take in at all: asked before a slot is, so that a full one need not answer."""
    name = "corral_element_imports"
    refused = "return false;"
    bodies: dict[str, list[str]] = {}
    for driver in build.element_drivers:
        cases = [
            where_made_for_it(build, b, Case(b.algorithm, key_of(b), ("return true;",)), refused)
            for b in build.of_unit("import_key", driver.name)
        ]
        if cases:
            bodies[driver.name] = emit(cases, None, Names(open_size=True), [refused])
    comment = "Whether the element at the attributes' location can import a key of their type."
    parameters = ["const psa_key_attributes_t *attributes"]
    body = of_elements(build, bodies, refused) if bodies else [refused]
    return function("bool", name, parameters, body, comment)


def _import(build: Build) -> list[str]:
    """Import: the size may be left to the data."""
    row = build.tree.entry_points.rows["import_key"]
    parameters = [p.declaration for p in row.parameters]
    locations = [LOCAL, *(driver.name for driver in build.element_drivers)]
    keys = [c.key for where in locations for c in _import_cases(build, where) if c.key]
    der = _der_types(build)
    several = _types_of_several_sizes(keys, der)
    lines = _bits_of_data(build, keys) if several else []
    has_der = any(key is not None and key.type in der for key in keys)
    data = "data, " if has_der else ""

    def body(location: str) -> list[str]:
        cases = _import_cases(build, location)
        if not cases:
            return [NOT_SUPPORTED]
        mine = _types_of_several_sizes([c.key for c in cases if c.key], der)
        if not mine:
            return emit(cases, None, Names(open_size=True), [NOT_SUPPORTED])
        given = [
            "const size_t key_bits = attributes->bits != 0",
            "                            ? attributes->bits",
            "                            : corral_key_bits_of_data(attributes->type, "
            f"{data}data_length);",
            "",
        ]
        return [*given, *emit(cases, None, Names(bits="key_bits"), [NOT_SUPPORTED])]

    elements = {driver.name: body(driver.name) for driver in build.element_drivers}
    elements = {name: text for name, text in elements.items() if text != [NOT_SUPPORTED]}
    return lines + by_location(build, "import_key", parameters, body(LOCAL), elements)


def _types_of_several_sizes(keys: Sequence[Key | None], der: set[str]) -> list[str]:
    """Types whose size an import has to find out; in DER the data may be of any size."""
    sizes: dict[str, set[int | None]] = {}
    for key in keys:
        if key is not None:
            sizes.setdefault(key.type, set()).add(key.bits)
    return [t for t, found in sizes.items() if len(found) > 1 or t in der]


def _bits_of_data(build: Build, keys: Sequence[Key | None]) -> list[str]:
    """The size that a key's data has, where the length tells it."""
    lengths: dict[tuple[str, int | None], int] = {}
    der = [
        t for t in dict.fromkeys(k.type for k in keys if k is not None) if t in _der_types(build)
    ]
    for value in asymmetric_values(build):
        fields = value.fields
        if fields["public"] in der:
            continue
        lengths[fields["public"], fields["bits"]] = fields["public_size"]
        if "pair" in fields:
            lengths[fields["pair"], fields["bits"]] = fields["private_size"]
    by_table: dict[tuple[tuple[int, int], ...], list[str]] = {}
    # Types of one size too: once sizes are compared, they are compared for all types.
    for key_type in dict.fromkeys(k.type for k in keys if k is not None):
        table = {
            lengths[k.type, k.bits]: k.bits
            for k in keys
            if k is not None
            and k.type == key_type
            and k.bits is not None
            and (k.type, k.bits) in lengths
        }
        if len(table) < sum(k is not None and k.type == key_type for k in set(keys)):
            table = {}  # Keys of several sizes have data of one length: it tells nothing.
        by_table.setdefault(tuple(sorted(table.items())), []).append(key_type)
    lines: list[str] = []
    for items, types in by_table.items():
        if not items:
            continue
        test = " || ".join(f"type == {t}" for t in types)
        lines += [f"if ({test}) {{", "    switch (data_length) {"]
        for length, bits in items:
            lines += [f"    case {length}:", f"        return {bits};"]
        lines += ["    default:", "        return 0;", "    }", "}"]
    if der:
        test = " || ".join(f"type == {t}" for t in der)
        lines += [f"if ({test}) {{", "    return corral_rsa_bits(type, data, data_length);", "}"]
    lines.append("return PSA_KEY_TYPE_IS_UNSTRUCTURED(type) ? 8 * data_length : 0;")
    data = ["const uint8_t *data"] if der else []
    return function(
        "size_t",
        "corral_key_bits_of_data",
        ["psa_key_type_t type", *data, "size_t data_length"],
        lines,
        "Size in bits of the key that so many bytes hold; 0: no key of this build.",
    )


def _element_creation(build: Build, name: str) -> list[str]:
    """allocate_key, attach_key: any attributes, and the size may not be known yet."""
    row = build.tree.entry_points.rows[name]
    parameters = [p.declaration for p in row.parameters]
    bodies: dict[str, Sequence[str]] = {}
    for driver in build.element_drivers:
        cases = simple_cases(build.of_unit(name, driver.name), row)
        if cases:
            bodies[driver.name] = emit(cases, None, Names(open_size=True), [NOT_SUPPORTED])
    return by_location(build, name, parameters, [NOT_SUPPORTED], bodies)


def _serving_cases(build: Build, units: Sequence[str], location: str) -> list[Case]:
    found: dict[Case, None] = {}
    for unit in units:
        for binding in build.of_unit(unit, location):
            if not unit.startswith("cipher") or build.is_wanted(binding):
                found[Case(binding.algorithm, key_of(binding), ("return true;",))] = None
    return list(found)


def _serves_body(build: Build, location: str, keys: frozenset[Key]) -> list[str]:
    """A switch over the usages; those that are served alike share their rules."""
    by_rules: dict[tuple[str, ...], list[str]] = {}
    table = build.tree.entry_points
    for usage in table.usages:
        units = table.units_for(usage)
        cases = _serving_cases(build, units, location)
        if usage in table.public_usages:
            # Also an element's pair does in local memory what needs no more than its public key.
            local = _with_pairs(_serving_cases(build, units, LOCAL))
            local = [c for c in local if c.key in keys and (is_pair(c.key) or is_public(c.key))]
            found = set(cases)
            cases = [*cases, *(case for case in local if case not in found)]
        if cases:
            rules = tuple(emit(cases, keys, Names(), ["return false;"]))
            by_rules.setdefault(rules, []).append(f"PSA_KEY_USAGE_{usage}")
    if not by_rules:
        return ["return false;"]
    lines = ["switch (usage) {"]
    for rules, usages in by_rules.items():
        lines += [f"case {usage}:" for usage in usages]
        lines += indented(rules)
    return [*lines, "default:", *indented(["return false;"]), "}"]


def _with_pairs(cases: Sequence[Case]) -> list[Case]:
    """A pair verifies and encrypts as its public key does."""
    found = []
    for case in cases:
        found.append(case)
        if case.key is not None and is_public(case.key):
            pair = Key(case.key.type.replace("PUBLIC_KEY", "KEY_PAIR"), case.key.bits)
            found.append(Case(case.algorithm, pair, case.action))
    return found


def serves_header(build: Build) -> str:
    parameters = [
        "const psa_key_attributes_t *attributes",
        "psa_key_usage_t usage",
        "psa_algorithm_t alg",
    ]
    body: list[str] = []
    local = _serves_body(build, LOCAL, build.local_keys)
    by_driver = {
        d.name: _serves_body(build, d.name, build.element_keys(d.name))
        for d in build.element_drivers
    }
    by_driver = {name: text for name, text in by_driver.items() if text != ["return false;"]}
    body += function("bool", "corral_local_serves", parameters, local)
    for name, text in by_driver.items():
        body += function("bool", f"corral_{name}_serves", parameters, text)
    arguments = "attributes, usage, alg"
    lines = [
        "/* As the dispatch of operations sees them: MACs in full, padding left to the core. */",
        "if (PSA_ALG_IS_MAC(alg)) {",
        "    alg = PSA_ALG_FULL_LENGTH_MAC(alg);",
        "} else if (PSA_WANT_ALG_CBC_PKCS7 && alg == PSA_ALG_CBC_PKCS7) {",
        "    alg = PSA_ALG_CBC_NO_PADDING;",
        "} else if (PSA_ALG_IS_KEY_AGREEMENT(alg)) {",
        "    alg = PSA_ALG_KEY_AGREEMENT_GET_BASE(alg);",
        "}",
    ]
    if build.of_unit("aead_encrypt") or build.of_unit("aead_multipart"):
        lines[-1:-1] = [
            "} else if (PSA_ALG_IS_AEAD(alg)) {",
            "    alg = PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg);",
        ]
    for name in by_driver:
        tests = [f"{LOCATION} == {e.macro}" for e in build.elements if e.driver == name]
        if len(build.element_drivers) == 1:
            tests = [f"{LOCATION} != PSA_KEY_LOCATION_LOCAL_STORAGE"]
        test = any_of(tests)
        test = test[1:-1] if len(tests) > 1 else test
        lines += [condition([test]), f"    return corral_{name}_serves({arguments});", "}"]
    if build.elements and not by_driver:
        lines += [f"if ({LOCATION} != PSA_KEY_LOCATION_LOCAL_STORAGE) {{", "    return false;", "}"]
    lines.append(f"return corral_local_serves({arguments});")
    comment = (
        "Whether this build serves the operation that a single usage flag stands for, with such "
        "a key and a fully specified algorithm."
    )
    body += function("bool", "corral_dispatch_serves", parameters, lines, comment)
    ours = ["<corral/locations.h>"] if build.elements else []
    includes = [*STANDARD, "", *ours, "<psa/crypto.h>"]
    title = f"What can be asked of a key. {build.origin}"
    return header("dispatch/serves.h", title, includes, body)
