/* SPDX-License-Identifier: Apache-2.0 */
/* HMAC over any hash of the build (RFC 2104, FIPS 198-1). */
#ifndef COMPOSE_HMAC_H
#define COMPOSE_HMAC_H

#include <corral/bindings.h>
#include <corral/contexts/hash.h>
#include <psa/crypto_families.h>

typedef struct {
    corral_hash_context_t hash;
    psa_algorithm_t hash_alg;
    /*
     * What the outer hash is computed of at once: the key, filled up to a block and masked, and at
     * the end the result of the inner hash, which has begun.
     */
    uint8_t outer[CORRAL_HASH_BLOCK_MAX_LENGTH + CORRAL_HASH_MAX_LENGTH];
} compose_hmac_operation_t;

#endif
