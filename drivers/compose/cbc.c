/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

psa_status_t compose_cbc_encrypt_setup(compose_cbc_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    (void)alg;
    operation->is_encrypt = true;
    return corral_dispatch_block_setup(&operation->block, attributes, key_buffer, key_buffer_size,
                                       true);
}

psa_status_t compose_cbc_decrypt_setup(compose_cbc_operation_t *operation,
                                       const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg)
{
    (void)alg;
    operation->is_encrypt = false;
    return corral_dispatch_block_setup(&operation->block, attributes, key_buffer, key_buffer_size,
                                       false);
}

psa_status_t compose_cbc_set_iv(compose_cbc_operation_t *operation, const uint8_t *iv,
                                size_t iv_length)
{
    if (iv_length != BLOCK) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->chain, iv, BLOCK);
    return PSA_SUCCESS;
}

static psa_status_t encrypt_block(compose_cbc_operation_t *operation, const uint8_t *input,
                                  uint8_t *output)
{
    uint8_t *const chain = operation->chain;

    for (size_t i = 0; i < BLOCK; i++) {
        chain[i] ^= input[i];
    }
    psa_status_t status = corral_dispatch_block_update(&operation->block, chain, BLOCK, chain);
    memcpy(output, chain, BLOCK);
    return status;
}

static psa_status_t decrypt_block(compose_cbc_operation_t *operation, const uint8_t *input,
                                  uint8_t *output)
{
    uint8_t ciphertext[BLOCK]; /* in place, the output overwrites what the next block needs */

    memcpy(ciphertext, input, BLOCK);
    psa_status_t status =
        corral_dispatch_block_update(&operation->block, ciphertext, BLOCK, output);
    for (size_t i = 0; i < BLOCK; i++) {
        output[i] ^= operation->chain[i];
    }
    memcpy(operation->chain, ciphertext, BLOCK);
    return status;
}

psa_status_t compose_cbc_update(compose_cbc_operation_t *operation, const uint8_t *input,
                                size_t input_length, uint8_t *output, size_t output_size,
                                size_t *output_length)
{
    psa_status_t status = PSA_SUCCESS;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (size_t done = 0; status == PSA_SUCCESS && done < input_length; done += BLOCK) {
        status = operation->is_encrypt ? encrypt_block(operation, input + done, output + done)
                                       : decrypt_block(operation, input + done, output + done);
    }
    *output_length = input_length;
    return status;
}

psa_status_t compose_cbc_abort(compose_cbc_operation_t *operation)
{
    corral_dispatch_block_abort(&operation->block);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
