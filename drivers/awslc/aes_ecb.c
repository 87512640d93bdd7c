/* SPDX-License-Identifier: Apache-2.0 */
/* AES in ECB mode: whole blocks; output and input are equal or disjoint. */
#include <corral/drivers/awslc/entry_points.h>

#include "aes.h"
#include "stack.h"

psa_status_t awslc_aes_ecb_encrypt_setup(awslc_aes_ecb_operation_t *operation,
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

psa_status_t awslc_aes_ecb_decrypt_setup(awslc_aes_ecb_operation_t *operation,
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

/* Whether the processor has code for several blocks at once, which then has done the work. */
#if defined(HWAES_ECB)
static bool run_at_once(const AES_KEY *key, bool is_encrypt, const uint8_t *input, size_t length,
                        uint8_t *output)
{
    if (hwaes_capable()) {
        aes_hw_ecb_encrypt(input, output, length, key, is_encrypt);
        return true;
    }
    return false;
}
#else
static bool run_at_once(const AES_KEY *key, bool is_encrypt, const uint8_t *input, size_t length,
                        uint8_t *output)
{
    (void)key;
    (void)is_encrypt;
    (void)input;
    (void)length;
    (void)output;
    return false;
}
#endif

static void run(const AES_KEY *key, bool is_encrypt, const uint8_t *input, size_t length,
                uint8_t *output)
{
    if (run_at_once(key, is_encrypt, input, length, output)) {
        return;
    }
    for (size_t i = 0; i < length; i += AWSLC_BLOCK_SIZE) {
        (is_encrypt ? AES_encrypt : AES_decrypt)(input + i, output + i, key);
    }
}

psa_status_t awslc_aes_ecb_update(awslc_aes_ecb_operation_t *operation, const uint8_t *input,
                                  size_t input_length, uint8_t *output, size_t output_size,
                                  size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (input_length > 0) {
        run(awslc_aes_of(&operation->key), operation->is_encrypt, input, input_length, output);
        awslc_wipe_stack_aes();
    }
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t awslc_aes_ecb_abort(awslc_aes_ecb_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
