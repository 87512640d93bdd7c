# SPDX-License-Identifier: Apache-2.0
"""dispatch/aead.h. The core runs whole messages in parts if no driver runs them at once."""

from __future__ import annotations

from corral.configure.bindings import LOCAL
from corral.generate.build import Build
from corral.generate.c.nodes import Function, Return
from corral.generate.c.terms import Name
from corral.generate.dispatch import single_part
from corral.generate.functions import ALG, ALGORITHM, SUCCESS, family_header
from corral.generate.lengths import OF_ALGORITHM, OF_ALGORITHM_AND_TYPE, typed_value_function
from corral.generate.multipart import abort, continued, keyed_setup
from corral.generate.rules import Names
from corral.model.expression import Expression

UNITS = ("aead_encrypt", "aead_decrypt", "aead_multipart")
BASE = Name("corral_aead_base")
NAMES = Names(algorithm=BASE.call(ALG))


def _nonce_lengths(build: Build) -> dict[tuple[Expression, str], int]:
    """The usual length of the nonce of each AEAD, by algorithm and type of key."""
    return {
        (b.algorithm, str(b.key.type)): b.mechanism.nonce_length
        for unit in UNITS
        for b in build.of_unit(unit)
        if b.algorithm is not None and b.key is not None
    }


def _copying(build: Build) -> dict[tuple[Expression, str], int]:
    """1 for algorithms and keys that drivers of local keys support only in whole messages."""
    of_unit = {
        unit: {
            (b.algorithm, str(b.key.type)): 1
            for b in build.of_unit(unit, LOCAL)
            if b.algorithm is not None and b.key is not None
        }
        for unit in UNITS
    }
    in_parts = of_unit.pop("aead_multipart")
    return {what: 1 for whole in of_unit.values() for what in whole if what not in in_parts}


def aead_header(build: Build) -> str:
    layer = build.layers["aead"]
    local = build.checked_keys(UNITS, build.local_keys)
    elements = build.checked_keys_of_elements(UNITS)
    setups = [build.row("aead_encrypt_setup"), build.row("aead_decrypt_setup")]
    running = ("aead_set_nonce", "aead_update_ad", "aead_update", "aead_finish", "aead_verify")
    items = [
        Function(
            ALGORITHM,
            BASE.text,
            OF_ALGORITHM,
            (Return(Name("PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG").call(ALG)),),
            "The algorithm with its usual tag: drivers support all its lengths, or some.",
        ),
        typed_value_function(
            "corral_aead_nonce_length",
            OF_ALGORITHM_AND_TYPE,
            _nonce_lengths(build),
            build.key_types,
            "Bytes of the usual nonce, by the algorithm with its usual tag; 0: not served.",
        ),
        typed_value_function(
            "corral_aead_copies",
            OF_ALGORITHM_AND_TYPE,
            _copying(build),
            build.key_types,
            "1: only local keys and whole messages, by a driver that permits nonce and text to "
            "overlap the output.",
        ),
        *keyed_setup(build, layer, setups, local, elements, NAMES),
        # Only CCM has to know them before the message; the core enforces them for any driver.
        continued(layer, build.row("aead_set_lengths"), missing=Return(SUCCESS)),
        *(continued(layer, build.row(name)) for name in running),
        abort(layer, build.row("aead_abort")),
        *single_part(build, "aead_encrypt", local, elements.__getitem__, NAMES),
        *single_part(build, "aead_decrypt", local, elements.__getitem__, NAMES),
    ]
    subject = (
        "Drivers that run authenticated encryption. Call only with a type of key and an algorithm "
        "for which corral_aead_nonce_length() is not 0."
    )
    return family_header(build, "aead", __name__, subject, items)
