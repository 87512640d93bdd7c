/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pseudorandom function under key derivations: a MAC that anybody serves, under one key. Each
 * value is computed at once, so that nothing is open between two calls of an application: a library
 * may keep its MACs on a heap, and an element its own in the chip.
 */
#ifndef COMPOSE_PRF_H
#define COMPOSE_PRF_H

#include <corral/bindings.h>
#include <corral/derivation.h>

#include "hmac.h"

/* Of HMAC: a block of the hash, which a build with CMAC alone lacks. Of CMAC: AES and its like. */
#define COMPOSE_MAC_KEY_MAX (CORRAL_HASH_BLOCK_MAX_LENGTH > 32 ? CORRAL_HASH_BLOCK_MAX_LENGTH : 32)
#define COMPOSE_PRF_KEY_MAX                                                                        \
    (CORRAL_PROTECTED_KEY_MAX_SIZE > COMPOSE_MAC_KEY_MAX ? CORRAL_PROTECTED_KEY_MAX_SIZE           \
                                                         : COMPOSE_MAC_KEY_MAX)

typedef struct {
    psa_key_attributes_t attributes;
    psa_algorithm_t alg; /* of the MAC */
    uint16_t key_length;
    uint8_t key[COMPOSE_PRF_KEY_MAX]; /* or the context of an element's key */
} compose_prf_t;

#endif
