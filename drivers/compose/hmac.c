/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <string.h>

#include <corral/bindings.h>
#include <corral/dispatch/hash.h>
#include <corral/driver.h>

#define INNER_MASK 0x36
#define OUTER_MASK 0x5c

/* A block is whole words long, whatever the hash; memcpy() makes of them what the alignment asks.
 */
static void mask(uint8_t *block, size_t size, uint8_t value)
{
    const uint32_t mask = value * (uint32_t)0x01010101;

    for (size_t i = 0; i < size; i += sizeof mask) {
        uint32_t word;
        memcpy(&word, block + i, sizeof word);
        word ^= mask;
        memcpy(block + i, &word, sizeof word);
    }
}

/* Start the inner hash with one block of key; the context is zero before. */
static psa_status_t start(compose_hmac_operation_t *operation, psa_algorithm_t hash_alg,
                          size_t block_length)
{
    corral_wipe(&operation->hash, sizeof operation->hash);
    psa_status_t status = corral_dispatch_hash_setup(&operation->hash, hash_alg);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_dispatch_hash_update(&operation->hash, operation->outer, block_length);
    if (status != PSA_SUCCESS) {
        corral_dispatch_hash_abort(&operation->hash);
    }
    return status;
}

psa_status_t compose_hmac_begin(compose_hmac_operation_t *operation, psa_algorithm_t hash_alg,
                                const uint8_t *key, size_t key_length)
{
    const size_t block_length = corral_hash_block_length(hash_alg);
    uint8_t *const block = operation->outer;
    psa_status_t status = PSA_SUCCESS;

    if (block_length == 0 || block_length > CORRAL_HASH_BLOCK_MAX_LENGTH) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    operation->hash_alg = hash_alg;
    corral_wipe(block, block_length);
    if (key_length > block_length) {
        size_t hash_length;
        status = corral_dispatch_hash_compute(hash_alg, key, key_length, block, block_length,
                                              &hash_length);
    } else {
        corral_copy(block, key, key_length);
    }
    if (status == PSA_SUCCESS) {
        mask(block, block_length, INNER_MASK);
        status = start(operation, hash_alg, block_length);
        mask(block, block_length, INNER_MASK ^ OUTER_MASK);
    }
    if (status != PSA_SUCCESS) {
        corral_wipe(operation, sizeof *operation);
    }
    return status;
}

psa_status_t compose_hmac_setup(compose_hmac_operation_t *operation,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    return compose_hmac_begin(operation, PSA_ALG_GET_HASH(alg), key_buffer, key_buffer_size);
}

psa_status_t compose_hmac_update(compose_hmac_operation_t *operation, const uint8_t *input,
                                 size_t input_length)
{
    return corral_dispatch_hash_update(&operation->hash, input, input_length);
}

psa_status_t compose_hmac_finish(compose_hmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                                 size_t *mac_length)
{
    const psa_algorithm_t hash_alg = operation->hash_alg;
    const size_t block_length = corral_hash_block_length(hash_alg);
    size_t inner_length;

    if (block_length == 0) {
        return PSA_ERROR_NOT_SUPPORTED; /* so the compiler knows which hashes it may be from here */
    }
    psa_status_t status =
        corral_dispatch_hash_finish(&operation->hash, operation->outer + block_length,
                                    sizeof operation->outer - block_length, &inner_length);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_compute(
            hash_alg, operation->outer, block_length + inner_length, mac, mac_size, mac_length);
    }
    return status;
}

psa_status_t compose_hmac_abort(compose_hmac_operation_t *operation)
{
    corral_dispatch_hash_abort(&operation->hash);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
