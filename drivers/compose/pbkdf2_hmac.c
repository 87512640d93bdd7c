/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

#define INNER_MASK 0x36
#define OUTER_MASK 0x5c

/* HMAC with its key: the two hashes behind the block of masked key. */
struct keyed {
    corral_hash_context_t inner;
    corral_hash_context_t outer;
};

psa_status_t compose_pbkdf2_hmac_setup(compose_pbkdf2_hmac_operation_t *operation,
                                       psa_algorithm_t alg,
                                       const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    const struct corral_derivation_input *const password =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_PASSWORD);
    const psa_algorithm_t hash_alg = PSA_ALG_GET_HASH(alg);
    const size_t block_length = corral_hash_block_length(hash_alg);
    size_t length;

    if (block_length > sizeof operation->key) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    operation->hash_alg = hash_alg;
    operation->hash_length = (uint8_t)corral_hash_length(hash_alg);
    compose_pbkdf2_begin(&operation->common, inputs);
    operation->common.used = operation->hash_length;
    if (password->length > block_length) {
        return corral_dispatch_hash_compute(hash_alg, password->data, password->length,
                                            operation->key, block_length, &length);
    }
    memcpy(operation->key, password->data, password->length);
    return PSA_SUCCESS;
}

/* Start a hash with the masked key; nothing is left open after a failure. */
static psa_status_t start(const compose_pbkdf2_hmac_operation_t *operation,
                          corral_hash_context_t *context, uint8_t mask)
{
    uint8_t masked[CORRAL_HASH_BLOCK_MAX_LENGTH];
    const size_t block_length = corral_hash_block_length(operation->hash_alg);

    for (size_t i = 0; i < block_length; i++) {
        masked[i] = operation->key[i] ^ mask;
    }
    corral_wipe(context, sizeof *context);
    psa_status_t status = corral_dispatch_hash_setup(context, operation->hash_alg);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_update(context, masked, block_length);
        if (status != PSA_SUCCESS) {
            corral_dispatch_hash_abort(context);
        }
    }
    corral_wipe(masked, sizeof masked);
    return status;
}

/* Continue a copy of a hash to its end. */
static psa_status_t finish_copy(const corral_hash_context_t *begun, const uint8_t *input,
                                size_t input_length, uint8_t output[CORRAL_HASH_MAX_LENGTH])
{
    corral_hash_context_t context = *begun;
    size_t length;

    psa_status_t status = corral_dispatch_hash_update(&context, input, input_length);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_finish(&context, output, CORRAL_HASH_MAX_LENGTH, &length);
    }
    if (status != PSA_SUCCESS) {
        corral_dispatch_hash_abort(&context);
    }
    corral_wipe(&context, sizeof context);
    return status;
}

static psa_status_t hmac(const struct keyed *keyed, const uint8_t *input, size_t input_length,
                         uint8_t value[CORRAL_HASH_MAX_LENGTH], size_t hash_length)
{
    psa_status_t status = finish_copy(&keyed->inner, input, input_length, value);

    return status == PSA_SUCCESS ? finish_copy(&keyed->outer, value, hash_length, value) : status;
}

/* All iterations of a block: block = U1 ^ U2 ^ ..., U1 = HMAC(salt | counter), U2 = HMAC(U1). */
static psa_status_t iterate(compose_pbkdf2_hmac_operation_t *operation, const struct keyed *keyed)
{
    uint8_t value[CORRAL_HASH_MAX_LENGTH];
    const size_t hash_length = operation->hash_length;
    size_t length;

    compose_pbkdf2_next(&operation->common, &length);
    psa_status_t status = hmac(keyed, operation->common.salt, length, value, hash_length);
    memcpy(operation->block, value, hash_length);
    for (uint32_t i = 1; status == PSA_SUCCESS && i < operation->common.cost; i++) {
        status = hmac(keyed, value, hash_length, value, hash_length);
        for (size_t j = 0; j < hash_length; j++) {
            operation->block[j] ^= value[j];
        }
    }
    corral_wipe(value, sizeof value);
    return status;
}

static psa_status_t next_block(compose_pbkdf2_hmac_operation_t *operation)
{
    struct keyed keyed;

    psa_status_t status = start(operation, &keyed.inner, INNER_MASK);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = start(operation, &keyed.outer, OUTER_MASK);
    if (status == PSA_SUCCESS) {
        status = iterate(operation, &keyed);
        corral_dispatch_hash_abort(&keyed.outer);
    }
    corral_dispatch_hash_abort(&keyed.inner);
    corral_wipe(&keyed, sizeof keyed);
    return status;
}

psa_status_t compose_pbkdf2_hmac_output_bytes(compose_pbkdf2_hmac_operation_t *operation,
                                              uint8_t *output, size_t output_length)
{
    psa_status_t status = PSA_SUCCESS;

    while (status == PSA_SUCCESS && output_length > 0) {
        if (operation->common.used == operation->hash_length) {
            status = next_block(operation);
        }
        if (status == PSA_SUCCESS) {
            compose_take(operation->block, operation->hash_length, &operation->common.used, &output,
                         &output_length);
        }
    }
    return status;
}

psa_status_t compose_pbkdf2_hmac_abort(compose_pbkdf2_hmac_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
