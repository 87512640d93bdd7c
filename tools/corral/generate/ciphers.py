# SPDX-License-Identifier: Apache-2.0
"""dispatch/cipher.h, and dispatch/block.h for constructions over block ciphers."""

from __future__ import annotations

from corral.configure.bindings import LOCAL, Binding
from corral.generate.build import Build
from corral.generate.c.nodes import Body, Function, Item, Return
from corral.generate.c.terms import Name, Term, Variable, address, term
from corral.generate.dispatch import by_location, in_parts, single_part
from corral.generate.functions import (
    ALG,
    NOT_SUPPORTED,
    SIZE,
    UNSERVED,
    dispatched,
    family_header,
    parameters,
    value_of,
)
from corral.generate.lengths import OF_TYPE_AND_ALGORITHM, typed_value_function
from corral.generate.multipart import (
    IS_ENCRYPT,
    abort,
    continued,
    continued_body,
    keyed_setup,
    setup_case,
)
from corral.generate.rules import Case, Names, emit
from corral.model.capability import ECB
from corral.model.expression import Expression

UNITS = ("cipher_encrypt", "cipher_decrypt", "cipher_multipart")
KEY = ("attributes", "key_buffer", "key_buffer_size", "alg")


# For constructions


def _block_setup(build: Build) -> list[Item]:
    layer = build.layers["block"]
    rows = [build.row("cipher_encrypt_setup"), build.row("cipher_decrypt_setup")]

    def rules(location: str) -> Body:
        cases = [
            Case(None, case.key, case.action)
            for binding in build.layer_bindings("block")
            if binding.location == location
            for case in [setup_case(build, layer, binding, rows, {ALG.text: value_of(ECB)})]
        ]
        keys = frozenset(case.key for case in cases if case.key is not None)
        return emit(cases, keys, Names(), NOT_SUPPORTED)

    of = [parameter for parameter in parameters(rows[0], "block") if parameter.name != ALG.text]
    comment = (
        "Set a block cipher up for a construction. Call only with keys that the construction was "
        "bound for: their block cipher is bound, too."
    )
    of = [*of, IS_ENCRYPT]
    elements = {driver.name: rules(driver.name) for driver in build.element_drivers}
    if set(elements.values()) <= {UNSERVED}:
        # No construction uses an element's block cipher: its keys do not come here.
        return [dispatched("block_setup", of, rules(LOCAL), comment)]
    return by_location(build, "block_setup", of, rules(LOCAL), elements, comment)


def _block_update(build: Build) -> Item:
    row = build.row("cipher_update")
    of = [p for p in parameters(row, "block") if p.name not in ("output_size", "output_length")]
    given = {
        "output_size": Name("input_length"),
        "output_length": address(Variable("length", type=SIZE)),
    }
    body = continued_body(build.layers["block"], row, given)
    comment = "Whole blocks, in place or into another buffer of the same length."
    return dispatched("block_update", of, body, comment)


def block_header(build: Build) -> str:
    items = [
        *_block_setup(build),
        _block_update(build),
        abort(build.layers["block"], build.row("cipher_abort"), "block_abort"),
    ]
    subject = "Drivers that run block ciphers for constructions."
    return family_header(build, "block", __name__, subject, items, "cipher")


# For applications


def _public_ciphers(build: Build) -> list[Binding]:
    """Cipher bindings that applications can reach."""
    return [b for unit in UNITS for b in build.of_unit(unit) if build.is_wanted(b)]


def cipher_lengths(build: Build) -> dict[tuple[Expression, str], tuple[int, int]]:
    """Lengths of IV and block of each cipher, by algorithm and type of key."""
    return {
        (b.algorithm, str(b.key.type)): (b.mechanism.iv_length, b.mechanism.block_length)
        for b in _public_ciphers(build)
        if b.algorithm is not None and b.key is not None
    }


def _length_functions(build: Build) -> list[Item]:
    lengths = cipher_lengths(build)
    blocks = typed_value_function(
        "corral_cipher_block_length",
        OF_TYPE_AND_ALGORITHM,
        {pair: block for pair, (_, block) in lengths.items()},
        build.key_types,
        "Bytes of the blocks that the driver is fed with, 1 for any length; 0: not supported.",
    )
    name, ivs = "corral_cipher_iv_length", {pair: iv for pair, (iv, _) in lengths.items()}
    comment = "Bytes of the IV, if corral_cipher_block_length() is not 0."
    if len(set(ivs.values())) == 1:
        body = (Return(term(next(iter(ivs.values())))),)
        return [blocks, Function(SIZE, name, OF_TYPE_AND_ALGORITHM, body, comment)]
    types = frozenset(key_type for _, key_type in ivs)
    return [blocks, typed_value_function(name, OF_TYPE_AND_ALGORITHM, ivs, types, comment)]


def cipher_header(build: Build) -> str:
    layer = build.layers["cipher"]
    local = build.checked_keys(UNITS, build.local_keys)
    elements = build.checked_keys_of_elements(UNITS)
    setups = [build.row("cipher_encrypt_setup"), build.row("cipher_decrypt_setup")]
    items = [
        *_length_functions(build),
        *keyed_setup(build, layer, setups, local, elements),
        continued(layer, build.row("cipher_set_iv")),
        continued(layer, build.row("cipher_update")),
        abort(layer, build.row("cipher_abort")),
    ]
    some_without_iv = any(b.mechanism.iv_length == 0 for b in _public_ciphers(build))
    has_iv: Term | None = Name("iv_length").differs(0) if some_without_iv else None
    output = ["output", "output_size", "output_length"]
    steps = [
        ("set_iv", ["iv", "iv_length"], has_iv),
        ("update", ["input", "input_length", *output], None),
    ]
    for name, is_encrypt in (("cipher_encrypt", "true"), ("cipher_decrypt", "false")):
        items += [
            *in_parts(build, name, "cipher", [*KEY, Name(is_encrypt)], steps, build.is_wanted),
            *single_part(build, name, local, elements.__getitem__, keep=build.is_wanted),
        ]
    subject = (
        "Drivers that run unauthenticated ciphers. Call only with a type of key and an "
        "algorithm for which corral_cipher_block_length() is not 0."
    )
    return family_header(build, "cipher", __name__, subject, items)
