/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HMAC (RFC 2104), always at full length; a key longer than a block is hashed first. The library's
 * own would link all its hashes. The operation holds the two keyed states, not the key.
 */
#include <corral/drivers/awslc/entry_points.h>

#include "hash.h"
#include "stack.h"

#include <corral/driver.h>

static void begin_padded(awslc_hash_operation_t *operation, const struct awslc_hash *hash,
                         uint8_t *block, uint8_t pad)
{
    for (size_t i = 0; i < hash->block_size; i++) {
        block[i] ^= pad;
    }
    awslc_hash_begin(operation, hash);
    awslc_hash_add(operation, block, hash->block_size);
}

static void begin(awslc_hmac_operation_t *operation, const struct awslc_hash *hash,
                  const uint8_t *key, size_t key_length)
{
    uint8_t block[AWSLC_HASH_MAX_BLOCK_SIZE] = {0};

    if (key_length > hash->block_size) {
        awslc_hash_begin(&operation->inner, hash);
        awslc_hash_add(&operation->inner, key, key_length);
        awslc_hash_end(&operation->inner, block);
    } else {
        corral_copy(block, key, key_length);
    }
    begin_padded(&operation->inner, hash, block, 0x36);
    begin_padded(&operation->outer, hash, block, 0x36 ^ 0x5c);
    corral_wipe(block, sizeof block);
}

static void end(awslc_hmac_operation_t *operation, uint8_t *mac)
{
    uint8_t hash[AWSLC_HASH_MAX_SIZE];

    awslc_hash_end(&operation->inner, hash);
    awslc_hash_add(&operation->outer, hash, operation->outer.hash->size);
    awslc_hash_end(&operation->outer, mac);
    corral_wipe(hash, sizeof hash);
}

psa_status_t awslc_hmac_compute(const struct awslc_hash *hash_of,
                                const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *mac, size_t mac_size,
                                size_t *mac_length)
{
    awslc_hmac_operation_t operation;

    (void)attributes;
    (void)alg;
    if (mac_size < hash_of->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    begin(&operation, hash_of, key_buffer, key_buffer_size);
    awslc_hash_add(&operation.inner, input, input_length);
    end(&operation, mac);
    *mac_length = hash_of->size;
    awslc_wipe_stack_hash();
    corral_wipe(&operation, sizeof operation);
    return PSA_SUCCESS;
}

psa_status_t awslc_hmac_setup(const struct awslc_hash *hash_of, awslc_hmac_operation_t *operation,
                              const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                              size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    begin(operation, hash_of, key_buffer, key_buffer_size);
    awslc_wipe_stack_hash();
    return PSA_SUCCESS;
}

psa_status_t awslc_hmac_update(awslc_hmac_operation_t *operation, const uint8_t *input,
                               size_t input_length)
{
    awslc_hash_add(&operation->inner, input, input_length);
    awslc_wipe_stack_hash();
    return PSA_SUCCESS;
}

psa_status_t awslc_hmac_finish(awslc_hmac_operation_t *operation, uint8_t *mac, size_t mac_size,
                               size_t *mac_length)
{
    if (mac_size < operation->inner.hash->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *mac_length = operation->inner.hash->size;
    end(operation, mac);
    awslc_wipe_stack_hash();
    return PSA_SUCCESS;
}

psa_status_t awslc_hmac_abort(awslc_hmac_operation_t *operation)
{
    (void)operation; /* the core wipes it */
    return PSA_SUCCESS;
}
