/* SPDX-License-Identifier: Apache-2.0 */
/* Camellia in ECB mode, block by block. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <corral/driver.h>
#include <mbedtls/camellia.h>

#define BLOCK_SIZE 16

CORRAL_REPEATS(mbedtls_driver_block_key_t, mbedtls_camellia_context);

static mbedtls_camellia_context *context_of(mbedtls_driver_block_ecb_operation_t *operation)
{
    return (mbedtls_camellia_context *)&operation->key;
}

psa_status_t mbedtls_driver_camellia_ecb_encrypt_setup(
    mbedtls_driver_block_ecb_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    operation->is_decryption = 0;
    const int result = mbedtls_camellia_setkey_enc(context_of(operation), key_buffer,
                                                   (unsigned)(8 * key_buffer_size));
    mbedtls_driver_wipe_stack_camellia();
    return infallible_status(result);
}

psa_status_t mbedtls_driver_camellia_ecb_decrypt_setup(
    mbedtls_driver_block_ecb_operation_t *operation, const psa_key_attributes_t *attributes,
    const uint8_t *key_buffer, size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
    operation->is_decryption = 1;
    const int result = mbedtls_camellia_setkey_dec(context_of(operation), key_buffer,
                                                   (unsigned)(8 * key_buffer_size));
    mbedtls_driver_wipe_stack_camellia();
    return infallible_status(result);
}

psa_status_t mbedtls_driver_camellia_ecb_update(mbedtls_driver_block_ecb_operation_t *operation,
                                                const uint8_t *input, size_t input_length,
                                                uint8_t *output, size_t output_size,
                                                size_t *output_length)
{
    const int direction =
        operation->is_decryption ? MBEDTLS_CAMELLIA_DECRYPT : MBEDTLS_CAMELLIA_ENCRYPT;
    int result = 0;
    size_t i;

    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (i = 0; i < input_length && result == 0; i += BLOCK_SIZE) {
        result =
            mbedtls_camellia_crypt_ecb(context_of(operation), direction, input + i, output + i);
    }
    mbedtls_driver_wipe_stack_camellia();
    *output_length = input_length;
    return infallible_status(result);
}

psa_status_t mbedtls_driver_camellia_ecb_abort(mbedtls_driver_block_ecb_operation_t *operation)
{
    corral_wipe(operation, sizeof(*operation));
    return PSA_SUCCESS;
}
