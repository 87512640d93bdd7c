/* SPDX-License-Identifier: Apache-2.0 */
/* AES in ECB mode, block by block. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "aes_key.h"

#include <corral/driver.h>

/*
 * AES-128, AES-192 and AES-256. ECB and CBC get whole blocks, CTR, CFB and OFB any length; output
 * and input are equal or disjoint. The context holds the expanded key until *_abort.
 *   PSA_ERROR_INVALID_ARGUMENT  the IV has not 16 bytes
 */
psa_status_t mbedtls_driver_aes_ecb_encrypt_setup(mbedtls_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    operation->is_decryption = 0;
    return mbedtls_driver_aes_done(infallible_status(mbedtls_aes_setkey_enc(
        aes_of(&operation->key), key_buffer, (unsigned)(8 * key_buffer_size))));
}

psa_status_t mbedtls_driver_aes_ecb_decrypt_setup(mbedtls_driver_aes_ecb_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    operation->is_decryption = 1;
    const int result = mbedtls_aes_setkey_dec(aes_of(&operation->key), key_buffer,
                                              (unsigned)(8 * key_buffer_size));
    return mbedtls_driver_aes_done(infallible_status(result));
}

psa_status_t mbedtls_driver_aes_ecb_update(mbedtls_driver_aes_ecb_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length)
{
    const int direction = aes_direction(operation->is_decryption);
    int result = 0;
    size_t i;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (i = 0; i < input_length && result == 0; i += MBEDTLS_DRIVER_AES_BLOCK_SIZE) {
        result = mbedtls_aes_crypt_ecb(aes_of(&operation->key), direction, input + i, output + i);
    }
    *output_length = input_length;
    return mbedtls_driver_aes_done(infallible_status(result));
}

psa_status_t mbedtls_driver_aes_ecb_abort(mbedtls_driver_aes_ecb_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}
