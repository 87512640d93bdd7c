# SPDX-License-Identifier: Apache-2.0
"""dispatch/key.h: drivers that create and keep keys."""

from __future__ import annotations

from collections.abc import Sequence

from corral.configure.bindings import LOCAL
from corral.generate.asymmetric import pairs, pairs_and_publics
from corral.generate.build import Build, key_of
from corral.generate.c.nodes import Assign, Body, Function, If, Item, Parameter, Return, when
from corral.generate.c.terms import Call, Choice, Name, Term, Type, Variable, all_of, any_of, term
from corral.generate.dispatch import (
    by_location,
    location_of,
    of_elements,
    simple_cases,
    single_part,
    where_made_for_it,
)
from corral.generate.functions import (
    ATTRIBUTES_TYPE,
    BITS,
    BOOL,
    KEY_TYPE,
    LOCAL_STORAGE,
    NOT_SUPPORTED,
    RETURN_FALSE,
    RETURN_TRUE,
    SIZE,
    STATUS_TYPE,
    SUCCESS,
    TYPE,
    family_header,
    parameters,
)
from corral.generate.key import Key
from corral.generate.key_sizes import context_sizes, der_types, key_lengths
from corral.generate.lengths import by_value, switch_of
from corral.generate.rules import Case, Names, emit

OF_KEY = (Parameter(ATTRIBUTES_TYPE, "attributes"),)
INVALID = Name("PSA_ERROR_INVALID_ARGUMENT")
RETURN_NONE = Return(term(0))
#: Creation may leave the size to the data.
OPEN = Names(open_size=True)
KEY_BITS = Variable("key_bits", type=SIZE)


def key_header(build: Build) -> str:
    items = [
        _location_known(build),
        _unstructured(build),
        _fits(build),
        _context_size(build),
        _can_import(build),
        *_import(build),
        *single_part(build, "generate_key", None, lambda _: None),
        *single_part(build, "generate_key_custom", None, lambda _: None),
        *single_part(build, "derive_key", None, lambda _: None),
        *_element_creation(build, "allocate_key"),
        *_element_creation(build, "attach_key"),
        *single_part(
            build,
            "export_public_key",
            pairs(build.local_keys),
            lambda driver: pairs_and_publics(build.element_keys(driver)),
        ),
        *single_part(build, "destroy_key", None, build.element_keys),
        *single_part(build, "restore_key", None, build.element_keys),
        *single_part(build, "export_key", None, build.element_keys),
        *single_part(build, "copy_key", None, build.element_keys),
    ]
    subject = (
        "Drivers that create and keep keys. Call the functions with keys that exist, those of "
        "creation with any attributes."
    )
    return family_header(build, "key", __name__, subject, items)


def _location_known(build: Build) -> Function:
    location = Name("location")
    known = [LOCAL_STORAGE, *(location_of(element) for element in build.elements)]
    return Function(
        BOOL,
        "corral_location_known",
        (Parameter(Type("psa_key_location_t"), location.text),),
        (Return(any_of(*(location.equals(place) for place in known))),),
        "Whether this build can keep keys at a location.",
    )


def _is_one_of(name: str, values: Sequence[int | str]) -> Term:
    return any_of(*(Name(name).equals(value) for value in values))


def _of_sizes(defined: Sequence[int], served: tuple[int, ...] | None, most: int) -> Body:
    """The status of a size: served, known to the type, or no size of it."""
    if served is None:
        bits = Name("bits")
        tests: list[Term] = [bits.with_operator("%", 8).equals(0), bits.with_operator(">", 0)]
        tests += [bits.with_operator("<=", most)] if most else []
        return (Return(Choice(all_of(*tests), SUCCESS, INVALID)),)
    body: Body = (when(_is_one_of("bits", served), Return(SUCCESS)),)
    others = [size for size in defined if size not in served]
    if others:
        body = (*body, when(_is_one_of("bits", others), NOT_SUPPORTED))
    return (*body, Return(INVALID))


def _unstructured(build: Build) -> Function:
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
    served = {t: None if found is None else tuple(sorted(found)) for t, found in sizes.items()}
    defined = build.tree.mechanisms.sizes
    bodies = by_value(
        (t, _of_sizes(defined[t], bits, most.get(t, 0))) for t, bits in served.items()
    )
    branches = tuple(If(_is_one_of("type", types), body) for body, types in bodies.items())
    return Function(
        STATUS_TYPE,
        "corral_unstructured_key_status",
        (Parameter(KEY_TYPE, "type"), Parameter(SIZE, "bits")),
        (*branches, NOT_SUPPORTED),
        "Whether local memory can keep a symmetric key or data of this type and size, or why not.",
    )


def _context_size(build: Build) -> Function:
    """By location and type; of symmetric keys as large as the largest, because the size may not
    be given yet when the context is allocated."""
    bodies: dict[str, Body] = {}
    for driver in build.element_drivers:
        by_type: dict[str, int] = {}
        for key, size in context_sizes(build, driver).items():
            by_type[key.type] = max(size, by_type.get(key.type, 0))
        bodies[driver.name] = switch_of(TYPE, {Name(t): term(size) for t, size in by_type.items()})
    body = of_elements(build, bodies, RETURN_NONE) if bodies else (RETURN_NONE,)
    comment = "Bytes that an element's driver stores for such a key; 0: it keeps none of this type."
    return Function(SIZE, "corral_key_context_size", OF_KEY, body, comment)


def _rsa_bits(key_type: Term, length: str) -> Call:
    return Name("corral_rsa_bits").call(key_type, "data", length)


def _fits(build: Build) -> Function:
    """Checks of a key from storage before other code reads it."""
    lengths, der = key_lengths(build), der_types(build)
    unstructured = {key.type for key in build.unstructured_keys}
    length = Name("length")

    def test(key: Key) -> Term:
        if key.type in unstructured:
            return length.with_operator("*", 8).equals(BITS)
        if key.type in der:
            return _rsa_bits(TYPE, "length").equals(BITS)
        return length.equals(lengths[key.type, key.bits])

    keys = sorted(build.local_keys, key=str)
    cases = [Case(None, key, (Return(test(key)),)) for key in keys]
    data = (Parameter(Type("const uint8_t *"), "data"), Parameter(SIZE, "length"))
    comment = "Whether this build can have such a key in local memory, and it is as long as that."
    body = emit(cases, None, Names(), RETURN_FALSE)
    return Function(BOOL, "corral_key_fits", (*OF_KEY, *data), body, comment)


def _import_cases(build: Build, location: str) -> list[Case]:
    bindings = build.of_unit("import_key", location)
    cases = simple_cases(build, bindings, build.row("import_key"))
    return [
        where_made_for_it(build, binding, case, NOT_SUPPORTED)
        for binding, case in zip(bindings, cases, strict=True)
    ]


def _can_import(build: Build) -> Function:
    """Types of keys that elements support: checked before a slot is taken, so a full
    one need not answer."""
    bodies: dict[str, Body] = {}
    for driver in build.element_drivers:
        cases = [
            where_made_for_it(build, b, Case(b.algorithm, key_of(b), (RETURN_TRUE,)), RETURN_FALSE)
            for b in build.of_unit("import_key", driver.name)
        ]
        if cases:
            bodies[driver.name] = emit(cases, None, OPEN, RETURN_FALSE)
    body = of_elements(build, bodies, RETURN_FALSE) if bodies else (RETURN_FALSE,)
    comment = "Whether the element at the attributes' location can import a key of their type."
    return Function(BOOL, "corral_element_imports", OF_KEY, body, comment)


def _import(build: Build) -> list[Item]:
    """Import: the size may be left to the data."""
    locations = [LOCAL, *(driver.name for driver in build.element_drivers)]
    keys = [c.key for where in locations for c in _import_cases(build, where) if c.key]
    der = der_types(build)
    data = ["data"] if any(key.type in der for key in keys) else []
    of_data = Name("corral_key_bits_of_data").call(TYPE, *data, "data_length")

    def body(location: str) -> Body:
        cases = _import_cases(build, location)
        if not _types_of_several_sizes([c.key for c in cases if c.key], der):
            return emit(cases, None, OPEN, NOT_SUPPORTED)
        given = Assign(KEY_BITS, Choice(BITS.differs(0), BITS, of_data))
        return (given, *emit(cases, None, Names(bits=KEY_BITS), NOT_SUPPORTED))

    several = _types_of_several_sizes(keys, der)
    bits_of_data = [_bits_of_data(build, keys)] if several else []
    elements = {driver.name: body(driver.name) for driver in build.element_drivers}
    of = parameters(build.row("import_key"))
    return [*bits_of_data, *by_location(build, "import_key", of, body(LOCAL), elements)]


def _types_of_several_sizes(keys: Sequence[Key], der: set[str]) -> list[str]:
    """Types whose size an import has to find out; in DER the data may be of any size."""
    sizes: dict[str, set[int | None]] = {}
    for key in keys:
        sizes.setdefault(key.type, set()).add(key.bits)
    return [t for t, found in sizes.items() if len(found) > 1 or t in der]


def _sizes_by_length(build: Build, keys: Sequence[Key], key_type: str) -> dict[int, int]:
    """Bits of the keys of a type by the bytes of their data; empty if these do not tell them."""
    lengths = key_lengths(build)
    mine = {key for key in keys if key.type == key_type}
    table = {
        lengths[key.type, key.bits]: key.bits
        for key in mine
        if key.bits is not None and (key.type, key.bits) in lengths
    }
    return dict(sorted(table.items())) if len(table) == len(mine) else {}


def _bits_of_data(build: Build, keys: Sequence[Key]) -> Function:
    """The size that a key's data has, where the length tells it."""
    der = der_types(build)
    # Types of one size too: once sizes are compared, they are compared for all types.
    types = list(dict.fromkeys(key.type for key in keys))
    tables = by_value((t, tuple(_sizes_by_length(build, keys, t).items())) for t in types)
    length, kind = Name("data_length"), Name("type")
    body: Body = tuple(
        If(
            _is_one_of("type", of),
            switch_of(length, {term(size): term(bits) for size, bits in table}),
        )
        for table, of in tables.items()
        if table
    )
    read = [t for t in types if t in der]
    if read:
        body = (*body, when(_is_one_of("type", read), Return(_rsa_bits(kind, length.text))))
    is_plain = Name("PSA_KEY_TYPE_IS_UNSTRUCTURED").call(kind)
    other = Return(Choice(is_plain, term(8).with_operator("*", length), term(0)))
    data = [Parameter(Type("const uint8_t *"), "data")] if read else []
    return Function(
        SIZE,
        "corral_key_bits_of_data",
        (Parameter(KEY_TYPE, "type"), *data, Parameter(SIZE, length.text)),
        (*body, other),
        "Size in bits of the key that so many bytes hold; 0: no key of this build.",
    )


def _element_creation(build: Build, name: str) -> list[Item]:
    """allocate_key, attach_key: any attributes, and the size may not be known yet."""
    row = build.row(name)
    bodies = {
        driver.name: emit(
            simple_cases(build, build.of_unit(name, driver.name), row), None, OPEN, NOT_SUPPORTED
        )
        for driver in build.element_drivers
    }
    return by_location(build, name, parameters(row), (NOT_SUPPORTED,), bodies)
