/* SPDX-License-Identifier: Apache-2.0 */
/* AES in CBC mode: whole blocks; output and input are equal or disjoint. */
#include <corral/drivers/awslc/entry_points.h>

#include "aes.h"
#include "stack.h"

#include <string.h>

psa_status_t awslc_aes_cbc_encrypt_setup(awslc_aes_cbc_operation_t *operation,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    awslc_aes_set_encrypt_key(&operation->key, key_buffer, key_buffer_size);
    awslc_wipe_stack_aes();
    operation->is_encrypt = true;
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_cbc_decrypt_setup(awslc_aes_cbc_operation_t *operation,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    awslc_aes_set_decrypt_key(&operation->key, key_buffer, key_buffer_size);
    awslc_wipe_stack_aes();
    operation->is_encrypt = false;
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_cbc_set_iv(awslc_aes_cbc_operation_t *operation, const uint8_t *iv,
                                  size_t iv_length)
{
    if (iv_length == AWSLC_BLOCK_SIZE) {
        memcpy(operation->iv, iv, AWSLC_BLOCK_SIZE);
        return PSA_SUCCESS;
    }
    return PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t awslc_aes_cbc_update(awslc_aes_cbc_operation_t *operation, const uint8_t *input,
                                  size_t input_length, uint8_t *output, size_t output_size,
                                  size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    awslc_aes_cbc(awslc_aes_of(&operation->key), operation->iv, input, input_length, output,
                  operation->is_encrypt);
    awslc_wipe_stack_aes();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_cbc_abort(awslc_aes_cbc_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

static psa_status_t run(const uint8_t *key_bytes, size_t key_size, bool is_encrypt,
                        const uint8_t *iv, const uint8_t *input, size_t length, uint8_t *output,
                        size_t output_size)
{
    uint8_t chain[AWSLC_BLOCK_SIZE];
    awslc_aes_key_t key;

    if (output_size < length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(chain, iv, sizeof chain);
    (is_encrypt ? awslc_aes_set_encrypt_key : awslc_aes_set_decrypt_key)(&key, key_bytes, key_size);
    awslc_aes_cbc(awslc_aes_of(&key), chain, input, length, output, is_encrypt);
    awslc_wipe_stack_aes();
    corral_wipe(&key, sizeof key);
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_cbc_encrypt(const psa_key_attributes_t *attributes,
                                   const uint8_t *key_buffer, size_t key_buffer_size,
                                   psa_algorithm_t alg, const uint8_t *iv, size_t iv_length,
                                   const uint8_t *input, size_t input_length, uint8_t *output,
                                   size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)alg;
    (void)iv_length;
    *output_length = input_length;
    return run(key_buffer, key_buffer_size, true, iv, input, input_length, output, output_size);
}

psa_status_t awslc_aes_cbc_decrypt(const psa_key_attributes_t *attributes,
                                   const uint8_t *key_buffer, size_t key_buffer_size,
                                   psa_algorithm_t alg, const uint8_t *iv, size_t iv_length,
                                   const uint8_t *input, size_t input_length, uint8_t *output,
                                   size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)alg;
    (void)iv_length;
    *output_length = input_length;
    return run(key_buffer, key_buffer_size, false, iv, input, input_length, output, output_size);
}
