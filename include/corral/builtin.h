/* SPDX-License-Identifier: Apache-2.0 */
/* How the keys that a board's elements came with are told to the core. */
#ifndef CORRAL_BUILTIN_H
#define CORRAL_BUILTIN_H

#include <psa/crypto_types.h>

/* Bytes of the longest label that a board can give; the number of a slot takes one. */
#define CORRAL_LABEL_MAX_SIZE 16

/* A key as the board describes it. */
struct corral_builtin_key {
    psa_key_type_t type;
    psa_algorithm_t algorithm;
    psa_key_usage_t usage; /* at most; less if the element permits less */
    psa_key_location_t location;
    uint8_t label[CORRAL_LABEL_MAX_SIZE]; /* by which the element's driver finds it */
    uint8_t label_length;
};

/* Written by the generator in the order of the board's description. */
extern const struct corral_builtin_key corral_builtin_keys[];

#endif
