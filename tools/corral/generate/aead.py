# SPDX-License-Identifier: Apache-2.0
"""dispatch/aead.h. The core runs whole messages in parts where no driver serves them at once."""

from __future__ import annotations

from corral.generate.build import Build
from corral.generate.ctext import function
from corral.generate.dispatch import single_part
from corral.generate.families import _all_types, _file
from corral.generate.lengths import typed_value_function
from corral.generate.multipart import abort, continued, keyed_setup
from corral.generate.rules import Names
from corral.model.expression import Expression

UNITS = ("aead_encrypt", "aead_decrypt", "aead_multipart")
NAMES = Names(algorithm="corral_aead_base(alg)")


def _nonce_lengths(build: Build) -> dict[tuple[Expression, str], int]:
    """The usual length of the nonce of each AEAD, by algorithm and type of key."""
    return {
        (b.algorithm, str(b.key.type)): b.mechanism.nonce_length
        for unit in UNITS
        for b in build.of_unit(unit)
        if b.algorithm is not None and b.key is not None
    }


def aead_header(build: Build) -> str:
    rows = build.tree.entry_points.rows
    layer = build.layers["aead"]
    local = build.checked_keys(UNITS, build.local_keys)
    elements = {
        d.name: build.checked_keys(UNITS, build.element_keys(d.name)) for d in build.element_drivers
    }
    body = function(
        "psa_algorithm_t",
        "corral_aead_base",
        ["psa_algorithm_t alg"],
        ["return PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg);"],
        "The algorithm with its usual tag: drivers serve all lengths of tags, or refuse some.",
    )
    body += typed_value_function(
        "corral_aead_nonce_length",
        ["psa_algorithm_t alg", "psa_key_type_t type"],
        _nonce_lengths(build),
        _all_types(build),
        "Bytes of the usual nonce, by the algorithm with its usual tag; 0: not served.",
    )
    setups = [rows["aead_encrypt_setup"], rows["aead_decrypt_setup"]]
    body += keyed_setup(build, layer, setups, local, dict(elements), "", NAMES)
    # Only CCM has to know them before the message; the core keeps to them whoever is at work.
    missing = "return PSA_SUCCESS;"
    body += continued(layer, rows["aead_set_lengths"], missing=missing)
    for name in ("aead_set_nonce", "aead_update_ad", "aead_update", "aead_finish"):
        body += continued(layer, rows[name])
    body += abort(layer, rows["aead_abort"])
    for name in ("aead_encrypt", "aead_decrypt"):
        body += single_part(build, name, local, elements.__getitem__, names=NAMES)
    subject = (
        "Who runs authenticated encryption. Call only with a type of key and an algorithm for "
        "which corral_aead_nonce_length() is not 0."
    )
    return _file(build, "aead", subject, "aead", UNITS, body)
