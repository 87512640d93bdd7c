/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

static psa_key_attributes_t aes_key(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    attributes.type = PSA_KEY_TYPE_AES;
    attributes.bits = 8 * BLOCK;
    return attributes;
}

static psa_status_t cmac(const uint8_t key[BLOCK], const uint8_t *input, size_t input_length,
                         uint8_t output[BLOCK])
{
    compose_cmac_operation_t operation;
    const psa_key_attributes_t attributes = aes_key();
    size_t length;

    corral_wipe(&operation, sizeof operation);
    psa_status_t status = compose_cmac_setup(&operation, &attributes, key, BLOCK, PSA_ALG_CMAC);
    if (status == PSA_SUCCESS) {
        status = compose_cmac_update(&operation, input, input_length);
        if (status == PSA_SUCCESS) {
            status = compose_cmac_finish(&operation, output, BLOCK, &length);
        }
        (void)compose_cmac_abort(&operation);
    }
    corral_wipe(&operation, sizeof operation);
    return status;
}

psa_status_t compose_pbkdf2_cmac_setup(compose_pbkdf2_cmac_operation_t *operation,
                                       psa_algorithm_t alg,
                                       const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    static const uint8_t zeros[BLOCK];
    const struct corral_derivation_input *const password =
        corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_PASSWORD);

    (void)alg;
    compose_pbkdf2_begin(&operation->common, inputs);
    operation->common.used = BLOCK;
    if (password->length != BLOCK) {
        return cmac(zeros, password->data, password->length, operation->key);
    }
    memcpy(operation->key, password->data, BLOCK);
    return PSA_SUCCESS;
}

static void add(uint8_t sum[BLOCK], const uint8_t other[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++) {
        sum[i] ^= other[i];
    }
}

/* The CMAC of a block is its encryption after it was masked by a subkey that stays the same. */
static psa_status_t iterate(compose_pbkdf2_cmac_operation_t *operation,
                            corral_block_context_t *cipher, uint8_t value[BLOCK])
{
    uint8_t subkey[BLOCK] = {0};

    psa_status_t status = corral_dispatch_block_update(cipher, subkey, BLOCK, subkey);
    compose_cmac_multiply_by_x(subkey);
    for (uint32_t i = 1; status == PSA_SUCCESS && i < operation->common.cost; i++) {
        add(value, subkey);
        status = corral_dispatch_block_update(cipher, value, BLOCK, value);
        add(operation->block, value);
    }
    corral_wipe(subkey, sizeof subkey);
    return status;
}

static psa_status_t next_block(compose_pbkdf2_cmac_operation_t *operation)
{
    corral_block_context_t cipher;
    const psa_key_attributes_t attributes = aes_key();
    uint8_t value[BLOCK];
    size_t length;

    compose_pbkdf2_next(&operation->common, &length);
    psa_status_t status = cmac(operation->key, operation->common.salt, length, value);
    if (status != PSA_SUCCESS) {
        return status;
    }
    memcpy(operation->block, value, BLOCK);
    corral_wipe(&cipher, sizeof cipher);
    status = corral_dispatch_block_setup(&cipher, &attributes, operation->key, BLOCK, true);
    if (status == PSA_SUCCESS) {
        status = iterate(operation, &cipher, value);
        corral_dispatch_block_abort(&cipher);
    }
    corral_wipe(&cipher, sizeof cipher);
    corral_wipe(value, sizeof value);
    return status;
}

psa_status_t compose_pbkdf2_cmac_output_bytes(compose_pbkdf2_cmac_operation_t *operation,
                                              uint8_t *output, size_t output_length)
{
    psa_status_t status = PSA_SUCCESS;

    while (status == PSA_SUCCESS && output_length > 0) {
        if (operation->common.used == BLOCK) {
            status = next_block(operation);
        }
        if (status == PSA_SUCCESS) {
            compose_take(operation->block, BLOCK, &operation->common.used, &output, &output_length);
        }
    }
    return status;
}

psa_status_t compose_pbkdf2_cmac_abort(compose_pbkdf2_cmac_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
