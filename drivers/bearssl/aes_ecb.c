/* SPDX-License-Identifier: Apache-2.0 */
/* AES in ECB mode: BearSSL has no such mode, but CBC of one block under a zero IV is the same. */
#include <corral/drivers/bearssl/entry_points.h>

#include "aes_keys.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

/*
 * AES-128, AES-192 and AES-256, in a time that depends on lengths only. ECB and CBC get whole
 * blocks, CTR any length; output and input are equal or disjoint. The context holds the expanded
 * key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the IV has not 16 bytes
 */
psa_status_t bearssl_driver_aes_ecb_encrypt_setup(bearssl_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    br_aes_ct_cbcenc_init(encryption_keys(&operation->keys), key_buffer, key_buffer_size);
    bearssl_driver_wipe_stack_aes();
    operation->is_decryption = 0;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_ecb_decrypt_setup(bearssl_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    br_aes_ct_cbcdec_init(decryption_keys(&operation->keys), key_buffer, key_buffer_size);
    bearssl_driver_wipe_stack_aes();
    operation->is_decryption = 1;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_ecb_update(bearssl_driver_aes_ecb_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length)
{
    uint8_t iv[BEARSSL_AES_BLOCK_SIZE];
    size_t i;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (i = 0; i < input_length; i += BEARSSL_AES_BLOCK_SIZE) {
        memset(iv, 0, sizeof(iv));
        memmove(output + i, input + i, BEARSSL_AES_BLOCK_SIZE);
        if (operation->is_decryption) {
            br_aes_ct_cbcdec_run(decryption_keys(&operation->keys), iv, output + i, sizeof(iv));
        } else {
            br_aes_ct_cbcenc_run(encryption_keys(&operation->keys), iv, output + i, sizeof(iv));
        }
    }
    bearssl_driver_wipe_stack_aes();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_aes_ecb_abort(bearssl_driver_aes_ecb_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}
