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

/*
 * Begin an HMAC by the hash `hash_alg` under a key of any length. On failure nothing secret is left
 * in the operation.
 *   PSA_ERROR_NOT_SUPPORTED  the build lacks the hash, or it has no block length for HMAC
 */
psa_status_t compose_hmac_begin(compose_hmac_operation_t *operation, psa_algorithm_t hash_alg,
                                const uint8_t *key, size_t key_length);

/* Entry points of mac_multipart. */
psa_status_t compose_hmac_setup(compose_hmac_operation_t *operation,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t compose_hmac_update(compose_hmac_operation_t *operation, const uint8_t *input,
                                 size_t input_length);
psa_status_t compose_hmac_finish(compose_hmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length);
psa_status_t compose_hmac_abort(compose_hmac_operation_t *operation);

#endif
