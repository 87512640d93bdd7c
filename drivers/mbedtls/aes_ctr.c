/* SPDX-License-Identifier: Apache-2.0 */
/* AES in CTR mode; the library counts in all 128 bits and keeps the rest of a block. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "aes_key.h"

#include <string.h>

#include <corral/driver.h>

psa_status_t mbedtls_driver_aes_ctr_setup(mbedtls_driver_aes_ctr_operation_t *operation,
                                          const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    return mbedtls_driver_aes_done(infallible_status(mbedtls_aes_setkey_enc(
        aes_of(&operation->key), key_buffer, (unsigned)(8 * key_buffer_size))));
}

psa_status_t mbedtls_driver_aes_ctr_set_iv(mbedtls_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *iv, size_t iv_length)
{
    if (iv_length != MBEDTLS_DRIVER_AES_BLOCK_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(operation->counter, iv, MBEDTLS_DRIVER_AES_BLOCK_SIZE);
    operation->offset = 0;
    return PSA_SUCCESS;
}

psa_status_t mbedtls_driver_aes_ctr_update(mbedtls_driver_aes_ctr_operation_t *operation,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *output_length = input_length;
    return mbedtls_driver_aes_done(infallible_status(
        mbedtls_aes_crypt_ctr(aes_of(&operation->key), input_length, &operation->offset,
                              operation->counter, operation->stream, input, output)));
}

psa_status_t mbedtls_driver_aes_ctr_abort(mbedtls_driver_aes_ctr_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}
