/* SPDX-License-Identifier: Apache-2.0 */
/* AES in CBC mode. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "aes_key.h"

#include <string.h>

#include <corral/driver.h>

psa_status_t mbedtls_driver_aes_cbc_encrypt_setup(mbedtls_driver_aes_cbc_operation_t *operation,
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

psa_status_t mbedtls_driver_aes_cbc_decrypt_setup(mbedtls_driver_aes_cbc_operation_t *operation,
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

psa_status_t mbedtls_driver_aes_cbc_set_iv(mbedtls_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length)
{
    if (iv_length != MBEDTLS_DRIVER_AES_BLOCK_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->iv, iv, MBEDTLS_DRIVER_AES_BLOCK_SIZE);
    return PSA_SUCCESS;
}

psa_status_t mbedtls_driver_aes_cbc_update(mbedtls_driver_aes_cbc_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const int result =
        mbedtls_aes_crypt_cbc(aes_of(&operation->key), aes_direction(operation->is_decryption),
                              input_length, operation->iv, input, output);
    *output_length = input_length;
    return mbedtls_driver_aes_done(infallible_status(result));
}

psa_status_t mbedtls_driver_aes_cbc_abort(mbedtls_driver_aes_cbc_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}

psa_status_t mbedtls_driver_aes_cbc_encrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length)
{
    mbedtls_driver_aes_key_t key;
    uint8_t chain[MBEDTLS_DRIVER_AES_BLOCK_SIZE];

    (void)attributes;
    (void)alg;
    (void)iv_length;
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(chain, iv, 8); /* in halves, which compilers copy by words even for size */
    memcpy(chain + 8, iv + 8, 8);
    int result = mbedtls_aes_setkey_enc(aes_of(&key), key_buffer, (unsigned)(8 * key_buffer_size));
    if (result == 0) {
        result = mbedtls_aes_crypt_cbc(aes_of(&key), MBEDTLS_AES_ENCRYPT, input_length, chain,
                                       input, output);
    }
    wipe_aes(&key, key_buffer_size);
    *output_length = input_length;
    return mbedtls_driver_aes_done(infallible_status(result));
}

psa_status_t mbedtls_driver_aes_cbc_decrypt(const psa_key_attributes_t *attributes,
                                            const uint8_t *key_buffer, size_t key_buffer_size,
                                            psa_algorithm_t alg, const uint8_t *iv,
                                            size_t iv_length, const uint8_t *input,
                                            size_t input_length, uint8_t *output,
                                            size_t output_size, size_t *output_length)
{
    mbedtls_driver_aes_key_t key;
    uint8_t chain[MBEDTLS_DRIVER_AES_BLOCK_SIZE];

    (void)attributes;
    (void)alg;
    (void)iv_length;
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(chain, iv, 8); /* in halves, which compilers copy by words even for size */
    memcpy(chain + 8, iv + 8, 8);
    int result = mbedtls_aes_setkey_dec(aes_of(&key), key_buffer, (unsigned)(8 * key_buffer_size));
    if (result == 0) {
        result = mbedtls_aes_crypt_cbc(aes_of(&key), MBEDTLS_AES_DECRYPT, input_length, chain,
                                       input, output);
    }
    wipe_aes(&key, key_buffer_size);
    *output_length = input_length;
    return mbedtls_driver_aes_done(infallible_status(result));
}
