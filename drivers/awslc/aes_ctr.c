/* SPDX-License-Identifier: Apache-2.0 */
/* AES in CTR mode; the library counts in all 128 bits and keeps the rest of a block. */
#include <corral/drivers/awslc/entry_points.h>

#include "aes.h"
#include "stack.h"

#include <string.h>

psa_status_t awslc_aes_ctr_setup(awslc_aes_ctr_operation_t *operation,
                                 const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    awslc_aes_set_encrypt_key(&operation->key, key_buffer, key_buffer_size);
    awslc_wipe_stack_aes();
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_ctr_set_iv(awslc_aes_ctr_operation_t *operation, const uint8_t *iv,
                                  size_t iv_length)
{
    if (iv_length != sizeof operation->counter) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->counter, iv, sizeof operation->counter);
    operation->used = 0;
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_ctr_update(awslc_aes_ctr_operation_t *operation, const uint8_t *input,
                                  size_t input_length, uint8_t *output, size_t output_size,
                                  size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (input_length > 0) {
        CRYPTO_ctr128_encrypt_ctr32(input, output, input_length, awslc_aes_of(&operation->key),
                                    operation->counter, operation->stream, &operation->used,
                                    awslc_aes_ctr32());
        awslc_wipe_stack_aes();
    }
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_ctr_abort(awslc_aes_ctr_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
