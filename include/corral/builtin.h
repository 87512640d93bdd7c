/* SPDX-License-Identifier: Apache-2.0 */
/* How the core learns of keys that a board came with: keys of its elements, and its own. */
#ifndef CORRAL_BUILTIN_H
#define CORRAL_BUILTIN_H

#include <psa/crypto_types.h>

/* Bytes of the longest label that a board can give; the number of a slot takes one. */
#define CORRAL_LABEL_MAX_SIZE 16

/* Built-in key number i has the identifier CORRAL_BUILTIN_KEY_FIRST + (i << 16). */
#define CORRAL_BUILTIN_KEY_FIRST ((psa_key_id_t)0x70000000)

/* Labels of the board's own keys, in local memory: which of the port's functions has them. */
enum corral_own_key {
    CORRAL_OWN_HARDWARE = 1, /* corral_port_device_key(), of which each caller has a key */
    CORRAL_OWN_ATTESTATION,  /* corral_port_attestation_key() */
};

/* A key as the board describes it. */
struct corral_builtin_key {
    psa_key_type_t type;
    psa_algorithm_t algorithm;
    psa_key_usage_t usage; /* at most; less if the element permits less */
    psa_key_location_t location;
    uint8_t label[CORRAL_LABEL_MAX_SIZE]; /* by which the element's driver finds it, or above */
    uint8_t label_length;
};

/* Written by the generator in the order of the board's description. */
extern const struct corral_builtin_key corral_builtin_keys[];

#endif
